"""The tree of calls of a profile, worked out further."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from romproof.measure.model import CodeSpot, CycleProfile, PathProfile

OTHER_PATHS = "(other paths)"
"""The name for routine -1 of a path."""
NOBODY = -2
"""The caller where execution began, and of handlers of interrupts."""


@dataclass(frozen=True, slots=True)
class PathCalls:
    """``calls`` from a spot in one routine to another, -1 for OTHER_PATHS; or from NOBODY.

    ``cycles`` are inclusive, none of calls of a routine that is running already: those of all
    records of a callee add up to its inclusive cycles, in recursion, too.
    """

    caller: int
    site: CodeSpot | None
    callee: int
    calls: int
    cycles: int


def names_of(profile: CycleProfile) -> tuple[str, ...]:
    """The names of routines by index; the last one is that of -1."""
    return (*(routine.name for routine in profile.routines), OTHER_PATHS)


def totals(paths: Sequence[PathProfile]) -> list[int]:
    """The inclusive cycles of each path."""
    sums = [path.cycles for path in paths]
    for number in range(len(paths) - 1, -1, -1):
        parent = paths[number].parent
        if parent >= 0:
            sums[parent] += sums[number]
    return sums


def merge_paths(paths: Sequence[PathProfile]) -> list[PathProfile]:
    """The same tree without the places of calls: one path for each chain of routines, each one
    directly followed by those behind it, the costliest first."""
    children: dict[int, dict[int, int]] = {}
    nodes: list[list[int]] = []
    place: list[int] = []
    for path in paths:
        parent = -1 if path.parent < 0 else place[path.parent]
        known = children.setdefault(parent, {})
        at = known.get(path.routine)
        if at is None:
            at = known[path.routine] = len(nodes)
            nodes.append([parent, path.routine, 0, 0, 0])
        nodes[at][2] += path.calls
        nodes[at][3] += path.cycles
        place.append(at)
    for node in nodes:
        node[4] = node[3]
    for node in reversed(nodes):
        if node[0] >= 0:
            nodes[node[0]][4] += node[4]
    done: list[PathProfile] = []

    def in_order(at: int) -> list[int]:
        below = children.get(at, {}).values()
        return sorted(below, key=lambda child: (nodes[child][4], -child))

    waiting = [(-1, at) for at in in_order(-1)]
    while waiting:
        parent, at = waiting.pop()
        _, routine, calls, cycles, _ = nodes[at]
        done.append(PathProfile(parent, routine, None, calls, cycles))
        waiting += [(len(done) - 1, child) for child in in_order(at)]
    return done


def call_records(paths: Sequence[PathProfile]) -> list[PathCalls]:
    """The calls between routines, by caller and place; those of nobody come first."""
    sums = totals(paths)
    open_paths: list[int] = []
    running: dict[int, int] = {}
    records: dict[tuple[int, CodeSpot | None, int], list[int]] = {}
    for number, path in enumerate(paths):
        while open_paths and open_paths[-1] != path.parent:
            running[paths[open_paths.pop()].routine] -= 1
        caller = NOBODY if path.parent < 0 else paths[path.parent].routine
        record = records.setdefault((caller, path.site, path.routine), [0, 0])
        record[0] += path.calls
        if not running.get(path.routine):
            record[1] += sums[number]
        running[path.routine] = running.get(path.routine, 0) + 1
        open_paths.append(number)
    calls = [PathCalls(*key, *record) for key, record in records.items()]
    return sorted(calls, key=lambda record: record.caller != NOBODY)
