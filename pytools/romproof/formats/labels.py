"""Names of places, as symbol files have them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from romproof.text.span import Span


class Space(Enum):
    """What the number of a label counts in."""

    ADDRESS = "an address of the CPU"
    PRG = "an offset in program ROM"
    RAM = "an offset in internal RAM"
    CARTRIDGE_RAM = "an offset in the cartridge's RAM"
    HIGH_RAM = "an offset in high RAM"
    CONSTANT = "no place at all"
    ELSEWHERE = "an offset in memory that the CPU does not see"


@dataclass(frozen=True, slots=True)
class Label:
    """A name for the place ``value`` in a space; ``bank`` is that of an address, None: not said.

    ``size`` is in bytes, None: not said. ``span`` is where the name stands in its file. ``page``
    is the bank of an NES address in units of 16 KiB, as FCEUX numbers them. ``is_public`` says
    whether it is a name for others; None: its form does, as local labels have ``.`` or ``@``.
    """

    name: str
    value: int
    space: Space
    span: Span
    bank: int | None = None
    size: int | None = None
    page: int | None = None
    is_public: bool | None = None


@dataclass(frozen=True, slots=True)
class LinkerSection:
    """``size`` bytes at ``address`` of a bank that a linker calls ``name``."""

    name: str
    bank: int
    address: int
    size: int
    is_rom: bool


@dataclass(frozen=True, slots=True)
class SymbolFile:
    """What a symbol file says; ``kind`` is what its format is called."""

    kind: str
    name: str
    labels: tuple[Label, ...]
    sections: tuple[LinkerSection, ...] = ()
