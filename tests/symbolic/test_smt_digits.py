"""Carries as bits of their own, and what is decided by them: against all inputs, or many."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest
from smt_random import SMALL, VARIABLES, RandomTerms

from romproof.symbolic.solve.deadline import NEVER
from romproof.symbolic.solve.digits import by_digits
from romproof.symbolic.solve.separate import Separated
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.sample import evaluate
from romproof.symbolic.terms.sums import total as total_of
from romproof.symbolic.terms.term import Term

FREE = (t.var("a", 4), t.var("b", 4), t.var("c", 1))


def every(*free: Term) -> dict[str, np.ndarray]:
    rows = list(itertools.product(*(range(v.low, v.high + 1) for v in free)))
    return {v.name: np.array([r[n] for r in rows], np.uint64) for n, v in enumerate(free)}


def same_values(term: Term, values: dict[str, np.ndarray]) -> None:
    parted = Separated()
    expected, found = evaluate([term, parted.term(term)], values)
    assert (expected == found).all(), term
    factors, number = parted.form(term)
    total = np.full(len(expected), number, dtype=object)
    for inner, factor in factors.items():
        total = total + factor * evaluate([inner], values)[0].astype(object)
    assert (total == expected.astype(object)).all(), (term, factors, number)


@pytest.mark.parametrize("seed", range(120))
def test_sums_with_carries_have_the_values_that_they_had(seed: int) -> None:
    draw = random.Random(seed)
    known: list[Term] = list(FREE)
    for _ in range(7):
        width = draw.choice((1, 3, 4, 5, 8, 12))
        chosen = draw.sample(known, min(len(known), draw.randrange(1, 5)))
        factors = [draw.choice((1, 1, -1, 2, 6, 10, 16, 32, -16)) for _ in chosen]
        total = total_of(width, list(zip(factors, chosen, strict=True)), draw.randrange(1 << width))
        known.append(total)
        if width > 1:
            low = draw.randrange(width)
            known.append(t.extract(total, low, draw.randrange(1, width - low + 1)))
            less = t.ult(total, t.const(draw.randrange(1 << width), width))
            known.append(less)
            six = t.const(6, width)
            known.append(t.ite(less, total, t.add(total, six)))
    for term in known:
        same_values(term, every(*FREE))


@pytest.mark.parametrize("seed", range(40))
def test_any_terms_have_the_values_that_they_had(seed: int) -> None:
    terms = RandomTerms(seed)
    for _ in range(60):
        terms.known.append(terms.step())
    assert SMALL[0] in terms.values
    assert len(terms.values) > len(VARIABLES)
    for term, _ in terms.known:
        if not any(inner.op in ("load", "array") for inner in t.in_order([term])):
            expected, found = evaluate([term, Separated().term(term)], terms.values)
            assert (expected == found).all(), term


def digits(names: str, places: int) -> tuple[list[Term], list[list[Term]]]:
    """Conditions that say that these are digits, and the digits, the lowest first."""
    numbers = [[t.var(f"{name}{place}", 4) for place in range(places)] for name in names]
    return [t.ult(x, t.const(10, 4)) for x in itertools.chain(*numbers)], numbers


def added(x: list[Term], y: list[Term], base: int, carry: Term) -> tuple[list[Term], Term]:
    result = []
    for one, other in zip(x, y, strict=True):
        total = total_of(6, [(1, one), (1, other), (1, carry)], 0)
        less = t.ult(total, t.const(base, 6))
        result.append(
            t.extract(t.ite(less, total, t.sub(total, t.const(base, 6))), 0, 4),
        )
        carry = t.not_(less)
    return result, carry


def value(number: list[Term], sign: int = 1) -> list[tuple[int, Term]]:
    return [(sign * 10**place, digit) for place, digit in enumerate(number)]


@pytest.mark.parametrize(
    ("base", "start", "more", "kind"),
    [(10, 0, 0, "unsat"), (10, 1, -1, "unsat"), (10, 1, 0, "sat"), (9, 0, 0, "sat")],
)
def test_sums_of_digits(base: int, start: int, more: int, kind: str) -> None:
    conditions, (x, y) = digits("xy", 6)
    result, carry = added(x, y, base, t.const(start, 1))
    parts = [*value(result), *value(x, -1), *value(y, -1), (10**6, carry)]
    differs = t.not_(t.eq(total_of(24, parts, more), t.const(0, 24)))
    answer = by_digits([*conditions, differs], NEVER)
    assert answer is not None
    assert answer.kind == kind
    if answer.model is not None:
        assert all(map(answer.model.value, [*conditions, differs]))


def test_a_carry_that_is_not_the_one_of_the_sum() -> None:
    conditions, (x, y) = digits("xy", 6)
    result, carry = added(x, y, 10, t.FALSE)
    for wrong in (t.not_(carry), t.FALSE, t.ult(t.const(4, 4), x[-1])):
        parts = [*value(result), *value(x, -1), *value(y, -1), (10**6, wrong)]
        differs = t.not_(t.eq(total_of(24, parts, 0), t.const(0, 24)))
        answer = by_digits([*conditions, differs], NEVER)
        assert answer is None or answer.kind == "sat"


@pytest.mark.parametrize("modulus", [10**6, 10**6 - 1, 10**6 + 1, 10**5])
def test_remainders_of_sums_of_digits(modulus: int) -> None:
    conditions, (x, y) = digits("xy", 6)
    result, _ = added(x, y, 10, t.FALSE)
    whole = total_of(24, [*value(x), *value(y)], 0)
    rest = t.zext(t.rem(whole, t.const(modulus, 24)), 24)
    differs = t.not_(t.eq(total_of(24, value(result), 0), rest))
    answer = by_digits([*conditions, differs], NEVER)
    if modulus == 10**6:
        assert answer is not None
        assert answer.kind == "unsat"
    else:
        assert answer is None or answer.kind == "sat"


@pytest.mark.parametrize("seed", range(60))
def test_answers_are_those_of_all_inputs(seed: int) -> None:
    draw = random.Random(seed)
    free = [t.var(name, 3, *sorted((draw.randrange(3), draw.randrange(4, 8)))) for name in "abcd"]
    result, carry = added(free[:2], free[2:], draw.choice((5, 7, 8)), t.FALSE)
    parts = [(draw.choice((1, -1, 7, 5)), each) for each in (*result, *free, carry)]
    conditions = [
        t.ult(draw.choice(free), t.const(draw.randrange(1, 8), 3)),
        t.not_(t.eq(total_of(9, parts, draw.randrange(4)), t.const(draw.randrange(9), 9))),
        t.ult(draw.choice(result), t.const(draw.randrange(1, 15), 4)),
    ]
    if any(condition.is_const for condition in conditions):
        return
    holds = np.bitwise_and.reduce([each != 0 for each in evaluate(conditions, every(*free))])
    answer = by_digits(conditions, NEVER)
    if answer is not None:
        assert answer.kind == ("sat" if holds.any() else "unsat")
