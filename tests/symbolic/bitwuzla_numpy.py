"""The values of Bitwuzla's formulas for many inputs at once, by numpy: as ``z3_numpy`` of z3's."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
import pytest

bitwuzla = pytest.importorskip("bitwuzla", reason="formulas are those of Bitwuzla")
Kind = bitwuzla.Kind

Values = Any
"""One number (uint64) for each input; of a truth, a bool."""
Memory = Callable[[Values], Values]
"""The bytes of an array at addresses, one for each input."""


def evaluate(
    formulas: Iterable[Any],
    count: int,
    values: Mapping[str, Values],
    arrays: Mapping[str, Memory],
) -> list[Values]:
    """What formulas of at most 64 bits are for ``count`` inputs. Raises KeyError for a name that
    is not known, and for an operator that is not."""
    done: dict[int, Values] = {}
    formulas = list(formulas)
    stack = list(formulas)
    while stack:
        formula = stack[-1]
        key = formula.id()
        if key in done:
            stack.pop()
            continue
        children = formula.children()
        waiting = [child for child in children if child.id() not in done]
        if waiting:
            stack += waiting
            continue
        stack.pop()
        args = [done[child.id()] for child in children]
        done[key] = _value(formula, children, args, count, values, arrays)
    return [done[formula.id()] for formula in formulas]


def _value(
    formula: Any,
    children: list[Any],
    args: list[Values],
    count: int,
    values: Mapping[str, Values],
    arrays: Mapping[str, Memory],
) -> Values:
    kind, sort = formula.kind(), formula.sort()
    if kind == Kind.CONSTANT:
        if sort.is_array():
            return arrays[formula.symbol()]
        found = values[formula.symbol()]
        return found != 0 if sort.is_bool() else found
    if kind == Kind.VALUE:
        if sort.is_bool():
            return np.full(count, formula.is_true())
        return np.full(count, int(formula.value(10)), dtype=np.uint64)
    if kind == Kind.ARRAY_STORE:
        array, address, byte = args
        return lambda at: np.where(at == address, byte, array(at))
    if kind == Kind.ARRAY_SELECT:
        return args[0](args[1])
    if kind == Kind.ITE and sort.is_array():
        condition, then, otherwise = args
        return lambda at: np.where(condition, then(at), otherwise(at))
    if kind == Kind.ITE:
        return np.where(*args)
    if kind == Kind.BV_CONCAT:
        found = args[0]
        for child, arg in zip(children[1:], args[1:], strict=True):
            found = found << np.uint64(child.sort().bv_size()) | arg
        return found
    if kind == Kind.BV_EXTRACT:
        high, low = formula.indices()
        return _cut(args[0] >> np.uint64(low), high - low + 1)
    if kind == Kind.BV_ZERO_EXTEND:
        return args[0]
    found = args[0] if len(args) > 1 else _ALONE[kind](args[0])
    for arg in args[1:]:
        found = _TOGETHER[kind](found, arg)
    return found if found.dtype == bool else _cut(found, sort.bv_size())


_ALONE: dict[Any, Callable[[Values], Values]] = {
    Kind.NOT: np.logical_not,
    Kind.BV_NOT: np.invert,
}
_TOGETHER: dict[Any, Callable[[Values, Values], Values]] = {
    Kind.AND: np.logical_and,
    Kind.XOR: np.logical_xor,
    Kind.EQUAL: np.equal,
    Kind.BV_ULT: np.less,
    Kind.BV_AND: np.bitwise_and,
    Kind.BV_XOR: np.bitwise_xor,
    Kind.BV_ADD: np.add,
    Kind.BV_SUB: np.subtract,
    Kind.BV_MUL: np.multiply,
}


def _cut(value: Values, width: int) -> Values:
    assert width <= 64, f"{width} bits do not fit"
    return value & np.uint64((1 << width) - 1)
