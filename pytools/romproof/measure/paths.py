"""The tree of calls of a profile, worked out further."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from romproof.measure.model import PathProfile, Profile, Spot

OTHER_PATHS = "(other paths)"
"""The name for routine -1 of a path."""


@dataclass(frozen=True, slots=True)
class CallRecord:
    """``calls`` from a spot in one routine to another, -1 for OTHER_PATHS.

    ``cycles`` are inclusive, but without those in which the caller is called again: the caller's
    own cycles and those of its records add up to its inclusive cycles, in recursion, too.
    """

    caller: int
    site: Spot | None
    callee: int
    calls: int
    cycles: int


def names_of(profile: Profile) -> tuple[str, ...]:
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


def merged(paths: Sequence[PathProfile]) -> list[PathProfile]:
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


def call_records(paths: Sequence[PathProfile]) -> list[CallRecord]:
    """The calls between routines, by caller and place."""
    sums = totals(paths)
    folded = list(sums)
    open_paths: list[int] = []
    innermost: dict[int, list[int]] = {}
    for number, path in enumerate(paths):
        while open_paths and open_paths[-1] != path.parent:
            innermost[paths[open_paths.pop()].routine].pop()
        depths = innermost.setdefault(path.routine, [])
        if depths:  # what is called behind the same routine is that one's, not the outer one's
            behind = depths[-1] + 1
            folded[open_paths[behind] if behind < len(open_paths) else number] -= sums[number]
        depths.append(len(open_paths))
        open_paths.append(number)
    records: dict[tuple[int, Spot | None, int], list[int]] = {}
    for number, path in enumerate(paths):
        if path.parent >= 0:
            key = (paths[path.parent].routine, path.site, path.routine)
            record = records.setdefault(key, [0, 0])
            record[0] += path.calls
            record[1] += folded[number]
    return [CallRecord(*key, *record) for key, record in records.items()]
