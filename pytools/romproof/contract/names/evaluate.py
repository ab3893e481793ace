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

from romproof.contract.nouns.expr import (
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
    PointedByte,
    RegisterValue,
    Sum,
    Variable,
)


class ConditionView(Protocol):
    """Registers, flags and memory at one moment.

    ``old`` is the same at the entry of the routine; at the entry itself it is the view.
    """

    @property
    def old(self) -> ConditionView: ...

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
    expression: Expression, view: ConditionView, variables: Mapping[str, int] = MappingProxyType({})
) -> Any:
    """The value of ``expression`` in ``view``; truths are 0 and 1 (or False and True).

    ``variables`` has the values of those that stand outside of the ``all`` they belong to.
    """
    return function_of(expression)(view, variables)


def function_of(expression: Expression) -> ExpressionFunction:
    """What ``evaluate`` computes of an expression, to be called with a view and its variables."""
    known = _functions.get(id(expression))
    if known is None:
        if len(_functions) >= _MAX:
            _functions.clear()
        known = _functions[id(expression)] = expression, _function(expression)
    return known[1]


NO_VARIABLES: Mapping[str, int] = MappingProxyType({})
ExpressionFunction = Callable[[Any, Mapping[str, int]], Any]
"""The value of an expression in a view, with the values of the variables around it."""
_functions: dict[int, tuple[Expression, ExpressionFunction]] = {}
"""What expressions were made into, by their identity: each is held here, so no other has it."""
_MAX = 4096


def _function(expression: Expression) -> ExpressionFunction:
    """An expression as a function: a condition is looked at thousands of times."""
    match expression:
        case Number(value):
            return lambda view, variables: value
        case RegisterValue():
            name = expression.register.name
            return lambda view, variables: view.register(name)
        case PairValue():
            high, low = expression.high.name, expression.low.name
            return lambda view, variables: view.register(high) << 8 | view.register(low)
        case FlagValue():
            flag = expression.flag.name
            return lambda view, variables: view.flag(flag)
        case MemoryValue():
            return _memory(tuple(expression.memory.addresses()))
        case MemoryByte():
            base, index = expression.memory.address, _function(expression.index)
            return lambda view, variables: view.byte(base + index(view, variables) & 0xFFFF)
        case PointedByte():
            begin, offset = _function(expression.base), _function(expression.index)
            return lambda view, variables: view.byte(
                begin(view, variables) + offset(view, variables) & 0xFFFF
            )
        case Variable():
            variable = expression.name
            return lambda view, variables: variables[variable]
        case Old():
            inner = _function(expression.inner)
            return lambda view, variables: inner(view.old, variables)
        case Negative():
            number = _function(expression.inner)
            return lambda view, variables: -number(view, variables)
        case Binary() | Comparison() | Logic():
            operate = OPERATORS[expression.operator]
            left, right = _function(expression.left), _function(expression.right)
            return lambda view, variables: operate(left(view, variables), right(view, variables))
        case Not():
            truth = _function(expression.inner)
            return lambda view, variables: truth(view, variables) ^ 1
        case All() | Sum():
            return _repeat(expression)


def _memory(addresses: tuple[int, ...]) -> ExpressionFunction:
    """Some bytes as a number, the lowest first."""
    first, *others = addresses

    def value(view: Any, variables: Mapping[str, int]) -> Any:
        number = view.byte(first)
        for position, address in enumerate(others, 1):
            number = number | view.byte(address) << 8 * position
        return number

    return value


def _repeat(expression: All | Sum) -> ExpressionFunction:
    """The values for all numbers of a variable, joined."""
    name, body = expression.variable, _function(expression.body)
    numbers = range(expression.low, expression.high + 1)
    join, begin = (operator.add, 0) if isinstance(expression, Sum) else (operator.and_, 1)

    def value(view: Any, variables: Mapping[str, int]) -> Any:
        result: Any = begin
        for number in numbers:
            result = join(result, body(view, {**variables, name: number}))
        return result

    return value
