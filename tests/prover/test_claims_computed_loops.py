"""Loops that go on by a jump to one of several places, with code in its place that lies behind it.

All eight iterations are executed, each of all paths at once; what is nearly true of them must not
be proved.
"""

from __future__ import annotations

import pytest
from claims import Said, Table, cases, check, false, true

HEAD = """\
SECTION "Work", WRAM0[$C100]
dst:: ds 8
SECTION "Main", ROM0[$0150]
"""
CODE = (
    "jr .start/.s3:/srl a/.s2:/srl a/.s1:/srl a/.s0:/ld [de], a/inc e/bit 3, e/ret nz"
    "/.row:/ld a, [de]/or a/jr z, .blank/ld h, HIGH(.s0)/ld l, c/jp hl"
    "/.blank:/ld a, 1/jr .s0"
    "/.start:/ld de, dst/ld a, b/and 3/add a/ld c, a/ld a, LOW(.s0)/sub c/ld c, a/jr .row"
)
FIELDS = "in: B dst[8]; out: dst[8]; clobbers: A C DE HL F; stack: 0; "


def yes(condition: str) -> Said:
    """A condition that holds after the loop."""
    return true(f"{FIELDS}ensures: {condition}", CODE, head=HEAD)


def no(condition: str) -> Said:
    """One that does not."""
    return false(f"{FIELDS}ensures: {condition}", CODE, head=HEAD)


TRUE: Table = {
    "sm83": {
        "the first byte": yes("(old B & 3) != 2 or old dst[0] == 0 or dst[0] == old dst[0] >> 2"),
        "the last byte": yes("(old B & 3) != 3 or old dst[7] == 0 or dst[7] == old dst[7] >> 3"),
        "a byte that is none": yes("old dst[3] != 0 or dst[3] == 1"),
        "no shift": yes("(old B & 3) != 0 or old dst[7] == 0 or dst[7] == old dst[7]"),
    }
}
FALSE: Table = {
    "sm83": {
        "one shift less": no("(old B & 3) != 2 or old dst[0] == 0 or dst[0] == old dst[0] >> 1"),
        "one shift more": no("(old B & 3) != 2 or old dst[7] == 0 or dst[7] == old dst[7] >> 3"),
        "the byte beside it": no("old dst[7] == 0 or dst[7] == old dst[6] >> (old B & 3)"),
        "not all are shifted": no("(old B & 3) != 2 or dst[3] == old dst[3] >> 2"),
        "not all are none": no("dst[3] == 1"),
        "the last byte stays": no("dst[7] == old dst[7]"),
        "a byte less": false(
            "in: B dst[8]; out: dst[7]; clobbers: A C DE HL F; stack: 0", CODE, head=HEAD
        ),
    }
}


@pytest.mark.slow
@pytest.mark.parametrize(("cpu", "said"), [*cases(TRUE), *cases(FALSE)])
def test_a_claim_about_a_loop_with_a_computed_jump(cpu: str, said: Said) -> None:
    check(cpu, said)
