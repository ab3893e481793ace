"""Small SM83 programs for the tests: RGBDS source with its bytes in comments, ``;= C6 05``.

It knows ``SECTION "name", TYPE`` (ROM0, WRAM0 and HRAM), labels, exported with ``::``, and
``ds n``. An operand that is a label is written ``{label}`` among the bytes, low byte first;
``{-label}`` is the distance of a ``jr``.
"""

from __future__ import annotations

import re

from romproof.program.address_size import AddressSize
from romproof.program.image import Area, Block, Image, ImageLine, Routine, Segment, Symbol
from romproof.text.span import Source, Span

AREAS = {
    "ROM0": Area("ROM0", 0x0000, 0x4000, 0, False, None),
    "WRAM0": Area("WRAM0", 0xC000, 0x1000, 0, True, None),
    "HRAM": Area("HRAM", 0xFF80, 0x7F, 0, True, None),
}
START = {"ROM0": 0x0150, "WRAM0": 0xC000, "HRAM": 0xFF80}
_LABEL = re.compile(r"(?P<name>\.?\w[\w.]*)(?P<colons>::?)")
_OPERAND = re.compile(r"\{(-?)([\w.]+)\}")


def assemble(text: str, name: str = "prog.asm", start: int = START["ROM0"]) -> Image:
    """The image of a program; its ROM begins at ``start``."""
    source = Source(name, text)
    counters = {**START, "ROM0": start}
    area, scope = "ROM0", ""
    labels: dict[str, int] = {}
    marks: list[tuple[str, str, int, bool, Span]] = []
    rows: list[tuple[str, int, str, Span]] = []
    spaces: dict[int, int] = {}
    for number, line in enumerate(source.lines, 1):
        code, _, data = line.partition(";=")
        code = code.partition(";")[0]
        span = Span(source, number, len(line) - len(line.lstrip()) + 1, max(len(code.strip()), 1))
        if match := re.match(r'SECTION "\w+", (\w+)', code):
            area = match[1]
            continue
        if match := _LABEL.match(code):
            if not match["name"].startswith("."):
                scope = match["name"]
            full = scope + match["name"] if match["name"].startswith(".") else scope
            labels[full] = counters[area]
            marks.append((full, area, counters[area], match["colons"] == "::", span))
        if match := re.search(r"\bds (\d+)", code):
            spaces[counters[area]] = int(match[1])
            counters[area] += int(match[1])
        elif data.strip():
            rows.append((data, counters[area], scope, span))
            counters[area] += len(_bytes(data, counters[area], scope, None))
    lines = tuple(
        ImageLine(at, len(d), d, True, "ROM0", span)
        for at, d, span in ((a, _bytes(t, a, s, labels), p) for t, a, s, p in rows)
    )
    rom = b"".join(line.data for line in lines)
    globals_ = [m for m in marks if "." not in m[0]]
    ends = {
        full: min([a for f, ar, a, _, _ in globals_ if ar == area and a > at] or [counters[area]])
        for full, area, at, _, _ in globals_
    }
    return Image(
        cpu="sm83",
        files=(),
        blocks=(Block("ROM0", start, rom, False),),
        areas=tuple(AREAS.values()),
        segments=tuple(
            Segment(a, at, at, counters[a] - at, 1, a, a, None, 0, ())
            for a, at in {**START, "ROM0": start}.items()
        ),
        symbols=tuple(
            Symbol(
                full,
                at,
                AddressSize.ABSOLUTE,
                True,
                exported,
                spaces.get(at) if area != "ROM0" else (ends[full] - at if full in ends else None),
                name,
                span,
                area,
            )
            for full, area, at, exported, span in marks
        ),
        lines=lines,
        routines=tuple(
            Routine(full, at, ends[full] - at, name, span)
            for full, area, at, _, span in globals_
            if area == "ROM0"
        ),
        sources=(source,),
    )


def _bytes(text: str, address: int, scope: str, labels: dict[str, int] | None) -> bytes:
    """The bytes of a line; without ``labels`` only their number is right."""
    data = b""
    for word in text.split():
        match = _OPERAND.fullmatch(word)
        if match is None:
            data += bytes.fromhex(word)
            continue
        relative, name = match.groups()
        name = scope + name if name.startswith(".") else name
        target = labels[name] if labels else 0
        after = address + len(data) + 1
        data += bytes([(target - after) & 0xFF]) if relative else target.to_bytes(2, "little")
    return data
