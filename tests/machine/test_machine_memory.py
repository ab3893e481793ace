"""Loading an image into a flat address space."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from romproof.machine.memory import (
    FILL,
    OverlappingAreas,
    differences,
    load_image,
    part_in_memory,
)
from romproof.program.address_size import AddressSize
from romproof.program.image import Area, Block, Image, ImageLine, Routine, Segment, Symbol
from romproof.text.errors import RomproofError
from romproof.text.span import Source, Span


def _segment(name: str, run: int, size: int, area: str) -> Segment:
    return Segment(name, run, run, size, 1, "ro", area, None, 0, ())


IMAGE = Image(
    cpu="6502",
    files=(),
    blocks=(
        Block("ROM", 0xC000, b"\x01\x02\x03\xff\xff", False),
        Block("RAM", 0x0300, b"\x11\x22", True),
    ),
    areas=(
        Area("ROM", 0xC000, 0x10, 3, False, "a.bin"),
        Area("RAM", 0x0300, 0x100, 2, True, None),
    ),
    segments=(_segment("CODE", 0xC000, 3, "ROM"), _segment("DATA", 0x0300, 2, "RAM")),
    symbols=(),
    lines=(),
    routines=(),
    sources=(),
)

BANKED = replace(
    IMAGE,
    blocks=(
        Block("BANK0", 0x8000, b"\xaa\xaa", False),
        Block("BANK1", 0x8001, b"\xbb\xbb", False),
        Block("FIXED", 0xC000, b"\xcc", False),
    ),
    areas=(),
    segments=(
        _segment("B0", 0x8000, 2, "BANK0"),
        _segment("B1", 0x8001, 2, "BANK1"),
        _segment("F", 0xC000, 1, "FIXED"),
    ),
)


def test_blocks_stand_at_their_addresses_and_the_fill_byte_elsewhere() -> None:
    memory = load_image(IMAGE)
    assert len(memory.initial) == 0x10000
    assert memory.initial[0xC000:0xC005] == b"\x01\x02\x03\xff\xff"
    assert memory.initial[0x300:0x302] == b"\x11\x22"
    assert memory.initial.count(FILL) == 0x10000 - 7
    assert load_image(IMAGE, fill=0).initial[0] == 0


def test_read_only_areas_are_protected_as_a_whole() -> None:
    protected = load_image(IMAGE).protected
    assert [a for a in range(0x10000) if protected[a]] == list(range(0xC000, 0xC010))


def test_code_may_be_in_segments_only_and_not_in_the_fill_of_an_area() -> None:
    executable = load_image(IMAGE).executable
    assert [a for a in range(0x10000) if executable[a]] == [0x300, 0x301, 0xC000, 0xC001, 0xC002]


def test_without_segments_code_may_be_wherever_something_was_loaded() -> None:
    executable = load_image(replace(IMAGE, segments=())).executable
    assert sum(executable) == 7


def test_overlapping_areas_are_banks_of_which_one_must_be_chosen() -> None:
    with pytest.raises(OverlappingAreas, match=r"'BANK0' and 'BANK1' .* \$8001; .*BANK0.*BANK1"):
        load_image(BANKED)
    memory = load_image(BANKED, banks=["BANK1"])
    assert memory.initial[0x8000:0x8003] == bytes([FILL, 0xBB, 0xBB])
    assert memory.initial[0xC000] == 0xCC
    assert [a for a in range(0x10000) if memory.executable[a]] == [0x8001, 0x8002, 0xC000]
    assert not memory.protected[0x8000]
    with pytest.raises(OverlappingAreas):
        load_image(BANKED, banks=["BANK0", "BANK1"])


def test_headers_and_graphics_are_not_in_the_address_space() -> None:
    image = replace(
        IMAGE,
        blocks=(
            Block("HEADER", 0x0000, b"NES\x1a", False),
            Block("CHR", 0x0000, b"\x77" * 0x2000, False),
            *IMAGE.blocks[:1],
        ),
        areas=(
            Area("HEADER", 0x0000, 0x10, 4, False, "a.nes"),
            Area("CHR", 0x0000, 0x2000, 0x2000, False, "a.nes"),
            Area("ZP", 0x0000, 0x100, 8, True, None),
            IMAGE.areas[0],
        ),
        segments=(
            _segment("HEADER", 0, 4, "HEADER"),
            _segment("ZEROPAGE", 0, 8, "ZP"),
            _segment("CODE", 0xC000, 3, "ROM"),
        ),
    )
    memory = load_image(image)
    assert memory.initial[:0x2000] == bytes([FILL]) * 0x2000
    assert not any(memory.protected[:0x2000])
    assert memory.initial[0xC000] == 1
    assert load_image(image, banks=["CHR"]).initial[:2] == b"\x77\x77"
    # and where nothing else is left they do not make RAM read-only
    assert load_image(part_in_memory(image, memory.left_out)).protected == memory.protected


@pytest.mark.parametrize("fill", [-1, 256])
def test_a_fill_byte_is_a_byte(fill: int) -> None:
    with pytest.raises(RomproofError, match=f"the fill byte {fill} is not within"):
        load_image(IMAGE, fill=fill)


def test_an_unknown_bank_is_answered_with_the_known() -> None:
    with pytest.raises(RomproofError, match=r"no area 'BANK7'.*: BANK0, BANK1, FIXED"):
        load_image(BANKED, banks=["BANK7"])


def test_a_block_must_fit_into_the_address_space() -> None:
    image = replace(IMAGE, blocks=(Block("ROM", 0xFFFF, b"12", False),))
    with pytest.raises(RomproofError, match=r"'ROM': 2 bytes at \$FFFF do not fit"):
        load_image(image)


@settings(deadline=None)
@given(st.dictionaries(st.integers(0, 0xFFFF), st.integers(1, 255), max_size=20))
def test_differences_are_exactly_the_changed_addresses(changes: dict[int, int]) -> None:
    before = bytes(0x10000)
    after = bytearray(before)
    for address, value in changes.items():
        after[address] = value
    assert differences(before, after) == sorted(changes)


def test_areas_that_the_machine_begins_with_give_way_to_named_ones() -> None:
    memory = load_image(BANKED, first=["BANK1", "BANK9"])
    assert memory.left_out == load_image(BANKED, banks=["BANK1"]).left_out
    named = load_image(BANKED, banks=["BANK0"], first=["BANK1"])
    assert named == load_image(BANKED, banks=["BANK0"])


def test_what_is_not_loaded_has_no_names_there() -> None:
    assert part_in_memory(IMAGE, ()) is IMAGE
    segments = tuple(_segment(f"S{n}", 0x8000, 4, f"BANK{n}") for n in (0, 1))
    span = Span(Source("a.s", "x"), 1, 1)
    symbols = tuple(
        Symbol(f"sub{n}", 0x8000, AddressSize.ABSOLUTE, True, True, 4, "a", span, f"S{n}")
        for n in (0, 1)
    )
    lines = tuple(ImageLine(0x8000, 1, bytes([n]), True, f"S{n}", span) for n in (0, 1))
    routines = tuple(Routine(f"sub{n}", 0x8000, 4, "a", span) for n in (0, 1))
    image = replace(BANKED, segments=segments, symbols=symbols, lines=lines, routines=routines)
    part = part_in_memory(image, {"BANK0"})
    assert part.describe(0x8000) == "$8000 (sub1)"
    assert [line.data for line in part.lines] == [b"\1"]
    assert [routine.name for routine in part.routines] == ["sub1"]
    assert {block.area for block in part.blocks} == {b.area for b in BANKED.blocks} - {"BANK0"}
