"""Devices whose state lies in memory as in C, so that compiled code and Python share it.

A chip is a device that is written in a part of Python: numbers, bytes, other chips
(docs/decisions/0044-devices-are-compiled.md). ``plain`` executes it as Python, and the compiled
engines compile the same text (``llvm/chips``). Both work on one state, so nothing is kept equal.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, TypeVar

_Class = TypeVar("_Class", bound=type[ctypes.Structure])
_Function = TypeVar("_Function", bound=Callable[..., Any])

_KINDS: dict[str, type[Any]] = {"int": ctypes.c_int64, "bool": ctypes.c_bool}
_IN_PYTHON = "_in_python"


class Chip(ctypes.Structure):
    """A device with its state in fields; see ``fields``.

    What else it refers to stays the same from the first run on: other chips, memory, numbers.
    ``noted`` names fields that only hold what was worked out before and would be worked out again:
    what a chip answers does not depend on them, and to set one is no change.
    """

    noted: frozenset[str] = frozenset()

    def saved_size(self) -> int:
        """Bytes of its fields that are its state: all, or those at the start."""
        return ctypes.sizeof(self)


def fields(
    words: Mapping[str, int] = MappingProxyType({}), **arrays: int
) -> Callable[[_Class], _Class]:
    """Make fields of what a class of chips declares as ``int`` (64 bits, signed) or ``bool``, of
    its ``arrays`` of bytes, by name, with their lengths, and of those of numbers, ``words``."""

    def of(chip: _Class) -> _Class:
        kinds: list[tuple[str, Any]] = [
            (name, _KINDS[kind])
            for name, kind in vars(chip).get("__annotations__", {}).items()
            if kind in _KINDS
        ]
        kinds += [(name, ctypes.c_uint8 * length) for name, length in arrays.items()]
        kinds += [(name, ctypes.c_int64 * length) for name, length in words.items()]
        chip._fields_ = kinds
        return chip

    return of


def in_python(function: _Function) -> _Function:
    """A method that is not compiled: compiled code calls it in Python, with numbers."""
    setattr(function, _IN_PYTHON, True)
    return function


def is_in_python(function: Any) -> bool:
    """Whether a function is marked by ``in_python``."""
    return hasattr(function, _IN_PYTHON)


def fields_of(chip: type[ctypes.Structure]) -> dict[str, Any]:
    """The type of each field of a chip, those of its base classes too."""
    kinds: dict[str, Any] = {}
    for kind in reversed(chip.__mro__):
        kinds |= {entry[0]: entry[1] for entry in vars(kind).get("_fields_", ())}
    return kinds


def read_array(chip: Chip, name: str, first: int, count: int) -> bytes:
    """Elements of an array of a chip as they lie in memory, to be written to one of the same kind:
    in place of a list of numbers, which takes far longer to make."""
    place, size = _place(chip, name)
    return ctypes.string_at(place + first * size, count * size)


def write_array(chip: Chip, name: str, first: int, data: bytes) -> None:
    """Put them into an array of a chip."""
    place, size = _place(chip, name)
    ctypes.memmove(place + first * size, data, len(data))


def _place(chip: Chip, name: str) -> tuple[int, int]:
    """Where an array is, and the bytes of an element."""
    described: Any = getattr(type(chip), name)
    element = fields_of(type(chip))[name]._type_
    return ctypes.addressof(chip) + described.offset, ctypes.sizeof(element)
