"""Cycles of loops with invariants in which one iteration leaves what the next one's take."""

from __future__ import annotations

import pytest
from claims import NOT_SHOWN, Said, cases, check, false, true, wide

HEAD_6502 = """\
        .segment "ZEROPAGE"
cells:  .res 6
other:  .res 6
        .exportzp cells, other
        .segment "CODE"
"""
HEAD_SM83 = """\
SECTION "Work", WRAM0[$C080]
cells:: ds 6
SECTION "Main", ROM0[$0150]
"""

GREATEST = "ldx #5/ldy #0/@l: tya/cmp cells,x/bcs @k/ldy cells,x/@k: dex/bpl @l/rts"
"""Y is the greatest so far: 93 cycles, and 3 more each time that it grows."""
TWICE = "ldx #5/ldy #0/@l: tya/cmp cells,x/bcs @k/ldy other,x/@k: dex/bpl @l/rts"
"""Y is a byte of the other array whenever it is less than the cell."""
AGAIN = "ldx #5/ldy #0/@l: tya/cmp cells/bcs @k/ldy cells/@k: dex/bpl @l/rts"
"""The same cell each time: it can be greater once only, and that it is the same is not known."""
SM83 = (
    "ld hl, cells/ld b, 0/.l: ld a, [hl+]/cp b/jr c, .k/jr z, .k/ld b, a/"
    ".k: ld a, l/cp LOW(cells + 6)/jr nz, .l/ret"
)
"""B is the greatest so far: a cell takes 12 cycles where it is less, else 14."""


def _said(cycles: str, most: int = 3, ins: str = "cells[6]", more: str = "") -> str:
    return (
        f"in: {ins}; requires: all j in 0..5: cells[j] <= {most}{more}; out: none; "
        f"clobbers: A X Y N Z C; cycles: {cycles}; "
        "invariant: @l: X <= 5; decreases: @l: X"
    )


def _said_sm83(cycles: str, most: int = 3) -> str:
    return (
        f"in: cells[6]; requires: all j in 0..5: cells[j] <= {most}; out: none; "
        f"clobbers: A B HL F; cycles: {cycles}; "
        "invariant: .l: HL in &cells..&cells + 5; decreases: .l: &cells + 6 - HL"
    )


def _false(cycles: str, most: int = 3) -> Said:
    return false(_said(cycles, most), GREATEST, "cycles", NOT_SHOWN, head=HEAD_6502)


def _false_sm83(cycles: str) -> Said:
    return false(_said_sm83(cycles), SM83, "cycles", NOT_SHOWN, head=HEAD_SM83)


def _true(cycles: str, most: int = 3) -> Said:
    return true(_said(cycles, most), GREATEST, head=HEAD_6502)


KEPT_6502 = """\
        .segment "ZEROPAGE"
from:   .res 1
to:     .res 1
at:     .res 1
        .exportzp from, to, at
        .segment "CODE"
"""
KEPT_SM83 = """\
SECTION "Work", WRAM0[$C080]
from:: ds 1
to:: ds 1
SECTION "Main", ROM0[$0150]
"""
ROUND = "lda from/sta at/ldx #5/@l: inc at/lda at/cmp to/bne @k/lda from/sta at/@k: dex/bpl @l/rts"
"""Six numbers, after ``to`` from ``from`` on again: 127 cycles, and 5 more each time. With two to
four numbers in a round that is once to three times."""
ROUND_SM83 = (
    "ld a, [from]/ld b, a/ld d, 6/.l: inc b/ld a, [to]/cp b/jr nz, .k/ld a, [from]/ld b, a/"
    ".k: dec d/jr nz, .l/ret"
)
"""The same in 88 M-cycles, and 4 more each time."""
ONCE = "ldx #5/@l: cpx to/bne @k/lda to/sta at/@k: dex/bpl @l/rts"
"""One of six numbers is the input, or none: 73 cycles, or 78."""


def _kept(cycles: str, most: int = 4) -> str:
    return (
        f"in: from to; requires: from <= 3, to - from in 2..{most}; out: none; "
        f"clobbers: A X at N Z C; cycles: {cycles}; "
        "invariant: @l: X <= 5; decreases: @l: X"
    )


def _kept_sm83(cycles: str, most: int = 4) -> str:
    return (
        f"in: from to; requires: from <= 3, to - from in 2..{most}; out: none; "
        f"clobbers: A B D F; cycles: {cycles}; "
        "invariant: .l: D in 1..6; decreases: .l: D"
    )


def _once(cycles: str, requires: str = "to <= 9") -> str:
    return (
        f"in: to; requires: {requires}; out: none; clobbers: A X at N Z C; cycles: {cycles}; "
        "invariant: @l: X <= 5; decreases: @l: X"
    )


def _false_kept(said: str, code: str) -> Said:
    head = KEPT_6502 if "@l" in code else KEPT_SM83
    return false(said, code, "cycles", NOT_SHOWN, head=head)


BOTH = "cells[6] other[6]"
ZERO = ", all j in 0..5: other[j] == 0"

FALSE = {
    "6502": {
        "one less at the top": _false("93..101"),
        "one more at the top": wide(_false("93..103")),
        "one less at the bottom": wide(_false("92..102")),
        "one more at the bottom": _false("94..102"),
        "as if it grew each time": wide(_false("93..111")),
        "as if it grew once less": _false("93..99"),
        "the most of other cells": _false("93..102", 4),
        "as if what is left were always 0": wide(
            false(
                _said("93..111", ins=BOTH, more=", all j in 0..5: other[j] >= 1"),
                TWICE.replace("ldy other", "ldy cells"),
                "cycles",
                NOT_SHOWN,
                head=HEAD_6502,
            )
        ),
        "once more in a round": wide(_false_kept(_kept("132..147"), ROUND)),
        "once less in a round": _false_kept(_kept("132..137"), ROUND),
        "never in a round": wide(_false_kept(_kept("127..142"), ROUND)),
        "twice at least": _false_kept(_kept("137..142"), ROUND),
        "of longer rounds": _false_kept(_kept("132..142", 7), ROUND),
        "an input that is another each time": wide(_false_kept(_once("73..83"), ONCE)),
        "an input that is never the number": _false_kept(_once("73..73"), ONCE),
        "an input that is always a number": _false_kept(_once("78..78"), ONCE),
        "what one cell is each time": false(
            _said("93..111"), AGAIN, "cycles", NOT_SHOWN, head=HEAD_6502
        ),
    },
    "sm83": {
        "one less at the top": _false_sm83("82..91"),
        "as if it were less each time": wide(_false_sm83("80..92")),
        "once more in a round": wide(_false_kept(_kept_sm83("92..104"), ROUND_SM83)),
        "once less in a round": _false_kept(_kept_sm83("92..96"), ROUND_SM83),
        "twice at least": _false_kept(_kept_sm83("96..100"), ROUND_SM83),
        "one more at the bottom": _false_sm83("83..92"),
    },
}
TRUE = {
    "6502": {
        "it grows three times": _true("93..102"),
        "it grows once": _true("93..96", 1),
        "it is 0 again each time": true(
            _said("93..111", ins=BOTH, more=ZERO), TWICE, head=HEAD_6502
        ),
        "once to three times in a round": true(_kept("132..142"), ROUND, head=KEPT_6502),
        "never in longer ones": true(_kept("127..142", 7), ROUND, head=KEPT_6502),
        "an input that is one number": true(_once("73..78"), ONCE, head=KEPT_6502),
        "one that has to be": true(_once("78", "to <= 5"), ONCE, head=KEPT_6502),
    },
    "sm83": {
        "it is less each time but once": true(_said_sm83("82..92"), SM83, head=HEAD_SM83),
        "once to three times in a round": true(_kept_sm83("92..100"), ROUND_SM83, head=KEPT_SM83),
    },
}


@pytest.mark.quick_cases(
    "6502 once less in a round",
    "6502 an input that is another each time",
    "6502 an input that is never the number",
    "6502 an input that is always a number",
    "6502 what one cell is each time",
    "sm83 once more in a round",
    "sm83 once less in a round",
    "sm83 twice at least",
    "6502 an input that is one number",
    "6502 one that has to be",
    "sm83 once to three times in a round",
)
@pytest.mark.parametrize(("cpu", "said"), cases(FALSE, TRUE))
def test_cycles_by_what_is_handed_on(cpu: str, said: Said) -> None:
    check(cpu, said)
