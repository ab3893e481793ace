"""Objects, byte for byte those that rgbasm 1.0.3 writes, and what no file holds."""

from __future__ import annotations

from rgbds_sources import NAME, assembled

from romproof.text.diagnostic import Diagnostics
from romproof.text.span import Source
from romproof.toolchains.rgbds.link import LinkOptions, link, rom_bytes
from romproof.toolchains.rgbds.obj.model import ObjLine
from romproof.toolchains.rgbds.obj.rgb9 import read_object, write_object
from romproof.toolchains.rgbds.obj.rpn import RpnOp, RpnStep

SOURCE = """SECTION "code", ROM0[$150]
Start::
	ld a, [wCount]
	call Other
	jr nz, .done
	rst Vector
	bit Wanted & 7, [hl]
	ldh [hFlag], a
.done
	dw BANK(Other) << 8 | LOW(wCount), SIZEOF("more") - 1
	assert wCount < $D000, "too high"
SECTION "work", WRAM0, ALIGN[4, 2]
wCount: db
SECTION FRAGMENT "more", ROMX, BANK[2]
	dl Other + 1
"""

# every symbol is in a patch: the order of the others is that of a hash table in the original
WRITTEN = """
524742390d000000070000000300000001000000ffffffff0000000001746573742e61736d0077436f756e740000
000000000d00000001000000000000004f74686572000153746172742e646f6e6500000000000009000000000000
000d000000566563746f72000157616e746564000168466c61670001537461727400020000000002000000000000
0000000000636f6465000000000001000000110000000350010000000000000000000000fa0000cd0000200000cb
00e0000000000008000000000000000a0000000f000000000000000f000000010c000000536d6f72650080010000
0001000000000a0000000d000000000000000d000000011200000050010000008008000000408100000000711000
000000080000000c000000000000000b000000000600000081050000006000000000070000000a00000000000000
0a000000000d00000081040000008007000000116246000000000600000008000000000000000800000000060000
00810300000061000000000500000007000000000000000600000003050000008102000000000000000400000004
00000000000000030000000105000000810100000000000000030000000100000000000000000000000105000000
8100000000776f726b00000000000c0000000100000000ffffffff0000000004020000006d6f726500000000000e
0000000400000042ffffffff0200000000000000000000000001000000000000000f000000000000000200000000
000000020b000000810100000080010000000001000000000000000b000000110000000000000011000000010b00
000081000000008000d0000033746f6f206869676800
"""


def test_bytes() -> None:
    assert write_object(assembled(SOURCE)).hex() == WRITTEN.replace("\n", "")


def test_lines() -> None:
    lines = assembled(SOURCE).sections[0].lines
    assert [(line.offset, line.size, line.is_code, line.place.line) for line in lines] == [
        (0, 3, True, 3),
        (3, 3, True, 4),
        (6, 2, True, 5),
        (8, 1, True, 6),
        (9, 2, True, 7),
        (11, 2, True, 8),
        (13, 4, False, 10),
    ]
    assert [column(line) for line in lines] == [f"{NAME}:{n}:2" for n in (3, 4, 5, 6, 7, 8, 10)]


def column(line: ObjLine) -> str:
    """File, line and column of a statement."""
    return str(line.place.span)


def test_lines_of_load_blocks() -> None:
    made = assembled(
        'SECTION "rom", ROM0\n\tnop\nLOAD "ram", WRAM0\n\tinc a\n\tdb 1, 2\nENDL\n\tret\n'
    )
    shown = {
        section.name: [(line.offset, line.size, line.is_code) for line in section.lines]
        for section in made.sections
    }
    assert shown == {
        "rom": [(0, 1, True), (1, 1, True), (2, 2, False), (4, 1, True)],
        "ram": [(0, 1, True), (1, 2, False)],
    }


def test_here_is_symbol_minus_one() -> None:
    section = assembled('SECTION "a", ROMX\n\tnop\n\tdw @ + 2\n').sections[0]
    steps = (RpnStep(RpnOp.SYMBOL, -1), RpnStep(RpnOp.CONST, 2), RpnStep(RpnOp.ADD))
    assert [(p.offset, p.pc_offset, p.rpn) for p in section.patches] == [(1, 1, steps)]


def test_places_of_macros_and_loops() -> None:
    made = assembled('MACRO two\n\tREPT 2\n\t\tdb later\n\tENDR\nENDM\nSECTION "a", ROM0\n\ttwo\n')
    node = made.sections[0].patches[0].place.node
    assert (node.iterations, node.parent_line) == ((2,), 2)
    assert node.parent is not None
    assert (node.parent.name, node.parent.parent_line) == (f"{NAME}::two", 7)
    assert node.parent.parent is not None
    assert node.parent.parent.name == NAME
    assert all(found in made.nodes for found in (node, node.parent, node.parent.parent))


def test_text_beyond_ascii_is_in_objects_as_it_is_in_the_source() -> None:
    made = assembled(
        'SECTION "Pokémon Names", ROM0\n\tdb BANK("Pokédex")\n'
        '\tassert here != 0, "zu spät"\nhere:\n'
        'SECTION "Pokédex", ROMX\n\tnop\n'
    )
    assert [section.name for section in made.sections] == ["Pokémon Names", "Pokédex"]
    data = write_object(made)
    for text in ("Pokémon Names", "Pokédex", "zu spät"):
        assert text.encode() + b"\0" in data
    script = Source("layout.link", 'ROM0\n\t"Pokémon Names"\nROMX 1\n\t"Pokédex"\n')
    linked = link([read_object(data, "a.o")], LinkOptions(script=script), Diagnostics())
    assert rom_bytes(linked)[0] == 1
