"""Joining parts of one section: fragments one after the other, unions on top of each other.

What a part demands of address and alignment becomes a demand on the whole section.
"""

from __future__ import annotations

from romproof.toolchains.rgbds.link.state import LinkState, ObjectPart, ProgramSection
from romproof.toolchains.rgbds.obj.model import Modifier, ObjSection


class _Conflict(Exception):
    """Two parts that cannot be one section; the text says how the section is defined."""


def merge(state: LinkState, section: ProgramSection, piece: ObjectPart) -> bool:
    """Join ``piece`` to ``section``; False, and an error reported, when they contradict."""
    part = piece.part
    try:
        _check_kind(section, part)
        _merge_bank(section, part)
        piece.offset = section.size if part.modifier is Modifier.FRAGMENT else 0
        _merge_address(section, part, piece.offset)
    except _Conflict as conflict:
        state.diagnostics.error(
            f'section "{section.name}" is {conflict}',
            state.span(section),
            notes=(("the other part", state.places.span(part.place)),),
        )
        return False
    if part.modifier is Modifier.FRAGMENT:
        section.size += part.size
        section.data += part.data
    else:
        section.size = max(section.size, part.size)
    return True


def _check_kind(section: ProgramSection, part: ObjSection) -> None:
    if section.modifier is not part.modifier:
        raise _Conflict(
            f"defined as SECTION{_MODIFIERS[section.modifier]},"
            f" but also as SECTION{_MODIFIERS[part.modifier]}"
        )
    if part.modifier is Modifier.NORMAL:
        raise _Conflict("already defined")
    if section.typeless is not part.typeless:
        raise _Conflict("defined with a type, but also without one")
    if section.typeless:
        if section.size and part.size and bool(section.data) != bool(part.data):
            raise _Conflict("defined with contents, but also without")
        return
    if section.type is not part.type:
        raise _Conflict(
            f"defined with type {section.type.name}, but also with type {part.type.name}"
        )


_MODIFIERS = {Modifier.NORMAL: "", Modifier.FRAGMENT: " FRAGMENT", Modifier.UNION: " UNION"}


def _merge_bank(section: ProgramSection, part: ObjSection) -> None:
    if part.bank is None:
        return
    if section.bank is not None and section.bank != part.bank:
        raise _Conflict(f"defined with bank {section.bank}, but also with bank {part.bank}")
    section.bank = part.bank


def _merge_address(section: ProgramSection, part: ObjSection, offset: int) -> None:
    """Take the demands of a part that begins ``offset`` bytes behind the section's start."""
    part_mask = (1 << part.alignment) - 1
    part_alignment = f"{part_mask + 1}-byte alignment (offset {part.align_offset})"
    alignment = f"{section.align_mask + 1}-byte alignment (offset {section.align_offset})"
    if part.address is not None:
        address = part.address - offset & 0xFFFF
        if section.address is not None:
            if section.address != address:
                raise _Conflict(
                    f"defined with address ${section.address:04X},"
                    f" but also with address ${part.address:04X}"
                    + (f" of the part at offset ${offset:X}" if offset else "")
                )
        elif address - section.align_offset & section.align_mask:
            raise _Conflict(f"defined with {alignment}, but also with address ${part.address:04X}")
        section.address = address
    elif part_mask:
        align_offset = part.align_offset - offset & part_mask
        if section.address is not None:
            if section.address - align_offset & part_mask:
                raise _Conflict(
                    f"defined with address ${section.address:04X}, but also with {part_alignment}"
                )
        elif (part_mask & section.align_offset) != (section.align_mask & align_offset):
            raise _Conflict(f"defined with {alignment}, but also with {part_alignment}")
        elif part_mask > section.align_mask:
            section.align_mask = part_mask
            section.align_offset = align_offset
