"""Cycles of calls of which only limits are known, as bounds ask for them.

Where a callee is known by its contract, how long a call of it takes is a new variable within the
limits that the contract claims. What a sum with it comes to at most is the sum with its most, as
the sum grows with it; and with its least at least.
"""

from __future__ import annotations

from romproof.prover.names import is_contracted
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.linear import lifted
from romproof.symbolic.terms.node import CONCAT, EXTRACT, ITE, SUM, VAR
from romproof.symbolic.terms.term import Term


def extreme(cycles: Term, sign: int) -> Term | None:
    """A number of cycles where all calls in it take as long as they may (``sign`` 1), or as short
    (-1): no less, or no more, whatever they take. None where that is not seen."""
    if not any(map(is_contracted, t.variables([cycles]))):
        return cycles
    if cycles.op is VAR:
        return t.const(cycles.high if sign > 0 else cycles.low, cycles.width)
    if cycles.op is SUM:
        return _sum(cycles, sign)
    if cycles.op is ITE:
        condition, *each = cycles.args
        one, other = (extreme(arg, sign) for arg in each)
        if one is None or other is None or any(map(is_contracted, t.variables([condition]))):
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
    form = lifted(cycles)
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
