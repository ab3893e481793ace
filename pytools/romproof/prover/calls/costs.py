"""Cycles of calls of which only limits are known, as bounds ask for them.

The argument stands in the head page: ``romproof.prover.calls``.
"""

from __future__ import annotations

from math import prod

import numpy as np

from romproof.prover.exploration.explore import Leg
from romproof.prover.replay.judge import Case
from romproof.prover.states.variables import is_contracted
from romproof.symbolic.solve.frontier_steps import conjuncts
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.linear import lift
from romproof.symbolic.terms.node import AND, CONCAT, EXTRACT, ITE, SUM, VAR
from romproof.symbolic.terms.origin import LocationKind
from romproof.symbolic.terms.sample import all_values
from romproof.symbolic.terms.term import Term

MAX_TRIED = 1 << 16
"""Values of what calls take and leave."""


def extreme(cycles: Term, sign: int) -> Term | None:
    """A number of cycles where all calls in it take as long as they may (``sign`` 1), or as short
    (-1): no less, or no more, whatever they take. None where that is not seen."""
    if not _depends(cycles):
        return cycles
    if cycles.op is VAR:
        return t.const(cycles.high if sign > 0 else cycles.low, cycles.width)
    grown = _grow(cycles, sign)
    return _try_all(cycles, sign) if grown is None else grown


def _grow(cycles: Term, sign: int) -> Term | None:
    """The same where it is seen that a number grows with what calls take."""
    if cycles.op is SUM:
        return _sum(cycles, sign)
    if cycles.op is ITE:
        condition, *each = cycles.args
        one, other = (extreme(arg, sign) for arg in each)
        if one is None or other is None or _depends(condition):
            return None
        return t.ite(condition, one, other)
    if cycles.op is EXTRACT and not cycles.number and not cycles.args[0].high >> cycles.width:
        whole = extreme(cycles.args[0], sign)  # no bit of it is left out
        return None if whole is None else t.extract(whole, 0, cycles.width)
    if cycles.op is CONCAT and not any(map(is_contracted, t.variables(cycles.args[:-1]))):
        below = extreme(cycles.args[-1], sign)
        return None if below is None else t.concat(*cycles.args[:-1], below)
    return None


def _sum(cycles: Term, sign: int) -> Term | None:
    """The same of a sum of integers, none of which is taken away."""
    form = lift(cycles)
    if form is None:
        return None
    factors, number = form
    total = t.const(number, cycles.width)
    for term, factor in factors.items():
        most = extreme(term, sign)
        if most is None or factor < 0 or most.width > cycles.width:
            return None
        wide = t.zext(most, cycles.width)
        total = t.add(total, t.mul(wide, t.const(factor, cycles.width)))
    return total


def _try_all(cycles: Term, sign: int) -> Term | None:
    """The same of a number in which nothing else is than what calls take and leave, by all values
    of these."""
    left = t.variables([cycles])
    sizes = [each.high - each.low + 1 for each in left if each.op is VAR and is_contracted(each)]
    if len(sizes) < len(left) or prod(sizes) > MAX_TRIED:
        return None
    ranges = [np.arange(each.low, each.high + 1, dtype=np.uint64) for each in left]
    values = dict(zip((each.name for each in left), np.meshgrid(*ranges), strict=True))
    found = all_values([cycles], {name: each.ravel() for name, each in values.items()})[cycles]
    return t.const(int(found.max() if sign > 0 else found.min()), cycles.width)


def _depends(condition: Term) -> bool:
    return any(map(is_contracted, t.variables([condition])))


def of_the_way(case: Case, leg: Leg, cycles: Term) -> Term:
    """A number of cycles on a leg, without conditions that hold there anyhow: what a call is known
    to ensure is part of each way on which it is made."""
    asked: dict[Term, bool] = {}
    while True:
        known = {
            condition: shorter
            for condition in t.in_order([cycles])
            if condition.op is AND and condition.width == 1
            for shorter in [_shorten(case, leg, condition, asked)]
            if shorter is not condition
        }
        if not known:
            return cycles
        cycles = t.replace(cycles, known)


def _shorten(case: Case, leg: Leg, condition: Term, asked: dict[Term, bool]) -> Term:
    """A condition without those parts that follow from the others on the leg's way, of those that
    are about more than numbers at its beginning."""
    parts = conjuncts([condition])
    for part in tuple(parts):
        others = [each for each in parts if each is not part]
        if _is_plain(part) or not others:
            continue
        claim = t.or_(part, t.not_(t.all_of(others)))
        if claim not in asked:
            asked[claim] = case.oracle.holds(leg.at.path, claim)
        parts = others if asked[claim] else parts
    return t.all_of(parts)


def _is_plain(condition: Term) -> bool:
    """Whether a condition is about numbers at a leg's beginning, or how long a call takes."""
    return all(
        variable.op is VAR
        and (not is_contracted(variable) or variable.name.location.kind is LocationKind.CYCLES)
        for variable in t.variables([condition])
    )
