"""Registers that an invariant sets to a number have it, or the invariant is told to be false."""

from __future__ import annotations

import pytest
from claims import Said, cases, check, false, true

LOOP = "in: arr; out: n[1]; clobbers: A X Y N Z; decreases: @l: Y"
TURN = "ldx #2/ldy #3/@l: lda arr,x/dey/bne @l/sta n/rts"
OF_INPUT = "in: A arr; out: n[1]; clobbers: A X Y N Z; decreases: @l: Y; invariant: @l: Y in 1..3"
AT_INPUT = "tax/ldy #3/@l: lda arr,x/dey/bne @l/sta n/rts"
LOOP_SM83 = "in: arr; out: n[1]; clobbers: A B HL F; decreases: .l: B; invariant: .l: B in 1..3"
TURN_SM83 = "ld hl, arr + 1/ld b, 3/.l: ld a, [hl]/dec b/jr nz, .l/ldh [n], a/ret"
PAGE = "H == &arr >> 8"

FALSE = {
    "6502": {
        "another number": false(
            "in: arr; out: n[1]; clobbers: A X Y N Z; decreases: @l: Y; "
            "invariant: @l: X == 1, Y in 1..3; ensures: n == arr[1]",
            TURN,
        ),
        "another cell": false(
            "in: arr; out: n[1]; clobbers: A X Y N Z; decreases: @l: Y; "
            "invariant: @l: X == 2, Y in 1..3; ensures: n == arr[1]",
            TURN,
            "n == arr[1]",
        ),
        "of another register": false(
            "in: arr; out: n[1]; clobbers: A X Y N Z; decreases: @l: Y; "
            "invariant: @l: Y == 2, X == 2; ensures: n == arr[2]",
            TURN,
        ),
        "that goes on": false(
            "in: arr; out: n[1]; clobbers: A X Y N Z; decreases: @l: Y; "
            "invariant: @l: X == 2, Y in 1..3; ensures: n == arr[2]",
            "ldx #2/ldy #3/@l: lda arr,x/dex/dey/bne @l/sta n/rts",
        ),
        "at the last turn only": false(
            "in: arr; out: n[1]; clobbers: A X Y N Z; decreases: @l: Y; "
            "invariant: @l: Y in 1..3, Y == 1 -> X == 2; ensures: n == arr[2]",
            "ldx #0/ldy #3/@l: lda arr,x/inx/dey/bne @l/sta n/rts",
        ),
        "an input of two": false(
            "in: A arr; out: n[1]; clobbers: A X Y N Z; decreases: @l: Y; "
            "invariant: @l: Y in 1..3, X == old A; requires: A in 1..2; "
            "ensures: n == arr[2]",
            AT_INPUT,
            "n == arr[2]",
        ),
    },
    "sm83": {
        "another number": false(
            "in: arr; out: n[1]; clobbers: A B HL F; decreases: .l: B; "
            "invariant: .l: B in 1..3, H == &arr >> 8, L == &arr & $FF; "
            "ensures: n == arr[0]",
            TURN_SM83,
        ),
        "another cell": false(
            "in: arr; out: n[1]; clobbers: A B HL F; decreases: .l: B; "
            "invariant: .l: B in 1..3, H == &arr >> 8, L == (&arr & $FF) + 1; "
            "ensures: n == arr[0]",
            TURN_SM83,
            "n == arr[0]",
        ),
    },
}
TRUE = {
    "6502": {
        "the number": true(
            "in: arr; out: n[1]; clobbers: A X Y N Z; decreases: @l: Y; "
            "invariant: @l: X == 2, Y in 1..3; ensures: n == arr[2]",
            TURN,
        ),
        "an input of one": true(
            "in: A arr; out: n[1]; clobbers: A X Y N Z; decreases: @l: Y; "
            "invariant: @l: Y in 1..3, X == old A; requires: A == 2; ensures: n == arr[2]",
            AT_INPUT,
        ),
        "an input of two": true(
            "in: A arr; out: n[1]; clobbers: A X Y N Z; decreases: @l: Y; "
            "invariant: @l: Y in 1..3, X == old A; requires: A in 1..2; "
            "ensures: n == arr[old A]",
            AT_INPUT,
        ),
    },
    "sm83": {
        "the number": true(
            "in: arr; out: n[1]; clobbers: A B HL F; decreases: .l: B; "
            "invariant: .l: B in 1..3, H == &arr >> 8, L == (&arr & $FF) + 1; "
            "ensures: n == arr[1]",
            TURN_SM83,
        ),
    },
}


@pytest.mark.slow_cases("6502 the number", "6502 an input of one", "6502 an input of two1")
@pytest.mark.parametrize(("cpu", "said"), cases(FALSE, TRUE))
def test_numbers_that_invariants_say(cpu: str, said: Said) -> None:
    check(cpu, said)
