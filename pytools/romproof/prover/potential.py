"""Cycles across invariants, by what a number of ``decreases:`` says of those still to come.

Let P be any number of a place and the state there that is 0 at the entry and at the return. Over
the legs of a run the sum of (cycles + P after - P before) is the run's cycles, as all else is added
once and taken away once. So if w is the least of (cycles + P after - P before) on a leg, over all
states in which it can begin, no run takes less than the shortest walk from the entry to a return
along legs as long as their w; and with the greatest none takes more than the longest. Walks are
compared as long as no circle makes them shorter (longer) for ever; if one does there is no bound.

P is A / D times a number of ``decreases:`` at the cuts of one circle, and others at those of
another. A / D, cycles for each unit of the number, is a guess from examples: whatever it is, the
bounds hold. Where the cycles of an iteration do not vary they are exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, lcm
from typing import Any

from romproof.contract.model import Decrease
from romproof.prover.case import Case
from romproof.prover.ending import NUMBER_BITS, circles, value_at
from romproof.prover.explore import Leg, Place
from romproof.symbolic.execute.state import State
from romproof.symbolic.numbers.integers import SymInt, bits
from romproof.symbolic.solve.oracle import Undecided
from romproof.symbolic.solve.solver import Model

_MOST_TRIES = 16
"""Guesses of the cycles for each unit of a number, each from a circle that is worse."""

_Edge = tuple[Place, Place, Fraction, Fraction]
"""From where to where, with how many cycles, and how much less the number is afterwards."""


@dataclass(frozen=True)
class _Potential:
    """P at the cuts of a circle: ``rate`` times the number."""

    number: Decrease
    rate: Fraction


def bound_of(case: Case, sign: int) -> int | None:
    """The fewest cycles of any call (``sign`` -1), or the most (1): a bound, None where there is
    none. Raises Undecided."""
    legs = [leg for leg in case.legs if case.oracle.ask(leg.at.path).kind != "unsat"]
    found: dict[Place, _Potential] = {}
    for circle in circles(legs):
        one = _potential(case, circle, legs, sign)
        if one is None:
            return None
        found |= dict.fromkeys(circle, one)
    scale = lcm(*(one.rate.denominator for one in found.values()))
    edges = [
        (leg.begin, leg.end, _weight(case, leg, found, scale, sign), Fraction(0)) for leg in legs
    ]
    best, circle_left = _walks(edges, Fraction(0), sign, [None])
    ends = [best[end] / scale for end in case.start.ends if end in best]
    if circle_left or not ends:
        return None
    return ceil(min(ends)) if sign < 0 else floor(max(ends))


def _potential(
    case: Case, circle: frozenset[int], legs: Sequence[Leg], sign: int
) -> _Potential | None:
    """A guess, for the cuts of a circle; None where no number makes one."""
    inside = [leg for leg in legs if leg.begin in circle and leg.end in circle]
    for number in case.start.contract.decreases:
        if circle.isdisjoint(number.addresses):
            continue
        edges = [_example(case, leg, number, sign) for leg in inside]
        rate = _rate(edges, sign)
        if rate is not None:
            return _Potential(number, rate)
    return None


def _rate(edges: Sequence[_Edge], sign: int) -> Fraction | None:
    """The least cycles for each unit (the most), of any circle of edges."""
    rate = sum((cycles for *_, cycles, _ in edges), Fraction(1)) if sign < 0 else Fraction(0)
    for _ in range(_MOST_TRIES):
        _, circle = _walks(edges, rate, sign, {edge[0] for edge in edges})
        if not circle:
            return rate
        less = sum(edge[3] for edge in circle)
        if less <= 0:
            return None
        rate = sum((edge[2] for edge in circle), Fraction(0)) / less
    return None


def _walks(
    edges: Sequence[_Edge], rate: Fraction, sign: int, sources: Any
) -> tuple[Mapping[Place, Fraction], Sequence[_Edge]]:
    """The shortest walk to each place from some (``sign`` 1: the longest), an edge being as long as
    its cycles without ``rate`` for each unit; and a circle that makes them ever shorter, if there
    is one (Bellman and Ford)."""
    best: dict[Place, Fraction] = dict.fromkeys(sources, Fraction(0))
    last: dict[Place, _Edge] = {}
    for _ in range(len(edges) + 1):
        changed: Place = None
        any_changed = False
        for edge in edges:
            begin, end, cycles, less = edge
            if begin not in best:
                continue
            total = best[begin] + cycles - rate * less
            if end not in best or sign * total > sign * best[end]:
                best[end], last[end] = total, edge
                changed, any_changed = end, True
        if not any_changed:
            return best, ()
    return best, list(_circle(last, changed))


def _circle(last: Mapping[Place, _Edge], place: Place) -> Iterator[_Edge]:
    """The circle that leads to a place, or round it."""
    for _ in last:  # so far back it is within the circle
        place = last[place][0]
    first = place
    while True:
        yield last[place]
        place = last[place][0]
        if place == first:
            return


def _example(case: Case, leg: Leg, number: Decrease, sign: int) -> _Edge:
    """A leg with its fewest cycles (its most), and what becomes of the number then."""
    cycles = leg.at.total_cycles()
    model = _extreme(case, leg, SymInt(cycles), sign)[1]
    less = _at(case, number, leg.first) - _at(case, number, leg.at)
    return leg.begin, leg.end, Fraction(model.value(cycles)), Fraction(_value(less, model))


def _weight(
    case: Case, leg: Leg, found: Mapping[Place, _Potential], scale: int, sign: int
) -> Fraction:
    """The least of (cycles + P after - P before), the greatest, ``scale`` times."""
    total: Any = SymInt(leg.at.total_cycles()) * scale
    for place, state, factor in ((leg.end, leg.at, 1), (leg.begin, leg.first, -1)):
        one = found.get(place)
        if one is not None:
            total = total + factor * int(one.rate * scale) * _at(case, one.number, state)
    return Fraction(_extreme(case, leg, total, sign)[0])


def _extreme(case: Case, leg: Leg, number: Any, sign: int) -> tuple[int, Model]:
    """The least or the greatest value of an integer at the end of a leg. Raises Undecided."""
    low = number.low if isinstance(number, SymInt) else int(number)
    if isinstance(number, SymInt) and (number.high - low) >> NUMBER_BITS:
        raise Undecided("it has too many values")
    term = bits(number - low, NUMBER_BITS)
    ask = case.oracle.most if sign > 0 else case.oracle.least
    model = ask(leg.at.path, term)
    return model.value(term) + low, model


def _value(number: Any, model: Model) -> int:
    """What an integer is in a model."""
    if not isinstance(number, SymInt):
        return int(number)
    return model.value(bits(number - number.low, NUMBER_BITS)) + number.low


def _at(case: Case, number: Decrease, state: State) -> Any:
    return value_at(case, number, state)
