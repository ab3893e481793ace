"""Calls of routines with pointers: the block is the caller's memory, where its pointer leads."""

from __future__ import annotations

import pytest
from claims import Said, Table, cases, check, false, true

HEAD = """\
        .segment "ZEROPAGE"
n:      .res 1
ptr:    .res 2
buf:    .res 2
        .exportzp n, ptr, buf
        .segment "BSS"
arr:    .res 8
tail:   .res 8
        .export arr, tail
        .segment "CODE"
"""
COPY = (
    "in: ptr buf src; pointer: ptr -> src[4]; pointer: buf -> dst[4]; out: dst; "
    "ensures: all j in 0..3: dst[j] == old src[j]; clobbers: A Y N Z; stack: 0",
    "ldy #3/@l: lda (ptr),y/sta (buf),y/dey/bpl @l/rts",
)
CLEAR = (
    "in: ptr n; requires: n <= 8; pointer: ptr -> dst[n]; out: dst; stack: 0; "
    "ensures: all j in 0..7: j < n -> dst[j] == 0; clobbers: A Y N Z C; "
    "invariant: @l: A == 0, Y <= n, all j in 0..7: Y <= j and j < n -> dst[j] == 0; "
    "decreases: @l: Y",
    "ldy n/lda #0/@l: cpy #0/beq @d/dey/sta (ptr),y/jmp @l/@d: rts",
)
GIVE = "lda #<{0}/sta {1}/lda #>{0}/sta {1}+1/"
BOTH = GIVE.format("arr", "ptr") + GIVE.format("tail", "buf")


def yes(contract: str, code: str, **callees: tuple[str, str]) -> Said:
    """A claim that has to be proved."""
    return true(contract, code, head=HEAD, others=callees)


def no(contract: str, code: str, reason: str = "", **callees: tuple[str, str]) -> Said:
    """A claim that must not be."""
    return false(contract, code, reason, head=HEAD, others=callees)


OWN = "in: arr[8]; out: tail[8]; clobbers: ptr[2] buf[2] A Y N Z; "

TRUE: Table = {
    "6502": {
        "into a variable": yes(
            "in: arr[8]; out: tail[8]; clobbers: ptr[2] buf[2] A Y N Z; "
            "ensures: all j in 0..3: tail[j] == arr[j], tail[4] == old tail[4]",
            BOTH + "jsr copy/rts",
            copy=COPY,
        ),
        "twice": yes(
            "in: arr[8]; out: tail[8]; clobbers: ptr[2] buf[2] A Y N V Z C; "
            "ensures: all j in 0..3: tail[j] == arr[j] and tail[j+4] == arr[j]",
            BOTH + "jsr copy/lda buf/clc/adc #4/sta buf/bcc @s/inc buf+1/@s: jsr copy/rts",
            copy=COPY,
        ),
        "a block of its own is passed on": yes(
            "in: ptr key; pointer: ptr -> key[8]; out: tail[8]; clobbers: buf[2] A Y N Z; "
            "stack: 2; ensures: all j in 0..3: tail[j] == key[j]",
            GIVE.format("tail", "buf") + "jsr copy/rts",
            copy=COPY,
        ),
        "a part of it": yes(
            "in: ptr buf key; requires: buf % 256 == 0; pointer: buf -> key[8]; out: key; "
            "clobbers: ptr[2] buf[2] A Y N Z; stack: 2; "
            "ensures: all j in 0..3: key[j + 4] == old key[j]",
            "lda buf/sta ptr/lda buf+1/sta ptr+1/lda #4/sta buf/jsr copy/rts",
            copy=COPY,
        ),
        "by contract": yes(
            "in: none; out: arr[8]; clobbers: ptr[2] n A Y N Z C; "
            "ensures: all j in 0..4: arr[j] == 0, arr[5] == old arr[5]",
            GIVE.format("arr", "ptr") + "lda #5/sta n/jsr clear/rts",
            clear=CLEAR,
        ),
    },
}
FALSE: Table = {
    "6502": {
        "nobody says where": no(
            "in: ptr buf arr[8]; out: tail[8]; clobbers: A Y N Z", "jsr copy/rts", copy=COPY
        ),
        "more than there is": no(OWN, BOTH + "lda #<tail+5/sta buf/jsr copy/rts", copy=COPY),
        "they overlap": no(
            "in: arr[8]; out: arr[8]; clobbers: ptr[2] buf[2] A Y N Z; ",
            BOTH + "lda #<arr+3/sta buf/lda #>arr/sta buf+1/jsr copy/rts",
            copy=COPY,
        ),
        "on its pointers": no(
            OWN,
            BOTH + "lda #ptr-3/sta buf/lda #0/sta buf+1/jsr copy/rts",
            copy=COPY,
        ),
        "on the stack": no(OWN, BOTH + "lda #$f0/sta buf/lda #1/sta buf+1/jsr copy/rts", copy=COPY),
        "what is not its input is read": no(
            "in: none; out: tail[8]; clobbers: ptr[2] buf[2] A Y N Z",
            BOTH + "jsr copy/rts",
            copy=COPY,
        ),
        "what is written is as it was": no(
            "in: arr[8]; out: tail[8]; clobbers: ptr[2] buf[2] A Y N Z; "
            "ensures: tail[0] == old tail[0]",
            BOTH + "jsr copy/rts",
            copy=COPY,
        ),
        "by contract, more than it has": no(
            "in: none; out: arr[8]; clobbers: ptr[2] n A Y N Z C; ensures: arr[5] == 0",
            GIVE.format("arr", "ptr") + "lda #5/sta n/jsr clear/rts",
            clear=CLEAR,
        ),
        "by contract, too large": no(
            "in: none; out: arr[8]; clobbers: ptr[2] n A Y N Z C",
            GIVE.format("arr+4", "ptr") + "lda #5/sta n/jsr clear/rts",
            clear=CLEAR,
        ),
        "by contract, not what is required": no(
            "in: none; out: arr[8] tail[8]; clobbers: ptr[2] n A Y N Z C",
            GIVE.format("arr", "ptr") + "lda #9/sta n/jsr clear/rts",
            clear=CLEAR,
        ),
        "by contract, what depends on what was there": no(
            "in: none; out: arr[8]; clobbers: ptr[2] n A Y N Z C; ensures: arr[7] == 0",
            GIVE.format("arr", "ptr") + "lda #0/sta n/jsr clear/rts",
            clear=CLEAR,
        ),
        "a byte of its own block changes": no(
            "in: ptr buf key; requires: buf % 256 == 0; pointer: buf -> key[8]; out: key; "
            "clobbers: ptr[2] buf[2] A Y N Z; stack: 2; ensures: key[4] == old key[4]",
            "lda buf/sta ptr/lda buf+1/sta ptr+1/lda #4/sta buf/jsr copy/rts",
            copy=COPY,
        ),
        "beyond its own block": no(
            "in: ptr buf key; requires: buf % 256 == 0; pointer: buf -> key[8]; out: key; "
            "clobbers: ptr[2] buf[2] A Y N Z; stack: 2",
            "lda buf/sta ptr/lda buf+1/sta ptr+1/lda #5/sta buf/jsr copy/rts",
            copy=COPY,
        ),
    },
}


LONG = [
    *("6502 nobody says where", "6502 on the stack", "6502 by contract, more than it has"),
    *("6502 by contract, not what is required", "6502 by contract, too large"),
    *("6502 a byte of its own block changes", "6502 on its pointers"),
    *("6502 by contract, what depends on what was there", "6502 more than there is"),
]
"""What takes more than a second."""


@pytest.mark.parametrize(
    ("cpu", "said"), cases(TRUE, long=[f"6502 {name}" for name in TRUE["6502"]])
)
def test_what_is_true_is_proved(cpu: str, said: Said) -> None:
    check(cpu, said)


@pytest.mark.slow_cases(
    "6502 they overlap",
    "6502 what is not its input is read",
    "6502 what is written is as it was",
    "6502 beyond its own block",
)
@pytest.mark.parametrize(("cpu", "said"), cases(FALSE, long=LONG))
def test_what_is_false_is_not(cpu: str, said: Said) -> None:
    check(cpu, said)
