"""The values of z3's formulas for many inputs at once, by numpy: what they mean, said once more.

Nothing of z3 is used but its syntax trees, and nothing of romproof: a formula that a term was
turned into can be held against the term.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
import pytest

z3 = pytest.importorskip("z3", reason="formulas are those of z3")

Values = Any
"""One number (uint64) for each input; of a Bool, a bool."""
Memory = Callable[[Values], Values]
"""The bytes of an array at addresses, one for each input."""


def evaluate(
    formulas: Iterable[Any],
    count: int,
    values: Mapping[str, Values],
    arrays: Mapping[str, Memory],
) -> list[Values]:
    """What formulas of at most 64 bits are for ``count`` inputs. Raises KeyError for a name that
    is not known, AssertionError for an operator that is not."""
    done: dict[int, Values] = {}
    formulas = list(formulas)
    stack = list(formulas)
    while stack:
        formula = stack[-1]
        key = formula.get_id()
        if key in done:
            stack.pop()
            continue
        children = formula.children()
        waiting = [child for child in children if child.get_id() not in done]
        if waiting:
            stack += waiting
            continue
        stack.pop()
        args = [done[child.get_id()] for child in children]
        done[key] = _value(formula, children, args, count, values, arrays)
    return [done[formula.get_id()] for formula in formulas]


def _value(
    formula: Any,
    children: list[Any],
    args: list[Values],
    count: int,
    values: Mapping[str, Values],
    arrays: Mapping[str, Memory],
) -> Values:
    decl = formula.decl()
    kind = decl.kind()
    match kind:
        case z3.Z3_OP_UNINTERPRETED:
            if z3.is_array(formula):
                return arrays[decl.name()]
            found = values[decl.name()]
            return found != 0 if z3.is_bool(formula) else found
        case z3.Z3_OP_BNUM:
            return np.full(count, formula.as_long(), dtype=np.uint64)
        case z3.Z3_OP_TRUE | z3.Z3_OP_FALSE:
            return np.full(count, kind == z3.Z3_OP_TRUE)
        case z3.Z3_OP_STORE:
            return _stored(*args)
        case z3.Z3_OP_SELECT:
            return args[0](args[1])
        case z3.Z3_OP_ITE if z3.is_array(formula):
            return _either(*args)
        case z3.Z3_OP_ITE:
            return np.where(*args)
        case z3.Z3_OP_CONCAT:
            return _side_by_side(children, args)
        case z3.Z3_OP_EXTRACT:
            high, low = decl.params()
            return _cut(args[0] >> np.uint64(low), high - low + 1)
        case z3.Z3_OP_ZERO_EXT:
            return args[0]
    found = args[0]
    if len(args) == 1:
        found = _ALONE[kind](found)
    for arg in args[1:]:
        found = _TOGETHER[kind](found, arg)
    return found if found.dtype == bool else _cut(found, formula.size())


_ALONE: dict[int, Callable[[Values], Values]] = {
    z3.Z3_OP_NOT: np.logical_not,
    z3.Z3_OP_BNOT: np.invert,
    z3.Z3_OP_BNEG: np.negative,
    z3.Z3_OP_AND: lambda a: a,
}
_TOGETHER: dict[int, Callable[[Values, Values], Values]] = {
    z3.Z3_OP_AND: np.logical_and,
    z3.Z3_OP_OR: np.logical_or,
    z3.Z3_OP_XOR: np.logical_xor,
    z3.Z3_OP_EQ: np.equal,
    z3.Z3_OP_ULT: np.less,
    z3.Z3_OP_ULEQ: np.less_equal,
    z3.Z3_OP_UGT: np.greater,
    z3.Z3_OP_UGEQ: np.greater_equal,
    z3.Z3_OP_BAND: np.bitwise_and,
    z3.Z3_OP_BOR: np.bitwise_or,
    z3.Z3_OP_BXOR: np.bitwise_xor,
    z3.Z3_OP_BADD: np.add,
    z3.Z3_OP_BSUB: np.subtract,
    z3.Z3_OP_BMUL: np.multiply,
    z3.Z3_OP_BUREM: lambda a, b: np.where(b == 0, a, a % np.maximum(b, 1)),
}


def _cut(value: Values, width: int) -> Values:
    assert width <= 64, f"{width} bits do not fit"
    return value & np.uint64((1 << width) - 1)


def _side_by_side(children: list[Any], args: list[Values]) -> Values:
    found = args[0]
    for child, arg in zip(children[1:], args[1:], strict=True):
        found = found << np.uint64(child.size()) | arg
    return found


def _stored(array: Memory, address: Values, byte: Values) -> Memory:
    return lambda at: np.where(at == address, byte, array(at))


def _either(condition: Values, then: Memory, otherwise: Memory) -> Memory:
    return lambda at: np.where(condition, then(at), otherwise(at))
