"""Cycles across invariants, by what a number of ``decreases:`` says of those still to come.

The argument stands in the head page: ``romproof.prover.cycles``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import ceil, floor, lcm
from typing import Any

from romproof.contract.nouns.model import Decrease
from romproof.prover.catalogue import Reason
from romproof.prover.conditions.counters import NumberBytes, counters_of, number_at
from romproof.prover.conditions.termination import NUMBER_BITS, circles, truth_of, value_at
from romproof.prover.exploration.explore import Leg, ProgramPoint
from romproof.prover.replay.judge import Case
from romproof.symbolic.execute.state import State
from romproof.symbolic.numbers.integers import SymInt, bits
from romproof.symbolic.numbers.symbytes import natural
from romproof.symbolic.solve.answer import AnswerKind
from romproof.symbolic.solve.oracle import Undecided
from romproof.symbolic.solve.solver import Model
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.term import Term
from romproof.text.cause import Cause

_MAX_TRIES = 16
"""Guesses of the cycles for each unit of a number, each from a circle that is worse."""

_Edge = tuple[ProgramPoint, ProgramPoint, Fraction, Fraction]
"""From where to where, with how many cycles, and how much less the number is afterwards."""


@dataclass(frozen=True)
class _Potential:
    """P at the cuts of a circle: ``rate`` times the number, and ``more`` times a ``counter``."""

    number: Decrease
    rate: Fraction
    counter: NumberBytes = ()
    more: Fraction = Fraction(0)

    def at(self, case: Case, state: State, scale: int) -> Any:
        """P in a state, ``scale`` times."""
        total = int(self.rate * scale) * value_at(case, self.number, state)
        return total + int(self.more * scale) * _count(self.counter, state)


Potentials = Mapping[frozenset[int], _Potential]


def find_bound(case: Case, sign: int) -> tuple[int | None, Potentials]:
    """The fewest cycles of any call (``sign`` -1), or the most (1), by the numbers alone: a bound,
    None where there is none; and what it was found with. Raises Undecided."""
    legs = _find_feasible(case)
    found: dict[frozenset[int], _Potential] = {}
    for circle in circles(legs):
        one = _potential(case, circle, legs, sign)
        if one is None:
            return None, {}
        found[circle] = one
    return _solve(case, legs, found, sign), found


def find_bound_with_counters(
    case: Case, sign: int, wanted: int, best: int | None, known: Potentials
) -> int | None:
    """The same with counters besides, from the ``best`` so far on, and what that was found with:
    until one is as good as ``wanted``. Raises Undecided."""
    legs, found = _find_feasible(case), dict(known)
    for circle in known:
        for one in _with_counters(case, circle, legs, found[circle].number, sign):
            if best is not None and sign * best <= sign * wanted:
                return best
            try:
                bound = _solve(case, legs, {**found, circle: one}, sign)
            except Undecided:  # what was found before is a bound all the same
                continue
            if bound is not None and (best is None or sign * bound < sign * best):
                best, found[circle] = bound, one
    return best


def _find_feasible(case: Case) -> list[Leg]:
    return [leg for leg in case.legs if case.oracle.ask(leg.at.path).kind is not AnswerKind.UNSAT]


def _solve(
    case: Case, legs: Sequence[Leg], circles_: Mapping[frozenset[int], _Potential], sign: int
) -> int | None:
    """The bound that comes of a P for each circle."""
    found: dict[ProgramPoint, _Potential] = {
        place: one for circle, one in circles_.items() for place in circle
    }
    rates = [rate for one in found.values() for rate in (one.rate, one.more)]
    scale = lcm(*(rate.denominator for rate in rates))
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
    for _ in range(_MAX_TRIES):
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
) -> tuple[Mapping[ProgramPoint, Fraction], Sequence[_Edge]]:
    """The shortest walk to each place from some (``sign`` 1: the longest), an edge being as long as
    its cycles without ``rate`` for each unit; and a circle that makes them ever shorter, if there
    is one (Bellman and Ford)."""
    best: dict[ProgramPoint, Fraction] = dict.fromkeys(sources, Fraction(0))
    last: dict[ProgramPoint, _Edge] = {}
    for _ in range(len(edges) + 1):
        changed: ProgramPoint = None
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


def _circle(last: Mapping[ProgramPoint, _Edge], place: ProgramPoint) -> Iterator[_Edge]:
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
    case: Case, leg: Leg, found: Mapping[ProgramPoint, _Potential], scale: int, sign: int
) -> Fraction:
    """The least of (cycles + P after - P before), the greatest, ``scale`` times."""
    total: Any = SymInt(leg.at.total_cycles()) * scale
    for place, state, factor in ((leg.end, leg.at, 1), (leg.begin, leg.first, -1)):
        one = found.get(place)
        if one is not None:
            total = total + factor * one.at(case, state, scale)
    return Fraction(_extreme(case, leg, total, sign)[0])


def _with_counters(
    case: Case, circle: frozenset[int], legs: Sequence[Leg], number: Decrease, sign: int
) -> Iterator[_Potential]:
    """Guesses with a counter as well: those that examples allow, and that make two exact."""
    inside = [leg for leg in legs if leg.begin in circle and leg.end in circle]
    for names in counters_of(case):
        try:
            examples = [one for leg in inside for one in _examples(case, leg, number, names, sign)]
        except Undecided:
            continue
        for (one, less, down), (other, less_then, down_then) in combinations(examples, 2):
            area = less * down_then - less_then * down
            if not area:
                continue
            rate = (one * down_then - other * down) / area
            more = (less * other - less_then * one) / area
            if all(sign * (c - rate * n - more * d) <= 0 for c, n, d in examples):
                yield _Potential(number, rate, names, more)
                break


def _examples(
    case: Case, leg: Leg, number: Decrease, names: NumberBytes, sign: int
) -> Iterator[tuple[Fraction, Fraction, Fraction]]:
    """The fewest cycles of a leg (the most) where a counter goes down as far as it can, and where
    it goes up so: with them how much less the number is, and the counter."""
    down = _count(names, leg.first) - _count(names, leg.at)
    less = _at(case, number, leg.first) - _at(case, number, leg.at)
    for direction in (1, -1):
        far, _ = _extreme(case, leg, down, direction)
        cycles, model = _extreme(
            case, leg, SymInt(leg.at.total_cycles()), sign, truth_of(down == far)
        )
        yield Fraction(cycles), Fraction(_value(less, model)), Fraction(far)


def _count(names: NumberBytes, state: State) -> Any:
    return natural(number_at(names, state)) if names else 0


def _extreme(
    case: Case, leg: Leg, number: Any, sign: int, known: Term = t.TRUE
) -> tuple[int, Model]:
    """The least or the greatest value of an integer at the end of a leg, where something is known.
    Raises Undecided."""
    low = number.low if isinstance(number, SymInt) else int(number)
    if isinstance(number, SymInt) and (number.high - low) >> NUMBER_BITS:
        raise Undecided(Cause.EFFORT, Reason.TOO_MANY_VALUES())
    term = bits(number - low, NUMBER_BITS)
    ask = case.oracle.most if sign > 0 else case.oracle.least
    model = ask([*leg.at.path, known], term)
    return model.value(term) + low, model


def _value(number: Any, model: Model) -> int:
    """What an integer is in a model."""
    if not isinstance(number, SymInt):
        return int(number)
    return model.value(bits(number - number.low, NUMBER_BITS)) + number.low


def _at(case: Case, number: Decrease, state: State) -> Any:
    return value_at(case, number, state)
