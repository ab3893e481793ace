"""Profiles for KCachegrind and callgrind_annotate.

The format is described in Valgrind's manual, "Callgrind Format Specification". Costs are by source
line; code without a source stands in a file "(no source)", its addresses in place of lines.

callgrind_annotate takes what all calls of a function cost for its inclusive cost. So a call of a
routine that is running already costs nothing (see romproof.measure.paths), and where execution
begins in a routine that is called as well, "(outside)" calls it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from romproof.measure.model import CodeSpot, CycleProfile
from romproof.measure.paths import NOBODY, call_records, names_of
from romproof.measure.recorded import RecordedProfile

NO_SOURCE = "(no source)"


def callgrind(programs: Sequence[RecordedProfile]) -> str:
    """The text of a file ``callgrind.out.*``; with several programs functions have their names."""
    lines = ["# callgrind format", "version: 1", "creator: romproof"]
    lines += [f"cmd: {_line(', '.join(f'{p.title}: {p.what}' for p in programs))}"]
    lines += ["positions: line", f"events: {_events(programs)}"]
    names = _NumberedNames()
    for program in programs:
        title = f"{program.title}: " if len(programs) > 1 else ""
        lines += ["", f"ob={names.of('ob', program.title)}"]
        lines += _program(program.profile, title, names)
    lines += ["", f"totals: {sum(program.profile.cycles for program in programs)}", ""]
    return "\n".join(lines)


def _events(programs: Sequence[RecordedProfile]) -> str:
    units = {program.unit for program in programs}
    return "MCycles" if units == {"M-cycles"} else "Cycles"


def _program(profile: CycleProfile, title: str, names: _NumberedNames) -> Iterator[str]:
    called = names_of(profile)
    files = [*(r.source or NO_SOURCE for r in profile.routines), NO_SOURCE]
    first = [*(r.line or max(r.address, 0) for r in profile.routines), 0]
    costs: dict[int, dict[tuple[str, int], int]] = {}
    for cost in profile.costs:
        own = costs.setdefault(cost.routine, {})
        place = _place(cost.spot)
        own[place] = own.get(place, 0) + cost.cycles
    calls: dict[int, list[tuple[tuple[str, int], int, int, int]]] = {}
    records = call_records(profile.paths)
    called_too = {record.callee for record in records if record.caller != NOBODY}
    outside = [r for r in records if r.caller == NOBODY and r.callee in called_too]
    for record in records:
        if record.caller == NOBODY:
            continue
        place = (files[record.caller], first[record.caller])
        if record.site is not None:
            place = _place(record.site)
        calls.setdefault(record.caller, []).append(
            (place, record.callee, record.calls, record.cycles)
        )
    for number, routine in [*enumerate(profile.routines), (-1, None)]:
        own = costs.get(number, {})
        if routine is not None and routine.kind == "machine":
            own = {(files[number], first[number]): routine.exclusive}
        if not own and number not in calls:
            continue
        yield ""
        yield f"fl={names.of('fl', files[number])}"
        yield f"fn={names.of('fn', title + called[number])}"
        file = files[number]
        for (source, line), cycles in sorted(own.items()):
            if source != file:
                file = source
                yield f"fi={names.of('fl', file)}"
            yield f"{line} {cycles}"
        for (source, line), callee, count, cycles in sorted(calls.get(number, ())):
            if source != file:
                file = source
                yield f"fi={names.of('fl', file)}"
            yield f"cfi={names.of('fl', files[callee])}"
            yield f"cfn={names.of('fn', title + called[callee])}"
            yield f"calls={count} {first[callee]}"
            yield f"{line} {cycles}"
    if outside:
        yield ""
        yield f"fl={names.of('fl', NO_SOURCE)}"
        yield f"fn={names.of('fn', title + '(outside)')}"
        for record in outside:
            yield f"cfi={names.of('fl', files[record.callee])}"
            yield f"cfn={names.of('fn', title + called[record.callee])}"
            yield f"calls={record.calls} {first[record.callee]}"
            yield f"0 {record.cycles}"


def _place(spot: CodeSpot) -> tuple[str, int]:
    if spot.source is None or spot.line is None:
        return NO_SOURCE, max(spot.address, 0)
    return spot.source, spot.line


def _line(text: str) -> str:
    return " ".join(text.split())


class _NumberedNames:
    """Names are written once and have a number afterwards."""

    def __init__(self) -> None:
        self._numbers: dict[str, dict[str, int]] = {"ob": {}, "fl": {}, "fn": {}}

    def of(self, kind: str, name: str) -> str:
        known = self._numbers[kind]
        if name in known:
            return f"({known[name]})"
        known[name] = len(known) + 1
        return f"({known[name]}) {_line(name)}"
