"""Cycles of loops over counts whose sum is limited: the fewest and the most of all inputs."""

from __future__ import annotations

import pytest
from claims import REFUTED, Said, cases, check, false, true, wide

HEAD_6502 = """\
        .segment "ZEROPAGE"
cells:  .res 12
        .exportzp cells
        .segment "CODE"
"""
HEAD_SM83 = """\
SECTION "Work", WRAM0[$C080]
cells:: ds 12
SECTION "Main", ROM0[$0150]
"""

CODE = "ldx #11/@l: lda cells,x/beq @n/cmp #3/bcc @n/nop/@n: dex/bpl @l/rts"
"""12 cells without anything take 151 cycles; one with 1 or 2 takes 4 more, one with more 5."""
CODE_SM83 = (
    "ld hl, cells/.l: ld a, [hl+]/and a/jr z, .n/nop/nop/"
    ".n: ld a, l/cp LOW(cells + 12)/jr nz, .l/ret"
)
"""150 cycles, and one more for each cell with something."""


def _said(cycles: str, most: str = "7", more: str = "") -> str:
    return (
        f"in: cells[12]; requires: sum j in 0..11: cells[j] <= {most}{more}; out: none; "
        f"clobbers: A X N Z C; cycles: {cycles}; loops: @l 12..12"
    )


def _said_sm83(cycles: str, most: str = "5") -> str:
    return (
        f"in: cells[12]; requires: sum j in 0..11: cells[j] <= {most}; out: none; "
        f"clobbers: A HL F; cycles: {cycles}; loops: .l 12..12"
    )


def _false(cycles: str, most: str = "7", more: str = "") -> Said:
    return false(_said(cycles, most, more), CODE, "cycles", (REFUTED,), head=HEAD_6502)


def _false_sm83(cycles: str, most: str = "5") -> Said:
    return false(_said_sm83(cycles, most), CODE_SM83, "cycles", (REFUTED,), head=HEAD_SM83)


def _true(cycles: str, most: str = "7", more: str = "") -> Said:
    return true(_said(cycles, most, more), CODE, head=HEAD_6502)


ONE_OF_THREE = ", cells[3] >= 3"
PAIRS = ", all j in 0..11: cells[j] % 2 == 0"

FALSE = {
    "6502": {
        "one less at the top": _false("151..178"),
        "one more at the top": wide(_false("151..180")),
        "one less at the bottom": wide(_false("150..179")),
        "one more at the bottom": _false("152..179"),
        "as if one more might be held": wide(_false("151..183")),
        "as if one fewer might be held": _false("151..175"),
        "as if nothing limited the sum": wide(_false("151..211")),
        "the most of another sum": _false("151..179", "8"),
        "a cell that has to have some": wide(_false("151..172", more=ONE_OF_THREE)),
        "such a cell, and as many as without": wide(_false("156..179", more=ONE_OF_THREE)),
        "pairs, as if there were single ones": wide(_false("151..179", more=PAIRS)),
    },
    "sm83": {
        "one less at the top": _false_sm83("150..154"),
        "one more at the top": wide(_false_sm83("150..156")),
        "the most of another sum": _false_sm83("150..155", "6"),
    },
}
TRUE = {
    "6502": {
        "as many single ones as there may be": _true("151..179"),
        "one more of them": _true("151..183", "8"),
        "a cell that has to have some": _true("156..172", more=ONE_OF_THREE),
        "three pairs": _true("151..163", more=PAIRS),
    },
    "sm83": {
        "as many as there may be": true(_said_sm83("150..155"), CODE_SM83, head=HEAD_SM83),
    },
}


@pytest.mark.quick_cases(
    "6502 one less at the top",
    "6502 one more at the top",
    "sm83 one less at the top",
    "sm83 one more at the top",
    "sm83 the most of another sum",
)
@pytest.mark.parametrize(("cpu", "said"), cases(FALSE, TRUE))
def test_cycles_of_loops_over_counts(cpu: str, said: Said) -> None:
    check(cpu, said)
