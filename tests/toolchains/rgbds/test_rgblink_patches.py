"""Expressions, the bytes they become, and assertions. The values are rgblink 1.0.3's."""

from __future__ import annotations

import pytest
from rgblink_objects import (
    BYTE,
    JR,
    LONG,
    ROM0,
    ROMX,
    WORD,
    WRAM0,
    Maker,
    linking,
    steps,
    symbol,
)

from romproof.toolchains.rgbds.obj.model import AssertionKind, PatchKind
from romproof.toolchains.rgbds.obj.rpn import Rpn, RpnOp
from romproof.toolchains.rgbds.obj.types import SectionType

MIN = -0x8000_0000


def patched(kind: PatchKind, rpn: Rpn, address: int = 0) -> Maker:
    """A section with one patch at its start; symbol 0 is its label ``it`` in ROMX bank 3."""
    maker = Maker()
    maker.section("code", ROM0, bytes(kind.size), address=address, patches=[(0, kind, rpn)])
    maker.label("it", maker.section("data", ROMX, 5, bank=3, address=0x4321), 2)
    return maker


@pytest.mark.parametrize(
    ("rpn", "value"),
    [
        (steps(7, 2, RpnOp.ADD), 9),
        (steps(7, 2, RpnOp.SUB), 5),
        (steps(-7, 2, RpnOp.DIV), -4),
        (steps(-7, 2, RpnOp.MOD), 1),
        (steps(3, 4, RpnOp.EXP), 81),
        (steps(0x4000_0000, 4, RpnOp.MUL), 0),
        (steps(6, 3, RpnOp.OR, RpnOp.NEG), -7),
        (steps(6, 3, RpnOp.AND, RpnOp.NOT), -3),
        (steps(6, 3, RpnOp.XOR, RpnOp.LOGIC_NOT), 0),
        (steps(6, 3, RpnOp.LOGIC_AND), 1),
        (steps(0, 3, RpnOp.LOGIC_OR), 1),
        (steps(-1, 3, RpnOp.LT), 1),
        (steps(3, 3, RpnOp.LE, 1, RpnOp.NE), 0),
        (steps(-8, 1, RpnOp.SHR), -4),
        (steps(-8, 1, RpnOp.USHR), 0x7FFF_FFFC),
        (steps(1, 31, RpnOp.SHL), MIN),
        (steps(0x1234, RpnOp.HIGH), 0x12),
        (steps(0x1234, RpnOp.LOW), 0x34),
        (steps(0x1234, RpnOp.BITWIDTH), 13),
        (steps(0x1230, RpnOp.TZCOUNT), 4),
        (steps(symbol(0)), 0x4323),
        (steps((RpnOp.BANK_SYMBOL, 0)), 3),
        (steps((RpnOp.BANK_SECTION, "data")), 3),
        (steps((RpnOp.SIZEOF_SECTION, "data")), 5),
        (steps((RpnOp.STARTOF_SECTION, "data")), 0x4321),
        (steps((RpnOp.SIZEOF_TYPE, SectionType.HRAM)), 0x7F),
        (steps((RpnOp.STARTOF_TYPE, SectionType.SRAM)), 0xA000),
        (steps((RpnOp.SYMBOL, -1)), 0x20),
        (steps(RpnOp.BANK_SELF), 0),
        (steps(0xFF12, RpnOp.LDH), 0x12),
        (steps(0x28, RpnOp.RST), 0xEF),
        (steps(5, (RpnOp.BIT_INDEX, 0x86)), 0xAE),
    ],
)
def test_values(rpn: Rpn, value: int) -> None:
    rom = linking(patched(LONG, rpn, address=0x20)).rom
    assert rom[0x20:0x24] == (value & 0xFFFF_FFFF).to_bytes(4, "little")


@pytest.mark.parametrize(
    ("rpn", "message"),
    [
        (steps(symbol(0), 0, RpnOp.DIV), "division by 0"),
        (steps(symbol(0), 0, RpnOp.MOD), "modulo by 0"),
        (steps(2, -1, RpnOp.EXP), "exponent by negative value -1"),
        (steps(0x12, RpnOp.LDH), "address $12 for LDH is not in HRAM range; use LD instead"),
        (steps(-1, RpnOp.RST), "value $ffffffff is not an RST vector; use CALL instead"),
        (steps(8, (RpnOp.BIT_INDEX, 0x86)), "value $8 is not a bit index"),
        (steps((RpnOp.BANK_SECTION, "dat")), 'requested BANK() of undefined section "dat"'),
        (steps((RpnOp.SIZEOF_SECTION, "x")), 'requested SIZEOF() of undefined section "x"'),
        (steps((RpnOp.STARTOF_SECTION, "x")), 'requested STARTOF() of undefined section "x"'),
        (steps((RpnOp.SIZEOF_TYPE, 9)), "there is no section type 9"),
    ],
)
def test_expressions_without_a_value(rpn: Rpn, message: str) -> None:
    assert linking(patched(LONG, rpn)).messages == [f"a.asm:2: {message}"]


def test_what_follows_from_a_fault_is_not_told_again() -> None:
    maker = Maker()
    missing, zero = maker.uses("missing"), maker.constant("zero", 0)
    maker.section(
        "code", ROM0, b"....",
        patches=[
            (0, BYTE, steps(1, symbol(missing), RpnOp.DIV)),
            (1, BYTE, steps(symbol(missing), symbol(zero), RpnOp.DIV)),
            (2, JR, steps(symbol(missing), 0x1000, RpnOp.ADD)),
            (3, BYTE, steps(symbol(missing), RpnOp.RST)),
        ],
    )  # fmt: skip
    assert linking(maker).messages == [
        "a.asm:3: undefined symbol `missing`",
        "a.asm:4: undefined symbol `missing`",
        "a.asm:4: division by 0",
        "a.asm:5: undefined symbol `missing`",
        "a.asm:6: undefined symbol `missing`",
    ]


def test_bank_of_what_has_none() -> None:
    maker = Maker()
    maker.constant("five", 5)
    maker.uses("missing")
    patches = [(n, BYTE, steps((RpnOp.BANK_SYMBOL, n))) for n in (0, 1)]
    maker.section("code", ROM0, b"..", patches=patches)
    maker.check(AssertionKind.ERROR, steps(RpnOp.BANK_SELF))
    assert linking(maker).messages == [
        "a.asm:5: PC has no bank outside of a section",
        "a.asm:3: requested BANK() of non-label symbol `five`",
        "a.asm:4: requested BANK() of undefined symbol `missing`",
    ]


@pytest.mark.parametrize(
    ("target", "byte"),
    [(0x100, 0xFE), (0x181, 0x7F), (0x82, 0x80), (0x1_0100, 0xFE)],
)
def test_jr(target: int, byte: int) -> None:
    maker = Maker()
    maker.section("code", ROM0, b"\x18.", address=0x100, patches=[(1, JR, steps(target))])
    rom = linking(maker, warnings=("no-truncation",)).rom
    assert rom[0x100:0x102] == bytes([0x18, byte])


@pytest.mark.parametrize(("target", "distance"), [(0x182, 128), (0x81, -129)])
def test_jr_that_is_too_far(target: int, distance: int) -> None:
    maker = Maker()
    maker.section("code", ROM0, b"\x18.", address=0x100, patches=[(1, JR, steps(target))])
    assert linking(maker).messages == [
        f"a.asm:2: JR target must be between -128 and 127 bytes away, not {distance};"
        " use JP instead"
    ]


@pytest.mark.parametrize(
    ("kind", "value", "warnings", "message"),
    [
        (BYTE, 0xFF, (), None),
        (BYTE, 0x100, (), "value $100 is not 8-bit [-Wtruncation]"),
        (BYTE, -0x101, (), "value $fffffeff (may be negative?) is not 8-bit [-Wtruncation]"),
        (BYTE, -0x81, (), None),
        (BYTE, -0x81, ("truncation=2",), "value $ffffff7f (may be negative?) is not 8-bit"),
        (BYTE, -0x81, ("everything",), "value $ffffff7f (may be negative?) is not 8-bit"),
        (BYTE, 0x100, ("no-truncation",), None),
        (BYTE, 0x100, ("error",), "value $100 is not 8-bit [-Werror=truncation]"),
        (BYTE, 0x100, ("error", "no-error=truncation"), "8-bit [-Wtruncation]"),
        (WORD, 0x10000, ("error=truncation",), "value $10000 is not 16-bit [-Werror=truncation]"),
        (LONG, MIN, ("everything",), None),
        # on both sides of each border: 8 bits hold -256 to 255, and -128 to 255 on level 2
        (BYTE, -0x80, ("truncation=2",), None),
        (BYTE, -0x100, (), None),
        (BYTE, -0x100, ("truncation=2",), "value $ffffff00 (may be negative?) is not 8-bit"),
        (WORD, 0xFFFF, ("everything",), None),
        (WORD, -0x8000, ("everything",), None),
        (WORD, -0x8001, ("everything",), "value $ffff7fff (may be negative?) is not 16-bit"),
        (WORD, -0x10000, (), None),
        (WORD, -0x10001, (), "value $fffeffff (may be negative?) is not 16-bit"),
        (JR, 0x1_0010, (), "value $10010 is not 16-bit"),
    ],
)
def test_values_that_are_too_large(
    kind: PatchKind, value: int, warnings: tuple[str, ...], message: str | None
) -> None:
    outcome = linking(patched(kind, steps(value)), warnings=warnings)
    assert (outcome.linked is None) == ("[-Werror" in (message or ""))
    assert len(outcome.messages) == (message is not None)
    if message is not None:
        assert message in outcome.messages[0]


@pytest.mark.parametrize(
    ("rpn", "message"),
    [
        (steps(MIN, -1, RpnOp.DIV), f"division of {MIN} by -1 yields {MIN} [-Wdiv]"),
        (steps(MIN, -1, RpnOp.MOD), f"modulo of {MIN} by -1 yields 0 [-Wdiv]"),
        (steps(1, -1, RpnOp.SHL), "shifting left by negative amount -1 [-Wshift-amount]"),
        (steps(-1, 1, RpnOp.SHR), "shifting right negative value -1 [-Wshift]"),
        (steps(1, 32, RpnOp.USHR), "shifting right by large amount 32 [-Wshift-amount]"),
    ],
)
def test_warnings_that_have_to_be_asked_for(rpn: Rpn, message: str) -> None:
    assert linking(patched(LONG, rpn)).messages == []
    outcome = linking(patched(LONG, rpn), warnings=("all",))
    assert outcome.messages == [f"a.asm:2: {message}"]
    assert outcome.linked is not None


def test_a_warning_that_does_not_exist() -> None:
    maker = patched(BYTE, steps(0))
    assert linking(maker, warnings=("truncate", "div=2", "truncation=3")).messages == [
        "unknown warning 'truncate'",
        "the warning 'div' takes no number",
        "the warning 'truncation' has levels up to 2; 3 is too many",
    ]


def test_assertions() -> None:
    maker = Maker()
    maker.check(AssertionKind.WARN, steps(0), "odd")
    maker.check(AssertionKind.ERROR, steps(0))
    maker.check(AssertionKind.ERROR, steps(1), "never")
    maker.check(AssertionKind.ERROR, steps(0), "bad")
    assert linking(maker).messages == [
        "a.asm:1: odd [-Wassert]",
        "a.asm:2: assertion failed",
        "a.asm:4: bad",
    ]


def test_a_fatal_assertion_is_the_last_word() -> None:
    maker = Maker()
    maker.check(AssertionKind.FATAL, steps(0), "enough")
    maker.check(AssertionKind.ERROR, steps(0), "not reached")
    assert linking(maker).messages == ["a.asm:1: enough"]


def test_a_fatal_assertion_without_a_value() -> None:
    maker = Maker()
    maker.check(AssertionKind.FATAL, steps(1, 0, RpnOp.DIV), "it")
    assert linking(maker).messages == [
        "a.asm:1: division by 0",
        "a.asm:1: failed to evaluate assertion: it",
    ]


def test_a_patch_behind_the_end() -> None:
    maker = Maker()
    maker.section("code", ROM0, b"..", patches=[(1, WORD, steps(0))])
    assert linking(maker).messages == [
        'a.asm:2: patch would write 1 bytes past the end of section "code" (2 bytes long)'
    ]


def test_labels_in_ram_are_values_too() -> None:
    maker = Maker()
    maker.label("var", maker.section("vars", WRAM0, 8), 3)
    maker.section("code", ROM0, b"..", patches=[(0, WORD, steps(symbol(0)))])
    assert linking(maker).rom[:2].hex() == "03c0"
