"""Two names for the same bytes are the same bytes, whoever writes them."""

from __future__ import annotations

import pytest
from claims import Said, cases, check, false, true

CLEAR = ("in: X; requires: X < 4; out: none; clobbers: A N Z alias[4]", "lda #0/sta alias,x/rts")
CLEAR_ONE = ("in: none; out: alias[4]; clobbers: A N Z", "lda #0/sta alias+2/rts")
TAILS = ("in: X; requires: X < 4; out: none; clobbers: A N Z tail[4]", "lda #0/sta tail,x/rts")
KEPT = "in: X arr[4]; requires: X < 4; out: none; clobbers: A N Z arr[4]"
SAME = "ensures: all j in 0..3: arr[j] == old arr[j]"
WHOLE = "in: X arr[8]; requires: X < 4; out: none; clobbers: A N Z arr[8]"
ZERO_SM83 = ("in: none; out: alias[4]; clobbers: AF", "xor a/ld [alias + 2], a/ret")
AT_SM83 = (
    "in: E; requires: E < 4; out: none; clobbers: AF HL alias[4]",
    "ld hl, alias/ld a, l/add e/ld l, a/ld [hl], 0/ret",
)

FALSE = {
    "6502": {
        "a callee clears": false(
            "in: X arr[4]; requires: X < 4; out: none; clobbers: A N Z arr[4]; "
            "ensures: all j in 0..3: arr[j] == old arr[j]",
            "jsr clear/rts",
            "arr[j] ==",
            others={"clear": CLEAR},
        ),
        "a callee clears one byte": false(
            "in: arr[4]; out: none; clobbers: A N Z arr[4]; ensures: arr[2] == old arr[2]",
            "jsr clear/rts",
            "arr[2] ==",
            others={"clear": CLEAR_ONE},
        ),
        "a callee clears, nothing is listed": false(
            "in: X; requires: X < 4; out: none; clobbers: A N Z",
            "jsr clear/rts",
            "changes",
            others={"clear": CLEAR},
        ),
        "read back after the call": false(
            "in: X arr[4]; requires: X < 4; out: A; clobbers: N Z arr[4]; ensures: A == 7",
            "lda #7/sta arr,x/jsr clear/lda arr,x/rts",
            "A == 7",
            others={"clear": CLEAR},
        ),
        "a part, by another index": false(
            "in: X arr[8]; requires: X < 4; out: none; clobbers: A N Z arr[8]; "
            "ensures: all j in 4..7: arr[j] == old arr[j]",
            "jsr tails/rts",
            "arr[j] ==",
            others={"tails": TAILS},
        ),
        "a part is listed, the other is written": false(
            "in: X; requires: X < 8; out: none; clobbers: A N Z tail[4]",
            "lda #0/sta arr,x/rts",
            "changes",
        ),
        "past the end of a part": false(
            "in: X; requires: X < 5; out: none; clobbers: A N Z tail[4]",
            "lda #0/sta tail,x/rts",
            "changes",
        ),
        "written by the one, read by the other": false(
            "in: none; out: A; clobbers: N Z arr[8]; ensures: A == 1",
            "lda #1/sta arr+4/lda #2/sta tail/lda arr+4/rts",
            "A == 1",
        ),
        "the same with indexes": false(
            "in: X Y; requires: X < 4, Y in 4..7; out: A; clobbers: N Z arr[8]; ensures: A == 1",
            "lda #1/sta arr,y/lda #2/sta tail,x/lda arr,y/rts",
            "A == 1",
        ),
        "the part is no input": false("in: arr[4]; out: A; clobbers: N Z", "lda tail/rts", "tail"),
        "the part is not an input, by an index": false(
            "in: arr[4] X; requires: X < 8; out: A; clobbers: N Z", "lda arr,x/rts"
        ),
        "at an invariant": false(
            "in: arr[4]; out: none; clobbers: A X N Z alias[4]; ensures: arr[0] == old arr[0]; "
            "invariant: @l: X in 0..3; decreases: @l: X",
            "ldx #3/@l: lda #0/sta alias,x/dex/bpl @l/rts",
            "arr[0] ==",
        ),
        "a secret by another name": false(
            "in: arr[8]; secret: tail[4]; out: none; clobbers: A N Z",
            "lda arr+5/beq @n/nop/@n: rts",
            "secret",
        ),
        "a pointer to the same bytes": false(
            "in: arr[8]; out: none; clobbers: A Y N Z ptr[2] arr[8]; ensures: arr[4] == old arr[4]",
            "lda #<tail/sta ptr/lda #>tail/sta ptr+1/ldy #0/lda (ptr),y/eor #1/sta (ptr),y/rts",
            "arr[4] ==",
        ),
    },
    "sm83": {
        "a callee clears one byte": false(
            "in: arr[4]; out: none; clobbers: AF arr[4]; ensures: arr[2] == old arr[2]",
            "call zero/ret",
            "arr[2] ==",
            others={"zero": ZERO_SM83},
        ),
        "a callee clears": false(
            "in: E arr[4]; requires: E < 4; out: none; clobbers: AF HL arr[4]; "
            "ensures: all j in 0..3: arr[j] == old arr[j]",
            "call zero/ret",
            "arr[j] ==",
            others={"zero": AT_SM83},
        ),
        "written by the one, read by the other": false(
            "in: none; out: A; clobbers: F arr[8]; ensures: A == 1",
            "ld a, 1/ld [arr + 4], a/ld a, 2/ld [tail], a/ld a, [arr + 4]/ret",
            "A == 1",
        ),
        "past the end of a part": false(
            "in: none; out: none; clobbers: A tail[4]", "xor a/ld [arr + 3], a/ret"
        ),
        "a pointer to the same bytes": false(
            "in: arr[8]; out: none; clobbers: HL F arr[8]; ensures: arr[4] == old arr[4]",
            "ld hl, tail/inc [hl]/ret",
            "arr[4] ==",
        ),
    },
}
TRUE = {
    "6502": {
        "the other part stays": true(
            "in: X arr[8]; requires: X < 4; out: none; clobbers: A N Z arr[8]; "
            "ensures: all j in 0..3: arr[j] == old arr[j]",
            "jsr tails/rts",
            others={"tails": TAILS},
        ),
        "the other bytes stay": true(
            "in: arr[4]; out: none; clobbers: A N Z arr[4]; ensures: arr[1] == old arr[1]",
            "jsr clear/rts",
            others={"clear": CLEAR_ONE},
        ),
        "the byte is known": true(
            "in: arr[4]; out: A; clobbers: N Z arr[4]; ensures: A == 0, arr[2] == 0",
            "lda #5/sta arr+2/jsr clear/lda arr+2/rts",
            others={"clear": CLEAR_ONE},
        ),
        "written by the one, read by the other": true(
            "in: none; out: A; clobbers: N Z arr[8]; ensures: A == 2",
            "lda #1/sta arr+4/lda #2/sta tail/lda arr+4/rts",
        ),
        "listed by the other name": true(
            "in: none; out: none; clobbers: A N Z tail[4]", "lda #0/sta arr+5/rts"
        ),
        "read by the other name": true("in: arr[8]; out: A; clobbers: N Z", "lda tail/rts"),
    },
    "sm83": {
        "the other bytes stay": true(
            "in: arr[4]; out: none; clobbers: AF arr[4]; ensures: arr[1] == old arr[1]",
            "call zero/ret",
            others={"zero": ZERO_SM83},
        ),
        "written by the one, read by the other": true(
            "in: none; out: A; clobbers: F arr[8]; ensures: A == 2",
            "ld a, 1/ld [arr + 4], a/ld a, 2/ld [tail], a/ld a, [arr + 4]/ret",
        ),
    },
}


@pytest.mark.slow_cases(
    "6502 a part, by another index", "6502 the byte is known", "sm83 the other bytes stay"
)
@pytest.mark.parametrize(("cpu", "said"), cases(FALSE, TRUE))
def test_names_of_the_same_bytes(cpu: str, said: Said) -> None:
    check(cpu, said)
