"""Where segments go and what the files hold; expected bytes are worked out by hand."""

from __future__ import annotations

import pytest
from link_programs import ROM, failure, file, linked, module, place, section

from romproof.program.address_size import AddressSize


def areas(*lines: str) -> str:
    return "MEMORY {\n" + "\n".join(lines) + "\n}\n"


def segments(*lines: str) -> str:
    return "SEGMENTS {\n" + "\n".join(lines) + "\n}\n"


def test_sections_of_one_name_follow_each_other_in_the_order_of_the_objects() -> None:
    image = linked(
        ROM,
        module(section("RODATA", b"r"), section("CODE", b"a")),
        module(section("CODE", b"bc"), name="two.s"),
    )
    assert file(image) == b"abcr"
    code = image.segments[1]
    assert (code.name, code.run, code.load, code.size) == ("CODE", 0x8000, 0x8000, 3)
    assert [(part.module, part.address, part.size) for part in code.parts] == [
        ("main.s", 0x8000, 1),
        ("two.s", 0x8001, 2),
    ]


def test_alignment_of_sections_is_filled_with_the_fill_value_of_the_segment() -> None:
    config = areas("R: start = $8000, size = $100, fillval = 1;") + segments(
        "CODE: load = R, type = ro, align = 4, fillval = $EE;"
    )
    image = linked(
        config,
        module(section("CODE", b"a", gaps=[])),
        module(section("CODE", b"\0\0b", gaps=[(0, 2)], alignment=4)),
    )
    assert file(image) == b"a\xee\xee\xee\xee\xeeb"
    assert image.segments[0].alignment == 4


def test_segments_take_the_fill_value_of_their_area_unless_they_have_one() -> None:
    config = areas("R: start = 0, size = 8, fillval = $AA, fill = yes;") + segments(
        "A: load = R, type = ro;", "B: load = R, type = ro, fillval = $BB, align = 4;"
    )
    image = linked(
        config,
        module(section("A", b"\0", gaps=[(0, 1)]), section("B", b"\0\0", gaps=[(0, 2)])),
    )
    assert file(image) == bytes.fromhex("AA AA AA AA BB BB AA AA")


def test_offset_and_start_leave_gaps_with_the_fill_value_of_the_area() -> None:
    config = areas("R: start = $100, size = $20, fillval = $FF;") + segments(
        "A: load = R, type = ro;",
        "B: load = R, type = ro, offset = 4;",
        "C: load = R, type = ro, start = $108;",
    )
    image = linked(config, module(section("A", b"a"), section("B", b"b"), section("C", b"c")))
    assert file(image) == b"a\xff\xff\xffb\xff\xff\xffc"
    assert [segment.run for segment in image.segments] == [0x100, 0x104, 0x108]
    assert [segment.file_offset for segment in image.segments] == [0, 4, 8]


def test_load_and_run_areas() -> None:
    config = areas(
        'RAM: start = $200, size = $100, file = "";', "R: start = $8000, size = $100;"
    ) + segments(
        "CODE: load = R, type = ro;", "DATA: load = R, run = RAM, type = rw, define = yes;"
    )
    data = section("DATA", b"xy", [])
    image = linked(config, module(section("CODE", b"\0\0", [(0, 2, place(1, 1))]), data))
    assert file(image) == bytes([0x01, 0x02]) + b"xy"
    found = next(segment for segment in image.segments if segment.name == "DATA")
    assert (found.run, found.load, found.area, found.file_offset) == (0x200, 0x8002, "RAM", 2)
    assert image.address("__DATA_LOAD__") == 0x8002
    assert image.address("__DATA_RUN__") == 0x200
    assert image.address("__DATA_SIZE__") == 2
    assert [(block.area, block.address, block.data) for block in image.blocks] == [
        ("R", 0x8000, b"\x01\x02xy")
    ]


def test_align_load() -> None:
    config = areas(
        'RAM: start = $200, size = $100, file = "";', "R: start = $8000, size = $100;"
    ) + segments(
        "CODE: load = R, type = ro;", "DATA: load = R, run = RAM, type = rw, align_load = 4;"
    )
    image = linked(config, module(section("CODE", b"a"), section("DATA", b"d")))
    assert file(image) == b"a\0\0\0d"


def test_bss_takes_room_and_no_bytes() -> None:
    config = areas("R: start = $80, size = $20;") + segments(
        "BSS: load = R, type = bss, define = yes;", "DATA: load = R, type = rw;"
    )
    image = linked(config, module(section("BSS", bytes(4), gaps=[(0, 4)]), section("DATA", b"d")))
    assert file(image) == b"d"
    assert [(block.address, block.data) for block in image.blocks] == [(0x84, b"d")]
    assert image.address("__BSS_SIZE__") == 4


def test_bss_in_a_filled_area_is_filled() -> None:
    config = areas("R: start = 0, size = 6, fill = yes, fillval = 7;") + segments(
        "BSS: load = R, type = bss, fillval = 9;", "DATA: load = R, type = rw;"
    )
    image = linked(config, module(section("BSS", bytes(2), gaps=[(0, 2)]), section("DATA", b"d")))
    assert file(image) == bytes([9, 9, ord("d"), 7, 7, 7])


def test_bss_with_contents_is_warned_about() -> None:
    warnings: list[str] = []
    config = areas("R: start = 0, size = 6;") + segments("BSS: load = R, type = bss;")
    image = linked(config, module(section("BSS", b"\1")), warnings=warnings)
    assert file(image) == b""
    assert warnings == ["segment 'BSS' of type bss has contents, which are not written to any file"]


def test_overwrite_replaces_bytes_in_the_file_and_counts_them_once() -> None:
    config = areas("R: start = $8000, size = 8, fill = yes, fillval = $FF;") + segments(
        "CODE: load = R, type = ro;", "PATCH: load = R, type = overwrite, offset = 1;"
    )
    image = linked(config, module(section("CODE", b"abcd"), section("PATCH", b"XY")))
    # ld65 fills up from the end of the last segment: five bytes more than there is room
    assert file(image) == b"aXYd" + b"\xff" * 5
    assert image.areas[0].used == 4
    assert image.blocks[0].data[:4] == b"aXYd"


def test_areas_of_one_file_are_written_in_the_order_of_memory() -> None:
    config = areas(
        "B: start = $10, size = 4, fill = yes, define = yes;",
        "A: start = $20, size = 4, define = yes;",
        'C: start = $30, size = 4, file = "%O.2";',
    ) + segments("X: load = A, type = ro;", "Y: load = B, type = ro;", "Z: load = C, type = ro;")
    image = linked(config, module(section("X", b"x"), section("Y", b"y"), section("Z", b"z")))
    assert [(out.name, out.data) for out in image.files] == [("out", b"y\0\0\0x"), ("out.2", b"z")]
    assert image.address("__A_FILEOFFS__") == 4
    assert image.address("__A_LAST__") == 0x21
    assert image.address("__B_SIZE__") == 4
    assert image.address("__B_START__") == 0x10


def test_an_area_may_start_where_another_one_ended() -> None:
    config = areas(
        "A: start = $10, size = 4, define = yes;", "B: start = __A_LAST__ + 1, size = 4;"
    ) + segments("X: load = A, type = ro;", "Y: load = B, type = ro;")
    image = linked(config, module(section("X", b"xx"), section("Y", b"y")))
    assert image.segments[1].run == 0x13


def test_start_address() -> None:
    memory = "MEMORY { A: start = %S, size = 4; }"
    x = "SEGMENTS { X: load = A, type = ro; }"
    feature = "FEATURES { STARTADDRESS: default = $1000; }"
    obj = module(section("X", b"x"))
    assert linked(memory + x, obj).segments[0].run == 0x200
    assert linked(feature + memory + x, obj).segments[0].run == 0x1000
    # it counts for what follows it only, as in ld65
    assert linked(memory + feature + x, obj).segments[0].run == 0x200
    assert linked(feature + memory + x, obj, start_address=0x3000).segments[0].run == 0x3000


def test_overflow_says_by_how_much_and_writes_nothing() -> None:
    text = failure(ROM, module(section("CODE", bytes(0x102))))
    assert "layout.cfg:3:5: error: segment 'CODE' overflows memory area 'ROM' by 2 bytes" in text


def test_segments_that_start_too_low() -> None:
    config = areas("R: start = $100, size = $20;") + segments(
        "A: load = R, type = ro;",
        "B: load = R, type = ro, start = $102;",
        "C: load = R, type = ro, offset = 3;",
    )
    text = failure(config, module(section("A", b"abc"), section("B", b"b"), section("C", b"")))
    assert "start address of segment 'B' is too low by 1 byte:" in text
    assert "offset of segment 'C' is too small by 1 byte:" in text


def test_a_segment_without_memory_area() -> None:
    text = failure(ROM, module(section("CODEX", b"a"), section("EMPTY")))
    assert "the configuration has no memory area for segment 'CODEX'" in text
    assert "did you mean 'CODE'?" in text
    assert "EMPTY" not in text


def test_a_segment_that_no_module_has() -> None:
    warnings: list[str] = []
    config = areas("R: start = 0, size = 9;") + segments("CODE: load = R, type = ro;")
    linked(config, module(section("DATA")), warnings=warnings)
    assert warnings == ["segment 'CODE' does not exist in any module"]


def test_alignment_that_the_layout_does_not_keep() -> None:
    warnings: list[str] = []
    linked(ROM, module(section("CODE", b"a", alignment=8)), warnings=warnings)
    assert warnings == ["segment 'CODE' isn't aligned properly: it needs a multiple of 8 bytes"]


def test_the_first_segment_with_fill_bytes() -> None:
    warnings: list[str] = []
    config = areas("R: start = 1, size = 9;") + segments("CODE: load = R, type = ro, align = 4;")
    assert file(linked(config, module(section("CODE", b"a")), warnings=warnings)) == b"\0\0\0a"
    assert len(warnings) == 1
    assert "needs 3 fill bytes" in warnings[0]


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("PATCH: load = R, type = overwrite;", "of type overwrite has neither start nor offset"),
        (
            "PATCH: load = R, type = overwrite, start = 0;",
            "segment 'PATCH' begins before memory area 'R'",
        ),
        ("PATCH: load = R, type = ro, align = 0;", "0 is out of range: 1 to 65536 are possible"),
        ("PATCH: load = R, type = ro, fillval = 256;", "256 is out of range: 0 to 255"),
        ("PATCH: load = R, type = ro, start = NOWHERE;", "'NOWHERE' is not defined"),
    ],
)
def test_faulty_segments(rule: str, message: str) -> None:
    config = areas("R: start = $100, size = $20;") + segments(rule)
    assert message in failure(config, module(section("PATCH", b"x")))


def test_nothing_may_follow_an_overwriting_segment() -> None:
    config = areas("R: start = $100, size = $20;") + segments(
        "A: load = R, type = overwrite, offset = 0;", "B: load = R, type = ro;"
    )
    text = failure(config, module(section("A", b"a"), section("B", b"b")))
    assert "segment 'B' comes after segment 'A' of type overwrite" in text


def test_areas_that_ld65_cannot_write_one_behind_the_other() -> None:
    config = areas(
        "A: start = 0, size = $10, fill = yes;", "B: start = $20, size = $10;"
    ) + segments("X: load = B, run = A, type = ro;", "Y: load = B, type = ro;")
    text = failure(config, module(section("X", b"xx"), section("Y", b"y")))
    assert "memory area 'B' would start at offset" in text


def test_combined_alignment() -> None:
    one = module(section("CODE", b"a", alignment=0x8000))
    three = module(section("CODE", b"b", alignment=3), name="three.s")
    assert "the combined alignment of segment 'CODE' is 98304 bytes" in failure(ROM, one, three)


def test_one_segment_in_two_address_sizes() -> None:
    one = module(section("ZEROPAGE", b"", address_size=AddressSize.ZEROPAGE))
    two = module(section("ZEROPAGE", b""), name="two.s")
    assert "segment 'ZEROPAGE' is absolute in two.s, but zeropage in main.s" in failure(
        ROM, one, two
    )


def test_blocks_end_where_nothing_is_written() -> None:
    config = areas("R: start = $10, size = $20;") + segments(
        "A: load = R, type = ro;", "BSS: load = R, type = bss;", "B: load = R, type = ro;"
    )
    image = linked(config, module(section("A", b"aa"), section("BSS", b"\0"), section("B", b"b")))
    assert [(block.address, block.data) for block in image.blocks] == [(0x10, b"aa"), (0x13, b"b")]
    assert file(image) == b"aab"


def test_large_areas_are_filled() -> None:
    config = areas("R: start = 0, size = $800000, fill = yes, fillval = $FF;") + segments(
        "A: load = R, type = ro;"
    )
    image = linked(config, module(section("A", b"a")))
    assert image.blocks[0].data == file(image) == b"a" + b"\xff" * 0x7FFFFF
