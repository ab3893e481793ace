"""Where the bytes of an image are in memory: banks of its file, and RAM beside them.

A place of the program is a memory and an offset in it. Bank and address follow from the machine,
and are never what a place is known by: many banks share the same addresses.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from types import MappingProxyType

from romproof.formats.ines import Ines

FLAT, NES, GAME_BOY, C64 = "flat", "nes", "gameboy", "c64"
MACHINES = (FLAT, NES, GAME_BOY, C64)
"""What manifests call the machines."""


class GameBoyModel(Enum):
    """A Game Boy, by the name that its CPU has."""

    DMG = "dmg"
    """The first one, revisions A to C."""
    CGB = "cgb"
    """The Game Boy Color, revisions B and C."""
    CGB_E = "cgb-e"
    """The Game Boy Color, revision E."""


_NOTHING: Mapping[int, int] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class FileBank:
    """``size`` bytes of the file from ``offset``, which the machine can show at ``address``.

    ``area`` is how the image calls them, such as ``PRG[3]``; ``number`` is that of the bank.
    """

    area: str
    number: int
    offset: int
    size: int
    address: int
    writable: bool = False

    @property
    def end(self) -> int:
        """The address after it."""
        return self.address + self.size


@dataclass(frozen=True, slots=True)
class Ram:
    """``size`` bytes of RAM at ``address``; ``number`` is that of its bank."""

    area: str
    address: int
    size: int
    number: int = 0

    @property
    def end(self) -> int:
        """The address after it."""
        return self.address + self.size


@dataclass(frozen=True, slots=True)
class ImagePlace:
    """An address in an area; ``in_file`` says that it is one of the image's bytes."""

    area: str
    address: int
    in_file: bool


@dataclass(frozen=True)
class ImageLayout:
    """An image of ``machine`` called ``name``: its file, the banks in it, and RAM.

    ``first`` are the areas of the banks in sight at power-on, as far as addresses are shared.
    ``ports`` are the ranges of addresses, the end not included, where the machine has registers.
    ``skipped`` are parts of the file that are no memory of the CPU, with what they are.
    """

    machine: str
    cpu: str
    name: str
    data: bytes = field(repr=False)
    banks: tuple[FileBank, ...]
    rams: tuple[Ram, ...] = ()
    first: tuple[str, ...] = ()
    ports: tuple[tuple[int, int], ...] = ()
    skipped: tuple[tuple[range, str], ...] = ()
    header: Ines | None = None
    notes: tuple[str, ...] = ()

    @property
    def memories(self) -> tuple[FileBank | Ram, ...]:
        """All there is in memory, the file's banks first."""
        return (*self.banks, *self.rams)

    @cached_property
    def by_area(self) -> Mapping[str, FileBank]:
        """The banks by their area."""
        return {bank.area: bank for bank in self.banks}

    def at_offset(self, offset: int) -> ImagePlace | None:
        """The place of a byte of the file; None for one that the CPU cannot see."""
        for bank in self.banks:
            if bank.offset <= offset < bank.offset + bank.size:
                return ImagePlace(bank.area, bank.address + offset - bank.offset, True)
        return None

    def at_address(self, address: int, bank: int | None = None) -> list[ImagePlace]:
        """The places that an address may mean; ``bank`` None: in any bank."""
        return [
            ImagePlace(there.area, address, isinstance(there, FileBank))
            for there in self.memories
            if there.address <= address < there.end and bank in (None, there.number)
        ]

    def end_of(self, address: int, bank: int | None) -> list[ImagePlace]:
        """The places of an address just after memory of a bank, as labels at its end have it."""
        return [
            ImagePlace(there.area, address, isinstance(there, FileBank))
            for there in self.memories
            if address == there.end and bank in (None, there.number)
        ]

    def is_port(self, address: int) -> bool:
        """Whether a register of the machine is at an address."""
        return any(start <= address < end for start, end in self.ports)

    def byte(self, place: ImagePlace, count: int = 1) -> bytes:
        """``count`` bytes of the file from a place of a bank."""
        bank = self.by_area[place.area]
        start = bank.offset + place.address - bank.address
        return self.data[start : start + count]
