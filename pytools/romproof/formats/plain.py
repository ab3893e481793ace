"""Programs that are loaded into RAM: .prg files of Commodore machines, and bare bytes."""

from __future__ import annotations

import re

from romproof.formats.errors import BadImage
from romproof.formats.layout import C64, FileBank, ImageLayout, Ram

_ADDRESSES = 0x10000
_BASIC_LINE = re.compile(rb"\x01\x08....\x9e[ (]*[0-9]+[^\x00]{0,80}\x00", re.DOTALL)
"""A file for $0801 that begins with a line of BASIC: address, link, number, SYS."""


def is_basic_program(data: bytes) -> bool:
    """Whether this is a program of the C64 by its bytes, as ld65 writes them without an ending."""
    return _BASIC_LINE.match(data) is not None


def prg_layout(name: str, data: bytes, machine: str = C64, cpu: str = "6510") -> ImageLayout:
    """A file whose first two bytes are the address it is loaded to, the low one first.

    Raises BadImage.
    """
    if len(data) < 3:
        raise BadImage(
            "a .prg file begins with its load address in two bytes, and bytes follow; "
            f"this file has {len(data)}"
        )
    layout = plain_layout(name, data, int.from_bytes(data[:2], "little"), machine, cpu, 2)
    return layout


def plain_layout(
    name: str, data: bytes, address: int, machine: str, cpu: str = "6502", skip: int = 0
) -> ImageLayout:
    """Bytes at an address, with RAM around them; the first ``skip`` bytes are none of them.

    Raises BadImage.
    """
    size = len(data) - skip
    if not size:
        raise BadImage("this file is empty")
    if not address >= 0 or address + size > _ADDRESSES:
        raise BadImage(
            f"{size} bytes from ${address:04X} do not fit into 64 KiB: check the load address"
        )
    bank = FileBank("IMAGE", 0, skip, size, address, writable=True)
    rams = [Ram("RAM", 0, address)] if address else []
    if bank.end < _ADDRESSES:
        rams.append(Ram("HIGHRAM", bank.end, _ADDRESSES - bank.end))
    skipped = ((range(skip), "the load address"),) if skip else ()
    return ImageLayout(machine, cpu, name, data, (bank,), tuple(rams), skipped=skipped)
