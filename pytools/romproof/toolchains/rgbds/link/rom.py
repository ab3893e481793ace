"""The ROM: the bytes of all ROM0 and ROMX sections, bank after bank."""

from __future__ import annotations

from collections.abc import Iterator

from romproof.text.diagnostic import Diagnostics
from romproof.toolchains.rgbds.link.linked import ROM_BANK, BankSections, Linked
from romproof.toolchains.rgbds.obj.types import MemoryRegion, SectionType

_SMALLEST = 0x8000
"""Bytes of the smallest ROM of a cartridge."""


def rom_bytes(linked: Linked) -> bytes:
    """The ROM image. What no section covers is the overlay's, or the pad value."""
    overlay = linked.options.overlay or b""
    pad = bytes([linked.options.pad or 0])
    parts: list[bytes | bytearray] = []
    size = 0

    def fill(end: int) -> None:
        nonlocal size
        from_overlay = overlay[size:end]
        parts.append(from_overlay)
        parts.append(pad * (end - size - len(from_overlay)))
        size = max(size, end)

    for memory, bank in _rom_banks(linked):
        start = size
        for section in bank.sections:
            fill(start + section.at - memory.start)
            parts.append(section.data)
            size += section.size
        if not linked.options.no_pad:
            fill(start + memory.size)
    return b"".join(parts)


def _rom_banks(linked: Linked) -> Iterator[tuple[MemoryRegion, BankSections]]:
    """The banks of the image; there is always a ROM0."""
    rom0, romx = linked.banks[SectionType.ROM0], linked.banks[SectionType.ROMX]
    yield linked.memories[SectionType.ROM0], rom0[0] if rom0 else BankSections([], [])
    for bank in romx:
        yield linked.memories[SectionType.ROMX], bank


def check_overlay(linked: Linked, diagnostics: Diagnostics) -> None:
    """Warn about an overlay that is no ROM, or too short."""
    overlay = linked.options.overlay
    if overlay is None:
        return
    if len(overlay) % ROM_BANK:
        diagnostics.warning(f"the size of the overlay is not a multiple of ${ROM_BANK:X} bytes")
    elif linked.options.one_rom_bank and len(overlay) != _SMALLEST:
        diagnostics.warning(f"the overlay does not have ${_SMALLEST:X} bytes")
    if len(overlay) < _SMALLEST:
        diagnostics.warning(f"the overlay has less than ${_SMALLEST:X} bytes")
    if linked.options.pad is None and _reaches_past(linked, len(overlay)):
        diagnostics.warning(
            "the ROM is larger than the overlay, but no pad value was given",
            help="fill the rest with -p",
        )


def _reaches_past(linked: Linked, size: int) -> bool:
    """Whether the image has bytes past ``size`` that no section covers."""
    covered = position = 0
    for memory, bank in _rom_banks(linked):
        starts = ((position + s.at - memory.start, s.size) for s in bank.sections)
        covered += sum(length for start, length in starts if start >= size)
        position += memory.size
    return len(rom_bytes(linked)) - size > covered
