"""Writing files, and the texts that describe an image."""

from __future__ import annotations

import re

from link_programs import ROM, linked, module, section

from romproof.program.image import Image
from romproof.program.labels import vice_labels
from romproof.program.listing import listing
from romproof.program.maptext import map_text
from romproof.text.diagnostic import Diagnostics
from romproof.text.span import Source
from romproof.toolchains.ca65.asm import Options, assemble_source
from romproof.toolchains.ca65.link import link, parse_config

LAYOUT = """\
MEMORY {
    ZP:  start = $0010, size = $00F0, file = "";
    RAM: start = $0200, size = $0100, file = "";
    ROM: start = $80E0, size = $0100, file = %O, define = yes;
}
SEGMENTS {
    ZEROPAGE: load = ZP,  type = zp;
    BSS:      load = RAM, type = bss, optional = yes;
    CODE:     load = ROM, type = ro;
    RODATA:   load = ROM, type = ro, optional = yes;
}
"""

PROGRAM = """\
.export start
.macro twice what
        what
        what
.endmacro
.zeropage
pointer: .res 2
.bss
buffer: .res 5
.code
.proc start
        ldx #9
@loop:  lda table,x
        sta (pointer),y
        dex
        bne @loop
        twice inx
        jsr far
        rts
.endproc
        .res 8, $EA
far:    beq start
        nop
        jmp (pointer)
.rodata
table:  .byte 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
        .res 64, $FF
        .repeat 50, i
        .byte i
        .endrepeat
"""


def program(text: str = PROGRAM) -> Image:
    diagnostics = Diagnostics()
    obj = assemble_source(Source("main.s", text), Options(), diagnostics)
    config = parse_config(Source("layout.cfg", LAYOUT), diagnostics)
    image = link([obj], config, output="game.bin", diagnostics=diagnostics)
    assert diagnostics.items == []
    return image


def rows(image: Image) -> dict[int, list[str]]:
    """Line number -> what stands on the left of it and in the rows beneath."""
    found: dict[int, list[str]] = {}
    number = 0
    for row in listing(image).split("main.s\n", 1)[1].splitlines():
        match = re.match(r"(.{56}) *(\d+)( |$)", row)
        if match:
            number = int(match[2])
        left = row[:54].rstrip() + (row[56:] if not match else "")
        found.setdefault(number, []).append(" ".join(left.split()))
    return found


def test_listing_shows_addresses_bytes_cycles_and_sums() -> None:
    shown = rows(program())
    assert shown[12] == ["80E0 A2 09 2 2"]
    assert shown[13] == ["80E2 BD FE 80 4+p 6..7"]
    assert shown[14] == ["80E5 91 10 6 12..13"]
    assert shown[16] == ["80E8 D0 F8 2/3 16..17"]
    assert shown[18] == ["80EC 20 F8 80 6 26..27"]
    assert shown[19] == ["80EF 60 6 32..33"]
    assert shown[1] == [""]


def test_listing_shows_what_a_macro_made_beneath_its_call() -> None:
    assert rows(program())[17] == ["", "80EA E8 2 18..19 + inx", "80EB E8 2 20..21 + inx"]


def test_listing_knows_branches_to_another_page() -> None:
    far = program(PROGRAM.replace(".res 8, $EA", ".res 32, $EA"))
    assert rows(program())[22] == ["80F8 F0 E6 2/3 2"]
    assert rows(far)[22] == ["8110 F0 CE 2/4 2"]


def test_a_label_starts_a_new_sum() -> None:
    assert rows(program())[24] == ["80FB 6C 10 00 5 9"]


def test_listing_wraps_and_cuts_data() -> None:
    shown = rows(program())
    assert shown[21] == ["80F0 EA EA EA EA EA EA EA EA"]
    assert shown[26] == ["80FE 00 01 02 03 04 05 06 07", "8106 08 09"]
    assert shown[27] == ["8108 FF FF FF FF FF FF FF FF", "8110 ... 56 more like these"]
    assert shown[28][1] == "8148 00 01 02 03 04 05 06 07 + .byte ..."
    assert shown[28][-1] == "8168 ... 18 more bytes"


def test_listing_shows_room_without_contents() -> None:
    shown = rows(program())
    assert shown[7] == ["0010 2 bytes kept free"]
    assert shown[9] == ["0200 5 bytes kept free"]


def test_listing_has_notes_below_labels() -> None:
    plain = listing(program()).splitlines()
    noted = listing(program(), {"start": "20..30 cycles"}).splitlines()
    added = [line for line in noted if line not in plain]
    assert added[0].startswith("static ")
    assert added[1].strip() == "; static 20..30 cycles"
    assert noted[noted.index(added[1]) - 1].endswith("start")
    assert [line for line in noted if line not in added] == plain


def test_listing_keeps_the_source_text_in_one_column() -> None:
    text = listing(program()).split("main.s\n", 1)[1].splitlines()
    lines = PROGRAM.splitlines()
    starts = {row.index(line) for line in lines if line for row in text if row.endswith(line)}
    assert len(starts) == 1
    assert all(len(row) < 120 for row in text)


def test_listing_cuts_long_expansions() -> None:
    text = PROGRAM.replace("twice inx", ".repeat 45\n nop\n.endrepeat")
    shown = rows(program(text.replace("bne @loop", "nop").replace("beq start", "nop")))
    assert len(shown[17]) == 1 + 32 + 1
    assert shown[17][-1].endswith("+ ... 13 more rows")


def test_vice_labels() -> None:
    lines = vice_labels(program()).splitlines()
    assert "al 0080E0 .start" in lines
    assert "al 000010 .pointer" in lines
    assert "al 0080E0 .__ROM_START__" in lines
    assert any(re.fullmatch(r"al 0080E2 \.start(::)?@loop", line) for line in lines)
    assert lines == sorted(lines)
    assert all(re.fullmatch(r"al [0-9A-F]{6} \.[_@?:a-zA-Z][_@?:a-zA-Z0-9]*", s) for s in lines)


def test_map() -> None:
    text = map_text(program())
    assert re.search(
        r"ROM +0080E0 +0081DF +256 +154 +102 +60\.2 +\[#{12}\.{8}\] +rw +game\.bin", text
    )
    assert re.search(r"RODATA +0080FE +008179 +0080FE +124 +1 +ro +ROM +00001E +game\.bin", text)
    assert re.search(r"main\.s +161\n", text)
    by_name = text.index("by name"), text.index("by value")
    assert text.index("start ", by_name[0]) < by_name[1]


def test_image_of_a_program() -> None:
    image = program()
    assert image.areas[2].used == 30 + 124
    routine = image.routine_at(0x80E4)
    assert routine is not None
    assert (routine.name, routine.address, routine.size) == ("start", 0x80E0, 16)
    line = image.line_at(0x80E5)
    assert line is not None
    assert (line.span.line, line.data, line.is_code) == (14, b"\x91\x10", True)
    assert image.describe(0x80E3).startswith("$80E3 (start")
    assert image.address("table") == 0x80FE


def test_org_lines_keep_the_address_they_claim() -> None:
    image = program(PROGRAM + ".org $0400\nmoved: jmp moved\n.reloc\n")
    line = image.line_at(0x0400)
    assert line is not None
    assert line.data == b"\x4c\x00\x04"
    assert image.address("moved") == 0x0400


def test_the_layout_names_the_files() -> None:
    image = linked(ROM.replace("%O", '"sub/%O.bin"'), module(section("CODE", b"abc")))
    assert [(file.name, file.data) for file in image.files] == [("sub/out.bin", b"abc")]
