"""Functions on fixed-point numbers: whole numbers that count in 1 / 2^precision.

They are worked out in floating point and rounded half away from zero, as rgbasm does it; what is
too large becomes the largest number there is, and what has no value becomes 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable

_LEAST, _MAX = -(1 << 31), (1 << 31) - 1
_TURN = math.tau
"""Angles count in turns; the functions of the C library want radians."""


def _round(value: float) -> float:
    """To the next whole number, half away from zero."""
    whole = math.trunc(value)
    return whole + math.copysign(1, value) if abs(value - whole) >= 0.5 else whole


def _to_fixed(value: float, precision: int) -> int:
    if math.isnan(value):
        return 0
    scaled = value * 2.0**precision
    if math.isinf(scaled):
        return _LEAST if scaled < 0 else _MAX
    return max(_LEAST, min(_MAX, int(_round(scaled))))


def _one(function: Callable[[float], float]) -> Callable[..., int]:
    """A function of one operand; where it is not defined its value is 0."""

    def fixed(value: int, precision: int) -> int:
        try:
            result = function(value / 2.0**precision)
        except ValueError:
            return 0
        return _to_fixed(result, precision)

    return fixed


def _two(function: Callable[[float, float], float]) -> Callable[..., int]:
    """The same with two operands."""

    def fixed(left: int, right: int, precision: int) -> int:
        try:
            result = function(left / 2.0**precision, right / 2.0**precision)
        except ValueError:
            return 0
        return _to_fixed(result, precision)

    return fixed


def _divide(dividend: float, divisor: float) -> float:
    if divisor == 0:
        return math.copysign(math.inf, dividend) if dividend else 0
    return dividend / divisor


def _remainder(dividend: float, divisor: float) -> float:
    return math.fmod(dividend, divisor) if divisor else 0


def _power(base: float, exponent: float) -> float:
    if base == 0 and exponent < 0:
        return math.inf
    try:
        return math.pow(base, exponent)
    except OverflowError:
        odd = exponent % 2 == 1
        return -math.inf if base < 0 and odd else math.inf


def _logarithm(value: float, base: float) -> float:
    if base <= 0:
        return 0
    divisor = math.log(base)
    if divisor == 0:
        return math.inf
    dividend = math.log(value) if value else -math.inf
    return dividend / divisor


FIXED_FUNCTIONS: dict[str, tuple[int, Callable[..., int]]] = {
    "ROUND": (1, _one(_round)),
    "CEIL": (1, _one(math.ceil)),
    "FLOOR": (1, _one(math.floor)),
    "SIN": (1, _one(lambda turns: math.sin(turns * _TURN))),
    "COS": (1, _one(lambda turns: math.cos(turns * _TURN))),
    "TAN": (1, _one(lambda turns: math.tan(turns * _TURN))),
    "ASIN": (1, _one(lambda value: math.asin(value) / _TURN)),
    "ACOS": (1, _one(lambda value: math.acos(value) / _TURN)),
    "ATAN": (1, _one(lambda value: math.atan(value) / _TURN)),
    "ATAN2": (2, _two(lambda y, x: math.atan2(y, x) / _TURN)),
    "MUL": (2, _two(lambda left, right: left * right)),
    "DIV": (2, _two(_divide)),
    "FMOD": (2, _two(_remainder)),
    "POW": (2, _two(_power)),
    "LOG": (2, _two(_logarithm)),
}
"""By name: the number of operands, and the function, which is called with the operands and the
precision in bits (1 to 31). Operands and results are signed 32-bit numbers."""
