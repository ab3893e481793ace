"""What a call leaves behind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import overload

from romproof.contract.model import Flag
from romproof.engine.registers import Registers
from romproof.harness.values import Target, extent
from romproof.machine.memory import differences
from romproof.obj.image import Image

FLAG_BITS: Mapping[str, int] = {flag.value.lower(): flag.mask for flag in Flag}
"""Flag names in lower case and their bits in the flag byte."""

_STACK = 0x100


class Flags(Mapping[str, int]):
    """The processor flags, 0 or 1 each: ``flags.c`` or ``flags["c"]``."""

    def __init__(self, p: int) -> None:
        self._p = p

    def __getitem__(self, name: str) -> int:
        return int(bool(self._p & FLAG_BITS[name.lower()]))

    def __getattr__(self, name: str) -> int:
        if name.startswith("_") or name not in FLAG_BITS:
            raise AttributeError(f"no flag '{name}'; there are n v d i z c")
        return self[name]

    def __iter__(self) -> Iterator[str]:
        return iter(FLAG_BITS)

    def __len__(self) -> int:
        return len(FLAG_BITS)

    def __repr__(self) -> str:
        return format_flags(self._p)


def format_flags(p: int) -> str:
    """The flag byte as ``NvdIzC``: upper case is set."""
    return "".join(n.upper() if p & bit else n for n, bit in FLAG_BITS.items())


class MemoryView:
    """Memory by symbol (``mem["deck"]``: bytes), address (an int) or slice (bytes)."""

    def __init__(self, image: Image, memory: bytes | bytearray) -> None:
        self._image = image
        self._memory = memory

    @overload
    def __getitem__(self, key: str | slice) -> bytes: ...
    @overload
    def __getitem__(self, key: int) -> int: ...

    def __getitem__(self, key: Target | slice) -> bytes | int:
        if isinstance(key, slice):
            return bytes(self._memory[key])
        address, size = extent(self._image, key, None)
        if isinstance(key, str):
            return bytes(self._memory[address : address + size])
        return self._memory[address]


class Changes(Mapping[int, tuple[int, int]]):
    """The bytes that differ: address -> (old, new), without the dead part of the stack.

    ``symbol(name)`` gives the old and new bytes of a symbol; ``name in
    changes`` tells whether any of them differ.
    """

    def __init__(self, image: Image, before: bytes, after: bytes, s: int) -> None:
        self._image = image
        self._before = before
        self._after = after
        dead = range(_STACK, _STACK + s + 1)
        self._changed = {
            a: (before[a], after[a]) for a in differences(before, after) if a not in dead
        }

    def __getitem__(self, address: int) -> tuple[int, int]:
        return self._changed[address]

    def __iter__(self) -> Iterator[int]:
        return iter(self._changed)

    def __len__(self) -> int:
        return len(self._changed)

    def __contains__(self, key: object) -> bool:
        if isinstance(key, str):
            old, new = self.symbol(key)
            return old != new
        return key in self._changed

    def symbol(self, name: str, size: int | None = None) -> tuple[bytes, bytes]:
        """Old and new bytes of the symbol ``name``. Raises UnknownSymbol, BadValue."""
        address, count = extent(self._image, name, size)
        return self._before[address : address + count], self._after[address : address + count]

    @cached_property
    def symbols(self) -> Mapping[str, tuple[bytes, bytes]]:
        """Every label of known size with a changed byte: name -> (old, new) bytes."""
        found: dict[str, tuple[bytes, bytes]] = {}
        for symbol in self._image.symbols:
            if symbol.is_label and symbol.size and 0 <= symbol.value < len(self._after):
                old, new = self.symbol(symbol.name, symbol.size)
                if old != new:
                    found[symbol.name] = (old, new)
        return found

    def __repr__(self) -> str:
        return "{" + ", ".join(f"${a:04X}: ({o:#x}, {n:#x})" for a, (o, n) in self.items()) + "}"


@dataclass(frozen=True)
class Result:
    """What a call did.

    Registers are those after it. ``cycles`` are clock cycles from the first
    instruction to the last one inclusive (of a routine: its RTS), and
    ``stack`` is the number of bytes used below the return address.
    """

    name: str
    registers: Registers
    cycles: int
    instructions: int
    stack: int
    before: bytes = field(repr=False)
    after: bytes = field(repr=False)
    image: Image = field(repr=False)

    a = property(lambda self: self.registers.a, doc="Register A after the call.")
    x = property(lambda self: self.registers.x, doc="Register X after the call.")
    y = property(lambda self: self.registers.y, doc="Register Y after the call.")
    s = property(lambda self: self.registers.s, doc="The stack pointer after the call.")
    p = property(lambda self: self.registers.p, doc="The flag byte NV-BDIZC after the call.")
    pc = property(lambda self: self.registers.pc, doc="The program counter after the call.")

    @property
    def flags(self) -> Flags:
        """The flags after the call: ``flags.c``, ``flags["c"]``."""
        return Flags(self.registers.p)

    @property
    def mem(self) -> MemoryView:
        """Memory after the call: ``mem["deck"]``, ``mem[0x10]``, ``mem[0x10:0x20]``."""
        return MemoryView(self.image, self.after)

    def read(self, target: Target, size: int | None = None) -> bytes:
        """``size`` bytes at a symbol or address; the symbol's size when not given.

        Raises UnknownSymbol, and BadValue when no size is known.
        """
        address, count = extent(self.image, target, size)
        return self.after[address : address + count]

    @cached_property
    def changed(self) -> Changes:
        """The memory that differs from before the call."""
        return Changes(self.image, self.before, self.after, self.registers.s)
