"""Turns that contracts state of loops with an invariant in them, and around them."""

from __future__ import annotations

import pytest
from claims import NOT_SHOWN, PARTIAL, REFUTED, Said, Table, cases, check, false, true

X = "in: none; out: none; clobbers: X N Z"
XY = "in: none; out: none; clobbers: X Y N Z"
DOWN = "invariant: @l: X in 1..8; decreases: @l: X"
EIGHT = "ldx #8/@l: dex/bne @l/rts"
ANY = "in: X; requires: X in 1..20; out: none; clobbers: X N Z"
OF_ANY = "invariant: @l: X in 1..20; decreases: @l: X"
NESTED = "ldy #20/@o: ldx #4/@i: dex/bne @i/dey/bne @o/rts"
OUTER = "invariant: @o: Y in 1..20; decreases: @o: Y"
BOTH = "invariant: @i: X in 1..4, Y in 1..20; invariant: @o: Y in 1..20; decreases: @o: Y"
INNER = "invariant: @i: X in 1..4, Y in 1..20; decreases: @i: Y * 4 + X"
INNER_BC = "invariant: .i: C in 1..4, B in 1..20; decreases: .i: B * 4 + C"
NESTED_BC = "ld b, 20/.o: ld c, 4/.i: dec c/jr nz, .i/dec b/jr nz, .o/ret"
B = "in: none; out: none; clobbers: B F"

CLAIMS: Table = {
    "6502": {
        "just as many": true(
            "in: none; out: none; clobbers: X N Z; loops: @l 8..8; "
            "invariant: @l: X in 1..8; decreases: @l: X",
            EIGHT,
        ),
        "the most": true(
            "in: none; out: none; clobbers: X N Z; loops: @l 8; invariant: @l: X in 1..8; "
            "decreases: @l: X",
            EIGHT,
        ),
        "more than there are": true(
            "in: none; out: none; clobbers: X N Z; loops: @l 3..200; "
            "invariant: @l: X in 1..8; decreases: @l: X",
            EIGHT,
        ),
        "one too few": false(
            "in: none; out: none; clobbers: X N Z; loops: @l 7; invariant: @l: X in 1..8; "
            "decreases: @l: X",
            EIGHT,
            "@l",
            (REFUTED,),
        ),
        "one too many": false(
            "in: none; out: none; clobbers: X N Z; loops: @l 9..9; "
            "invariant: @l: X in 1..8; decreases: @l: X",
            EIGHT,
            "@l",
            (REFUTED,),
        ),
        "two at a time": true(
            "in: none; out: none; clobbers: X N Z; loops: @l 4..4; "
            "invariant: @l: X in 2..8, X % 2 == 0; decreases: @l: X",
            "ldx #8/@l: dex/dex/bne @l/rts",
        ),
        "upwards": true(
            "in: none; out: none; clobbers: X N Z C; loops: @l 8..8; "
            "invariant: @l: X in 0..7; decreases: @l: 8 - X",
            "ldx #0/@l: inx/cpx #8/bne @l/rts",
        ),
        "as the input says": true(
            "in: X; requires: X in 1..20; out: none; clobbers: X N Z; loops: @l 1..20; "
            "invariant: @l: X in 1..20; decreases: @l: X",
            "@l: dex/bne @l/rts",
        ),
        "as the input says, not": false(
            "in: X; requires: X in 1..20; out: none; clobbers: X N Z; loops: @l 1..19; "
            "invariant: @l: X in 1..20; decreases: @l: X",
            "@l: dex/bne @l/rts",
            "@l",
            (REFUTED,),
        ),
        "at least as the input says, not": false(
            "in: X; requires: X in 1..20; out: none; clobbers: X N Z; loops: @l 2..20; "
            "invariant: @l: X in 1..20; decreases: @l: X",
            "@l: dex/bne @l/rts",
            "@l",
            (REFUTED,),
        ),
        "steps of two sizes": true(
            "in: X; requires: X in 1..20; out: none; clobbers: X N Z C; loops: @l 1..20; "
            "invariant: @l: X in 1..20; decreases: @l: X",
            "@l: dex/beq @e/cpx #9/bcs @l/dex/bne @l/@e: rts",
        ),
        "by a register": Said(
            "in: none; out: none; clobbers: X N Z; loops: @l 8..8; invariant: @l: X in 1..8",
            EIGHT,
            (PARTIAL,),
            "add '; decreases: LABEL: EXPRESSION'",
        ),
        "by a register, not": false(
            "in: none; out: none; clobbers: X N Z; loops: @l 7; invariant: @l: X in 1..8",
            EIGHT,
            "@l",
            (REFUTED,),
        ),
        "without a number": Said(
            "in: X; out: none; clobbers: X N Z; loops: @l 8; invariant: @l: X <= 255",
            "@l: cpx #7/bne @l/rts",
            NOT_SHOWN,
        ),
        "an outer one without an invariant": true(
            "in: none; out: none; clobbers: X Y N Z; loops: @o 20..20; "
            "invariant: @i: X in 1..4, Y in 1..20; decreases: @i: Y * 4 + X",
            NESTED,
        ),
        "an outer one without an invariant, not": false(
            "in: none; out: none; clobbers: X Y N Z; loops: @o 19; "
            "invariant: @i: X in 1..4, Y in 1..20; decreases: @i: Y * 4 + X",
            NESTED,
            "@o",
            (REFUTED,),
        ),
        "at least, an outer one without an invariant, not": false(
            "in: none; out: none; clobbers: X Y N Z; loops: @o 21..30; "
            "invariant: @i: X in 1..4, Y in 1..20; decreases: @i: Y * 4 + X",
            NESTED,
            "@o",
            (REFUTED,),
        ),
        "an outer one in memory, upwards": true(
            "in: none; out: none; clobbers: A X N V Z C tmp; loops: @o 5..5; "
            "invariant: @i: X in 1..4, tmp < 20, tmp % 4 == 0; decreases: @i: 24 - tmp + X",
            "lda #0/sta tmp/@o: ldx #4/@i: dex/bne @i/"
            "lda tmp/clc/adc #4/sta tmp/cmp #20/bne @o/rts",
        ),
        "an outer one that wraps around, not": false(
            "in: none; out: none; clobbers: X Y N Z; loops: @o 1; "
            "invariant: @i: X in 1..4, Y in 0..255; decreases: @i: Y * 4 + X",
            NESTED.replace("#20", "#0"),
            verdicts=(*NOT_SHOWN, PARTIAL),
        ),
        "an outer one that starts anew, not": false(
            "in: Y; requires: Y in 1..20; out: none; clobbers: X Y N Z; loops: @o 19; "
            "invariant: @i: X in 1..4, Y in 1..20; decreases: @i: Y * 4 + X",
            NESTED.removeprefix("ldy #20/"),
            "@o",
        ),
        "a loop in one with an invariant": true(
            "in: none; out: none; clobbers: X Y N Z; loops: @i 4..4, @o 20..20; "
            "invariant: @o: Y in 1..20; decreases: @o: Y",
            NESTED,
        ),
        "a loop in one with an invariant, not": false(
            "in: none; out: none; clobbers: X Y N Z; loops: @i 3, @o 20; "
            "invariant: @o: Y in 1..20; decreases: @o: Y",
            NESTED,
            "@i",
            (REFUTED,),
        ),
        "of the outer one, not": false(
            "in: none; out: none; clobbers: X Y N Z; loops: @o 19; "
            "invariant: @o: Y in 1..20; decreases: @o: Y",
            NESTED,
            "@o",
            (REFUTED,),
        ),
        "the inner of two with invariants": true(
            "in: none; out: none; clobbers: X Y N Z; loops: @i 4..4; "
            "invariant: @i: X in 1..4, Y in 1..20; invariant: @o: Y in 1..20; "
            "decreases: @o: Y; decreases: @i: X",
            NESTED,
        ),
        "the inner of two with invariants, not": false(
            "in: none; out: none; clobbers: X Y N Z; loops: @i 3; "
            "invariant: @i: X in 1..4, Y in 1..20; invariant: @o: Y in 1..20; "
            "decreases: @o: Y; decreases: @i: X",
            NESTED,
            "@i",
            (REFUTED,),
        ),
        "the outer of two with invariants": true(
            "in: none; out: none; clobbers: X Y N Z; loops: @o 20..20; "
            "invariant: @i: X in 1..4, Y in 1..20; invariant: @o: Y in 1..20; "
            "decreases: @o: Y; decreases: @i: X",
            NESTED,
        ),
        "both of two with invariants": true(
            "in: none; out: none; clobbers: X Y N Z; loops: @o 20..20, @i 4..4; "
            "invariant: @i: X in 1..4, Y in 1..20; invariant: @o: Y in 1..20; "
            "decreases: @o: Y; decreases: @i: X",
            NESTED,
        ),
        "the outer of two with invariants, not": false(
            "in: none; out: none; clobbers: X Y N Z; loops: @o 19; "
            "invariant: @i: X in 1..4, Y in 1..20; invariant: @o: Y in 1..20; "
            "decreases: @o: Y; decreases: @i: X",
            NESTED,
            "@o",
        ),
        "at least, the outer of two with invariants, not": false(
            "in: none; out: none; clobbers: X Y N Z; loops: @o 21..30; "
            "invariant: @i: X in 1..4, Y in 1..20; invariant: @o: Y in 1..20; "
            "decreases: @o: Y; decreases: @i: X",
            NESTED,
            "@o",
        ),
        "the outer of two, in steps of two": true(
            "in: none; out: none; clobbers: X Y N Z; loops: @o 10..10; "
            "invariant: @i: X in 1..4, Y in 2..20, Y % 2 == 0; decreases: @i: X; "
            "invariant: @o: Y in 2..20, Y % 2 == 0; decreases: @o: Y",
            "ldy #20/@o: ldx #4/@i: dex/bne @i/dey/dey/bne @o/rts",
        ),
        "the outer of two, as the input says": true(
            "in: Y; requires: Y in 1..20; out: none; clobbers: X Y N Z; loops: @o 1..20; "
            "invariant: @i: X in 1..4, Y in 1..20; invariant: @o: Y in 1..20; "
            "decreases: @o: Y; decreases: @i: X",
            NESTED.removeprefix("ldy #20/"),
        ),
        "the outer of two, as the input says, not": false(
            "in: Y; requires: Y in 1..20; out: none; clobbers: X Y N Z; loops: @o 1..19; "
            "invariant: @i: X in 1..4, Y in 1..20; invariant: @o: Y in 1..20; "
            "decreases: @o: Y; decreases: @i: X",
            NESTED.removeprefix("ldy #20/"),
            "@o",
        ),
        "of three, the outermost": true(
            "in: none; out: none; clobbers: A X Y N V Z C; loops: @o 9..9, @i 3..3; "
            "invariant: @o: Y in 1..9; decreases: @o: Y; "
            "invariant: @i: Y in 1..9, X in 1..3; decreases: @i: X; "
            "invariant: @k: Y in 1..9, X in 1..3, A in 0..4; decreases: @k: 5 - A",
            "ldy #9/@o: ldx #3/@i: lda #0/@k: clc/adc #1/cmp #5/bne @k/dex/bne @i/dey/bne @o/rts",
        ),
        "the inner one's number says nothing of the outer": false(
            "in: Y; requires: Y in 1..20; out: none; clobbers: X Y N Z; loops: @o 5; "
            "invariant: @i: X in 1..4; decreases: @i: X; "
            "invariant: @o: Y in 1..20; decreases: @o: Y",
            NESTED.removeprefix("ldy #20/"),
        ),
        "entered again and again": true(
            "in: none; out: none; clobbers: X Y N Z; loops: @i 4..4; "
            "invariant: @i: X in 1..4, Y in 1..20; decreases: @i: Y * 4 + X",
            NESTED,
        ),
        "entered again and again, not": false(
            "in: none; out: none; clobbers: X Y N Z; loops: @i 3; "
            "invariant: @i: X in 1..4, Y in 1..20; decreases: @i: Y * 4 + X",
            NESTED,
            "@i",
            (REFUTED,),
        ),
    },
    "sm83": {
        "an outer one without an invariant": true(
            "in: none; out: none; clobbers: B F C; loops: .o 20..20; "
            "invariant: .i: C in 1..4, B in 1..20; decreases: .i: B * 4 + C",
            NESTED_BC,
        ),
        "an outer one without an invariant, not": false(
            "in: none; out: none; clobbers: B F C; loops: .o 21..21; "
            "invariant: .i: C in 1..4, B in 1..20; decreases: .i: B * 4 + C",
            NESTED_BC,
            ".o",
            (REFUTED,),
        ),
        "just as many": true(
            "in: none; out: none; clobbers: B F; loops: .l 8..8; invariant: .l: B in 1..8; "
            "decreases: .l: B",
            "ld b, 8/.l: dec b/jr nz, .l/ret",
        ),
        "one too few": false(
            "in: none; out: none; clobbers: B F; loops: .l 7; invariant: .l: B in 1..8; "
            "decreases: .l: B",
            "ld b, 8/.l: dec b/jr nz, .l/ret",
            ".l",
            (REFUTED,),
        ),
    },
}


LONG = (
    "6502 by a register, not",
    "6502 at least, an outer one without an invariant, not",
    "6502 an outer one in memory, upwards",
    "6502 an outer one that starts anew, not",
    "6502 entered again and again, not",
)


@pytest.mark.quick_cases(
    "6502 just as many",
    "6502 the most",
    "6502 one too few",
    "6502 upwards",
    "6502 at least as the input says, not",
    "6502 by a register",
    "6502 by a register, not",
    "6502 an outer one without an invariant",
    "6502 at least, an outer one without an invariant, not",
    "6502 an outer one in memory, upwards",
    "6502 an outer one that starts anew, not",
    "6502 a loop in one with an invariant",
    "6502 of the outer one, not",
    "6502 entered again and again, not",
    "sm83 an outer one without an invariant, not",
    "sm83 just as many",
    "sm83 one too few",
)
@pytest.mark.parametrize(("cpu", "said"), cases(CLAIMS, long=LONG))
def test_claims(cpu: str, said: Said) -> None:
    check(cpu, said)
