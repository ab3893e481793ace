"""Arithmetic on 32-bit numbers, as assembler and linker both do it.

Operands and results are signed 32-bit numbers (-2^31..2^31-1) and wrap.
Division and remainder are rounded towards minus infinity (rgbasm(5), "Operators").
"""

from __future__ import annotations

from collections.abc import Callable

from romproof.toolchains.rgbds.obj.rpn import RpnOp


def wrap(value: int) -> int:
    """``value`` as a signed 32-bit number."""
    return ((value + 0x8000_0000) & 0xFFFF_FFFF) - 0x8000_0000


def as_unsigned(value: int) -> int:
    """The same 32 bits as a number from 0 to 2^32-1."""
    return value & 0xFFFF_FFFF


def divide(left: int, right: int) -> int:
    """The quotient, rounded down. Raises ZeroDivisionError."""
    return wrap(left // right)


def remainder(left: int, right: int) -> int:
    """What division leaves over; it has the sign of ``right``. Raises ZeroDivisionError."""
    return wrap(left % right)


def power(base: int, exponent: int) -> int:
    """``base`` to the power of ``exponent``, which must not be negative."""
    return wrap(pow(base, exponent, 1 << 32))


def shift_left(value: int, count: int) -> int:
    """Shift left; a negative ``count`` shifts right, keeping the sign."""
    if count < 0:
        return shift_right(value, -count)
    return 0 if count >= 32 else wrap(value << count)


def shift_right(value: int, count: int) -> int:
    """Shift right, keeping the sign; a negative ``count`` shifts left."""
    if count < 0:
        return shift_left(value, -count)
    return value >> min(count, 31)


def shift_right_unsigned(value: int, count: int) -> int:
    """Shift right, bringing zeros in; a negative ``count`` shifts left."""
    if count < 0:
        return shift_left(value, -count)
    return 0 if count >= 32 else wrap(as_unsigned(value) >> count)


def high(value: int) -> int:
    """Bits 8 to 15."""
    return value >> 8 & 0xFF


def low(value: int) -> int:
    """Bits 0 to 7."""
    return value & 0xFF


def bit_width(value: int) -> int:
    """Bits it takes to write ``value`` as an unsigned number; 0 for 0."""
    return as_unsigned(value).bit_length()


def trailing_zeros(value: int) -> int:
    """Zeros below the lowest set bit; 32 for 0."""
    return 32 if value == 0 else (value & -value).bit_length() - 1


UNARY: dict[RpnOp, Callable[[int], int]] = {
    RpnOp.NEG: lambda value: wrap(-value),
    RpnOp.NOT: lambda value: ~value,
    RpnOp.LOGIC_NOT: lambda value: int(not value),
    RpnOp.HIGH: high,
    RpnOp.LOW: low,
    RpnOp.BITWIDTH: bit_width,
    RpnOp.TZCOUNT: trailing_zeros,
}
"""Operators with one operand."""

BINARY: dict[RpnOp, Callable[[int, int], int]] = {
    RpnOp.ADD: lambda left, right: wrap(left + right),
    RpnOp.SUB: lambda left, right: wrap(left - right),
    RpnOp.MUL: lambda left, right: wrap(left * right),
    RpnOp.DIV: divide,
    RpnOp.MOD: remainder,
    RpnOp.EXP: power,
    RpnOp.OR: lambda left, right: left | right,
    RpnOp.AND: lambda left, right: left & right,
    RpnOp.XOR: lambda left, right: left ^ right,
    RpnOp.LOGIC_AND: lambda left, right: int(bool(left and right)),
    RpnOp.LOGIC_OR: lambda left, right: int(bool(left or right)),
    RpnOp.EQ: lambda left, right: int(left == right),
    RpnOp.NE: lambda left, right: int(left != right),
    RpnOp.GT: lambda left, right: int(left > right),
    RpnOp.LT: lambda left, right: int(left < right),
    RpnOp.GE: lambda left, right: int(left >= right),
    RpnOp.LE: lambda left, right: int(left <= right),
    RpnOp.SHL: shift_left,
    RpnOp.SHR: shift_right,
    RpnOp.USHR: shift_right_unsigned,
}
"""Operators with two operands, the first one pushed first. DIV and MOD raise ZeroDivisionError."""
