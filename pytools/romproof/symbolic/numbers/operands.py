"""What may stand beside a symbolic number in an expression."""

from __future__ import annotations

from functools import cache
from numbers import Number
from typing import Any

from romproof.symbolic.numbers import ranged
from romproof.symbolic.numbers.ranged import Ranged
from romproof.symbolic.numbers.refusal import NotSymbolic

OTHERS = frozenset(
    {type(None), str, bytes, bytearray, list, tuple, dict, set, frozenset, range, type(...)}
)
"""Types of which Python's integers know nothing: equal to none, added to none."""

_SIGNS = [
    "add",
    "sub",
    "mul",
    "floordiv",
    "mod",
    "divmod",
    "pow",
    "and",
    "or",
    "xor",
    "lshift",
    "rshift",
    "truediv",
]
_OWN = (
    *(f"__{sign}__" for sign in _SIGNS),
    *(f"__r{sign}__" for sign in _SIGNS),
    *(f"__{sign}__" for sign in ["eq", "ne", "lt", "le", "gt", "ge", "index", "int", "hash"]),
)
"""What a class derived from int must have as int has it."""
_IN_PYTHON = 1 << 9
"""Py_TPFLAGS_HEAPTYPE: the class was made by a ``class`` statement."""


@cache
def _is_like_int(kind: Any) -> bool:
    return all(getattr(kind, name) is getattr(int, name) for name in _OWN)


def operand(value: object) -> Ranged | None:
    """A plain number; None for what integers know nothing of. Raises NotSymbolic for the rest,
    such as floats: what they make of an integer is not an integer."""
    kind = type(value)
    if kind is int or kind is bool:
        return ranged.constant(int(value))  # type: ignore[call-overload]
    if isinstance(value, int) and issubclass(kind, int):
        made: Any = kind
        if not _is_like_int(made):
            raise NotSymbolic(
                f"a symbolic number meets a {kind.__name__}, not a plain int: write int(...)"
            )
        return ranged.constant(int.__index__(value))
    if kind in OTHERS or (kind.__flags__ & _IN_PYTHON and not issubclass(kind, Number)):
        return None
    raise NotSymbolic(
        f"a symbolic number meets a {kind.__name__}: only integers are exact, so write an int"
    )
