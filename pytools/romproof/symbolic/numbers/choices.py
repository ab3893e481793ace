"""What models write for what symbolic numbers cannot follow: bytes as a number, and choices."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

from romproof.symbolic.numbers.integers import (
    IntLike,
    Order,
    SymInt,
    bits,
    choose_number,
    condition,
)
from romproof.symbolic.numbers.refusal import NotSymbolic
from romproof.symbolic.numbers.symbytes import (
    ArrayBytes,
    SymBytes,
    check_byte,
    is_bytes,
    kind_of_bytes,
    natural,
)
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.term import Term


def word(data: Iterable[IntLike], byteorder: Order = "big") -> Any:
    """The number that bytes make, as ``int.from_bytes`` does: of plain and symbolic ones."""
    if byteorder not in ("big", "little"):
        raise ValueError("byteorder must be either 'little' or 'big'")
    if type(data) is bytes:  # of plain ones: symbolic bytes are an instance, too
        return int.from_bytes(data, byteorder)
    cells = list(data)
    if byteorder == "little":
        cells.reverse()
    if not any(isinstance(cell, SymInt) for cell in cells):
        return int.from_bytes(cast("list[int]", cells), "big")
    return natural(t.concat(*(bits(check_byte(cell), 8) for cell in cells)))


def table(data: bytes) -> Any:
    """Bytes that an unknown number may index: ``table(costs)[kind]`` is one value in a proof.

    ``costs[kind]`` of plain bytes means that the model is run once for each kind.
    """
    return SymBytes(data, bytes)


def choose(condition_: Any, one: Any, other: Any) -> Any:
    """``one`` if the condition holds, else ``other``, without a branch.

    In the proof of a model this is one value, while ``one if condition else other`` executes the
    rest of the model twice. Both are numbers, or bytes, lists, tuples or dictionaries of them, of
    one length. Mutable values are copied.
    """
    if not isinstance(condition_, SymInt):
        return _copy(one if condition_ else other)
    return _either(condition(condition_), one, other, strict=True)


def either(condition: Term, one: Any, other: Any) -> Any:
    """``one`` where the bit ``condition`` is set, else ``other``: of results, of which only the
    numbers count. Raises NotSymbolic for values of different shapes."""
    return _either(condition, one, other, strict=False)


def _either(condition: Term, one: Any, other: Any, strict: bool) -> Any:
    if one is other:
        return _copy(one)
    if _is_number(one) and _is_number(other):
        return choose_number(condition, one, other)
    if isinstance(one, ArrayBytes) and isinstance(other, SymBytes):
        chosen = one.one_of_two(condition, other)
        if chosen is not None:
            return chosen
    if type(one) is type(other) or (is_bytes(one) and is_bytes(other)) or not strict:
        joined = _of_one_shape(condition, one, other, strict)
        if joined is not None:
            return joined
    raise NotSymbolic(f"{_shape(one)} and {_shape(other)} cannot be one value")


def _of_one_shape(condition: Term, one: Any, other: Any, strict: bool) -> Any:
    """The choice between two collections; None when they are not alike."""
    if type(one) is dict and type(other) is dict:
        if (list(one) != list(other)) if strict else (one.keys() != other.keys()):
            return None
        return {key: _either(condition, one[key], other[key], strict) for key in one}
    alike = _is_sequence(one) and _is_sequence(other) and len(one) == len(other)
    if not alike:
        return None
    cells = [_either(condition, a, b, strict) for a, b in zip(one, other, strict=True)]
    if is_bytes(one) and is_bytes(other):
        kinds = {kind_of_bytes(one), kind_of_bytes(other)}
        if len(kinds) > 1 and strict:
            return None
        return SymBytes(cells, kinds.pop())
    return cells if type(one) is list else tuple(cells)


def _is_sequence(value: Any) -> bool:
    return is_bytes(value) or type(value) in (list, tuple)


def _is_number(value: Any) -> bool:
    return isinstance(value, SymInt) or type(value) in (int, bool)


def _copy(value: Any) -> Any:
    """A value of its own: which of two was chosen, nobody is to see."""
    if type(value) is dict:
        return {key: _copy(each) for key, each in value.items()}
    if type(value) in (list, tuple):
        return type(value)(map(_copy, value))
    if isinstance(value, (SymBytes, bytearray)):
        return value.__copy__() if isinstance(value, SymBytes) else value.copy()
    return value


def _shape(value: Any) -> str:
    if _is_number(value):
        return "a number"
    kind = "bytes" if is_bytes(value) else type(value).__name__
    if isinstance(value, Mapping):
        return f"{kind} with the keys {', '.join(map(str, value))}"
    return f"{kind} of {len(value)}" if hasattr(value, "__len__") else kind
