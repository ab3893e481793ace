"""Which bank and address sections get. The expectations are what rgblink 1.0.3 does."""

from __future__ import annotations

import pytest
from rgblink_objects import HRAM, OAM, ROM0, ROMX, SRAM, VRAM, WRAM0, WRAMX, Maker, linking

from romproof.toolchains.rgbds.obj.types import SectionType


def sections(*described: tuple[str, SectionType, int, dict[str, object]]) -> Maker:
    maker = Maker()
    for name, type_, size, demands in described:
        maker.section(name, type_, size, **demands)  # type: ignore[arg-type]
    return maker


def test_large_ones_first_and_of_equal_sizes_the_last_one() -> None:
    maker = sections(("a", ROM0, 2, {}), ("b", ROM0, 3, {}), ("c", ROM0, 2, {}))
    assert linking(maker).placed() == {"b": (0, 0), "c": (0, 3), "a": (0, 5)}


def test_those_that_demand_most_first() -> None:
    maker = sections(
        ("any", ROMX, 0x2000, {}),
        ("aligned", ROMX, 0x10, {"align": (4, 2)}),
        ("address", ROMX, 0x20, {"address": 0x4000}),
        ("bank", ROMX, 0x30, {"bank": 1}),
        ("bank, aligned", ROMX, 0x10, {"bank": 1, "align": (4, 0)}),
        ("both", ROMX, 0x10, {"bank": 1, "address": 0x4010}),
    )
    assert linking(maker).placed() == {
        "both": (1, 0x4010),
        "bank, aligned": (1, 0x4000),
        "bank": (1, 0x4020),
        "address": (2, 0x4000),
        "aligned": (1, 0x4052),
        "any": (1, 0x4062),
    }


def test_the_first_bank_with_room() -> None:
    maker = sections(("a", ROMX, 0x3000, {}), ("b", ROMX, 0x2000, {}), ("c", ROMX, 0x1000, {}))
    assert linking(maker).placed() == {"a": (1, 0x4000), "b": (2, 0x4000), "c": (1, 0x7000)}


def test_every_type_begins_in_its_first_bank() -> None:
    types = (ROM0, ROMX, WRAM0, WRAMX, SRAM, VRAM, HRAM, OAM)
    maker = sections(*((type_.name, type_, 1, {}) for type_ in types))
    assert linking(maker).placed() == {
        "ROM0": (0, 0x0000),
        "ROMX": (1, 0x4000),
        "WRAM0": (0, 0xC000),
        "WRAMX": (1, 0xD000),
        "SRAM": (0, 0xA000),
        "VRAM": (0, 0x8000),
        "HRAM": (0, 0xFF80),
        "OAM": (0, 0xFE00),
    }


def test_an_empty_section_takes_no_room() -> None:
    maker = sections(("a", ROMX, 0, {}), ("b", ROMX, 0, {"address": 0x7FFF}), ("c", ROMX, 9, {}))
    assert linking(maker).placed() == {"a": (1, 0x4000), "b": (1, 0x7FFF), "c": (1, 0x4000)}


def test_options_that_make_one_bank_of_two() -> None:
    maker = sections(("x", ROMX, 4, {}), ("0", ROM0, 0x4000, {}), ("w", WRAMX, 0x1800, {}))
    assert linking(maker, tiny=True, flat_wram=True).placed() == {
        "x": (0, 0x4000),
        "0": (0, 0),
        "w": (0, 0xC000),
    }


def test_scrambling_goes_down_from_the_last_bank() -> None:
    maker = sections(*((f"{size}", ROMX, size, {}) for size in (5, 4, 3, 2)))
    placed = linking(maker, scramble={ROMX: 3}).placed()
    assert [placed[name][0] for name in "5432"] == [3, 2, 1, 3]


def test_scrambled_banks_that_are_full() -> None:
    # rgblink leaves out bank 2 of SRAM here, the first behind those to scramble
    maker = sections(*((f"{n}", SRAM, 0x2000, {}) for n in range(3)))
    placed = linking(maker, scramble={SRAM: 2}).placed()
    assert placed == {"2": (1, 0xA000), "1": (0, 0xA000), "0": (3, 0xA000)}


@pytest.mark.parametrize(
    ("type_", "size", "demands", "options", "message"),
    [
        (ROM0, 0x4001, {}, {}, "is bigger than the max size for type ROM0: $4001 > $4000"),
        (ROMX, 1, {"bank": 0}, {}, "cannot be placed in bank 0, it must be between 1 and 65535"),
        (ROM0, 1, {"bank": 1}, {}, "cannot be placed in bank 1, it must be 0"),
        (ROM0, 2, {"address": 0x3FFF}, {}, "ends at $4001, behind the end of ROM0, $4000"),
        (WRAM0, 1, {"address": 0xD000}, {}, "has the fixed address $D000, which is outside"),
        (OAM, 1, {"align": (10, 0)}, {}, "has type OAM, which cannot be aligned to $0400 bytes"),
        (ROM0, 1, {"address": 1, "align": (1, 0)}, {}, "a fixed address that does not match"),
        (ROMX, 1, {"bank": 2}, {"tiny": True}, "must be in bank 1 (if any) with '-t'"),
        (WRAMX, 1, {"bank": 2}, {"dmg": True}, "must be in bank 1 with '-w' or '-d'"),
        (VRAM, 1, {"bank": 1}, {"dmg": True}, "must be in bank 0 with '-d'"),
    ],
)
def test_what_no_place_can_satisfy(
    type_: SectionType,
    size: int,
    demands: dict[str, object],
    options: dict[str, object],
    message: str,
) -> None:
    outcome = linking(sections(("it", type_, size, demands)), **options)
    assert outcome.messages
    assert outcome.messages[0].startswith('a.asm:1: section "it" ')
    assert message in outcome.messages[0]


def test_an_overlap_names_both_sections() -> None:
    outcome = linking(
        sections(("one", ROM0, 0x10, {"address": 0x100}), ("other", ROM0, 8, {"address": 0x10F}))
    )
    assert outcome.messages == [
        'a.asm:2: unable to place section "other" (ROM0, $8 bytes) at $010F:'
        ' it overlaps with "one" at $0100-$010F'
    ]
    assert outcome.notes == ['"one" is defined a.asm:1']


def test_all_sections_without_a_place_are_named() -> None:
    maker = sections(
        ("full", WRAM0, 0xFF0, {}),
        ("a", WRAM0, 0xFEF, {}),
        ("b", WRAM0, 0x12, {"align": (4, 0)}),
        ("c", WRAM0, 0x10, {}),
    )
    outcome = linking(maker)
    # the aligned one goes first; what remains is $FEE bytes and too little for these
    assert outcome.messages == [
        'a.asm:1: unable to place section "full" (WRAM0, $FF0 bytes) anywhere',
        'a.asm:2: unable to place section "a" (WRAM0, $FEF bytes) anywhere',
    ]


def test_the_gap_that_is_left_is_told() -> None:
    maker = sections(("most", OAM, 0x90, {}), ("more", OAM, 0x11, {}), ("rest", OAM, 0x10, {}))
    outcome = linking(maker)
    assert outcome.messages == ['a.asm:2: unable to place section "more" (OAM, $11 bytes) anywhere']
    assert outcome.helps == ["the largest gap left there has $10 bytes"]


def test_a_long_list_is_cut() -> None:
    maker = sections(*((f"{n}", HRAM, 0x7F, {}) for n in range(15)))
    messages = linking(maker).messages
    assert len(messages) == 11
    assert messages[-1] == "and 4 more sections have no place"


def test_an_aligned_section_that_fits_nowhere_is_an_error_and_no_endless_search() -> None:
    maker = sections(("full", HRAM, 0x7E, {}), ("it", HRAM, 2, {"align": (3, 5)}))
    # aligned ones go first: it is the other one that has no place
    assert linking(maker).messages == [
        'a.asm:1: unable to place section "full" (HRAM, $7E bytes) anywhere'
    ]
    maker = sections(("full", HRAM, 0x7F, {"address": 0xFF80}), ("it", HRAM, 2, {"align": (3, 5)}))
    assert linking(maker).messages == [
        'a.asm:2: unable to place section "it" (HRAM, $2 bytes) with ALIGN[3, 5]'
    ]
