"""What compiled chips refer to: each part has a number, by which code finds where it is.

Machine code is kept between runs, so it has no addresses in it. They are in a table, in an order
that follows from how the chips refer to each other.
"""

from __future__ import annotations

import ctypes
import hashlib
import inspect
from array import array
from collections.abc import Callable, Iterable
from enum import Enum
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from romproof.engine.chips import Chip, fields_of, is_in_python
from romproof.engine.llvm.running import buffer_address
from romproof.engine.space import AddressSpace

_SPACE = ("store", "actions", "read_pages", "write_pages", "owners", "signals")
"""What compiled code uses of an address space."""
_CONSTANTS = (int, bytes, str, type(None), Enum)


class ChipParts:
    """The parts that can be come to from some chips, in order."""

    def __init__(self, roots: Iterable[object]) -> None:
        self._numbers: dict[int, int] = {}
        self.objects: list[Any] = []
        self._shape: list[object] = []
        for root in roots:
            self._add(root)
        self.hooks: list[Callable[..., int]] = [
            hook for chip in self.objects if isinstance(chip, Chip) for hook in _hooks(chip)
        ]
        """The methods of chips that are called in Python; compiled code says which by number."""

    def number(self, part: object) -> int | None:
        """The number of a part; None for what is none."""
        return self._numbers.get(id(part))

    def hook(self, owner: object, function: Any) -> int:
        """The number of a method that is called in Python."""
        for number, hook in enumerate(self.hooks):
            bound: Any = hook
            if bound.__self__ is owner and bound.__func__ is function:
                return number
        raise AssertionError(f"{function} belongs to no part")

    def addresses(self) -> array[int]:
        """Where the parts are."""
        return array("Q", map(_address, self.objects))

    def shape(self) -> str:
        """A digest of all that decides what code is made: kinds, constants, who refers to whom,
        and the text of the modules."""
        digest = hashlib.sha256(repr(self._shape).encode())
        for kind in {type(part) for part in self.objects if isinstance(part, Chip)}:
            for base in kind.__mro__:
                if base.__module__.startswith("romproof"):
                    digest.update(_source(inspect.getfile(base)))
        return digest.hexdigest()

    def _add(self, part: object) -> None:
        if id(part) in self._numbers:
            self._shape.append(self._numbers[id(part)])
            return
        if isinstance(part, AddressSpace):
            for name in _SPACE:
                self._add(getattr(part, name))
        elif isinstance(part, (list, tuple)):
            self._shape.append(len(part))
            for one in part:
                self._add(one)
        elif isinstance(part, _CONSTANTS):
            self._shape.append(part)
        elif isinstance(part, (Chip, bytearray, array)):
            self._numbers[id(part)] = len(self.objects)
            self.objects.append(part)
            self._shape.append(type(part).__qualname__)
            if isinstance(part, Chip):
                for name, value in vars(part).items():
                    self._shape.append(name)
                    self._add(value)
        else:
            self._shape.append(repr(part) if is_constant(part) else type(part).__qualname__)


def is_constant(part: object) -> bool:
    """Whether the attributes of something are the same in all that is made from the same text: of
    modules and classes, and of what says so of itself and shows them in its ``repr``."""
    unchanging = (ModuleType, type, range, Chip, AddressSpace)
    return isinstance(part, unchanging) or getattr(part, "is_constant", False)


def _hooks(chip: Chip) -> list[Callable[..., int]]:
    names = sorted(name for name in dir(type(chip)) if is_in_python(getattr(type(chip), name)))
    return [getattr(chip, name) for name in names]


def _address(part: Any) -> int:
    return ctypes.addressof(part) if isinstance(part, Chip) else buffer_address(part)


@cache
def _source(path: str) -> bytes:
    return Path(path).read_bytes()


@cache
def field_types(kind: type[Chip]) -> dict[str, Any]:
    """See ``fields_of``."""
    return fields_of(kind)
