"""How often loops turn: deduced from their counters.

In a loop, some variables become the same function of what they were at its head whatever way is
taken. When a way out depends on such variables only, and their values at the entry are known, or
few enough to try all, then the turn in which it is taken follows by counting.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

from romproof.bounds.effects import formula
from romproof.bounds.footprint import Footprint
from romproof.bounds.loops import Loop, latches
from romproof.bounds.values import Facts, Place, State, Walk, possible
from romproof.isa.algebra import Op, Value, evaluate, register
from romproof.isa.cpus import cpu_named

MOST_TURNS = 0x10000
"""Turns after which counting is given up."""

_BITS = 8
"""Bits of variables with unknown values at the entry, all of whose values are tried."""

_FOLLOWED = 1024
"""Turns up to which the values of every turn are kept."""

Span = tuple[int, int | None]
"""The fewest and the most of something; None: without bound."""


@dataclass(frozen=True)
class Turns:
    """How often the head of a loop is executed each time the loop is entered.

    ``exits`` says for the ways out in which turns they can be taken, counted from 1; other ways
    out can be in any. ``most`` is None where no bound is known. ``extras`` tells of conditional
    cycles in the loop whether there are turns without them and turns with them.
    """

    most: int | None
    exits: Mapping[Place, Span] = field(default_factory=dict)
    extras: Mapping[int, tuple[bool, bool]] = field(default_factory=dict)


Vector = tuple[int, ...]


@dataclass(frozen=True)
class _Counter:
    """Variables that are functions of each other from turn to turn, and their first values."""

    names: tuple[str, ...]
    following: Mapping[str, Value]
    first: tuple[Sequence[int], ...]

    def starts(self) -> Iterator[Vector]:
        """All values the variables may have at the entry."""
        return product(*self.first)

    def next(self, now: Vector) -> Vector:
        """The values one turn later."""
        values = dict(zip(self.names, now, strict=True))
        return tuple(evaluate(self.following[name], values, {}) for name in self.names)


def count_turns(
    walk: Walk, loop: Loop, outside: Facts, at_entry: State | None, stated: int | None
) -> Turns:
    """The turns of a loop.

    ``outside`` are the facts of the whole graph, ``at_entry`` is the state before it when the
    loop is its beginning. ``stated`` is the most turns as the source says it, None if it does not.
    """
    start = dict(outside.before[loop.head])
    candidates = _candidates(walk, walk.inner[loop.head])
    start |= candidates
    inside = walk.facts(loop.head, loop.body, start)
    following = _common_ends(walk, loop, inside, candidates)
    first = _first_values(walk, loop, outside, at_entry)
    exits: dict[Place, Span] = {}
    most = stated
    for place, condition in inside.conditions.items():
        edge = walk.graph.blocks[place[0]].edges[place[1]]
        if edge.target in loop.body:
            continue
        counter = _counter(condition, following, first)
        if counter is None:
            continue
        fewest, last = _first_turns(condition, counter)
        sure = walk.nest.on_every_turn(place[0], loop, walk.graph)
        exits[place] = (fewest, last if sure else None)
        if sure and last is not None and (most is None or last < most):
            most = last
    unsure = {a: e for a, e in inside.extras.items() if possible(outside.extras[a]) == (True, True)}
    return Turns(most, exits, _extras(unsure, following, first, most))


def _candidates(walk: Walk, footprint: Footprint) -> State:
    """The variables that the loop changes, each as itself."""
    widths = cpu_named(walk.code.abi.cpu).registers
    return {name: register(name, widths.get(name, 8)) for name in footprint.names}


def _common_ends(walk: Walk, loop: Loop, inside: Facts, candidates: State) -> Mapping[str, Value]:
    """What each variable is when the loop comes round, where that is the same on all ways."""
    ends = [
        inside.after[start, number]
        for start in latches(loop, walk.graph)
        for number, edge in enumerate(walk.graph.blocks[start].edges)
        if edge.target == loop.head and (start, number) in inside.after
    ]
    if not ends:
        return {}
    common = ends[0]
    for other in ends[1:]:
        common = {name: value for name, value in common.items() if other.get(name) is value}
    return {name: common[name] for name in candidates if name in common}


def _first_values(
    walk: Walk, loop: Loop, outside: Facts, at_entry: State | None
) -> Mapping[str, int]:
    """The variables that have the same known value whenever the loop is entered."""
    states = [
        outside.after[start, number]
        for start, block in walk.graph.blocks.items()
        for number, edge in enumerate(block.edges)
        if edge.target == loop.head and start not in loop.body and (start, number) in outside.after
    ]
    if at_entry is not None:
        states.append(at_entry)
    if not states:
        return {}
    return {
        name: value.number
        for name, value in states[0].items()
        if value.op is Op.CONST and all(other.get(name) is value for other in states[1:])
    }


def _counter(
    condition: Value, following: Mapping[str, Value], first: Mapping[str, int]
) -> _Counter | None:
    """What an expression depends on from turn to turn; None where that is not known."""
    widths: dict[str, int] = {}
    work = [condition]
    while work:
        for name, leaf in formula(work.pop()).needs.items():
            if name in widths:
                continue
            if name not in following:
                return None
            widths[name] = leaf.width
            work.append(following[name])
    unknown = sum(width for name, width in widths.items() if name not in first)
    if not widths or unknown > _BITS:
        return None
    return _Counter(
        tuple(widths),
        {name: following[name] for name in widths},
        tuple([first[n]] if n in first else range(1 << width) for n, width in widths.items()),
    )


def _first_turns(condition: Value, counter: _Counter) -> Span:
    """The fewest and the most turns until a condition holds for the first time."""
    turns: dict[Vector, int] = {}
    found: list[int] = []
    for start in counter.starts():
        path: list[Vector] = []
        on_path: set[Vector] = set()
        now = start
        while now not in turns:
            if now in on_path or len(path) > MOST_TURNS:
                break  # it never holds
            path.append(now)
            on_path.add(now)
            if evaluate(condition, dict(zip(counter.names, now, strict=True)), {}):
                turns[now] = 1
                path.pop()
                break
            now = counter.next(now)
        reached = turns.get(now, 0)
        for before in reversed(path):
            reached += 1 if reached else 0
            turns[before] = reached
        found.append(turns[start])
    sure = [number for number in found if number]
    return (min(sure) if sure else MOST_TURNS, max(sure) if len(sure) == len(found) else None)


def _extras(
    conditions: Mapping[int, Value],
    following: Mapping[str, Value],
    first: Mapping[str, int],
    most: int | None,
) -> dict[int, tuple[bool, bool]]:
    """Whether conditional cycles are left out, and whether they are taken, in some turn."""
    found: dict[int, tuple[bool, bool]] = {}
    if most is None or most > _FOLLOWED:
        return found
    paths: dict[tuple[str, ...], list[Mapping[str, int]]] = {}
    for address, extra in conditions.items():
        counter = _counter(extra, following, first) if extra.op is not Op.CONST else None
        if counter is None or any(len(values) > 1 for values in counter.first):
            continue
        path = paths.get(counter.names)
        if path is None:
            path = paths[counter.names] = list(_path(counter, most))
        seen = {bool(evaluate(extra, values, {})) for values in path}
        found[address] = (False in seen, True in seen)
    return found


def _path(counter: _Counter, turns: int) -> Iterator[Mapping[str, int]]:
    now = next(counter.starts())
    for _ in range(turns):
        yield dict(zip(counter.names, now, strict=True))
        now = counter.next(now)
