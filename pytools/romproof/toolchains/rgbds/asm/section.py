"""The rules by which declarations of one section are joined."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from romproof.toolchains.rgbds.asm.model import WIDEST, Section
from romproof.toolchains.rgbds.obj.model import Modifier
from romproof.toolchains.rgbds.obj.types import SectionType


@dataclass(frozen=True, slots=True)
class Attributes:
    """What a declaration asks for; None where the linker may choose.

    The lower ``alignment`` bits of the address have to be ``align_offset``.
    """

    address: int | None = None
    bank: int | None = None
    alignment: int = 0
    align_offset: int = 0


def merge(section: Section, wanted: Attributes, modifier: Modifier) -> Iterator[str]:
    """Take another declaration's attributes over; gives what speaks against it."""
    if modifier is Modifier.UNION:
        yield from _join(section, wanted, at=0, compare="different")
    else:
        yield from _join(section, wanted, at=section.size, compare="incompatible")
    if section.bank is None:
        section.bank = wanted.bank
    elif wanted.bank is not None and section.bank != wanted.bank:
        yield f'Section "{section.name}" already declared with different bank {section.bank}'


def _join(section: Section, wanted: Attributes, at: int, compare: str) -> Iterator[str]:
    """Join address and alignment, which the declaration wants for offset ``at`` of the section."""
    name = f'Section "{section.name}" already declared'
    mask = (1 << section.alignment) - 1
    aligned = f"{name} as aligned to {1 << section.alignment} bytes (offset {section.align_offset})"
    if wanted.address is not None:
        address = (wanted.address - at) & 0xFFFF
        if section.address is not None and section.address != address:
            yield f"{name} as fixed at {compare} address ${section.address:04x}"
        elif section.alignment and (address - section.align_offset) & mask:
            yield aligned
        else:
            section.address = address
    elif wanted.alignment:
        wanted_mask = (1 << wanted.alignment) - 1
        offset = (wanted.align_offset - at) & wanted_mask
        if section.address is not None:
            if (section.address - offset) & wanted_mask:
                yield f"{name} as fixed at incompatible address ${section.address:04x}"
        elif offset & mask != section.align_offset & wanted_mask:
            yield (
                f"{name} with incompatible {1 << section.alignment}-byte alignment "
                f"(offset {section.align_offset})"
            )
        elif wanted.alignment > section.alignment:
            section.alignment, section.align_offset = wanted.alignment, offset


def normalise(
    name: str, kind: SectionType, wanted: Attributes, error: Callable[[str], None]
) -> Attributes:
    """The attributes of a declaration, checked against what the type of memory allows."""
    memory = WIDEST[kind]
    bank, address, alignment = wanted.bank, wanted.address, wanted.alignment
    if bank is not None:
        if not memory.has_banks:
            error("`BANK` only allowed for `ROMX`, `WRAMX`, `SRAM`, or `VRAM` sections")
        elif not memory.first_bank <= bank <= memory.last_bank:
            error(
                f"{kind.name} bank value ${bank:04x} out of range "
                f"(${memory.first_bank:04x} to ${memory.last_bank:04x})"
            )
    elif not memory.has_banks:
        bank = memory.first_bank
    if address is not None and not memory.start <= address < memory.end:
        error(
            f'Section "{name}"\'s fixed address ${address:04x} is outside of range '
            f"[${memory.start:04x}; ${memory.end - 1:04x}]"
        )
    if alignment:
        mask = (1 << alignment) - 1
        if address is not None:
            if (address - wanted.align_offset) & mask:
                error(f'Section "{name}"\'s fixed address does not match its alignment')
            alignment = 0
        elif memory.start & mask:
            error(f'Section "{name}"\'s alignment cannot be attained in {kind.name}')
            alignment, address = 0, 0
        elif alignment == 16:
            alignment, address = 0, wanted.align_offset
    return Attributes(address, bank, alignment, wanted.align_offset)
