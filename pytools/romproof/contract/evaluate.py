"""The value of an expression, for numbers of any kind.

Numbers are Python's integers, or objects with the same operators, of which comparisons
give numbers of one bit. So no truth is ever asked for here (``if``, ``and``, ``not``):
truths are joined with ``& | ^``. A remainder of a division by the integer zero is 0, and
other kinds of numbers must keep to that by themselves.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Protocol

from romproof.contract.expr import (
    All,
    Binary,
    Comparison,
    Expression,
    FlagValue,
    Logic,
    MemoryByte,
    MemoryValue,
    Negative,
    Not,
    Number,
    Old,
    PairValue,
    RegisterValue,
    Sum,
    Variable,
)


class View(Protocol):
    """Registers, flags and memory at one moment.

    ``old`` is the same at the entry of the routine; at the entry itself it is the view.
    """

    @property
    def old(self) -> View: ...

    def register(self, name: str) -> Any:
        """The register that contracts call ``name``; no pairs."""

    def flag(self, name: str) -> Any:
        """The flag that contracts call ``name``: 0 or 1."""

    def byte(self, address: Any) -> Any:
        """The byte at an address, a number within 0..$FFFF."""


def _remainder(left: Any, right: Any) -> Any:
    if isinstance(right, int) and right == 0:
        return 0
    return left % right


OPERATORS: Mapping[str, Callable[[Any, Any], Any]] = MappingProxyType(
    {
        "+": operator.add,
        "-": operator.sub,
        "*": operator.mul,
        "%": _remainder,
        "&": operator.and_,
        "|": operator.or_,
        "^": operator.xor,
        "<<": operator.lshift,
        ">>": operator.rshift,
        "==": operator.eq,
        "!=": operator.ne,
        "<": operator.lt,
        "<=": operator.le,
        ">": operator.gt,
        ">=": operator.ge,
        "and": operator.and_,
        "or": operator.or_,
        "->": lambda left, right: (left ^ 1) | right,
    }
)


def evaluate(
    expression: Expression, view: View, variables: Mapping[str, int] = MappingProxyType({})
) -> Any:
    """The value of ``expression`` in ``view``; truths are 0 and 1 (or False and True).

    ``variables`` has the values of those that stand outside of the ``all`` they belong to.
    """
    match expression:
        case Number():
            return expression.value
        case RegisterValue():
            return view.register(expression.register.name)
        case PairValue():
            high = view.register(expression.high.name)
            return high << 8 | view.register(expression.low.name)
        case FlagValue():
            return view.flag(expression.flag.name)
        case MemoryValue():
            first, *others = (view.byte(address) for address in expression.memory.addresses())
            for number, byte in enumerate(others, 1):
                first = first | byte << 8 * number
            return first
        case MemoryByte():
            index = evaluate(expression.index, view, variables)
            return view.byte(expression.memory.address + index & 0xFFFF)
        case Variable():
            return variables[expression.name]
        case Old():
            return evaluate(expression.inner, view.old, variables)
        case Negative():
            return -evaluate(expression.inner, view, variables)
        case Binary() | Comparison() | Logic():
            left = evaluate(expression.left, view, variables)
            right = evaluate(expression.right, view, variables)
            return OPERATORS[expression.operator](left, right)
        case Not():
            return evaluate(expression.inner, view, variables) ^ 1
        case All() | Sum():
            name = expression.variable
            is_sum = isinstance(expression, Sum)
            result: Any = 0 if is_sum else 1
            for value in range(expression.low, expression.high + 1):
                one = evaluate(expression.body, view, {**variables, name: value})
                result = result + one if is_sum else result & one
            return result
