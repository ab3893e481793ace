"""What a call leaves behind."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import overload

from romproof.engine.registers import RegisterFile
from romproof.harness.state.values import Target, extent
from romproof.isa.abi import ABIS, Abi, abi_of
from romproof.machine.memory import differences
from romproof.program.image import Image

_REGISTERS = frozenset(name for abi in ABIS for name in abi.widths)
"""The names of all registers and pairs of all CPUs."""


Noted = Callable[[int, bytes | int], None]
"""Is told where a test read memory, and what it got."""


def _forget(address: int, value: bytes | int) -> None:
    """Ignores the read."""


class Flags(Mapping[str, int]):
    """The processor flags, 0 or 1 each: ``flags.c`` or ``flags["c"]``."""

    def __init__(self, byte: int, abi: Abi) -> None:
        self._byte = byte
        self._abi = abi

    def __getitem__(self, letter: str) -> int:
        return int(bool(self._byte & self._abi.letters[letter.lower()]))

    def __getattr__(self, name: str) -> int:
        if name.startswith("_") or name not in self._abi.letters:
            raise AttributeError(f"no flag '{name}'; there are {' '.join(self._abi.letters)}")
        return self[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._abi.letters)

    def __len__(self) -> int:
        return len(self._abi.letters)

    def __repr__(self) -> str:
        return self._abi.format_flags(self._byte)


class MemoryView:
    """Memory by symbol (``mem["deck"]``: bytes), address (an int) or slice (bytes)."""

    def __init__(self, image: Image, memory: bytes | bytearray, noted: Noted = _forget) -> None:
        self._image = image
        self._memory = memory
        self._noted = noted

    @overload
    def __getitem__(self, key: str | slice) -> bytes: ...
    @overload
    def __getitem__(self, key: int) -> int: ...

    def __getitem__(self, key: Target | slice) -> bytes | int:
        if isinstance(key, slice):
            data = bytes(self._memory[key])
            start, _, step = key.indices(len(self._memory))
            if step == 1:
                self._noted(start, data)
            return data
        address, size = extent(self._image, key, None)
        if isinstance(key, str):
            data = bytes(self._memory[address : address + size])
            self._noted(address, data)
            return data
        value = self._memory[address]
        self._noted(address, value)
        return value


class Changes(Mapping[int, tuple[int, int]]):
    """The bytes that differ: address -> (old, new), without the dead part of the stack, and
    without pages of 256 bytes where another bank is in sight than before, or RAM is seen again.

    ``symbol(name)`` gives the old and new bytes of a symbol; ``name in
    changes`` tells whether any of them differ.
    """

    def __init__(
        self,
        image: Image,
        before: bytes,
        after: bytes,
        dead: range,
        aside: Collection[int] = (),
    ) -> None:
        self._image = image
        self._before = before
        self._after = after
        self._changed = {
            a: (before[a], after[a])
            for a in differences(before, after)
            if a not in dead and a >> 8 not in aside
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
        changes: dict[str, tuple[bytes, bytes]] = {}
        for symbol in self._image.symbols:
            if symbol.is_label and symbol.size and 0 <= symbol.value < len(self._after):
                old, new = self.symbol(symbol.name, symbol.size)
                if old != new:
                    changes[symbol.name] = (old, new)
        return changes

    def __repr__(self) -> str:
        return "{" + ", ".join(f"${a:04X}: ({o:#x}, {n:#x})" for a, (o, n) in self.items()) + "}"


@dataclass(frozen=True)
class Result:
    """The effects of a call.

    Registers are those after it, as attributes: ``r.a``, ``r.x``, on the SM83 also
    pairs, ``r.hl``. ``cycles`` are clock cycles, of the SM83 M-cycles, from the first
    instruction to the last one inclusive (of a routine: the one that returns), and
    ``stack`` is the number of bytes used below the return address, ``lowest_s`` the
    lowest stack pointer. ``noted`` receives the reads of the memory; ``aside`` are pages of 256
    bytes that are not compared, see Changes.
    """

    name: str
    registers: RegisterFile
    cycles: int
    instructions: int
    stack: int
    lowest_s: int
    before: bytes = field(repr=False)
    after: bytes = field(repr=False)
    image: Image = field(repr=False)
    noted: Noted = field(default=_forget, repr=False, compare=False)
    aside: Collection[int] = field(default=(), repr=False, compare=False)

    def __getattr__(self, name: str) -> int:
        """A register or pair after the call."""
        if name not in _REGISTERS:
            raise AttributeError(f"a result has no '{name}'")
        if name not in self.abi.widths:
            known = " ".join(self.abi.widths)
            raise AttributeError(f"the {self.abi.cpu} has no register '{name}'; there are {known}")
        return self.abi.get(self.registers, name)

    @property
    def abi(self) -> Abi:
        """The registers and flags of the CPU."""
        return abi_of(self.image.cpu)

    @property
    def flags(self) -> Flags:
        """The flags after the call: ``flags.c``, ``flags["c"]``."""
        return Flags(self.abi.flags_of(self.registers), self.abi)

    @property
    def mem(self) -> MemoryView:
        """Memory after the call: ``mem["deck"]``, ``mem[0x10]``, ``mem[0x10:0x20]``."""
        return MemoryView(self.image, self.after, self.noted)

    def read(self, target: Target, size: int | None = None) -> bytes:
        """``size`` bytes at a symbol or address; the symbol's size when not given.

        Raises UnknownSymbol, and BadValue when no size is known.
        """
        address, count = extent(self.image, target, size)
        data = self.after[address : address + count]
        self.noted(address, data)
        return data

    @cached_property
    def changed(self) -> Changes:
        """The memory that differs from before the call."""
        dead = self.abi.on_stack(self.lowest_s, self.abi.stack_of(self.registers))
        return Changes(self.image, self.before, self.after, dead, self.aside)
