"""What a loop with an invariant in it fills of an array is known where it is read again."""

from __future__ import annotations

import pytest
from claims import Said, Table, cases, check, false, true

UP = "clobbers: X N Z C arr[4]; invariant: @l: X in 0..3; decreases: @l: 4 - X"
FILL_UP = "ldx #0/@l: sta arr,x/inx/cpx #4/bne @l"
DOWN = "clobbers: X N Z arr[4]; invariant: @l: X in 0..3; decreases: @l: X"
FILL_DOWN = "ldx #3/@l: sta arr,x/dex/bpl @l"
LENGTH = (
    "clobbers: X N V Z C arr[4]; invariant: @l: X < n; decreases: @l: n - X; "
    "invariant: @r: X < n; decreases: @r: n - X"
)
GAPS = "clobbers: X N Z C arr[8]; invariant: @l: X in 0..6, X % 2 == 0; decreases: @l: 8 - X"
FILL_GAPS = "ldx #0/@l: sta arr,x/inx/inx/cpx #8/bne @l"
THIRDS = "clobbers: X N V Z C arr[8]; invariant: @l: X in 0..6, X % 3 == 0; decreases: @l: X"
FILL_THIRDS = "ldx #6/@l: sta arr+1,x/dex/dex/dex/bpl @l"
FILL_N = "ldx #0/@l: sta arr,x/inx/cpx n/bne @l"
SUM_N = "ldx #0/txa/@r: clc/adc arr,x/inx/cpx n/bne @r/rts"
SKIPPING = (
    "clobbers: B HL F arr[8]; invariant: .l: B in 1..4, HL == &arr + 8 - 2 * B; decreases: .l: B"
)
FILL_SKIPPING = "ld hl, arr/ld b, 4/.l: ld [hl+], a/inc hl/dec b/jr nz, .l"
POINTED = "clobbers: B HL F arr[4]; invariant: .l: B in 1..4, HL == &arr + 4 - B; decreases: .l: B"
FILL_POINTED = "ld hl, arr/ld b, 4/.l: ld [hl+], a/dec b/jr nz, .l"
BY_LOW = (
    "in: B; out: A; clobbers: HL F arr[4]; "
    "invariant: .l: A in &arr & $FF..(&arr & $FF) + 3; decreases: .l: (&arr & $FF) + 4 - A"
)
FILL_BY_LOW = (
    "ld a, LOW(arr)/.l: ld l, a/ld h, HIGH(arr)/ld [hl], b/inc a/cp LOW(arr) + 4/jr nz, .l"
)

OVERLAPPING = """\
        .segment "BSS"
whole:  .res 2
mid:    .res 4
        .export whole, mid
        .segment "CODE"
"""

TRUE: Table = {
    "6502": {
        "upwards": true(
            "in: A; out: A; clobbers: X N Z C arr[4]; invariant: @l: X in 0..3; "
            "decreases: @l: 4 - X",
            f"{FILL_UP}/lda arr+2/rts",
        ),
        "downwards": true(
            "in: A; out: A; clobbers: X N Z arr[4]; invariant: @l: X in 0..3; decreases: @l: X",
            f"{FILL_DOWN}/lda arr+3/rts",
        ),
        "read at an index": true(
            "in: A Y; requires: Y < 4; out: A; clobbers: X N Z arr[4]; "
            "invariant: @l: X in 0..3; decreases: @l: X",
            f"{FILL_DOWN}/lda arr,y/rts",
        ),
        "as far as the input says": true(
            "in: A Y n; requires: n in 1..4, Y < n; out: A; clobbers: X N Z C arr[4]; "
            "invariant: @l: X < n; decreases: @l: n - X",
            f"{FILL_N}/lda arr,y/rts",
        ),
        "read in a loop with an invariant": true(
            "in: A n; requires: n in 1..4; out: A; clobbers: X N V Z C arr[4]; "
            "invariant: @l: X < n; decreases: @l: n - X; invariant: @r: X < n; "
            "decreases: @r: n - X",
            f"{FILL_N}/{SUM_N}",
        ),
        "read while it is filled": true(
            "in: A; out: A; clobbers: X N V Z C arr[4]; "
            "invariant: @l: X in 1..3; decreases: @l: 4 - X",
            "sta arr/ldx #1/@l: clc/adc arr-1,x/sta arr,x/inx/cpx #4/bne @l/rts",
        ),
        "from two inputs": true(
            "in: A Y n; requires: Y < 4; out: A; clobbers: X N Z C arr[4]; "
            "invariant: @l: X in 0..3; decreases: @l: X",
            "ldx #3/@l: sta arr,x/eor n/dex/bpl @l/lda arr,y/rts",
        ),
        "every second": true(
            "in: A; out: A; clobbers: X N Z C arr[8]; "
            "invariant: @l: X in 0..6, X % 2 == 0; decreases: @l: 8 - X",
            f"{FILL_GAPS}/lda arr+4/rts",
        ),
        "every second, at an index": true(
            "in: A Y; requires: Y < 4; out: A; clobbers: X N Z C arr[8]; "
            "invariant: @l: X in 0..6, X % 2 == 0; decreases: @l: 8 - X",
            f"{FILL_GAPS}/tya/asl a/tax/lda arr,x/rts",
        ),
        "records of two fields": true(
            "in: A Y; out: A; clobbers: X N Z C arr[8]; "
            "invariant: @l: X in 0..6, X % 2 == 0; decreases: @l: 8 - X",
            FILL_GAPS.replace("inx/inx", "pha/tya/sta arr+1,x/pla/inx/inx") + "/lda arr+3/rts",
        ),
        "every third, downwards": true(
            "in: A; out: A; clobbers: X N V Z C arr[8]; "
            "invariant: @l: X in 0..6, X % 3 == 0; decreases: @l: X",
            f"{FILL_THIRDS}/lda arr+7/rts",
        ),
    },
    "sm83": {
        "every second, by a pointer": true(
            "in: A; out: A; clobbers: B HL F arr[8]; "
            "invariant: .l: B in 1..4, HL == &arr + 8 - 2 * B; decreases: .l: B",
            f"{FILL_SKIPPING}/ld a, [arr+6]/ret",
        ),
        "by a pointer": true(
            "in: A; out: A; clobbers: B HL F arr[4]; "
            "invariant: .l: B in 1..4, HL == &arr + 4 - B; decreases: .l: B",
            f"{FILL_POINTED}/ld a, [arr+1]/ret",
        ),
        "by the low byte": true(BY_LOW, f"{FILL_BY_LOW}/ld a, [arr+1]/ret"),
    },
}
FALSE: Table = {
    "6502": {
        "one too few": false(
            "in: A Y; requires: Y < 4; out: A; clobbers: X N Z arr[4]; "
            "invariant: @l: X in 0..2; decreases: @l: X",
            "ldx #2/@l: sta arr,x/dex/bpl @l/lda arr,y/rts",
        ),
        "not the first": false(
            "in: A; out: A; clobbers: X N Z arr[4]; invariant: @l: X in 1..3; decreases: @l: X",
            "ldx #3/@l: sta arr,x/dex/bne @l/lda arr/rts",
        ),
        "every second": false(
            "in: A; out: A; clobbers: X N Z C arr[4]; "
            "invariant: @l: X in 0..2, X % 2 == 0; decreases: @l: 4 - X",
            "ldx #0/@l: sta arr,x/inx/inx/cpx #4/bne @l/lda arr+1/rts",
        ),
        "between every second": false(
            "in: A; out: A; clobbers: X N Z C arr[8]; "
            "invariant: @l: X in 0..6, X % 2 == 0; decreases: @l: 8 - X",
            f"{FILL_GAPS}/lda arr+5/rts",
        ),
        "the second field of the last record": false(
            "in: A Y; out: A; clobbers: X N Z C arr[8]; "
            "invariant: @l: X in 0..6, X % 2 == 0; decreases: @l: 8 - X",
            FILL_GAPS.replace("inx/inx", "pha/tya/sta arr-1,x/pla/inx/inx") + "/lda arr+7/rts",
        ),
        "beside every third": false(
            "in: A; out: A; clobbers: X N V Z C arr[8]; "
            "invariant: @l: X in 0..6, X % 3 == 0; decreases: @l: X",
            f"{FILL_THIRDS}/lda arr+6/rts",
        ),
        "every second up to the last": false(
            "in: A; out: A; clobbers: X N Z C arr[8]; "
            "invariant: @l: X in 0..4, X % 2 == 0; decreases: @l: 8 - X",
            FILL_GAPS.replace("#8", "#6") + "/lda arr+6/rts",
        ),
        "every second with what is no input": false(
            "in: none; out: A; clobbers: A X N Z C arr[8]; "
            "invariant: @l: X in 0..6, X % 2 == 0; decreases: @l: 8 - X",
            f"tya/{FILL_GAPS}/lda arr+4/rts",
            "depends on its inputs only",
        ),
        "now and then": false(
            "in: A Y; out: A; clobbers: X N Z C arr[4]; invariant: @l: X in 0..3; decreases: @l: X",
            "ldx #3/@l: cpy #2/bcs @s/sta arr,x/@s: dex/bpl @l/lda arr+1/rts",
        ),
        "beyond what was filled so far": false(
            "in: A; out: A; clobbers: X N Z C arr[4]; invariant: @l: X in 0..3; "
            "decreases: @l: 4 - X",
            "ldx #0/@l: sta arr,x/lda arr+3/inx/cpx #4/bne @l/rts",
        ),
        "shorter than it is read": false(
            "in: A n m; requires: n in 1..4, m in 1..4; out: A; "
            "clobbers: X N V Z C arr[4]; invariant: @l: X < n; decreases: @l: n - X; "
            "invariant: @r: X < m; decreases: @r: m - X",
            f"{FILL_N}/{SUM_N}".replace("cpx n/bne @r", "cpx m/bne @r"),
        ),
        "with what is no input": false(
            "in: none; out: A; clobbers: A X N Z arr[4]; invariant: @l: X in 0..3; "
            "decreases: @l: X",
            f"tya/{FILL_DOWN}/lda arr+3/rts",
            "depends on its inputs only",
        ),
        "with what was in it": false(
            "in: none; out: A; clobbers: A X N Z arr[4]; invariant: @l: X in 0..3; "
            "decreases: @l: X",
            f"lda arr/{FILL_DOWN}/lda arr+3/rts",
        ),
        "what may change of an array that is listed in part": false(
            "in: Y whole[4]; requires: Y < 4; out: none; clobbers: A X N Z C mid[4]; "
            "invariant: @l: X in 1..3; decreases: @l: X",
            "ldx #3/@l: dex/bne @l/lda mid,y/rts",
            "reads only its inputs",
            head=OVERLAPPING,
        ),
        "one cell with what is no input": false(
            "in: A; out: A; clobbers: X N Z arr[4]; invariant: @l: X in 0..3; decreases: @l: X",
            f"{FILL_DOWN}/sty arr+1/lda arr+1/rts",
            "Y",
        ),
    },
    "sm83": {
        "between what a pointer filled": false(
            "in: A; out: A; clobbers: B HL F arr[8]; "
            "invariant: .l: B in 1..4, HL == &arr + 8 - 2 * B; decreases: .l: B",
            f"{FILL_SKIPPING}/ld a, [arr+3]/ret",
        ),
        "by the low byte, but the first": false(
            BY_LOW, f"{FILL_BY_LOW.replace('LOW(arr)/', 'LOW(arr) + 1/')}/ld a, [arr]/ret"
        ),
        "by the low byte, but the last": false(
            BY_LOW, f"{FILL_BY_LOW.replace('LOW(arr) + 4', 'LOW(arr) + 3')}/ld a, [arr+3]/ret"
        ),
        "beside the low byte": false(
            BY_LOW, f"{FILL_BY_LOW.replace('ld l, a', 'ld l, LOW(arr)')}/ld a, [arr+2]/ret"
        ),
        "behind the pointer": false(
            "in: A; out: A; clobbers: B HL F arr[4]; "
            "invariant: .l: B in 2..4, HL == &arr + 4 - B; decreases: .l: B",
            "ld hl, arr/ld b, 4/.l: ld [hl+], a/dec b/ld c, a/ld a, b/cp 1/ld a, c/jr nz, .l/"
            "ld a, [arr+3]/ret",
        ),
    },
}


LONG = (
    "6502 every second, at an index",
    "6502 records of two fields",
    "6502 every second up to the last",
    "6502 beside every third",
    "6502 every second with what is no input",
)


@pytest.mark.quick_cases(
    "6502 every second, at an index",
    "6502 records of two fields",
    "6502 beside every third",
    "6502 every second up to the last",
    "6502 every second with what is no input",
    "6502 with what was in it",
    "6502 what may change of an array that is listed in part",
    "6502 one cell with what is no input",
    "sm83 beside the low byte",
)
@pytest.mark.parametrize(("cpu", "said"), cases(TRUE, FALSE, long=LONG))
def test_what_was_filled(cpu: str, said: Said) -> None:
    check(cpu, said)
