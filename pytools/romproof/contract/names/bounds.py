"""Between which values a contract wants its inputs to be, one by one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from romproof.contract.names.limits import Limits, constant, limits
from romproof.contract.nouns.expr import (
    All,
    Binary,
    Comparison,
    Condition,
    Expression,
    FlagValue,
    Logic,
    MemoryByte,
    MemoryValue,
    Not,
    PairValue,
    RegisterValue,
)
from romproof.contract.nouns.items import MemoryRange
from romproof.contract.nouns.model import Contract
from romproof.isa.abi import Flag, Register

BoundKey = Register | Flag | int | MemoryRange
"""A register, a flag, the address of a byte; several bytes that are one number."""

_Bound = tuple[BoundKey, Limits]
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def bounds_of(contract: Contract) -> Mapping[BoundKey, Limits]:
    """The lowest and highest value of inputs that ``requires:`` compares with constants.

    An input that satisfies the contract lies within them; not all that do so fulfil it. Of
    numbers of several bytes the highest byte has bounds of its own as well, and so has one below
    bytes that have but one value. A lowest value above the highest says that nothing satisfies the
    contract.
    """
    facts = (one for c in contract.requires for one in _facts(c.expression, {}))
    return MappingProxyType(_intersect_all(facts))


@dataclass(frozen=True, slots=True)
class Impossible:
    """A condition that no input satisfies together with those before it, and why not."""

    condition: Condition
    reason: str


def impossible(conditions: Sequence[Condition]) -> Impossible | None:
    """The first condition that cannot be satisfied, as far as single inputs tell."""
    bounds: dict[BoundKey, Limits] = {}
    for condition in conditions:
        if _is_false(condition.expression):
            return Impossible(condition, f"{condition.text} is never true")
        facts = _intersect_all(_facts(condition.expression, {}))
        for key, (low, high) in facts.items():
            known = bounds.get(key, (low, high))
            bounds[key] = both = _intersect((low, high), known)
            if both[0] > both[1]:
                return Impossible(condition, _explain(key, (low, high), known))
    return None


def _is_false(expression: Expression) -> bool:
    """Whether a comparison is between what can never stand so."""
    match expression:
        case Comparison():
            low, high = limits(Binary("-", expression.left, expression.right))
            first, last = _limit(expression.operator, 0, (low, high))
            return first > last
        case Logic(operator="and"):
            return _is_false(expression.left) or _is_false(expression.right)
        case Logic(operator="or"):
            return _is_false(expression.left) and _is_false(expression.right)
    return False


def _explain(key: BoundKey, wanted: Limits, known: Limits) -> str:
    name = f"the byte at ${key:04X}" if isinstance(key, int) else key.name
    if wanted[0] > wanted[1]:
        return f"{name} has no such value"
    low, high = _intersect(wanted, known)
    return f"{name} would be at least {low} and at most {high}"


def _intersect_all(facts: Iterable[_Bound]) -> dict[BoundKey, Limits]:
    """Bounds that hold at the same time."""
    bounds: dict[BoundKey, Limits] = {}
    for key, (low, high) in facts:
        bounds[key] = _intersect((low, high), bounds.get(key, (low, high)))
    return bounds


def _facts(expression: Expression, variables: Mapping[str, int]) -> Iterator[_Bound]:
    """What follows from a truth."""
    match expression:
        case FlagValue():
            yield expression.flag, (1, 1)
        case Not():
            yield from _negate(expression.inner, variables)
        case Comparison():
            yield from _compare(expression.operator, expression, variables)
        case Logic(operator="and"):
            yield from _facts(expression.left, variables)
            yield from _facts(expression.right, variables)
        case Logic(operator="or"):
            yield from _join(expression, variables)
        case All():
            for value in range(expression.low, expression.high + 1):
                yield from _facts(expression.body, {**variables, expression.variable: value})


def _negate(expression: Expression, variables: Mapping[str, int]) -> Iterator[_Bound]:
    """What follows from the contrary of a truth, where that is simple."""
    match expression:
        case FlagValue():
            yield expression.flag, (0, 0)
        case Comparison():
            yield from _compare(_OPPOSITE[expression.operator], expression, variables)
        case Not():
            yield from _facts(expression.inner, variables)


def _join(expression: Logic, variables: Mapping[str, int]) -> Iterator[_Bound]:
    """What both sides say something of lies between the outermost of their limits."""
    left = _intersect_all(_facts(expression.left, variables))
    right = _intersect_all(_facts(expression.right, variables))
    for key in (key for key in left if key in right):
        possible = [side for side in (left[key], right[key]) if side[0] <= side[1]]
        if possible:
            yield key, (min(low for low, _ in possible), max(high for _, high in possible))


def _compare(
    operator: str, expression: Comparison, variables: Mapping[str, int]
) -> Iterator[_Bound]:
    """What follows from a number being compared with a constant."""
    number, other = expression.left, expression.right
    value = constant(other, variables)
    if value is None:
        number, other, operator = other, number, _MIRRORED.get(operator, operator)
        value = constant(other, variables)
    if value is None:
        return
    yield from _narrow(number, _limit(operator, value, limits(number, variables)), variables)


def _narrow(number: Expression, within: Limits, variables: Mapping[str, int]) -> Iterator[_Bound]:
    """What follows from a number being ``within`` limits."""
    low, high = within
    match number:
        case RegisterValue():
            yield number.register, within
        case FlagValue():
            yield number.flag, within
        case PairValue():
            for place, bounds in _by_bytes(within, 2):
                yield (number.low, number.high)[place], bounds
        case MemoryByte():
            index = constant(number.index, variables)
            if index is not None:
                yield number.memory.address + index & 0xFFFF, within
        case MemoryValue(memory=memory):
            for place, bounds in _by_bytes(within, memory.size):
                yield memory.address + place, bounds
            if memory.size > 1:
                yield memory, within
        case Binary(operator="+", left=one, right=other):
            for side, rest in ((one, other), (other, one)):
                least, most = limits(rest, variables)
                yield from _narrow(
                    side, _intersect((low - most, high - least), limits(side, variables)), variables
                )
        case Binary(operator="-", left=one, right=other):
            least, most = limits(other, variables)
            natural = limits(one, variables)
            yield from _narrow(one, _intersect((low + least, high + most), natural), variables)


def _by_bytes(within: Limits, size: int) -> Iterator[tuple[int, Limits]]:
    """The bytes of a number that have limits themselves: the highest one, and one below others
    of which the value is known. The lowest byte is at place 0."""
    low, high = within
    for place in reversed(range(size)):
        first, last = low >> 8 * place, high >> 8 * place
        yield place, (first, last) if place == size - 1 else (first & 0xFF, last & 0xFF)
        if first != last:
            return


def _intersect(one: Limits, other: Limits) -> Limits:
    return max(one[0], other[0]), min(one[1], other[1])


def _limit(operator: str, value: int, natural: Limits) -> Limits:
    """The limits of a number in ``natural`` limits that is compared with ``value``."""
    low, high = natural
    match operator:
        case "==":
            return _intersect(natural, (value, value))
        case "<":
            return low, min(high, value - 1)
        case "<=":
            return low, min(high, value)
        case ">":
            return max(low, value + 1), high
        case ">=":
            return max(low, value), high
    return low + (value == low), high - (value == high)
