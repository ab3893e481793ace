"""Profiles as one page for a browser, with nothing from elsewhere: it works without a network.

Tables are in the page itself; a script draws the flame graph and lets the memory map be looked at
by routine. What a colour says is said by a number, a word or a pattern, too.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files

from romproof.measure.model import CycleProfile, LineProfile, RoutineProfile
from romproof.measure.paths import merge_paths, totals
from romproof.measure.recorded import RecordedProfile
from romproof.report.profiles.waiting import waiting_part

_LEAST_PART = 5000
"""Paths with a smaller part of all cycles than this one are not drawn."""
_MAX_LINES = 5000
"""Source lines that are listed of a program, those of the costliest files."""
_PAGES = 256
_SHARE = ' class="share"'
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"


def page(programs: Sequence[RecordedProfile]) -> str:
    """The page of some profiles."""
    title = ", ".join(program.title for program in programs) or "nothing was run"
    parts = [
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width,initial-scale=1">',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        f"<title>Profile: {escape(title)}</title><style>{_asset('page.css')}</style></head><body>",
        f"<header><h1>Profile of {escape(title)}</h1></header><main>",
    ]
    if len(programs) > 1:
        links = (f'<li><a href="#p{n}">{escape(p.title)}</a>' for n, p in enumerate(programs))
        parts.append(f'<nav aria-label="Programs"><ul class="jump">{"".join(links)}</ul></nav>')
    for number, program in enumerate(programs):
        parts += _program(number, program)
    parts.append(f"</main><script>{_asset('page.js')}</script></body></html>\n")
    return "\n".join(parts)


def _asset(name: str) -> str:
    return (files("romproof.report.profiles") / name).read_text("utf-8")


def _program(number: int, program: RecordedProfile) -> Iterator[str]:
    profile, unit = program.profile, program.unit
    yield f'<section class="program" id="p{number}" aria-label="{escape(program.title)}">'
    yield f"<h2>{escape(program.title)}: {escape(program.what)}</h2>"
    sums = [
        (f"{profile.cycles:,}", unit),
        (f"{profile.instructions:,}", "instructions"),
        (f"{len(profile.routines):,}", "routines"),
    ]
    if program.runs > 1:
        sums.append((f"{profile.cycles / program.runs:,.1f}", f"{unit} on average of each"))
    items = "".join(f"<li><b>{value}</b>{escape(what)}" for value, what in sums)
    yield f'<ul class="sum">{items}</ul>'
    yield from waiting_part(program)
    yield from _flame(number)
    yield from _routines(profile, unit)
    yield from _lines(program)
    yield from _map(number, profile)
    data = json.dumps(_data(number, program), ensure_ascii=False, separators=(",", ":"))
    yield f'<script type="application/json">{data.replace("<", chr(92) + "u003c")}</script>'
    yield "</section>"


def _flame(number: int) -> Iterator[str]:
    yield "<h3>Flame graph</h3>"
    yield (
        "<p>The width of a box is its share of the cycles; a routine lies below its caller. "
        "Hatched boxes are time of the machine: DMA, HALT. Choose a box to zoom in. Keys: the "
        "arrows move from box to box, Enter zooms in, Escape shows all again.</p>"
    )
    yield (
        f'<div class="tools"><label for="s{number}">Find</label>'
        f'<input class="search" id="s{number}" '
        'type="search" spellcheck="false"><button type="button" class="out">Show all</button></div>'
        '<p class="told flame-told" aria-live="polite"></p><div class="flame">'
        "<noscript>The flame graph needs JavaScript; the tables below do not.</noscript></div>"
    )


def _routines(profile: CycleProfile, unit: str) -> Iterator[str]:
    heads = ("calls", f"self {unit}", "self %", "total", "min", "mean", "max")
    yield "<h3>Routines</h3>"
    yield (
        '<p class="soft">“self” is a routine’s own cycles, “total” includes its callees; cycles of '
        "interrupt handlers count in neither for the routine they interrupt. min, mean and max are "
        "for one call.</p>"
    )
    titles = "".join(f'<th scope="col">{escape(head)}</th>' for head in heads)
    yield (
        '<div class="scroll" tabindex="0" role="group" aria-label="Routines"><table '
        'class="routines"><thead><tr><th scope="col" class="name">routine</th>'
        f"{titles}</tr></thead>"
    )
    yield "<tbody>"
    for routine in profile.routines:
        share = profile.share(routine.exclusive)
        bar = f"{share:.1%}<span class=room><i style='width:{4.3 * share:.2f}rem'></i></span>"
        cells = (
            f"{routine.calls:,}",
            f"{routine.exclusive:,}",
            bar,
            f"{routine.inclusive:,}",
            f"{routine.minimum:,}",
            f"{routine.mean:,.1f}",
            f"{routine.maximum:,}",
        )
        row = "".join(
            f'<td data-head="{escape(head)}"{_SHARE if cell is bar else ""}>{cell}</td>'
            for head, cell in zip(heads, cells, strict=True)
        )
        kind = "" if routine.kind == "routine" else f' <span class="kind">{routine.kind}</span>'
        yield f'<tr><th scope="row">{escape(routine.all_names)}{kind}</th>{row}</tr>'
    yield "</tbody></table></div>"


def _lines(program: RecordedProfile) -> Iterator[str]:
    by_file: dict[str, list[LineProfile]] = {}
    for line in program.lines:
        by_file.setdefault(line.source, []).append(line)
    yield "<h3>Source lines</h3>"
    if not by_file:
        yield "<p>No source lines are known for the code that was executed.</p>"
        return
    context: dict[str, dict[int, str]] = {}
    for source, at, text in program.context:
        context.setdefault(source, {})[at] = text
    spent = {source: sum(line.cycles for line in lines) for source, lines in by_file.items()}
    most = max(line.cycles for line in program.lines)
    left = _MAX_LINES
    for place, source in enumerate(sorted(spent, key=lambda name: (-spent[name], name))):
        lines = by_file[source]
        left -= len(lines)
        if left < 0:
            others = len(by_file) - place
            yield f"<p>{others} more files with fewer cycles are left out.</p>"
            return
        share = program.profile.share(spent[source])
        opened = " open" if place == 0 else ""
        yield (
            f"<details{opened}><summary><b>{escape(source)}</b> {spent[source]:,} {program.unit}, "
            f'{share:.1%}</summary><table class="lines"><colgroup><col class="n"><col class="c">'
            '<col class="k"><col class="p"><col></colgroup><thead><tr><th scope="col">line</th>'
            '<th scope="col" class="c">count</th><th scope="col">cycles</th>'
            '<th scope="col">%</th><th scope="col" class="name">source</th></tr></thead><tbody>'
        )
        yield from _listing(lines, context.get(source, {}), program.profile, most)
        yield "</tbody></table></details>"


def _listing(
    lines: Sequence[LineProfile], context: dict[int, str], profile: CycleProfile, most: int
) -> Iterator[str]:
    """The lines of a file that were executed, and those around them."""
    executed = {line.line: line for line in lines}
    before = None
    for number in sorted({*executed, *context}):
        if before is not None and number > before + 1:
            yield '<tr class="gap"><td>⋮</td><td class="c"></td><td></td><td></td><td></td></tr>'
        before = number
        line = executed.get(number)
        if line is None:
            yield (
                f'<tr class="none"><td>{number}</td><td class="c"></td><td></td><td></td>'
                f'<td class="text">{escape(context[number])}</td></tr>'
            )
            continue
        heat = 0.05 + 0.4 * line.cycles / most
        yield (
            f'<tr style="background:rgba(var(--heat),{heat:.2f})"><td>{number}</td>'
            f'<td class="c">{line.count:,}</td><td>{line.cycles:,}</td>'
            f"<td>{profile.share(line.cycles):.1%}</td>"
            f'<td class="text">{escape(line.text)}</td></tr>'
        )


def _map(number: int, profile: CycleProfile) -> Iterator[str]:
    yield "<h3>Memory map</h3>"
    if not profile.accesses:
        yield "<p>Reads and writes were not counted in this run.</p>"
        return
    spent: dict[int, int] = {}
    for access in profile.accesses:
        spent[access.routine] = spent.get(access.routine, 0) + access.reads + access.writes
    ranked = sorted(spent, key=lambda routine: (-spent[routine], routine))
    choices = "".join(
        f'<option value="{n}">{escape(profile.routines[n].name)}</option>' for n in ranked
    )
    yield (
        "<p>Each cell is a page of 256 bytes; the digits of its row and column are the page "
        "number. <b>r</b>: the page was read; <b>w</b> and a double line: written. A stronger "
        "colour means more accesses. Instruction fetches are not counted. The arrows move from "
        "page to page.</p>"
        f'<div class="tools"><label for="m{number}">Accesses of</label>'
        f'<select class="of" id="m{number}"><option value="">all routines</option>{choices}'
        "</select></div>"
        '<p class="told map-told" aria-live="polite"></p>'
    )
    digits = "0123456789ABCDEF"
    heads = "".join(f'<th scope="col">{digit}</th>' for digit in digits)
    yield f'<table class="map"><thead><tr><th scope="col">$</th>{heads}</tr></thead><tbody>'
    for row, digit in enumerate(digits):
        cells = "".join(
            f'<td><button type="button" tabindex="{0 if row + column == 0 else -1}">·</button></td>'
            for column in range(16)
        )
        yield f'<tr><th scope="row">{digit}</th>{cells}</tr>'
    yield "</tbody></table>"
    yield from _pages(profile)


def _pages(profile: CycleProfile) -> Iterator[str]:
    """The same as a table, for each page the routines that use it most."""
    yield "<details><summary>Pages as a table</summary>"
    yield '<div class="scroll" tabindex="0" role="group" aria-label="Pages"><table><thead><tr>'
    yield '<th scope="col" class="name">page</th><th scope="col">reads</th>'
    yield '<th scope="col">writes</th><th scope="col" class="name">by (reads, writes)</th></tr>'
    yield "</thead><tbody>"
    for page_number in range(_PAGES):
        accesses = [a for a in profile.accesses if a.page == page_number]
        if not accesses:
            continue
        accesses.sort(key=lambda a: (-(a.reads + a.writes), a.routine))
        by = ", ".join(
            f"{profile.routines[a.routine].name} ({a.reads:,}, {a.writes:,})" for a in accesses[:8]
        )
        more = f", and {len(accesses) - 8} more" if len(accesses) > 8 else ""
        yield (
            f'<tr><th scope="row">${page_number:02X}00</th>'
            f"<td>{sum(a.reads for a in accesses):,}</td>"
            f"<td>{sum(a.writes for a in accesses):,}</td>"
            f'<td class="name">{escape(by)}{more}</td></tr>'
        )
    yield "</tbody></table></div></details>"


def _data(number: int, program: RecordedProfile) -> dict[str, object]:
    """What the script draws."""
    profile = program.profile
    paths = merge_paths(profile.paths)
    place: list[int] = []
    drawn: list[tuple[int, int, int, int]] = []
    for path, total in zip(paths, totals(paths), strict=True):
        parent = -1 if path.parent < 0 else place[path.parent]
        hidden = path.parent >= 0 and parent < 0
        if hidden or total * _LEAST_PART < profile.cycles:
            place.append(-1)
            continue
        place.append(len(drawn))
        drawn.append((parent, path.routine, path.calls, path.cycles))
    return {
        "index": number,
        "unit": program.unit,
        "cycles": profile.cycles,
        "routines": [[r.name, r.kind, _where(r)] for r in profile.routines],
        "paths": drawn,
        "accesses": [[a.routine, a.page, a.reads, a.writes] for a in profile.accesses],
    }


def _where(routine: RoutineProfile) -> str:
    if routine.source is not None:
        return f"{routine.source}:{routine.line}"
    if routine.address < 0:
        return ""
    bank = "" if routine.bank is None else f"{routine.bank:02X}:"
    return f"${bank}{routine.address:04X}"
