"""What is written into an array at an index depends on inputs only, as all outputs do."""

from __future__ import annotations

import pytest
from claims import Said, cases, check, false, true

ARRAY = "in: X arr[8]; requires: X < 8; out: arr[8]"
BOTH = "in: X Y arr[8]; requires: X < 8, Y < 4; out: arr[8]"
INDEX = "ld hl, arr/ld a, l/add e/ld l, a"
ARRAY_SM83 = "in: E arr[8]; requires: E < 8; out: arr[8]"

FALSE = {
    "6502": {
        "a register": false("in: X; requires: X < 8; out: arr[8]", "sta arr,x/rts", "depends"),
        "a register, the array listed": false(ARRAY, "sta arr,x/rts", "A"),
        "another register": false(
            "in: X arr[8]; requires: X < 8; out: arr[8]; clobbers: A N Z", "tya/sta arr,x/rts", "Y"
        ),
        "a flag": false(
            "in: X arr[8]; requires: X < 8; out: arr[8]; clobbers: A N Z C",
            "lda #0/rol a/sta arr,x/rts",
            "C",
        ),
        "a flag that is not shown by a register": false(
            "in: X arr[8]; requires: X < 8; out: arr[8]; clobbers: A N Z",
            "lda #1/bcs @n/lda #2/@n: sta arr,x/rts",
            "C",
        ),
        "a clobbered array": false(
            "in: X Y arr[8]; requires: X < 8, Y < 4; out: arr[8]; clobbers: A N Z buf[4]",
            "lda buf,y/sta arr,x/rts",
            "buf",
        ),
        "a clobbered byte": false(
            "in: X arr[8]; requires: X < 8; out: arr[8]; clobbers: A N Z tmp[1]",
            "lda tmp/sta arr,x/rts",
        ),
        "the index": false(
            "in: arr[8]; out: arr[8]; clobbers: A X N Z", "txa/and #7/tax/lda #0/sta arr,x/rts", "X"
        ),
        "changed in place": false(
            "in: X arr[8]; requires: X < 8; out: arr[8]; clobbers: N Z C", "rol arr,x/rts", "C"
        ),
        "whether it is written": false(
            "in: X arr[8]; requires: X < 8; out: arr[8]; clobbers: A N Z",
            "bcs @n/lda #1/sta arr,x/@n: rts",
        ),
        "its own cells, no input": false(
            "in: X; requires: X < 4; out: arr[4]; clobbers: A N Z", "lda tail,x/sta arr,x/rts"
        ),
        "the order of two writes": false(
            "in: X Y arr[8]; requires: X < 8, Y < 4; out: arr[8]; clobbers: A N Z",
            "lda #1/bcs @n/sta arr,x/asl a/sta arr,y/rts/@n: sta arr,y/asl a/sta arr,x/rts",
        ),
        "under an invariant": false(
            "in: arr[8]; out: arr[8]; clobbers: X N Z; invariant: @l: X in 0..7; decreases: @l: X",
            "ldx #7/@l: sta arr,x/dex/bpl @l/rts",
            "A",
        ),
        "by a call": false(
            ARRAY,
            "jsr put/rts",
            "A",
            others={"put": ("in: A X arr[8]; requires: X < 8; out: arr[8]", "sta arr,x/rts")},
        ),
    },
    "sm83": {
        "a register": false(
            "in: E arr[8]; requires: E < 8; out: arr[8]; clobbers: AF HL",
            f"{INDEX}/ld [hl], b/ret",
            "B",
        ),
        "a flag": false(
            "in: E arr[8]; requires: E < 8; out: arr[8]; clobbers: AF HL D",
            f"ld a, 0/adc 0/ld d, a/{INDEX}/ld [hl], d/ret",
            "CF",
        ),
        "a clobbered byte": false(
            "in: E arr[8]; requires: E < 8; out: arr[8]; clobbers: AF HL D tmp[1]",
            f"ldh a, [tmp]/ld d, a/{INDEX}/ld [hl], d/ret",
        ),
        "changed in place": false(
            "in: E arr[8]; requires: E < 8; out: arr[8]; clobbers: AF HL",
            f"{INDEX}/ld a, [hl]/add b/ld [hl], a/ret",
            "B",
        ),
    },
}
TRUE = {
    "6502": {
        "a register, listed": true("in: A X arr[8]; requires: X < 8; out: arr[8]", "sta arr,x/rts"),
        "a number": true(
            "in: X arr[8]; requires: X < 8; out: arr[8]; clobbers: A N Z", "lda #1/sta arr,x/rts"
        ),
        "an array, listed": true(
            "in: buf[4] X Y arr[8]; requires: X < 8, Y < 4; out: arr[8]; clobbers: A N Z",
            "lda buf,y/sta arr,x/rts",
        ),
        "a flag, listed": true(
            "in: C X arr[8]; requires: X < 8; out: arr[8]; clobbers: A N Z C",
            "lda #0/rol a/sta arr,x/rts",
        ),
        "a flag that is set": true(
            "in: X arr[8]; requires: X < 8; out: arr[8]; clobbers: N Z C", "clc/rol arr,x/rts"
        ),
        "clobbered and not an output": true(
            "in: X; requires: X < 8; out: none; clobbers: arr[8]", "sta arr,x/rts"
        ),
        "under an invariant": true(
            "in: A arr[8]; out: arr[8]; clobbers: X N Z; "
            "invariant: @l: X in 0..7, all j in 0..7: j <= X or arr[j] == A; decreases: @l: X; "
            "ensures: all j in 1..7: arr[j] == A",
            "ldx #7/@l: sta arr,x/dex/bpl @l/rts",
        ),
    },
    "sm83": {
        "a register, listed": true(
            "in: B E arr[8]; requires: E < 8; out: arr[8]; clobbers: AF HL",
            f"{INDEX}/ld [hl], b/ret",
        ),
        "a number": true(
            "in: E arr[8]; requires: E < 8; out: arr[8]; clobbers: AF HL", f"{INDEX}/ld [hl], 5/ret"
        ),
    },
}


@pytest.mark.slow_cases(
    "6502 under an invariant0",
    "6502 an array, listed",
    "6502 under an invariant1",
    "sm83 a register, listed",
)
@pytest.mark.parametrize(("cpu", "said"), cases(FALSE, TRUE))
def test_what_is_written_at_an_index(cpu: str, said: Said) -> None:
    check(cpu, said)
