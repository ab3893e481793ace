"""Between which numbers the value of an expression lies, whatever the inputs are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from types import MappingProxyType

from romproof.contract.names.evaluate import OPERATORS
from romproof.contract.nouns.expr import (
    Binary,
    Expression,
    MemoryByte,
    MemoryValue,
    Negative,
    Number,
    Old,
    PairValue,
    PointedByte,
    RegisterValue,
    Sum,
    Variable,
)

Limits = tuple[int, int]
"""The lowest and the highest value."""


_NO_VARIABLES: Mapping[str, int] = MappingProxyType({})


def limits(expression: Expression, variables: Mapping[str, int] = _NO_VARIABLES) -> Limits:
    """Limits of a value; no tighter than easily seen, but exact for constants.

    Shifts must have counts within 0..255, and divisors must not be negative. Variables that
    ``variables`` gives a value have no other.
    """
    match expression:
        case Number():
            return expression.value, expression.value
        case RegisterValue():
            return 0, (1 << expression.register.bits) - 1
        case PairValue():
            return 0, (1 << expression.high.bits + expression.low.bits) - 1
        case MemoryValue():
            return 0, (1 << 8 * expression.memory.size) - 1
        case MemoryByte() | PointedByte():
            return 0, 0xFF
        case Variable():
            value = variables.get(expression.name)
            return (expression.low, expression.high) if value is None else (value, value)
        case Old():
            return limits(expression.inner, variables)
        case Negative():
            low, high = limits(expression.inner, variables)
            return -high, -low
        case Binary():
            left = limits(expression.left, variables)
            return _binary(expression.operator, left, limits(expression.right, variables))
        case Sum():
            each = [
                limits(expression.body, {**variables, expression.variable: value})
                for value in range(expression.low, expression.high + 1)
            ]
            return sum(low for low, _ in each), sum(high for _, high in each)
        case _:  # truths and flags
            return 0, 1


def constant(expression: Expression, variables: Mapping[str, int] = _NO_VARIABLES) -> int | None:
    """The value of an expression that always has the same; None of others."""
    low, high = limits(expression, variables)
    return low if low == high else None


def _binary(operator: str, left: Limits, right: Limits) -> Limits:
    if operator == "%":
        return _remainder(left, right)
    if operator in "&|^":
        return _bits(operator, left, right)
    return _at_the_corners(OPERATORS[operator], left, right)


def _at_the_corners(operate: Callable[[int, int], int], left: Limits, right: Limits) -> Limits:
    """For what grows or falls steadily with each side."""
    values = [operate(one, other) for one, other in product(left, right)]
    return min(values), max(values)


def _remainder(left: Limits, right: Limits) -> Limits:
    if left[0] == left[1] and right[0] == right[1]:
        return _at_the_corners(OPERATORS["%"], left, right)
    most = max(right[1] - 1, 0)
    return 0, min(most, left[1]) if left[0] >= 0 else most


def _bits(operator: str, left: Limits, right: Limits) -> Limits:
    if left[0] == left[1] and right[0] == right[1]:
        return _at_the_corners(OPERATORS[operator], left, right)
    natural = [side for side in (left, right) if side[0] >= 0]
    if operator == "&" and natural:
        return 0, min(high for _, high in natural)
    width = max(number.bit_length() for number in (*left, *right))
    return 0 if len(natural) == 2 else -1 << width, (1 << width) - 1
