"""The nouns of a contract: what a routine takes, gives back, uses up and costs."""

from __future__ import annotations

from dataclasses import dataclass

from romproof.isa.abi import Flag, Register
from romproof.text.span import Span


@dataclass(frozen=True, slots=True)
class MemoryRange:
    """``size`` bytes from ``address``; ``name`` as the contract writes it."""

    name: str
    address: int
    size: int

    def __str__(self) -> str:
        return f"{self.name}[{self.size}]"

    def addresses(self) -> range:
        """The addresses of the range."""
        return range(self.address, self.address + self.size)


Item = Register | Flag | MemoryRange

CycleClaim = tuple[int, int | None]
"""The fewest and the most cycles a call may take; None: without bound."""


@dataclass(frozen=True, slots=True)
class Contract:
    """The header block of a routine.

    ``stack`` is the most bytes of stack the routine uses below its return
    address, None when it makes no claim. ``cycles`` are clock cycles (SM83:
    M-cycles) from the first instruction to the return inclusive, None for no claim. ``span`` is the
    block's first line; ``places`` has the line of each field that is written.
    """

    name: str
    summary: str
    inputs: tuple[Item, ...]
    outputs: tuple[Item, ...]
    clobbers: tuple[Item, ...]
    stack: int | None
    cycles: CycleClaim | None
    span: Span
    places: tuple[tuple[str, Span], ...] = ()

    def place(self, field: str) -> Span:
        """The line of ``field``, or the block's first line if it is not written."""
        return dict(self.places).get(field, self.span)

    def may_change(self, item: Register | Flag) -> bool:
        """True if a register or flag is listed as output or clobbered."""
        return item in self.outputs or item in self.clobbers

    def written(self) -> tuple[MemoryRange, ...]:
        """The memory the routine may change."""
        return tuple(i for i in self.outputs + self.clobbers if isinstance(i, MemoryRange))
