"""Memory of 64 KiB for a case, which notes what is written to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, MutableMapping

SIZE = 0x10000


def memory_of(base: bytes, ram: Iterable[tuple[int, int]]) -> list[int]:
    """What lies everywhere, with the bytes of a case over it."""
    memory = list(base)
    for address, value in ram:
        memory[address] = value
    return memory


class Watched(MutableMapping[int, int]):
    """A memory whose addresses wrap; ``written`` are the bytes that were written, the last of each
    address, as pairs of JSON."""

    def __init__(self, memory: list[int]) -> None:
        self._memory = memory
        self._written: dict[int, int] = {}

    @property
    def written(self) -> list[tuple[int, int]]:
        """Addresses and bytes."""
        return sorted(self._written.items())

    def __getitem__(self, address: int) -> int:
        return self._memory[address & 0xFFFF]

    def __setitem__(self, address: int, value: int) -> None:
        self._memory[address & 0xFFFF] = self._written[address & 0xFFFF] = value & 0xFF

    def __delitem__(self, address: int) -> None:
        raise TypeError("memory stays")

    def __iter__(self) -> Iterator[int]:
        return iter(range(SIZE))

    def __len__(self) -> int:
        return SIZE

    # py65emu asks by name, not by index
    def read(self, address: int) -> int:
        """A byte."""
        return self[address]

    def readWord(self, address: int) -> int:  # noqa: N802
        """Two bytes, the lower one first."""
        return self[address] | self[address + 1] << 8

    def write(self, address: int, value: int) -> None:
        """Put a byte there."""
        self[address] = value
