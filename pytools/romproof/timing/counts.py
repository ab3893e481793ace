"""How many iterations loops have, deduced from their counters.

Some variables of a loop become the same function of their values at its head on every path. When
an exit depends on such variables only, and their values at the entry are known, or few enough to
try all, counting gives the iteration in which it is taken.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from math import prod

from romproof.isa.algebra import Op, Value, evaluate, register
from romproof.isa.cpus import cpu_named
from romproof.timing.effects import VariableKind, formula, kind_of
from romproof.timing.footprint import Footprint
from romproof.timing.loops import NaturalLoop, latches
from romproof.timing.values import (
    ExitEdge,
    InputLimits,
    KnownStates,
    RegisterValues,
    Walk,
    possible,
)

MAX_ITERATIONS = 0x10000
"""Iterations after which counting is given up."""

_STARTS = 256
"""Values that the variables of a counter may have at the entry, so that all are tried."""

_FOLLOWED = 1024
"""Iterations up to which the values of every iteration are kept."""

IterationSpan = tuple[int, int | None]
"""The fewest and the most of something; None: without bound."""


@dataclass(frozen=True)
class Iterations:
    """How often the head of a loop is executed each time the loop is entered.

    ``exits`` has, for exits, the iterations in which they can be taken, counted from 1; any other
    exit can be taken in every iteration. ``most`` is None where no bound is known. ``extras`` says
    for conditional cycles whether some iterations are without them, and some with them.
    """

    most: int | None
    exits: Mapping[ExitEdge, IterationSpan] = field(default_factory=dict)
    extras: Mapping[int, tuple[bool, bool]] = field(default_factory=dict)


Vector = tuple[int, ...]


@dataclass(frozen=True)
class _Counter:
    """Variables that change with each iteration as functions of each other; their first values."""

    names: tuple[str, ...]
    following: Mapping[str, Value]
    first: tuple[Collection[int], ...]

    def starts(self) -> Iterator[Vector]:
        """All values the variables may have at the entry."""
        return product(*self.first)

    def next(self, now: Vector) -> Vector:
        """The values one iteration later."""
        values = dict(zip(self.names, now, strict=True))
        return tuple(evaluate(self.following[name], values, {}) for name in self.names)


@dataclass(frozen=True)
class Outside:
    """What is known before a loop: the ``facts`` of the whole graph, and the ``limits`` of values
    at its entry."""

    facts: KnownStates
    limits: InputLimits


def count_iterations(
    walk: Walk, loop: NaturalLoop, outside: Outside, stated: int | None
) -> Iterations:
    """The iterations of a loop; ``stated`` is the most that the source states, or None."""
    start = dict(outside.facts.before[loop.head])
    candidates = _candidates(walk, walk.inner[loop.head])
    start |= candidates
    inside = walk.facts_of_turn(loop, start)
    following = _common_ends(walk, loop, inside, candidates)
    first = _first_values(walk, loop, outside)
    exits: dict[ExitEdge, IterationSpan] = {}
    most = stated
    for place, condition in inside.conditions.items():
        edge = walk.graph.blocks[place[0]].edges[place[1]]
        if edge.target in loop.body:
            continue
        counter = _counter(condition, following, first)
        if counter is None:
            continue
        fewest, last = _first_iterations(condition, counter)
        sure = walk.nest.on_every_turn(place[0], loop, walk.graph)
        exits[place] = (fewest, last if sure else None)
        if sure and last is not None and (most is None or last < most):
            most = last
    unsure = {
        a: e
        for a, e in inside.extras.items()
        if possible(outside.facts.extras[a], outside.limits) == (True, True)
    }
    return Iterations(most, exits, _extras(unsure, following, first, most))


def _candidates(walk: Walk, footprint: Footprint) -> RegisterValues:
    """The variables that the loop changes, each as itself."""
    widths = cpu_named(walk.code.abi.cpu).registers
    return {name: register(name, widths.get(name, 8)) for name in footprint.names}


def _common_ends(
    walk: Walk, loop: NaturalLoop, inside: KnownStates, candidates: RegisterValues
) -> Mapping[str, Value]:
    """What each variable is when the loop comes round, where that is the same on all paths."""
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


First = Mapping[str, Collection[int]]
"""The values that variables may have when a loop is entered; others may have any."""


def _first_values(walk: Walk, loop: NaturalLoop, outside: Outside) -> First:
    """The values that variables may have whenever the loop is entered, if they are few."""
    after = outside.facts.after
    states = [
        after[start, number]
        for start, block in walk.graph.blocks.items()
        for number, edge in enumerate(block.edges)
        if edge.target == loop.head and start not in loop.body and (start, number) in after
    ]
    if loop.head == walk.graph.entry:
        states.append(walk.start)
    first: dict[str, Collection[int]] = {
        name: range(low, high + 1) for name, (low, high) in outside.limits.items()
    }
    for name in set(states[0]).intersection(*states[1:]) if states else ():
        values: set[int] = set()
        for state in states:
            few = _values(state[name], outside.limits)
            if few is None:
                break
            values |= few
        else:
            first[name] = values
    return first


def _values(value: Value, limits: InputLimits) -> set[int] | None:
    """All values of an expression of inputs; None where there are many."""
    if value.op is Op.CONST:
        return {value.number}
    names = list(formula(value).needs)
    if not all(name in limits for name in names):
        return None
    ranges = [range(limits[name][0], limits[name][1] + 1) for name in names]
    if prod(map(len, ranges)) > _STARTS:
        return None
    return {evaluate(value, dict(zip(names, v, strict=True)), {}) for v in product(*ranges)}


def _counter(condition: Value, following: Mapping[str, Value], first: First) -> _Counter | None:
    """What an expression depends on from iteration to iteration; None where that is not known."""
    leaves: dict[str, Value] = {}
    work = [condition]
    while work:
        for name, leaf in formula(work.pop()).needs.items():
            if name in leaves:
                continue
            if kind_of(name) is VariableKind.ENTRY:
                leaves[name] = leaf
            elif name in following:
                leaves[name] = leaf
                work.append(following[name])
            else:
                return None
    starts = tuple(first.get(name, range(1 << leaf.width)) for name, leaf in leaves.items())
    if not leaves or prod(map(len, starts)) > _STARTS:
        return None
    return _Counter(
        tuple(leaves),
        {name: following.get(name, leaf) for name, leaf in leaves.items()},
        starts,
    )


def _first_iterations(condition: Value, counter: _Counter) -> IterationSpan:
    """The fewest and the most iterations until a condition holds for the first time."""
    iterations: dict[Vector, int] = {}
    limits: list[int] = []
    for start in counter.starts():
        path: list[Vector] = []
        on_path: set[Vector] = set()
        now = start
        while now not in iterations:
            if now in on_path or len(path) > MAX_ITERATIONS:
                break  # it never holds
            path.append(now)
            on_path.add(now)
            if evaluate(condition, dict(zip(counter.names, now, strict=True)), {}):
                iterations[now] = 1
                path.pop()
                break
            now = counter.next(now)
        reached = iterations.get(now, 0)
        for before in reversed(path):
            reached += 1 if reached else 0
            iterations[before] = reached
        limits.append(iterations[start])
    sure = [number for number in limits if number]
    return (min(sure) if sure else MAX_ITERATIONS, max(sure) if len(sure) == len(limits) else None)


def _extras(
    conditions: Mapping[int, Value],
    following: Mapping[str, Value],
    first: First,
    most: int | None,
) -> dict[int, tuple[bool, bool]]:
    """Whether conditional cycles are left out, and whether they are taken, in some iteration."""
    extras: dict[int, tuple[bool, bool]] = {}
    if most is None or most > _FOLLOWED:
        return extras
    paths: dict[tuple[str, ...], list[Mapping[str, int]]] = {}
    for address, extra in conditions.items():
        counter = _counter(extra, following, first) if extra.op is not Op.CONST else None
        if counter is None or any(len(values) > 1 for values in counter.first):
            continue
        path = paths.get(counter.names)
        if path is None:
            path = paths[counter.names] = list(_path(counter, most))
        seen = {bool(evaluate(extra, values, {})) for values in path}
        extras[address] = (False in seen, True in seen)
    return extras


def _path(counter: _Counter, iterations: int) -> Iterator[Mapping[str, int]]:
    now = next(counter.starts())
    for _ in range(iterations):
        yield dict(zip(counter.names, now, strict=True))
        now = counter.next(now)
