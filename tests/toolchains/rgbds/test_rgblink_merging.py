"""Sections of one name in several objects, and symbols that objects share."""

from __future__ import annotations

import pytest
from rgblink_objects import (
    BYTE,
    JR,
    ROM0,
    ROMX,
    WORD,
    WRAM0,
    Maker,
    linking,
    steps,
    symbol,
)

from romproof.toolchains.rgbds.obj.model import Modifier
from romproof.toolchains.rgbds.obj.rpn import RpnOp
from romproof.toolchains.rgbds.obj.types import SectionType

FRAGMENT, UNION, NORMAL = Modifier.FRAGMENT, Modifier.UNION, Modifier.NORMAL


def test_fragments_are_joined_in_the_order_of_the_objects() -> None:
    a, b = Maker("a.asm"), Maker("b.asm")
    a.label("first", a.section("code", ROM0, b"\x01\x02", modifier=FRAGMENT))
    part = b.section(
        "code", ROM0, b"\x03\x00\x00\x00\x00\x18\x00",
        modifier=FRAGMENT,
        patches=[
            (1, WORD, steps(symbol(1))),
            (3, WORD, steps((RpnOp.SYMBOL, -1))),
            (6, JR, steps(symbol(0))),
        ],
    )  # fmt: skip
    b.label("second", part, 1)
    b.uses("first")
    outcome = linking(a, b)
    assert outcome.rom[:9].hex() == "010203" + "0000" + "0500" + "18fa"


def test_a_fragment_hands_its_alignment_to_the_whole() -> None:
    a, b = Maker("a.asm"), Maker("b.asm")
    a.section("code", ROM0, 3, modifier=FRAGMENT)
    b.section("code", ROM0, 4, modifier=FRAGMENT, align=(4, 0))
    assert linking(a, b).placed() == {"code": (0, 13)}


def test_a_fragment_hands_its_address_to_the_whole() -> None:
    a, b = Maker("a.asm"), Maker("b.asm")
    a.section("code", ROM0, 3, modifier=FRAGMENT, align=(1, 1))
    b.section("code", ROM0, 4, modifier=FRAGMENT, address=0x104)
    assert linking(a, b).placed() == {"code": (0, 0x101)}


def test_unions_lie_on_top_of_each_other() -> None:
    a, b = Maker("a.asm"), Maker("b.asm")
    a.label("one", a.section("shared", WRAM0, 2, modifier=UNION, align=(8, 4)), 1)
    b.label("two", b.section("shared", WRAM0, 6, modifier=UNION, align=(2, 0)), 5)
    outcome = linking(a, b)
    assert outcome.placed() == {"shared": (0, 0xC004)}
    assert outcome.ok.sections[0].size == 6
    assert {name: d.value for name, d in outcome.ok.exports.items()} == {
        "one": 0xC005,
        "two": 0xC009,
    }


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ({}, {}, "already defined"),
        (
            {"modifier": UNION},
            {"modifier": FRAGMENT},
            "defined as SECTION UNION, but also as SECTION FRAGMENT",
        ),
        (
            {"modifier": UNION},
            {"modifier": UNION, "type_": SectionType.HRAM},
            "defined with type WRAM0, but also with type HRAM",
        ),
        (
            {"modifier": UNION, "type_": SectionType.WRAMX, "bank": 2},
            {"modifier": UNION, "type_": SectionType.WRAMX, "bank": 3},
            "defined with bank 2, but also with bank 3",
        ),
        (
            {"modifier": UNION, "address": 0xC000},
            {"modifier": UNION, "address": 0xC001},
            "defined with address $C000, but also with address $C001",
        ),
        (
            {"modifier": FRAGMENT, "address": 0xC000},
            {"modifier": FRAGMENT, "address": 0xC000},
            "defined with address $C000, but also with address $C000 of the part at offset $8",
        ),
        (
            {"modifier": UNION, "align": (3, 1)},
            {"modifier": UNION, "address": 0xC000},
            "defined with 8-byte alignment (offset 1), but also with address $C000",
        ),
        (
            {"modifier": UNION, "address": 0xC000},
            {"modifier": UNION, "align": (3, 1)},
            "defined with address $C000, but also with 8-byte alignment (offset 1)",
        ),
        (
            {"modifier": UNION, "align": (3, 1)},
            {"modifier": UNION, "align": (2, 2)},
            "defined with 8-byte alignment (offset 1), but also with 4-byte alignment (offset 2)",
        ),
    ],
)
def test_parts_that_contradict(
    first: dict[str, object], second: dict[str, object], message: str
) -> None:
    a, b = Maker("a.asm"), Maker("b.asm")
    for maker, demands in ((a, first), (b, second)):
        type_ = demands.get("type_", WRAM0)
        others = {key: value for key, value in demands.items() if key != "type_"}
        maker.section("it", type_, 8, **others)  # type: ignore[arg-type]
    outcome = linking(a, b)
    assert outcome.messages == [f'a.asm:1: section "it" is {message}']
    assert outcome.notes == ["the other part b.asm:1"]


def test_a_union_cannot_be_in_rom() -> None:
    maker = Maker()
    maker.section("it", ROMX, 1, modifier=UNION)
    assert linking(maker).messages == [
        'a.asm:1: section "it" is of type ROMX, which cannot be UNION'
    ]


def test_several_contradictions_are_all_told() -> None:
    a, b = Maker("a.asm"), Maker("b.asm")
    for maker in (a, b):
        maker.label("start", maker.section("one", ROM0, 1))
        maker.section("two", ROM0, 1)
    assert [message.partition(" ")[2] for message in linking(a, b).messages] == [
        "`start` is defined as a label, but also as another label",
        'section "one" is already defined',
        'section "two" is already defined',
    ]


def test_equal_constants_may_be_exported_twice() -> None:
    a, b = Maker("a.asm"), Maker("b.asm")
    a.constant("SIZE", 5)
    b.constant("SIZE", 5)
    assert linking(a, b).ok.exports["SIZE"].value == 5


def test_other_constants_may_not() -> None:
    a, b = Maker("a.asm"), Maker("b.asm")
    a.constant("SIZE", 5)
    b.constant("SIZE", 6)
    outcome = linking(a, b)
    assert outcome.messages == ["b.asm:1: `SIZE` is defined as 6, but also as 5"]
    assert outcome.notes == ["the other definition a.asm:1"]


def test_all_undefined_symbols_are_told() -> None:
    a, b = Maker("a.asm"), Maker("b.asm")
    for name in ("mian", "hidden"):
        a.uses(name)
    a.section("code", ROM0, b"..", patches=[(n, BYTE, steps(symbol(n))) for n in (0, 1)])
    b.constant("main", 0)
    b.constant("hidden", 0, exported=False)
    outcome = linking(a, b)
    assert outcome.messages == [
        "a.asm:2: undefined symbol `mian`",
        "a.asm:3: undefined symbol `hidden`",
    ]
    assert outcome.helps == [
        "did you mean 'main'?",
        "export it there: `hidden::` or EXPORT hidden",
    ]
    assert outcome.notes == ["defined, but not exported, b.asm:2"]
