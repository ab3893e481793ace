"""Arithmetic of expressions, against C's on a 64-bit machine."""

from __future__ import annotations

import ctypes

import pytest
from hypothesis import given
from hypothesis import strategies as st

from romproof.toolchains.ca65.obj.expr import (
    BinaryOp,
    UnaryOp,
    Unresolved,
    apply_binary,
    apply_unary,
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
