"""Whether two terms are equal, as polynomials: no solver can multiply.

The difference of both is taken apart, what depends on others before these (backward rewriting of
arithmetic circuits; Ciesielski, Yasin and others, "Verification of gate-level arithmetic circuits
by function extraction", 2015). Each step is an equation of romproof.symbolic.solve.expansion; what
is 0 in the end was 0 in the beginning. What is not says nothing.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable

from romproof.symbolic.solve.expansion import Expansion
from romproof.symbolic.solve.polynomial import Polynomial, Summand, TooLong, multiply
from romproof.symbolic.terms.logic import not_, xor
from romproof.symbolic.terms.node import CONST, EQ, HERE, ULT, XOR, Term
from romproof.symbolic.terms.walk import in_order

MAX_SUMMANDS = 20_000
MAX_STEPS = 50_000


def same(
    a: Term,
    b: Term,
    nonzero: Collection[Term] = (),
    known: Collection[tuple[Term, Term]] = (),
    exact: Collection[Term] = (),
) -> bool:
    """Whether two terms of one width are equal for sure, if none of ``nonzero`` is 0, no sum of
    ``exact`` wraps around, and the two terms of each of ``known`` are equal numbers."""
    polynomial = Polynomial(a.width, MAX_SUMMANDS)
    try:
        polynomial.add(1, 0, (a,))
        polynomial.add(-1, 0, (b,))
        for one, other in known:
            polynomial.add(1, 0, (one,))
            polynomial.add(-1, 0, (other,))
        _take_apart(polynomial, Expansion(nonzero, set(in_order([a, b])), exact))
    except TooLong:
        return False
    return not polynomial.summands


def _take_apart(polynomial: Polynomial, expansion: Expansion) -> None:
    """All steps there are. The lowest bits of sums, which are XORs, are left until nothing else
    is: most of them cancel."""
    waiting = [_entry(expansion, term) for term in polynomial.unknowns()]
    heapq.heapify(waiting)
    for _ in range(MAX_STEPS):
        last = not waiting
        if last:
            waiting = [_entry(expansion, each) for each in polynomial.unknowns() if each.op is XOR]
            heapq.heapify(waiting)
            if not waiting:
                return
        term = heapq.heappop(waiting)[1]
        if not polynomial.has(term):
            continue
        value = expansion.of(term) if not last else (_odd(term), None)
        if value is not None:
            for new in polynomial.put(term, *value):
                heapq.heappush(waiting, _entry(expansion, new))
    raise TooLong


def _odd(term: Term) -> list[Summand]:
    """An XOR of bits: a ^ b = a + b - 2 * a * b."""
    one = term.args[0]
    rest = xor(term, one)
    return [(1, 0, (one,)), (1, 0, (rest,)), (-2, 0, multiply((one,), (rest,)))]


def _entry(expansion: Expansion, term: Term) -> tuple[tuple[int, int, int], Term]:
    level, width, serial = expansion.order(term)
    return (-level, -width, -serial), term


def equation(condition: Term) -> tuple[Term, Term] | None:
    """The two terms of which a condition says that they differ, as whole as they were."""
    claim = not_(condition)
    whole = HERE.terms.equations.get(claim)
    if whole is None and claim.op is EQ:
        return claim.args[0], claim.args[1]
    return whole


def nonzero_of(conditions: Iterable[Term]) -> frozenset[Term]:
    """The terms of which a condition says that they are not 0."""
    nonzero: set[Term] = set()
    for condition in conditions:
        denied = not_(condition)
        if denied.op in (EQ, ULT) and denied.args[1].op is CONST:
            limit = 0 if denied.op is EQ else 1
            if denied.args[1].number == limit:
                nonzero.add(denied.args[0])
    return frozenset(nonzero)
