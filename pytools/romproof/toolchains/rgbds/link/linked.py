"""A finished link: every section with its place and its bytes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from romproof.toolchains.rgbds.link.options import LinkOptions
from romproof.toolchains.rgbds.link.span_finder import SpanFinder
from romproof.toolchains.rgbds.link.state import Definition, LinkState, Module, ProgramSection
from romproof.toolchains.rgbds.obj.types import MemoryRegion, SectionType

ROM_BANK = 0x4000
"""Bytes of a ROM bank."""

OUTPUT_ORDER = (
    SectionType.ROM0,
    SectionType.ROMX,
    SectionType.VRAM,
    SectionType.SRAM,
    SectionType.WRAM0,
    SectionType.WRAMX,
    SectionType.OAM,
    SectionType.HRAM,
)
"""The types in the order of rgblink's symbol and map files."""


@dataclass(slots=True)
class BankSections:
    """The sections of a bank by address: those with bytes, and empty ones."""

    sections: list[ProgramSection]
    empty: list[ProgramSection]

    def by_address(self) -> Iterator[ProgramSection]:
        """All sections; an empty one comes before what begins at its address."""
        yield from sorted([*self.empty, *self.sections], key=lambda section: section.at)


@dataclass(frozen=True, slots=True)
class Linked:
    """What ``link`` gives; nothing in it changes any more.

    ``banks`` has, for every type, all its banks from the first to the last one used, in ROM by
    the overlay too.
    """

    options: LinkOptions
    memories: dict[SectionType, MemoryRegion]
    places: SpanFinder
    modules: tuple[Module, ...]
    sections: tuple[ProgramSection, ...]
    exports: dict[str, Definition]
    banks: dict[SectionType, tuple[BankSections, ...]]


def make_linked(state: LinkState, order: Sequence[ProgramSection]) -> Linked:
    """The result of a link; ``order`` is that in which the sections were placed."""
    banks: dict[SectionType, list[BankSections]] = {type_: [] for type_ in SectionType}
    # of empty sections at one address rgblink lists the one that was placed last first
    for section in reversed(order):
        index = section.in_bank - state.memories[section.type].first_bank
        of_type = banks[section.type]
        of_type += [BankSections([], []) for _ in range(index + 1 - len(of_type))]
        (of_type[index].sections if section.size else of_type[index].empty).append(section)
    overlay_banks = -(-len(state.options.overlay or b"") // ROM_BANK)
    overlay_banks -= state.memories[SectionType.ROM0].size // ROM_BANK
    romx = banks[SectionType.ROMX]
    romx += [BankSections([], []) for _ in range(overlay_banks - len(romx))]
    for of_type in banks.values():
        for bank in of_type:
            bank.sections.sort(key=lambda section: section.at)
            bank.empty.sort(key=lambda section: section.at)
    return Linked(
        state.options,
        state.memories,
        state.places,
        tuple(state.modules),
        tuple(state.sections.values()),
        state.exports,
        {type_: tuple(of_type) for type_, of_type in banks.items()},
    )
