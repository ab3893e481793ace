"""The values of a solver's formulas for many inputs at once, by numpy: what they mean, said once
more.

Nothing of the solver is used but its syntax trees, and nothing of romproof: a formula that a term
was turned into can be held against the term. ``z3_numpy`` and ``bitwuzla_numpy`` read the trees.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

Values = Any
"""One number (uint64) for each input; of a truth, a bool."""
Memory = Callable[[Values], Values]
"""The bytes of an array at addresses, one for each input."""


@dataclass(frozen=True)
class Node:
    """A formula, read: ``op`` as in ``TOGETHER`` and below, ``width`` in bits, 0 of truths and
    arrays. ``number`` is a value, or the lowest bit that is cut out."""

    op: str
    width: int = 0
    name: str = ""
    number: int = 0
    is_array: bool = False
    is_truth: bool = False


@dataclass(frozen=True)
class Syntax:
    """How the formulas of a solver are read: the key of one, its arguments, and the node."""

    key: Callable[[Any], int]
    children: Callable[[Any], list[Any]]
    node: Callable[[Any], Node]


def evaluate(
    syntax: Syntax,
    formulas: Iterable[Any],
    count: int,
    values: Mapping[str, Values],
    arrays: Mapping[str, Memory],
) -> list[Values]:
    """What formulas of at most 64 bits are for ``count`` inputs. Raises KeyError for a name that
    is not known, and for an operator that is not."""
    done: dict[int, tuple[int, Values]] = {}  # the width, and what it is
    below: dict[int, list[tuple[int, Any]]] = {}  # its arguments, with their keys
    roots = [(syntax.key(formula), formula) for formula in formulas]
    stack = list(roots)
    while stack:
        key, formula = stack[-1]
        if key in done:
            stack.pop()
            continue
        if key not in below:
            below[key] = [(syntax.key(child), child) for child in syntax.children(formula)]
            waiting = [child for child in below[key] if child[0] not in done]
            if waiting:
                stack += waiting
                continue
        stack.pop()
        node, known = syntax.node(formula), [done[child] for child, _ in below[key]]
        widths, args = [width for width, _ in known], [value for _, value in known]
        done[key] = node.width, _value(node, args, widths, count, values, arrays)
    return [done[key][1] for key, _ in roots]


def _value(
    node: Node,
    args: list[Values],
    widths: list[int],
    count: int,
    values: Mapping[str, Values],
    arrays: Mapping[str, Memory],
) -> Values:
    match node.op:
        case "variable" if node.is_array:
            return arrays[node.name]
        case "variable":
            found = values[node.name]
            return found != 0 if node.is_truth else found
        case "value":
            if node.is_truth:
                return np.full(count, bool(node.number))
            return np.full(count, node.number, dtype=np.uint64)
        case "store":
            return _stored(*args)
        case "load":
            return args[0](args[1])
        case "choice":
            return _either(*args) if node.is_array else np.where(*args)
        case "concat":
            found = args[0]
            for width, arg in zip(widths[1:], args[1:], strict=True):
                found = found << np.uint64(width) | arg
            return found
        case "extract":
            return _cut(args[0] >> np.uint64(node.number), node.width)
        case "widened":
            return args[0]
    found = args[0] if len(args) > 1 or node.op == "and" else ALONE[node.op](args[0])
    for arg in args[1:]:
        found = TOGETHER[node.op](found, arg)
    return found if found.dtype == bool else _cut(found, node.width)


ALONE: dict[str, Callable[[Values], Values]] = {
    "not": np.logical_not,
    "invert": np.invert,
    "negative": np.negative,
}
TOGETHER: dict[str, Callable[[Values, Values], Values]] = {
    "and": np.logical_and,
    "or": np.logical_or,
    "unlike": np.logical_xor,
    "equal": np.equal,
    "less": np.less,
    "less or equal": np.less_equal,
    "more": np.greater,
    "more or equal": np.greater_equal,
    "bits and": np.bitwise_and,
    "bits or": np.bitwise_or,
    "bits xor": np.bitwise_xor,
    "plus": np.add,
    "minus": np.subtract,
    "times": np.multiply,
    "remainder": lambda a, b: np.where(b == 0, a, a % np.maximum(b, 1)),
}


def _cut(value: Values, width: int) -> Values:
    assert width <= 64, f"{width} bits do not fit"
    return value & np.uint64((1 << width) - 1)


def _stored(array: Memory, address: Values, byte: Values) -> Memory:
    return lambda at: np.where(at == address, byte, array(at))


def _either(condition: Values, then: Memory, otherwise: Memory) -> Memory:
    return lambda at: np.where(condition, then(at), otherwise(at))
