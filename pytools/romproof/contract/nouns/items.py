"""What a contract lists: registers, flags and memory."""

from __future__ import annotations

from dataclasses import dataclass, field

from romproof.isa.abi import Flag, Register


@dataclass(frozen=True, slots=True)
class MemoryRange:
    """``size`` bytes from ``address``; ``name`` as the contract writes it: a ``symbol`` of the
    program, or "" for an address, and an ``offset`` in bytes."""

    name: str
    address: int
    size: int
    symbol: str = field(default="", compare=False)
    offset: int = field(default=0, compare=False)

    def __str__(self) -> str:
        return f"{self.name}[{self.size}]"

    def addresses(self) -> range:
        """The addresses of the range."""
        return range(self.address, self.address + self.size)


Item = Register | Flag | MemoryRange


def name_of(item: Item) -> str:
    """An item as contracts write it: ``A``, ``CF``, ``mt_y[4]``."""
    return str(item) if isinstance(item, MemoryRange) else item.name
