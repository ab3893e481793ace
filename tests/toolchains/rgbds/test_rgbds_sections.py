"""Sections: how declarations are joined, and what can be known of addresses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rgbds_sources import assembled, faults, printed

from romproof.toolchains.rgbds.asm.model import Section
from romproof.toolchains.rgbds.asm.section import Attributes, merge, normalise
from romproof.toolchains.rgbds.obj.model import Modifier, Node, NodeKind, SourcePosition
from romproof.toolchains.rgbds.obj.types import SectionType

PLACE = SourcePosition(Node(NodeKind.FILE, "x.asm"), 1)


def section(modifier: Modifier, wanted: Attributes, size: int = 0) -> Section:
    """A section in WRAM0."""
    kind = SectionType.WRAM0
    return Section(
        "x",
        kind,
        modifier,
        PLACE,
        wanted.address,
        wanted.bank,
        wanted.alignment,
        wanted.align_offset,
        size=size,
    )


def can_stand(section: Section, address: int) -> bool:
    """Whether the linker may put the section there."""
    if section.address is not None:
        return address == section.address
    return (address - section.align_offset) % (1 << section.alignment) == 0


ATTRIBUTES = st.one_of(
    st.builds(Attributes, address=st.integers(0xC000, 0xC02F)),
    st.integers(0, 5).flatmap(
        lambda bits: st.builds(
            Attributes, alignment=st.just(bits), align_offset=st.integers(0, (1 << bits) - 1)
        )
    ),
)


@given(ATTRIBUTES, ATTRIBUTES, st.integers(0, 20), st.booleans())
def test_joined_sections_stand_where_both_may(
    first: Attributes, second: Attributes, size: int, union: bool
) -> None:
    modifier = Modifier.UNION if union else Modifier.FRAGMENT
    at = 0 if union else size
    joined = section(modifier, first, size)
    complaints = list(merge(joined, second, modifier))
    one, other = section(modifier, first), section(modifier, second)
    both = {
        address
        for address in range(0xC000, 0xC080)
        if can_stand(one, address) and can_stand(other, address + at)
    }
    if not complaints:
        assert {a for a in range(0xC000, 0xC080) if can_stand(joined, a)} == both
    else:
        assert not both


@pytest.mark.parametrize(
    ("kind", "wanted", "gets", "complaint"),
    [
        (SectionType.ROM0, Attributes(), Attributes(bank=0), ""),
        (SectionType.ROMX, Attributes(), Attributes(), ""),
        # what -t and -w of the linker allow
        (SectionType.ROM0, Attributes(0x7FFF), Attributes(0x7FFF, 0), ""),
        (SectionType.WRAM0, Attributes(0xDFFF), Attributes(0xDFFF, 0), ""),
        (SectionType.OAM, Attributes(alignment=8, align_offset=2), None, ""),
        (SectionType.HRAM, Attributes(alignment=16, align_offset=0xFF90), None, "attained"),
        (SectionType.ROM0, Attributes(alignment=16, align_offset=9), Attributes(9, 0, 0, 9), ""),
        (SectionType.ROM0, Attributes(0x8000), None, "outside of range [$0000; $7fff]"),
        (SectionType.WRAMX, Attributes(bank=8), None, "($0001 to $0007)"),
        (SectionType.HRAM, Attributes(bank=0), None, "`BANK` only allowed"),
        (SectionType.ROM0, Attributes(0x101, None, 4, 0), None, "does not match its alignment"),
    ],
)
def test_attributes_of_types(
    kind: SectionType, wanted: Attributes, gets: Attributes | None, complaint: str
) -> None:
    complaints: list[str] = []
    result = normalise("x", kind, wanted, complaints.append)
    if complaint:
        assert len(complaints) == 1
        assert complaint in complaints[0]
    else:
        assert complaints == []
    if gets is not None:
        assert result == gets


@given(st.integers(0, 300), st.integers(0, 8), st.integers(0, 255))
def test_ds_align_reaches_the_alignment(offset: int, bits: int, remainder: int) -> None:
    remainder %= 1 << bits
    lines = printed(
        f'SECTION "x", ROM0[$100]\n\tds {offset}\n\tds align[{bits}, {remainder}]\n\tprintln @\n'
    )
    here = int(lines[0].removeprefix("$"), 16)
    assert here % (1 << bits) == remainder
    assert 0 <= here - (0x100 + offset) < 1 << bits


def test_alignment_grows_with_align() -> None:
    made = assembled('SECTION "x", ROMX\n\tds 3\n\tALIGN 4, 1\n\tds 1\n').sections[0]
    assert (made.alignment, made.align_offset, made.address) == (4, 14, None)
    fixed = assembled('SECTION "x", ROMX\n\tds 3\n\tALIGN 16, $4003\n').sections[0]
    assert (fixed.alignment, fixed.address) == (0, 0x4000)


def test_a_load_block_belongs_to_two_sections() -> None:
    made = assembled(
        'SECTION "rom", ROM0[0]\n\tnop\nLOAD "ram", WRAM0[$C100]\nhere:\n\tjp here\nENDL\nafter:\n'
    )
    rom, ram = made.sections
    assert (rom.data.hex(), rom.size, ram.size, ram.data) == ("00c300c1", 4, 3, b"")
    where = {symbol.name: (symbol.section, symbol.value) for symbol in made.symbols}
    assert where == {"here": (1, 0), "after": (0, 4)}


def test_unions_take_the_room_of_the_largest_member() -> None:
    lines = printed(
        'SECTION "u", WRAM0[$C000]\nUNION\n\tds 3\nNEXTU\n\tds 7\n'
        "UNION\n\tds 1\nENDU\nNEXTU\nx: ds 1\nENDU\n\tprintln @, x\n"
    )
    assert lines == ["$C008$C000"]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("\tdb 1\n", "Cannot output data outside of a `SECTION`"),
        ('SECTION "x", WRAM0\n\tnop\n', "cannot contain code or data"),
        ('SECTION "x", ROM0\nUNION\n', "Cannot use `UNION` inside of `ROM0` or `ROMX` sections"),
        ('SECTION "x", HRAM\n\tds 128\n', 'Section "x" grew too big'),
        ('SECTION UNION "x", ROM0\n', "Cannot declare ROM sections as `UNION`"),
        ('SECTION "x", ROM0\nPUSHS\nSECTION "x", ROM0\n', "is already on the stack"),
        ("POPS\n", "No entries in the section stack"),
        ('SECTION "x", ROM0\nSECTION "x", VRAM\n', "already exists but with type `ROM0`"),
    ],
)
def test_errors(source: str, message: str) -> None:
    assert message in faults(source)[0]
