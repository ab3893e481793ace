"""A translation: the function, and what must hold for it to be the program in memory."""

from __future__ import annotations

from ctypes import Array, c_uint8
from typing import Any

from romproof.engine.llvm.weave import Weave
from romproof.engine.recompiled.discover import DiscoveredCode
from romproof.engine.space import CODE, ENTRY, AddressSpace


class Translated:
    """Translated code. ``addresses`` are those of its bytes, ``bytes`` what they were.

    ``actions`` is what the address space asked for when it was made; it was last seen to ask
    for the same at its ``version``.
    """

    run: Any
    version = -1

    def __init__(
        self, weave: Weave, code: DiscoveredCode, memory: bytes, actions: bytes, space: AddressSpace
    ) -> None:
        self.weave, self.actions = weave, actions
        self.heads = code.heads
        self.placed = code.placed.keys()
        self.tried = code.tried
        self.addresses = sorted(
            {
                (placed.address + i) & 0xFFFF
                for placed in code.placed.values()
                for i in range(placed.size)
            }
        )
        self.bytes = bytes(memory[address] for address in self.addresses)
        self.watched = space.find_write_addresses(self.addresses)
        """The addresses at which a write would change it."""
        self._asked = b"", False
        self._parts = [(a, b, memory[a:b]) for a, b in _ranges(self.addresses)]

    def mark(self, actions: bytearray | Array[c_uint8]) -> None:
        """Ask for what a translation needs: notice of writes, and to be called."""
        for address in self.watched:
            actions[address] |= CODE
        for head in self.heads:
            actions[head] |= ENTRY

    def holds(self, memory: bytes | bytearray) -> bool:
        """Whether the code in memory is still the one that was translated."""
        return all(memory[a:b] == part for a, b, part in self._parts)

    def touches(self, marks: bytes) -> bool:
        """Whether a byte of the code is nonzero in ``marks``, which are nearly always the same."""
        if marks is not self._asked[0]:
            answer = any(marks.count(0, a, b) != b - a for a, b, _ in self._parts)
            self._asked = marks, answer
        return self._asked[1]

    def find_changed(self, memory: bytes | bytearray) -> set[int]:
        """The addresses of code that hold other bytes now."""
        return {a for a, byte in zip(self.addresses, self.bytes, strict=True) if memory[a] != byte}


def _ranges(addresses: list[int]) -> list[tuple[int, int]]:
    """The addresses, ascending, as ranges from the first to one past the last."""
    ranges: list[tuple[int, int]] = []
    for address in addresses:
        if ranges and ranges[-1][1] == address:
            ranges[-1] = (ranges[-1][0], address + 1)
        else:
            ranges.append((address, address + 1))
    return ranges
