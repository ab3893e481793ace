"""Profiles of the same program put together: those of several machines, or of several processes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from romproof.measure.model import (
    CallEdge,
    CodeSpot,
    CycleProfile,
    LineProfile,
    PageAccess,
    PathProfile,
    RoutineProfile,
    SpotCost,
)
from romproof.measure.recorded import RecordedProfile
from romproof.measure.waits import merge_waits

_RoutineKey = tuple[int, int | None, str]
_Any = TypeVar("_Any")


def merge_by_title(programs: Iterable[RecordedProfile]) -> tuple[RecordedProfile, ...]:
    """One for each title, in their order; what was run is added up."""
    by_title: dict[tuple[str, str], list[RecordedProfile]] = {}
    for program in programs:
        by_title.setdefault((program.title, program.cpu), []).append(program)
    return tuple(
        _merge(profiles) if len(profiles) > 1 else profiles[0] for profiles in by_title.values()
    )


def _merge(programs: Sequence[RecordedProfile]) -> RecordedProfile:
    lines: dict[tuple[str, int], LineProfile] = {}
    for program in programs:
        for line in program.lines:
            key = (line.source, line.line)
            known = lines.get(key)
            if known is not None:
                count, cycles = known.count + line.count, known.cycles + line.cycles
                line = replace(line, count=count, cycles=cycles)
            lines[key] = line
    context = {entry for program in programs for entry in program.context}
    return replace(
        programs[0],
        runs=sum(program.runs for program in programs),
        profile=merge_profiles([program.profile for program in programs]),
        lines=tuple(sorted(lines.values(), key=lambda x: (-x.cycles, x.source, x.line))),
        context=tuple(sorted(entry for entry in context if entry[:2] not in lines)),
        waits=merge_waits(program.waits for program in programs),
        frames=tuple(frame for program in programs for frame in program.frames),
    )


@dataclass
class _Sums:
    """What has been added up: routines have the number of the order in which they came."""

    numbers: dict[_RoutineKey, int] = field(default_factory=dict)
    routines: list[RoutineProfile] = field(default_factory=list)
    edges: dict[tuple[int, int], list[int]] = field(default_factory=dict)
    costs: dict[tuple[int, CodeSpot], list[int]] = field(default_factory=dict)
    nodes: list[list[int]] = field(default_factory=list)
    """Of each path its routine, its calls and its own cycles."""
    behind: list[dict[tuple[int, CodeSpot | None], int]] = field(default_factory=lambda: [{}])
    """The paths that go on from the one before each, those of the first from nowhere."""
    accesses: dict[tuple[int, int], list[int]] = field(default_factory=dict)

    def add(self, profile: CycleProfile) -> None:
        """Add a profile."""
        own = [self._routine(routine) for routine in profile.routines]
        by_name = {routine.name: n for routine, n in zip(profile.routines, own, strict=True)}
        for edge in profile.edges:
            _add(
                self.edges,
                (by_name[edge.caller], by_name[edge.callee]),
                edge.calls,
                edge.cycles,
            )
        for cost in profile.costs:
            _add(self.costs, (own[cost.routine], cost.spot), cost.count, cost.cycles)
        for access in profile.accesses:
            _add(self.accesses, (own[access.routine], access.page), access.reads, access.writes)
        own.append(-1)
        place: list[int] = []
        for path in profile.paths:
            parent = -1 if path.parent < 0 else place[path.parent]
            key = own[path.routine], path.site
            at = self.behind[parent + 1].get(key)
            if at is None:
                at = self.behind[parent + 1][key] = len(self.nodes)
                self.nodes.append([key[0], 0, 0])
                self.behind.append({})
            self.nodes[at][1] += path.calls
            self.nodes[at][2] += path.cycles
            place.append(at)

    def _routine(self, routine: RoutineProfile) -> int:
        name = routine.name if routine.kind == "machine" else ""
        key = routine.address, routine.bank, name
        number = self.numbers.get(key)
        if number is None:
            self.numbers[key] = len(self.routines)
            self.routines.append(routine)
            return len(self.routines) - 1
        self.routines[number] = _sum(self.routines[number], routine)
        return number


def _sum(one: RoutineProfile, other: RoutineProfile) -> RoutineProfile:
    calls = one.calls + other.calls
    least = [routine.minimum for routine in (one, other) if routine.calls]
    return replace(
        one,
        name=max(one.name, other.name, key=len),  # with the address that tells it from another
        calls=calls,
        exclusive=one.exclusive + other.exclusive,
        inclusive=one.inclusive + other.inclusive,
        minimum=min(least, default=0),
        mean=(one.total + other.total) / calls if calls else 0.0,
        maximum=max(one.maximum, other.maximum),
        kind="interrupt" if "interrupt" in (one.kind, other.kind) else one.kind,
    )


def _add(sums: dict[_Any, list[int]], key: _Any, first: int, second: int) -> None:
    known = sums.setdefault(key, [0, 0])
    known[0] += first
    known[1] += second


def merge_profiles(profiles: Sequence[CycleProfile]) -> CycleProfile:
    """The sum of profiles of the same program."""
    sums = _Sums()
    for profile in profiles:
        sums.add(profile)
    uses = Counter(routine.name for routine in sums.routines)
    named = [
        r if uses[r.name] == 1 else replace(r, name=f"{r.name} ({_address(r)})")
        for r in sums.routines
    ]
    order = sorted(range(len(named)), key=lambda n: (-named[n].exclusive, named[n].address))
    index = {number: place for place, number in enumerate(order)} | {-1: -1}
    edges = (
        CallEdge(named[caller].name, named[callee].name, *sums.edges[caller, callee])
        for caller, callee in sums.edges
    )
    return CycleProfile(
        cycles=sum(profile.cycles for profile in profiles),
        instructions=sum(profile.instructions for profile in profiles),
        routines=tuple(named[number] for number in order),
        edges=tuple(sorted(edges, key=lambda e: (-e.cycles, e.caller, e.callee))),
        costs=tuple(
            sorted(
                (SpotCost(index[n], spot, *added) for (n, spot), added in sums.costs.items()),
                key=lambda c: (c.routine, c.spot.bank or 0, c.spot.address),
            )
        ),
        paths=tuple(_paths(sums, index)),
        accesses=tuple(
            sorted(
                (PageAccess(index[n], page, *added) for (n, page), added in sums.accesses.items()),
                key=lambda a: (a.routine, a.page),
            )
        ),
    )


def _paths(sums: _Sums, index: dict[int, int]) -> list[PathProfile]:
    done: list[PathProfile] = []
    waiting = [(-1, at, site) for (_, site), at in reversed(sums.behind[0].items())]
    while waiting:
        parent, at, site = waiting.pop()
        routine, calls, cycles = sums.nodes[at]
        done.append(PathProfile(parent, index[routine], site, calls, cycles))
        behind = reversed(sums.behind[at + 1].items())
        waiting += [(len(done) - 1, child, s) for (_, s), child in behind]
    return done


def _address(routine: RoutineProfile) -> str:
    bank = "" if routine.bank is None else f"{routine.bank:02X}:"
    return f"${bank}{routine.address:04X}"
