"""Equality by algebra, remainders in parts, parities: each rule against all small inputs."""

from __future__ import annotations

import itertools
import random
from functools import reduce

import numpy as np
import pytest

from romproof.symbolic.solve.algebra import same
from romproof.symbolic.solve.expansion import Expansion
from romproof.symbolic.solve.parities import extreme
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.term import Term

A, B, D = t.var("a", 4), t.var("b", 4), t.var("d", 4)


def every(*free: Term) -> dict[str, np.ndarray]:
    rows = list(itertools.product(*(range(1 << each.width) for each in free)))
    return {v.name: np.array([r[n] for r in rows], np.uint64) for n, v in enumerate(free)}


def terms() -> list[Term]:
    wide = t.add(t.zext(A, 6), t.mul(t.zext(B, 6), t.const(3, 6)))
    number = t.concat(A, B)
    return [
        t.concat(A, t.const(2, 2), B),
        t.ite(t.ult(A, B), t.add(A, D), t.xor(A, B)),
        t.ite(t.extract(D, 0, 1), t.extract(A, 1, 1), t.extract(B, 2, 1)),
        t.and_(A, B),
        t.not_(A),
        wide,
        t.extract(wide, 2, 4),
        t.extract(wide, 5, 1),
        t.ult(A, B),
        t.ult(t.add(t.zext(A, 5), t.zext(B, 5)), t.const(16, 5)),
        t.mul(A, B),
        t.mul(t.zext(A, 8), t.zext(B, 8)),
        t.rem(number, D),
        t.rem(A, D),
        t.sub(A, B),
        t.xor(t.extract(A, 0, 1), t.xor(t.extract(B, 1, 1), t.extract(D, 2, 1))),
    ]


@pytest.mark.parametrize("term", terms(), ids=str)
def test_a_step_is_an_equation_of_integers(term: Term) -> None:
    values = every(A, B, D)
    for root in t.in_order([term]):
        value = Expansion().of(root)
        if value is None:
            continue
        parts, modulo = value
        unknowns = list(dict.fromkeys(u for _, _, product in parts for u in product))
        found = dict(zip(unknowns, t.evaluate(unknowns, values), strict=True)) if unknowns else {}
        whole = t.evaluate([root], values)[0]
        for row in range(len(whole)):
            scaled = 0
            for factor, places, product in parts:
                amount = factor << 64 - places
                for unknown in product:
                    amount *= int(found[unknown][row])
                scaled += amount
            difference = scaled - (int(whole[row]) << 64)
            assert difference % (1 << 64 + modulo) == 0 if modulo else difference == 0, root


def added(x: Term, y: Term, wrong: int = -1) -> Term:
    """The product of x and y by shifts and sums, perhaps with one step that is wrong."""
    wide = x.width + y.width
    total = t.const(0, wide)
    for bit in range(y.width):
        shifted = (
            t.extract(t.concat(x, t.const(0, bit + (bit == wrong))), 0, x.width + bit) if bit else x
        )
        total = t.add(total, t.ite(t.extract(y, bit, 1), t.zext(shifted, wide), t.const(0, wide)))
    return total


@pytest.mark.slow_cases("32")
@pytest.mark.parametrize("width", [3, 10, 32])
def test_a_product_of_any_width_is_the_sum_of_its_steps(width: int) -> None:
    x, y = t.var("x", width), t.var("y", width)
    product = t.mul(t.zext(x, 2 * width), t.zext(y, 2 * width))
    assert same(added(x, y), product)
    for wrong in (1, width - 1):
        assert not same(added(x, y, wrong), product)
    assert not same(added(x, y), t.add(product, t.const(1 << 2 * width - 1, 2 * width)))


def divided(number: Term, divisor: Term, size: int) -> tuple[Term, Term]:
    """Quotient and what is left in a register of ``size`` bits, in two halves, with its carry."""
    rest, bits = t.const(0, size), []
    half = size // 2
    for place in reversed(range(number.width)):
        shifted = t.concat(rest, t.extract(number, place, 1))
        carry, low = t.extract(shifted, size, 1), t.extract(shifted, 0, size)
        less = t.and_(t.ult(low, divisor), t.not_(carry))
        fewer = t.sub(low, divisor)
        rest = t.concat(
            *(t.ite(less, t.extract(low, at, half), t.extract(fewer, at, half)) for at in (half, 0))
        )
        bits.append(t.not_(less))
    return t.concat(*bits), rest


def test_a_division_in_registers_for_all_numbers_and_all_divisors() -> None:
    number, divisor = t.var("n", 6), D
    quotient, rest = divided(number, divisor, 4)
    values = every(number, divisor)
    found_quotient, found_rest = t.evaluate([quotient, rest], values)
    for n, d, q, r in zip(values["n"], values["d"], found_quotient, found_rest, strict=True):
        assert (int(q), int(r)) == (divmod(int(n), int(d)) if d else (63, int(n) & 15))


@pytest.mark.slow_cases("32-16")
@pytest.mark.parametrize(("wide", "size"), [(16, 16), (32, 16), (64, 32)])
def test_a_quotient_times_the_divisor_and_what_is_left_is_the_number(wide: int, size: int) -> None:
    number, divisor = t.var("n", wide), t.var("m", size)
    quotient, rest = divided(number, divisor, size)
    top = wide + size
    product = t.mul(t.zext(quotient, top), t.zext(divisor, top))
    whole = t.add(product, t.zext(rest, top))
    assert same(whole, t.zext(number, top), frozenset([divisor]))
    assert not same(t.add(whole, t.const(1, top)), t.zext(number, top), frozenset([divisor]))
    if wide > size:  # with a divisor of 0 the register has the lowest bits only
        assert not same(whole, t.zext(number, top))
    assert t.ult(rest, divisor) is t.not_(t.eq(divisor, t.const(0, size)))


def test_a_parity_is_a_sum_at_the_highest_place_only() -> None:
    a, b = (t.extract(each, 0, 1) for each in (A, B))
    parity, both = t.xor(a, b), t.add(t.zext(a, 2), t.zext(b, 2))
    for place, is_same in ((1, True), (0, False)):
        low = t.const(0, place)
        wide = t.concat(parity, low) if place else t.zext(parity, 2)
        sums = t.extract(t.concat(both, low), 0, 2) if place else both
        assert same(wide, sums) is is_same


def test_the_most_and_the_fewest_of_parities_are_those_of_all_inputs() -> None:
    rnd = random.Random(4)
    x = t.var("x", 8)
    values = {"x": np.arange(256, dtype=np.uint64)}
    counted = 0
    for _ in range(60):
        total = t.const(100, 16)
        for _ in range(rnd.randrange(2, 24)):
            bit = t.const(rnd.randrange(2), 1)
            for place in range(8):
                if rnd.random() < 0.5:
                    bit = t.xor(bit, t.extract(x, place, 1))
            total = t.add(total, t.ite(bit, t.const(7, 16), t.const(0, 16)))
        every_value = t.evaluate([total], values)[0]
        for sign, expected in ((1, every_value.max()), (-1, every_value.min())):
            model = extreme(total, sign)
            if model is not None:
                counted += 1
                assert model.value(total) == expected
    assert counted > 60


def _high(chance: random.Random, one: Term, other: Term) -> Term:
    """The highest bits of a sum that wraps around, one of whose parts is such bits of another."""
    size, width = chance.choice([(4, 8), (4, 12), (6, 12)])
    inner = t.add(
        t.mul(t.zext(one, size + 2), t.const(chance.randrange(1, 1 << size), size + 2)),
        t.zext(other, size + 2),
    )
    parts = [t.zext(t.extract(inner, 2, size), width)]
    for term in (one, other):
        factor = t.const(
            chance.choice([1, 3, 0x11, 0xF1, 0x100, 0x101, 0xFF]) % (1 << width), width
        )
        parts.append(t.mul(t.zext(term, width), factor))
    number = t.const(chance.randrange(1 << width), width)
    return t.extract(reduce(t.add, [*parts, number]), width - 4, 4)


def test_what_differs_is_never_the_same() -> None:
    """Bits of a sum are a fraction of it: what stands for the sum modulo some power of two may then
    be put in its place only where the whole fraction is a multiple of what is left out."""
    chance, other, free = random.Random(7), t.var("c", 4), every(A, B, t.var("c", 4))
    for _ in range(400):
        state = chance.getstate()
        one = _high(chance, A, B)
        chance.setstate(state)
        two = _high(chance, *chance.choice([(other, B), (A, other), (A, B), (B, A)]))
        if one is two or not same(one, two):
            continue
        left, right = t.evaluate([one, two], free)
        assert (left == right).all(), (one, two)
