"""Results in memory depend on inputs only, as registers do; what a callee reads is listed, and what
one run wrote in some of its ways is known where the loop comes after it."""

from __future__ import annotations

import pytest
from claims import Said, cases, check, false, true

TURN = "ldx #2/@l: dex/bne @l/rts"
COUNT = "invariant: @l: X in 1..2; decreases: @l: X"
TURN_SM83 = "ld b, 2/.l: dec b/jr nz, .l/ret"
COUNT_SM83 = "invariant: .l: B in 1..2; decreases: .l: B"
FILL = "ldx #0/@l: sta arr,x/inx/cpx #4/bne @l/rts"
FILLS = "invariant: @l: X in 0..3; decreases: @l: 4 - X"
FILL_SM83 = ".l: ld [hl+], a/ld b, a/ld a, l/cp LOW(arr + 4)/ld a, b/jr nz, .l/ret"
FILLS_SM83 = "invariant: .l: HL in &arr..&arr + 3; decreases: .l: &arr + 4 - HL"

IGNORES = (
    ("in: tmp[1]; out: none; clobbers: A X N Z; invariant: @l: X in 1..2; decreases: @l: X"),
    f"lda tmp/{TURN}",
)
"""Reads what has no effect: a caller that does not list it breaks no other rule."""
IGNORES_SM83 = (
    ("in: tmp[1]; out: none; clobbers: A B F; invariant: .l: B in 1..2; decreases: .l: B"),
    f"ldh a, [tmp]/{TURN_SM83}",
)
PUTS = (
    ("in: A; out: n; clobbers: X N Z; cycles: 20; invariant: @l: X in 1..2; decreases: @l: X"),
    f"sta n/{TURN}",
)
BIG = """\
        .segment "BSS"
big:    .res $400
few:    .res 4
wide:   .res 16
two:    .res 2
m:      .res 1
        .export big, few, wide, two, m
        .segment "CODE"
"""
READS_BIG = (
    ("in: Y big[1024]; out: none; clobbers: A X N Z; invariant: @l: X in 1..2; decreases: @l: X"),
    f"lda big+512,y/{TURN}",
)
READS_PART = (
    (
        "in: Y few[4]; requires: Y < 4; out: none; clobbers: A X N Z; "
        "invariant: @l: X in 1..2; decreases: @l: X"
    ),
    f"lda few,y/{TURN}",
)
FLAGGED = (
    "in: A; out: C m two[2]; clobbers: X N Z; invariant: @l: X in 0..1; decreases: @l: 2 - X",
    "cmp #9/bcs @e/cmp #3/bne @f/sta m/@f: ldx #0/@l: sta two,x/inx/cpx #2/bne @l/clc/@e: rts",
)
"""With C clear two is written for certain, and m is by one A."""
AFTER = "in: A; out: A; clobbers: X N Z C m two[2]"
WHERE_CLEAR = "jsr other/bcs @e/lda {}/rts/@e: lda #0/rts"
CALLS = "jsr other/rts"
NO_INPUT = "in: none; out: none; clobbers: A X N Z"

FALSE = {
    "6502": {
        "a byte of a register": false("in: none; out: n", "sta n/rts", "n depends on A"),
        "a byte of a register, after a loop": false(
            "in: none; out: n; clobbers: X N Z; invariant: @l: X in 1..2; decreases: @l: X",
            f"sta n/{TURN}",
            "depends on its inputs only",
        ),
        "the second byte of two": false("in: A; out: ptr", "sta ptr/sty ptr+1/rts", "depends on Y"),
        "an array of a register": false(
            "in: none; out: arr[4]; clobbers: X N Z C; invariant: @l: X in 0..3; "
            "decreases: @l: 4 - X",
            FILL,
            "depends on its inputs only",
        ),
        "an array of a register, one cell": false(
            "in: A; out: arr[4]; clobbers: X N Z C; invariant: @l: X in 0..3; decreases: @l: 4 - X",
            f"{FILL.removesuffix('/rts')}/sty arr+2/rts",
            "depends on its inputs only",
        ),
        "a way by a byte that changes in a loop": false(
            "in: none; out: none; clobbers: A X N Z tmp; invariant: @l: X in 1..2; "
            "decreases: @l: X",
            f"{TURN.replace('dex', 'inc tmp/dex').removesuffix('/rts')}/lda tmp/beq @n/nop/@n: rts",
            "depends on its inputs only",
        ),
        "a way in a loop by a byte that changes": false(
            "in: none; out: none; clobbers: A X N Z tmp; invariant: @l: X in 1..2; "
            "decreases: @l: X",
            f"{TURN.replace('dex', 'inc tmp/beq @n/nop/@n: dex').removesuffix('/rts')}/lda #0/rts",
            "depends on its inputs only",
        ),
        "a byte of a callee": false(
            "in: none; out: n; clobbers: A X N Z",
            "jsr other/inc n/rts",
            "n depends on n",
            others={"other": PUTS},
        ),
        "a byte that a flag does not tell of": false(
            AFTER, WHERE_CLEAR.format("m"), "input", others={"other": FLAGGED}, head=BIG
        ),
        "what a callee reads": false(NO_INPUT, CALLS, "tmp", others={"other": IGNORES}),
        "a block that a callee reads": false(
            f"in: Y; {NO_INPUT.partition('; ')[2]}",
            CALLS,
            "big",
            others={"other": READS_BIG},
            head=BIG,
        ),
        "what a callee reads beside a block": false(
            f"in: Y big[1024]; requires: Y < 4; {NO_INPUT.partition('; ')[2]}",
            f"jsr more/{CALLS}",
            "few",
            others={"more": READS_BIG, "other": READS_PART},
            head=BIG,
        ),
    },
    "sm83": {
        "a byte of a register": false("in: none; out: n", "ldh [n], a/ret", "n depends on A"),
        "an array of a register": false(
            "in: none; out: arr[4]; clobbers: A B HL F; "
            "invariant: .l: HL in &arr..&arr + 3; decreases: .l: &arr + 4 - HL",
            f"ld hl, arr/{FILL_SM83}",
            "depends on its inputs only",
        ),
        "what a callee reads": false(
            "in: none; out: none; clobbers: A B F",
            "call other/ret",
            "tmp",
            others={"other": IGNORES_SM83},
        ),
    },
}
TRUE = {
    "6502": {
        "a byte of a register, listed": true("in: A; out: n", "sta n/rts"),
        "a byte beside a result": true("in: A; out: n; clobbers: m", "sta n/sty m/rts"),
        "written in one way": true(
            "in: A; out: n; clobbers: X N Z C; invariant: @l: X in 1..2; decreases: @l: X",
            f"cmp #9/bne @e/sta n/@e: {TURN}",
        ),
        "one cell written in one way": true(
            "in: A Y; requires: Y < 4; out: arr[4]; clobbers: X N Z C; "
            "invariant: @l: X in 1..2; decreases: @l: X",
            f"cmp #9/bne @e/sta arr,y/@e: {TURN}",
        ),
        "one cell of many written in one way": true(
            "in: A Y; requires: Y < 16; out: wide[16]; clobbers: X N Z C; "
            "invariant: @l: X in 1..2; decreases: @l: X",
            f"cmp #9/bne @e/sta wide,y/@e: {TURN}",
            head=BIG,
        ),
        "a byte that a flag tells of": true(
            AFTER, WHERE_CLEAR.format("two+1"), others={"other": FLAGGED}, head=BIG
        ),
        "a callee that code without a contract jumps to": true(
            "in: A; out: n; clobbers: X N Z",
            "jsr way/inc n/jsr way/rts",
            others={"other": PUTS, "way": (None, "jmp other")},
        ),
        "a byte of a callee, listed": true(
            "in: A; out: n; clobbers: X N Z",
            "jsr other/inc n/rts",
            others={"other": PUTS},
        ),
        "an array of a register, listed": true(
            "in: A; out: arr[4]; clobbers: X N Z C; invariant: @l: X in 0..3; decreases: @l: 4 - X",
            FILL,
        ),
        "what a callee reads, listed": true(
            f"in: tmp[1]; {NO_INPUT.partition('; ')[2]}", CALLS, others={"other": IGNORES}
        ),
        "a block that a callee reads, listed": true(
            f"in: Y big[1024]; {NO_INPUT.partition('; ')[2]}",
            CALLS,
            others={"other": READS_BIG},
            head=BIG,
        ),
    },
    "sm83": {
        "written in one way": true(
            "in: A; out: n; clobbers: B F; invariant: .l: B in 1..2; decreases: .l: B",
            f"cp 9/jr nz, .e/ldh [n], a/.e: {TURN_SM83}",
        ),
        "what a callee reads, listed": true(
            "in: tmp[1]; out: none; clobbers: A B F",
            "call other/ret",
            others={"other": IGNORES_SM83},
        ),
    },
}


@pytest.mark.parametrize(("cpu", "said"), cases(FALSE, TRUE))
def test_results_in_memory(cpu: str, said: Said) -> None:
    check(cpu, said)
