"""Terms: what is the same is the same term, and no simplification changes a value."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from smt_cpu import Mos6502, Sm83, number_of, word_of
from smt_random import RandomTerms

from romproof.isa import mos6502_alu, sm83_alu
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.term import Term

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


def test_counting_up_a_bit() -> None:
    bit, carry = t.var("bit", 1), t.var("carry", 1)
    counted = t.ite(carry, t.add(t.zext(bit, 8), k(1)), t.zext(bit, 8))
    assert counted is t.add(t.zext(bit, 8), t.zext(carry, 8))
    assert t.ite(carry, t.add(t.zext(bit, 8), k(2)), t.zext(bit, 8)) is not counted


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


# ---------------------------------------------------------------- bits


def test_what_is_cut_and_joined_is_the_same() -> None:
    for term in (t.var("w", 16), t.add(A, B), t.xor(t.and_(A, B), C_8), t.ite(C, A, B)):
        for at in range(1, term.width):
            high, low = t.extract(term, at, term.width - at), t.extract(term, 0, at)
            assert t.concat(high, low) is term


C_8 = t.zext(C, 8)


def test_bytes_of_words_and_words_of_bytes() -> None:
    x, y = word_of("x", 4), word_of("y", 4)
    for make in (t.xor, t.and_, t.or_):
        cells = [make(one, other) for one, other in zip(x, y, strict=True)]
        assert number_of(cells) is make(number_of(x), number_of(y))
    wide = t.var("wide", 32)
    cells = [t.xor(t.extract(wide, 8 * n, 8), cell) for n, cell in enumerate(x)]
    assert number_of(cells) is t.xor(wide, number_of(x))


def test_masks_are_cuts() -> None:
    assert t.and_(A, k(0x0F)) is t.zext(t.extract(A, 0, 4), 8)
    high, low = t.concat(A, k(0)), t.concat(k(0), B)
    assert t.or_(high, low) is t.xor(high, low) is t.add(high, low) is t.concat(A, B)
    assert t.or_(A, k(0x80)) is t.concat(t.TRUE, t.extract(A, 0, 7))
    assert t.xor(t.xor(A, k(0x55)), k(0xAA)) is t.not_(A)


def test_conditions_are_kept_short() -> None:
    p, q = t.var("p", 1), t.var("q", 1)
    assert t.or_(t.and_(p, q), t.and_(p, t.not_(q))) is p
    assert t.or_(p, t.and_(t.not_(p), q)) is t.or_(p, q)
    assert t.and_(p, t.or_(p, q)) is p
    assert t.and_(p, t.not_(p)) is t.FALSE
    assert t.ite(t.not_(p), A, B) is t.ite(p, B, A)
    assert t.ite(p, t.ite(q, A, B), B) is t.ite(t.and_(p, q), A, B)
    assert t.ite(t.eq(A, k(0)), k(1), k(0)) is t.zext(t.eq(A, k(0)), 8)


def test_comparisons_are_decided_by_bounds() -> None:
    small = t.var("small", 8, 3, 51)
    assert t.ult(small, k(52)) is t.TRUE
    assert t.ult(t.add(small, k(1)), k(4)) is t.FALSE
    assert t.eq(t.add(small, small), k(7)) is t.FALSE
    assert t.eq(t.add(small, k(1)), k(10)) is t.eq(small, k(9))
    assert t.eq(t.concat(A, B), k(0x0102, 16)) is t.and_(t.eq(A, k(1)), t.eq(B, k(2)))
    assert t.eq(t.zext(A, 16), k(0x100, 16)) is t.FALSE
    assert t.eq(t.or_(A, B), k(0)) is t.and_(t.eq(A, k(0)), t.eq(B, k(0)))


# ---------------------------------------------------------------- tables and arrays


def test_a_choice_compared_with_one_of_its_own_is_a_condition() -> None:
    p, a, b, c = (t.var(name, 1 if name == "p" else 8) for name in "pabc")
    five, six = t.const(5, 8), t.const(6, 8)
    assert t.eq(t.ite(p, five, a), five) is t.or_(p, t.eq(a, five))
    assert t.eq(t.ite(p, a, five), five) is t.or_(t.not_(p), t.eq(a, five))
    assert t.eq(t.ite(p, five, a), six) is t.and_(t.not_(p), t.eq(a, six))
    assert t.eq(t.ite(p, a, b), five) is t.eq(five, t.ite(p, a, b))
    for one, other in ((t.ite(p, a, b), a), (a, t.ite(p, a, b))):
        assert t.eq(one, other) is t.or_(p, t.eq(a, b))
        assert t.eq(t.ite(p, b, a), a) is t.or_(t.not_(p), t.eq(a, b))
    for choice in (t.ite(p, a, b), t.ite(p, a, five)):  # neither is c: nothing is gained
        assert t.eq(choice, c).args in ((choice, c), (c, choice))


def test_tables_of_shifts_are_bits() -> None:
    right, left = (table(lambda n: n >> 3), table(lambda n: n << 5))
    rotated = t.concat(t.extract(A, 0, 3), t.extract(A, 3, 5))
    assert t.lookup(right, A) is t.zext(t.extract(A, 3, 5), 8)
    assert t.xor(t.lookup(right, A), t.lookup(left, A)) is rotated
    assert t.lookup(table(lambda n: n >> 3 | n << 5), A) is rotated
    assert t.lookup(bytes(range(256)), A) is A
    assert t.lookup(bytes([7]) * 256, A) is k(7)


def test_tables_of_tables_are_one_table() -> None:
    square = table(lambda n: n * n)
    inverse = bytearray(256)
    some = table(lambda n: n * 167 + 13)
    for number, value in enumerate(some):
        inverse[value] = number
    assert t.lookup(bytes(inverse), t.lookup(some, A)) is A
    assert t.lookup(square, t.add(A, k(1))) is t.lookup(table(lambda n: (n + 1) ** 2), A)
    assert t.lookup(square, t.zext(A, 16)) is t.lookup(square, A)
    assert t.eq(t.lookup(some, A), k(some[200])) is t.eq(A, k(200))


def table(function: Callable[[int], int]) -> bytes:
    return bytes(function(n) & 0xFF for n in range(256))


def test_loads_see_stores() -> None:
    array, base = t.array_var("m"), t.var("base", 16)
    stored = t.store(t.store(array, base, A), t.add(base, k(1, 16)), B)
    assert t.load(stored, base) is A
    assert t.load(stored, t.add(k(1, 16), base)) is B
    assert t.load(stored, t.add(base, k(2, 16))) is t.load(array, t.add(base, k(2, 16)))
    assert t.load(stored, k(5, 16)).op == "load"
    assert t.store(array, base, t.load(array, base)) is array


def test_crc_by_table_is_crc_by_bits() -> None:
    poly = 0xEDB88320
    rows = []
    for number in range(256):
        for _ in range(8):
            number = number >> 1 ^ (poly if number & 1 else 0)
        rows.append(number)
    by_bits = by_table = t.var("crc", 32)
    for byte in word_of("byte", 4):
        by_bits = t.xor(by_bits, t.zext(byte, 32))
        for _ in range(8):
            step = t.ite(t.extract(by_bits, 0, 1), k(poly, 32), k(0, 32))
            by_bits = t.xor(t.concat(t.FALSE, t.extract(by_bits, 1, 31)), step)
        index = t.xor(t.extract(by_table, 0, 8), byte)
        cells = [t.lookup(bytes(row >> at & 0xFF for row in rows), index) for at in (24, 16, 8, 0)]
        by_table = t.xor(t.zext(t.extract(by_table, 8, 24), 32), t.concat(*cells))
    assert by_bits is by_table


def test_the_first_sum_of_a_round_of_sha_512() -> None:
    """As in asm/6502/sha512/rounds.s: t = h + w + k, + ch(e, f, g), + e by tables of shifts."""
    e, f, g, h, w = (word_of(name, 8) for name in "efghw")
    cpu = Mos6502()
    found = cpu.chain("adc", h, w, t.FALSE)
    chosen = [
        t.xor(t.and_(t.xor(two, three), one), three)
        for one, two, three in zip(e, f, g, strict=True)
    ]
    found = cpu.chain("adc", chosen, found, t.FALSE)
    shifts = {
        1: table(lambda n: n >> 6),
        2: table(lambda n: n >> 2 ^ n << 2),
        3: table(lambda n: n << 6),
        5: table(lambda n: n >> 1),
        6: table(lambda n: n << 7),
    }
    turned = []
    for place in range(8):
        cell = k(0)
        for distance, shift in shifts.items():
            cell = t.xor(cell, t.lookup(shift, e[(place + distance) % 8]))
        turned.append(cell)
    found = cpu.chain("adc", turned, found, t.FALSE)
    words = {name: number_of(word_of(name, 8)) for name in "efghw"}
    rotations = [rotated(words["e"], count) for count in (14, 18, 41)]
    sigma = t.xor(t.xor(rotations[0], rotations[1]), rotations[2])
    choice = t.xor(words["g"], t.and_(words["e"], t.xor(words["f"], words["g"])))
    assert number_of(turned) is sigma
    assert number_of(found) is t.add(t.add(t.add(words["h"], words["w"]), choice), sigma)


def rotated(word: Term, count: int) -> Term:
    return t.concat(t.extract(word, 0, count), t.extract(word, count, word.width - count))


# ---------------------------------------------------------------- values stay the same


@pytest.mark.parametrize("seed", range(40))
def test_no_simplification_changes_a_value(seed: int) -> None:
    terms = RandomTerms(seed)
    for _ in range(60):
        terms.check(*terms.step())


@pytest.mark.parametrize("seed", range(6))
def test_replacing_a_variable_is_building_with_another(seed: int) -> None:
    terms = RandomTerms(seed)
    for _ in range(40):
        terms.step()
    other = t.xor(t.var("b", 8), k(0x5A))
    values = {**terms.values, "a": terms.values["b"] ^ np.uint64(0x5A)}
    memo: dict[Term, Term] = {}
    memories = {"m": terms.memory}
    for term, _ in terms.known:
        found = t.evaluate([t.replace(term, {A: other}, memo)], values, memories)
        expected = t.evaluate([term], values, memories)
        assert (found[0] == expected[0]).all(), term


def test_variables() -> None:
    loaded = t.load(t.array_var("m"), t.concat(A, B))
    assert t.variables([t.add(loaded, A), C]) == {A, B, C, t.array_var("m")}


@pytest.mark.slow
def test_deep_terms_need_no_deep_stack() -> None:
    deep = t.var("start", 16)
    array = t.array_var("m")
    for step in range(4000):
        deep = t.add(t.xor(deep, t.var(f"s{step % 5}", 16)), t.mul(deep, t.var("s0", 16)))
    for address in range(2000):
        array = t.store(array, k(address, 16), A)
    low = t.extract(deep, 0, 8)
    read = t.load(array, t.var("place", 16))
    assert len(t.variables([low, read])) == 9
    swapped = t.replace(low, {t.var("start", 16): t.var("other", 16)})
    names = ("start", "other", "place", "s0", "s1", "s2", "s3", "s4")
    values = {name: np.arange(3, dtype=np.uint64) for name in names} | {"a": np.full(3, 9)}
    memory = np.zeros((3, 0x10000), dtype=np.uint8)
    found = t.evaluate([low, swapped, read], values, {"m": memory})
    assert (found[0] == found[1]).all()
    assert list(found[2]) == [9, 9, 9]
