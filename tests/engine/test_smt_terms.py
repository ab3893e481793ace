"""Terms: what is the same is the same term, and no simplification changes a value."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from smt_cpu import Mos6502, Sm83, number_of, word_of

from romproof.engine.smt import term as t
from romproof.engine.smt.term import Term
from romproof.isa import mos6502_alu, sm83_alu

A, B = t.var("a", 8), t.var("b", 8)
C = t.var("c", 1)
CPUS = pytest.mark.parametrize("make_cpu", [Mos6502, Sm83])
SIZES = pytest.mark.parametrize("size", [1, 2, 3, 8])
Make = Callable[[], Mos6502 | Sm83]


def k(number: int, width: int = 8) -> Term:
    return t.const(number, width)


def flag(cpu: Mos6502 | Sm83) -> Term:
    return cpu["c" if isinstance(cpu, Mos6502) else "cf"]


# ---------------------------------------------------------------- sums of many bytes


@CPUS
@SIZES
@pytest.mark.parametrize("carry", [t.FALSE, t.TRUE, C], ids=["0", "1", "unknown"])
def test_adc_byte_by_byte_is_the_sum_of_words(make_cpu: Make, size: int, carry: Term) -> None:
    cpu, bits = make_cpu(), 8 * size
    x, y = word_of("x", size), word_of("y", size)
    cells = cpu.chain("adc", x, y, carry)
    wide = t.add(t.zext(number_of(x), bits + 1), t.zext(number_of(y), bits + 1))
    wide = t.add(wide, t.zext(carry, bits + 1))
    assert number_of(cells) is t.extract(wide, 0, bits)
    assert cells[-1] is t.extract(wide, bits - 8, 8)
    assert flag(cpu) is t.extract(wide, bits, 1)
    assert t.concat(flag(cpu), number_of(cells)) is wide


@CPUS
@SIZES
@pytest.mark.parametrize("borrow", [t.FALSE, t.TRUE, C], ids=["0", "1", "unknown"])
def test_sbc_byte_by_byte_is_the_difference_of_words(
    make_cpu: Make, size: int, borrow: Term
) -> None:
    cpu, bits = make_cpu(), 8 * size
    x, y = word_of("x", size), word_of("y", size)
    is_6502 = isinstance(cpu, Mos6502)
    cells = cpu.chain("sbc", x, y, t.not_(borrow) if is_6502 else borrow)
    wide = t.sub(t.zext(number_of(x), bits + 1), t.zext(number_of(y), bits + 1))
    wide = t.sub(wide, t.zext(borrow, bits + 1))
    found = t.not_(flag(cpu)) if is_6502 else flag(cpu)
    assert number_of(cells) is t.extract(wide, 0, bits)
    assert found is t.extract(wide, bits, 1)
    assert t.concat(found, number_of(cells)) is wide
    if borrow is t.FALSE:
        assert found is t.ult(number_of(x), number_of(y))


@CPUS
@SIZES
def test_sums_one_after_the_other_are_one_sum(make_cpu: Make, size: int) -> None:
    cpu = make_cpu()
    words = [word_of(name, size) for name in "pqrst"]
    found = words[0]
    for word in words[1:]:
        found = cpu.chain("adc", word, found, t.FALSE)
    total = number_of(words[4])
    for word in words[:4]:
        total = t.add(number_of(word), total)
    assert number_of(found) is total


@CPUS
def test_a_sum_less_its_summand_is_the_other(make_cpu: Make) -> None:
    cpu = make_cpu()
    x, y = word_of("x", 4), word_of("y", 4)
    none = t.TRUE if isinstance(cpu, Mos6502) else t.FALSE
    back = cpu.chain("sbc", cpu.chain("adc", x, y, t.FALSE), y, none)
    assert back == x


@CPUS
def test_adding_the_inverted_word_and_one_is_the_difference(make_cpu: Make) -> None:
    cpu = make_cpu()
    x, y = word_of("x", 3), word_of("y", 3)
    cells = cpu.chain("adc", x, [t.not_(cell) for cell in y], t.TRUE)
    assert number_of(cells) is t.sub(number_of(x), number_of(y))
    assert flag(cpu) is t.not_(t.ult(number_of(x), number_of(y)))


def test_add_hl_is_the_sum_of_bytes() -> None:
    high, low = t.var("h", 8), t.var("l", 8)
    cpu = Sm83()
    total, _, carry = sm83_plus(t.concat(high, low), t.concat(A, B))
    cells = cpu.chain("adc", [low, high], [B, A], t.FALSE)
    assert total is number_of(cells)
    assert carry is cpu["cf"]


def sm83_plus(a: Term, b: Term) -> tuple[Term, Term, Term]:
    wide = t.add(t.zext(a, 17), t.zext(b, 17))
    return t.extract(wide, 0, 16), t.extract(wide, 11, 1), t.extract(wide, 16, 1)


def test_counting_a_word_up_with_inc_and_a_branch() -> None:
    low, high = word_of("n", 2)
    cpu = Mos6502()
    up = cpu.do(mos6502_alu.inc, low)
    cells = [up, t.ite(cpu["z"], t.add(high, k(1)), high)]
    assert number_of(cells) is t.add(number_of([low, high]), k(1, 16))


def test_counting_a_word_down_with_a_test_for_0() -> None:
    low, high = word_of("n", 2)
    cells = [t.sub(low, k(1)), t.ite(t.eq(low, k(0)), t.sub(high, k(1)), high)]
    assert number_of(cells) is t.sub(number_of([low, high]), k(1, 16))


@CPUS
def test_a_carry_added_to_0_above(make_cpu: Make) -> None:
    cpu = make_cpu()
    x, y = word_of("x", 2), word_of("y", 1)
    cells = cpu.chain("adc", x, [*y, k(0)], t.FALSE)
    assert number_of(cells) is t.add(number_of(x), t.zext(y[0], 16))


def test_comparing_words_with_cmp_and_sbc() -> None:
    cpu = Mos6502()
    x, y = word_of("x", 2), word_of("y", 2)
    cpu["a"] = x[0]
    cpu.do(mos6502_alu.cmp, y[0])
    cpu["a"] = x[1]
    cpu.do(mos6502_alu.sbc, y[1])
    assert t.not_(cpu["c"]) is t.ult(number_of(x), number_of(y))
    other = Sm83()
    other["a"] = x[0]
    other.do(sm83_alu.cp, y[0])
    assert other["cf"] is t.ult(x[0], y[0])


def test_shifting_a_word_left_is_adding_it_to_itself() -> None:
    cpu = Mos6502()
    x = word_of("x", 3)
    cells = [cpu.do(mos6502_alu.asl, x[0])]
    cells += [cpu.do(mos6502_alu.rol, cell) for cell in x[1:]]
    assert number_of(cells) is t.add(number_of(x), number_of(x))
    assert number_of(cells) is t.mul(number_of(x), k(2, 24))


# ---------------------------------------------------------------- values stay the same
