"""What ``loops:`` claims is counted or refused; what a callee may take without a limit is no limit.

The numbers are those of runs: of each false claim a run takes more, or fewer, than it allows.
"""

from __future__ import annotations

import pytest
from claims import NOT_SHOWN, UNKNOWN, Said, cases, check, false, true, wide

NONE = "in: none; out: none; clobbers: "
PUSHED = "lda #>(@back-1)/pha/lda #<(@back-1)/pha/rts"
INTO_CALLEE = f"ldx #3/@l: jsr @g/dex/bne @l/rts/@g: {PUSHED[:-3]}jmp other/@back: rts"
TWO_ENTRIES = "ldx #8/bcc @b/@a: dex/beq @e/@b: nop/jmp @a/@e: rts"
TWO_ENTRIES_SM83 = "ld b, 8/jr nc, .b/.a: dec b/jr z, .e/.b: nop/jr .a/.e: ret"
EIGHT = "ldx #8/@l: dex/bne @l/rts"
EIGHT_SM83 = "ld b, 8/.l: dec b/jr nz, .l/ret"
NESTED = "ldy #3/@o: ldx #4/@i: dex/bne @i/dey/bne @o/rts"
SLOW = (
    "in: n[1]; out: none; clobbers: X N Z; invariant: @l: X in 0..255; "
    "decreases: @l: (X - 1) % 256",
    "ldx n/@l: dex/bne @l/rts",
)
SLOW_SM83 = (
    "in: A; out: none; clobbers: B F; invariant: .l: B in 0..255; decreases: .l: (B - 1) % 256",
    "ld b, a/.l: dec b/jr nz, .l/ret",
)
"""Calls with a proved end, and no limit of cycles: 1,288 cycles at most."""
LIMITED = (
    (
        "in: n[1]; out: none; clobbers: X N Z; invariant: @l: X in 0..255; "
        "decreases: @l: (X - 1) % 256; cycles: ..1300"
    ),
    SLOW[1],
)
AT_LEAST = (
    (
        "in: n[1]; out: none; clobbers: X N Z; invariant: @l: X in 0..255; "
        "decreases: @l: (X - 1) % 256; cycles: 13..1300"
    ),
    SLOW[1],
)
TOO_LARGE = (
    (
        "in: n[1]; out: none; clobbers: X N Z; invariant: @l: X in 0..255; "
        "decreases: @l: (X - 1) % 256; cycles: ..4294967296"
    ),
    SLOW[1],
)
"""A limit that sums of cycles cannot be counted with."""
OTHER = {"other": ("in: none; out: none; clobbers: none", "rts")}
CALLER = "in: n[1]; out: none; clobbers: X N Z; cycles: "

FALSE = {
    "6502": {
        "two entries": false("in: C; out: none; clobbers: X N Z; loops: @b 3", TWO_ENTRIES),
        "in no loop": false(
            "in: none; out: none; clobbers: X N Z; loops: @x 3..5", "ldx #3/@x: inx/rts", "executed"
        ),
        "in no loop, on one of two ways": false(
            "in: C; out: none; clobbers: X N Z; loops: @x 1..1", "ldx #3/bcc @e/@x: inx/@e: rts"
        ),
        "of a callee": false(
            "in: none; out: none; clobbers: X N Z; loops: subl 5",
            "jsr sub/rts/sub: ldx #8/subl: dex/bne subl/rts",
            "the code does not belong to this routine",
        ),
        "left by a call that does not come back": false(
            "in: none; out: none; clobbers: X A N Z C; loops: @l 3..3",
            "ldx #3/@l: dex/jsr @g/cpx #0/bne @l/@e: rts/@g: pla/pla/jmp @e",
            "does not return to it",
        ),
        "left by a call that goes on in a lemma": false(
            "in: none; out: none; clobbers: X A N Z C; loops: @l 2..3",
            "ldx #3/@l: dex/jsr @g/cpx #0/bne @l/@e: rts/@g: pla/pla/jmp other",
            "does not return to it",
            others=OTHER,
        ),
        "a limit that is too large": false(
            "in: n[1]; out: none; clobbers: X N Z; cycles: ..4294967295",
            "jsr slow/rts",
            "the cycles of its callee slow have no limit",
            (UNKNOWN,),
            others={"slow": TOO_LARGE},
        ),
        "the least of the callee, and one more": false(
            "in: n[1]; out: none; clobbers: X N Z; cycles: 26..1400",
            "jsr slow/rts",
            others={"slow": AT_LEAST},
        ),
        "more than can be counted": false(
            "in: none; out: none; clobbers: X N Z; loops: @l 65539..65550",
            EIGHT.replace("#8", "#3"),
            "only up to",
        ),
        "no more than can be counted": false(
            "in: none; out: none; clobbers: X N Z; loops: @l 65536", EIGHT, "only up to", (UNKNOWN,)
        ),
        "round by a pushed address": false(
            "in: none; out: none; clobbers: A X N Z; stack: 2; loops: @back 3",
            f"ldx #8/@back: dex/beq @e/{PUSHED}/@e: rts",
        ),
        "round by a pushed address, about a loop": false(
            "in: none; out: none; clobbers: A X Y N Z; stack: 2; loops: @in 9",
            f"ldx #2/@back: ldy #5/@in: dey/bne @in/dex/beq @e/{PUSHED}/@e: rts",
        ),
        "round by a table": false(
            "in: none; out: none; clobbers: A X N Z; loops: again 3",
            "ldx #8/again: dex/beq over/jmp (tab)/over: rts/tab: .word again",
        ),
        "one less": false("in: none; out: none; clobbers: X N Z; loops: @l 7", EIGHT),
        "at least one more": false("in: none; out: none; clobbers: X N Z; loops: @l 9..20", EIGHT),
        "of both loops together": false(
            "in: none; out: none; clobbers: X Y N Z; loops: @i 12..12", NESTED
        ),
        "a limit where the callee has none": false(
            "in: n[1]; out: none; clobbers: X N Z; cycles: ..1200",
            "jsr slow/rts",
            others={"slow": SLOW},
        ),
        "no limit that anybody knows": false(
            "in: n[1]; out: none; clobbers: X N Z; cycles: ..17000000",
            "jsr slow/rts",
            "have no limit",
            (UNKNOWN,),
            {"slow": SLOW},
        ),
        "the same two calls deep": false(
            "in: n[1]; out: none; clobbers: X N Z; cycles: ..17000000",
            "jsr mid/rts",
            "have no limit",
            (UNKNOWN,),
            {"slow": SLOW, "mid": ("in: n[1]; out: none; clobbers: X N Z", "jsr slow/rts")},
        ),
        "constant, where the callee has no limit": false(
            "in: n[1]; out: none; clobbers: X N Z; cycles: 1300 constant",
            "jsr slow/rts",
            "",
            NOT_SHOWN,
            {"slow": SLOW},
        ),
    },
    "sm83": {
        "two entries": false("in: CF; out: none; clobbers: B F; loops: .b 3", TWO_ENTRIES_SM83),
        "in no loop": false(
            "in: none; out: none; clobbers: B F; loops: .x 3..5",
            "ld b, 3/.x: inc b/ret",
            "executed",
        ),
        "of a callee": false(
            "in: none; out: none; clobbers: B F; loops: subl 5",
            "call count/ret/count: ld b, 8/subl: dec b/jr nz, subl/ret",
            "the code does not belong to this routine",
        ),
        "round by a pushed address": false(
            "in: none; out: none; clobbers: B HL F; stack: 2; loops: .back 3",
            "ld b, 8/.back: dec b/jr z, .e/ld hl, .back/push hl/ret/.e: ret",
        ),
        "left by a call whose return address is dropped": false(
            "in: none; out: none; clobbers: B F; loops: .l 3..3",
            "ld b, 3/.l: dec b/call .g/jr nz, .l/.e: ret/.g: inc sp/inc sp/jr .e",
            "does not return to it",
        ),
        "a count that comes round": false(
            "in: none; out: none; clobbers: A BC F; loops: .l 65535; "
            "invariant: .l: BC in 0..65535; decreases: .l: (BC - 1) % 65536",
            "ld bc, 0/.l: dec bc/ld a, b/or c/jr nz, .l/ret",
            "only up to 65,534",
        ),
        "round by a pointer": false(
            "in: none; out: none; clobbers: B HL F; loops: .back 3",
            "ld b, 8/ld hl, .back/.back: dec b/jr z, .e/jp hl/.e: ret",
        ),
        "at least one more": false(
            "in: none; out: none; clobbers: B F; loops: .l 9..20", EIGHT_SM83
        ),
        "no limit that anybody knows": false(
            "in: A; out: none; clobbers: B F; cycles: ..17000000",
            "call slow/ret",
            "have no limit",
            (UNKNOWN,),
            {"slow": SLOW_SM83},
        ),
    },
}
TRUE = {
    "6502": {
        "as many": true("in: none; out: none; clobbers: X N Z; loops: @l 8..8", EIGHT),
        "each time it is entered": true(
            "in: none; out: none; clobbers: X Y N Z; loops: @i 4..4, @o 3..3", NESTED
        ),
        "in no loop, once": true(
            "in: none; out: none; clobbers: X N Z; loops: @x 1..1", "ldx #3/@x: inx/rts"
        ),
        "in the middle": true(
            "in: none; out: none; clobbers: X N Z; loops: @m 7..7",
            "ldx #8/@l: dex/beq @e/@m: nop/jmp @l/@e: rts",
        ),
        "a lemma that returns into a callee": true(
            "in: none; out: none; clobbers: A X N Z; loops: @l 3..3", INTO_CALLEE, others=OTHER
        ),
        "a call in the loop": true(
            "in: none; out: none; clobbers: X N Z; loops: @l 8..8",
            "ldx #8/@l: jsr other/dex/bne @l/rts",
            others=OTHER,
        ),
        "a limit of the callee": true(
            "in: n[1]; out: none; clobbers: X N Z; cycles: ..17000000",
            "jsr slow/rts",
            others={"slow": LIMITED},
        ),
        "no limit is claimed": true(
            "in: n[1]; out: none; clobbers: X N Z; cycles: 12..",
            "jsr slow/rts",
            others={"slow": SLOW},
        ),
        "no limit is claimed, of one that is too large": true(
            "in: n[1]; out: none; clobbers: X N Z; cycles: 12..",
            "jsr slow/rts",
            others={"slow": TOO_LARGE},
        ),
        "the least of the callee": true(
            "in: n[1]; out: none; clobbers: X N Z; cycles: 25..1400",
            "jsr slow/rts",
            others={"slow": AT_LEAST},
        ),
    },
    "sm83": {
        "as many": true("in: none; out: none; clobbers: B F; loops: .l 8..8", EIGHT_SM83),
        "in no loop, once": true(
            "in: none; out: none; clobbers: B F; loops: .x 1..1", "ld b, 3/.x: inc b/ret"
        ),
    },
}
for _name in (
    "a limit of the callee",
    "no limit is claimed",
    "no limit is claimed, of one that is too large",
    "the least of the callee",
):
    TRUE["6502"][_name] = wide(TRUE["6502"][_name])


@pytest.mark.parametrize(("cpu", "said"), cases(FALSE, TRUE))
def test_what_is_counted(cpu: str, said: Said) -> None:
    check(cpu, said)
