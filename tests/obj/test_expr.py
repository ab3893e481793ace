"""Arithmetic of expressions, against C's on a 64-bit machine."""

from __future__ import annotations

import ctypes

import pytest
from hypothesis import given
from hypothesis import strategies as st

from romproof.obj.expr import (
    Binary,
    BinaryOp,
    Expr,
    Imported,
    Literal,
    Place,
    Unary,
    UnaryOp,
    Unresolved,
    apply_binary,
    apply_unary,
    evaluate,
    wrap,
)

NUMBERS = st.integers(-(2**63), 2**63 - 1)


def as_long(value: int) -> int:
    """``value`` as a C long, by C's own rules."""
    return ctypes.c_int64(value & (2**64 - 1)).value


@given(st.integers(-(2**70), 2**70))
def test_wrapping_is_that_of_a_c_long(value: int) -> None:
    assert wrap(value) == as_long(value)


@given(NUMBERS, NUMBERS)
def test_sums_and_products_wrap(a: int, b: int) -> None:
    assert apply_binary(BinaryOp.ADD, a, b) == as_long(a + b)
    assert apply_binary(BinaryOp.SUB, a, b) == as_long(a - b)
    assert apply_binary(BinaryOp.MUL, a, b) == as_long(a * b)
    assert apply_unary(UnaryOp.NEGATE, a) == as_long(-a)


@given(NUMBERS, NUMBERS.filter(bool))
def test_division_goes_towards_zero(a: int, b: int) -> None:
    quotient = apply_binary(BinaryOp.DIV, a, b)
    rest = apply_binary(BinaryOp.MOD, a, b)
    assert as_long(quotient * b + rest) == a
    assert abs(rest) < abs(b)
    assert rest == 0 or (rest < 0) == (a < 0)


@pytest.mark.parametrize("op", [BinaryOp.DIV, BinaryOp.MOD])
def test_division_by_zero_is_no_value(op: BinaryOp) -> None:
    with pytest.raises(Unresolved, match="zero"):
        apply_binary(op, 1, 0)


@given(NUMBERS, st.integers(0, 200))
def test_shifts_are_logical_and_end_at_64_bits(a: int, count: int) -> None:
    unsigned = a & (2**64 - 1)
    assert apply_binary(BinaryOp.SHR, a, count) == as_long(unsigned >> count)
    assert apply_binary(BinaryOp.SHL, a, count) == (as_long(a << count) if count < 64 else 0)


@given(NUMBERS)
def test_parts_of_a_number(a: int) -> None:
    raw = (a & (2**64 - 1)).to_bytes(8, "little")
    for index, op in enumerate((UnaryOp.BYTE0, UnaryOp.BYTE1, UnaryOp.BYTE2, UnaryOp.BYTE3)):
        assert apply_unary(op, a) == raw[index]
    assert apply_unary(UnaryOp.WORD0, a) == int.from_bytes(raw[:2], "little")
    assert apply_unary(UnaryOp.WORD1, a) == int.from_bytes(raw[2:4], "little")
    assert apply_unary(UnaryOp.FAR, a) == int.from_bytes(raw[:3], "little")
    assert apply_unary(UnaryOp.DWORD, a) == int.from_bytes(raw[:4], "little")
    swapped = apply_unary(UnaryOp.SWAP, a) & 0xFFFF
    assert swapped.to_bytes(2, "little") == raw[1::-1]


def leaf(expr: Expr) -> int:
    match expr:
        case Place(section, offset):
            return 0x8000 + 0x100 * section + offset
        case Imported("known"):
            return 5
    raise Unresolved("not known")


def test_leaves_are_asked_for() -> None:
    expr = Binary(BinaryOp.ADD, Place(1, 2), Unary(UnaryOp.NEGATE, Imported("known")))
    assert evaluate(expr, leaf) == 0x8102 - 5
    with pytest.raises(Unresolved):
        evaluate(Binary(BinaryOp.ADD, expr, Imported("other")), leaf)


def test_and_and_or_look_at_the_right_side_only_when_needed() -> None:
    unknown = Imported("other")
    assert evaluate(Binary(BinaryOp.BOOL_AND, Literal(0), unknown), leaf) == 0
    assert evaluate(Binary(BinaryOp.BOOL_OR, Literal(7), unknown), leaf) == 1
    assert evaluate(Binary(BinaryOp.BOOL_OR, Literal(0), Literal(7)), leaf) == 1
