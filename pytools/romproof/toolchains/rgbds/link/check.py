"""Checks of each section by itself, before any is placed; the options' effect on its type."""

from __future__ import annotations

from romproof.toolchains.rgbds.link.state import LinkState, ProgramSection
from romproof.toolchains.rgbds.obj.types import MemoryRegion, SectionType


def check_sections(state: LinkState) -> None:
    """Report what no place can satisfy, and make each section's demands as simple as can be.

    With -t, ROMX sections become ROM0 sections, with -w WRAMX sections WRAM0 sections. A bank is
    fixed where there is only one. No section then has both an address and an alignment.
    """
    for section in state.sections.values():
        if section.typeless:
            _error(state, section, "has not been assigned a type by a linker script")
            continue
        wrong_bank = _apply_options(state, section)
        memory = state.memories[section.type]
        _check_alignment(state, section, memory)
        if not wrong_bank:
            _check_bank(state, section, memory)
        if section.size > memory.size:
            _error(
                state,
                section,
                f"is bigger than the max size for type {section.type.name}:"
                f" ${section.size:X} > ${memory.size:X}",
            )
        if not memory.has_banks:
            section.bank = memory.first_bank
        if section.address is not None:
            _check_address(state, section, memory)
        if section.align_mask == 0xFFFF:
            section.address = section.align_offset
            section.align_mask = section.align_offset = 0


def _apply_options(state: LinkState, section: ProgramSection) -> bool:
    """Change the type as the options say; True if the section's bank does not exist with them."""
    options = state.options
    if options.one_rom_bank and section.type is SectionType.ROMX:
        if section.bank not in (None, 1):
            _error(state, section, "has type ROMX, which must be in bank 1 (if any) with '-t'")
            return True
        section.type = SectionType.ROM0
    if options.one_wram_bank and section.type is SectionType.WRAMX:
        if section.bank not in (None, 1):
            _error(state, section, "has type WRAMX, which must be in bank 1 with '-w' or '-d'")
            return True
        section.type = SectionType.WRAM0
    if options.dmg and section.type is SectionType.VRAM and section.bank not in (None, 0):
        _error(state, section, "has type VRAM, which must be in bank 0 with '-d'")
        return True
    return False


def _check_alignment(state: LinkState, section: ProgramSection, memory: MemoryRegion) -> None:
    if section.align_mask & memory.start:
        _error(
            state,
            section,
            f"has type {section.type.name}, which cannot be aligned to"
            f" ${section.align_mask + 1:04X} bytes",
        )


def _check_bank(state: LinkState, section: ProgramSection, memory: MemoryRegion) -> None:
    if section.bank is None or memory.first_bank <= section.bank <= memory.last_bank:
        return
    if memory.has_banks:
        allowed = f"it must be between {memory.first_bank} and {memory.last_bank}"
    else:
        allowed = f"it must be {memory.first_bank}"
    _error(state, section, f"cannot be placed in bank {section.bank}, {allowed}")


def _check_address(state: LinkState, section: ProgramSection, memory: MemoryRegion) -> None:
    address = section.at
    if address & section.align_mask != section.align_offset:
        _error(state, section, "has a fixed address that does not match its alignment")
    section.align_mask = section.align_offset = 0
    if not memory.start <= address < memory.end:
        _error(
            state,
            section,
            f"has the fixed address ${address:04X}, which is outside of"
            f" ${memory.start:04X}-${memory.end - 1:04X}",
        )
    if section.end > memory.end:
        _error(
            state,
            section,
            f"ends at ${section.end:04X}, behind the end of {section.type.name}, ${memory.end:04X}",
        )


def _error(state: LinkState, section: ProgramSection, what: str) -> None:
    state.diagnostics.error(f'section "{section.name}" {what}', state.span(section))
