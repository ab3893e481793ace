"""Pointers: blocks wherever they may be, in loops that are executed. What is nearly true is not
proved: a byte too many at either end, blocks that overlap, what wraps around, counts of 0, pointers
that change on the way, variables and return addresses that a block might lie on, secrets.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from claims import VACUOUS, Said, Table, cases, check, false, true, wide

COPY = (
    "in: ptr buf src; pointer: ptr -> src[8]; pointer: buf -> dst[8]; out: dst; "
    "ensures: all j in 0..7: dst[j] == old src[j]; clobbers: A Y N Z; stack: 0; "
)
COPY_CODE = "ldy #7/@l: lda (ptr),y/sta (buf),y/dey/bpl @l/rts"
HEAD_6502 = """\
        .segment "ZEROPAGE"
n:      .res 1
tmp:    .res 1
ptr:    .res 2
buf:    .res 2
        .exportzp n, tmp, ptr, buf
        .segment "BSS"
arr:    .res 8
        .export arr
        .segment "CODE"
"""
LOAD = (
    "in: HL src; pointer: HL -> src[8]; out: arr[8]; ensures: all j in 0..7: arr[j] == src[j]; "
    "clobbers: A B HL DE F; stack: 0; "
)
LOAD_CODE = "ld de, arr/ld b, 8/.l: ld a, [hl+]/ld [de], a/inc de/dec b/jr nz, .l/ret"
GB_COPY = (
    "in: HL DE src; pointer: HL -> src[8]; pointer: DE -> dst[8]; out: dst; "
    "ensures: all j in 0..7: dst[j] == old src[j]; clobbers: A B HL DE F; stack: 0; "
)
GB_COPY_CODE = "ld b, 8/.l: ld a, [hl+]/ld [de], a/inc de/dec b/jr nz, .l/ret"
FAR = (
    "in: ptr src; pointer: ptr -> src[5000]; out: A; ensures: A == src[{}]; "
    "clobbers: buf[2] Y N V Z C"
)
FAR_CODE = "lda ptr/clc/adc #<{0}/sta buf/lda ptr+1/adc #>{0}/sta buf+1/ldy #0/lda (buf),y/rts"
HEAD_SM83 = """\
SECTION "Variables", HRAM[$FF90]
n:: ds 1
tmp:: ds 1
ptr:: ds 2
SECTION "Work", WRAM0[$C080]
arr:: ds 8
SECTION "Main", ROM0[$0150]
"""


def yes(contract: str, code: str, **more: object) -> Said:
    """A claim that has to be proved."""
    return true(contract, code, head=HEAD_6502, **more)  # type: ignore[arg-type]


def no(contract: str, code: str, reason: str = "", **more: object) -> Said:
    """A claim that must not be."""
    return false(contract, code, reason, head=HEAD_6502, **more)  # type: ignore[arg-type]


def gb(said: Said) -> Said:
    """The same on the SM83."""
    return replace(said, head=HEAD_SM83)


TRUE: Table = {
    "6502": {
        "at one place alone": yes(
            "in: ptr src arr[8]; pointer: ptr -> src[2]; requires: ptr == $0320; out: A; "
            "ensures: A == src[1] ^ arr[7]; clobbers: Y N Z; stack: 0; cycles: 17",
            "ldy #1/lda (ptr),y/eor arr+7/rts",
        ),
        "the last of many bytes": yes(
            "in: ptr src; pointer: ptr -> src[5000]; out: A; ensures: A == src[4999]; "
            "clobbers: buf[2] Y N V Z C",
            FAR_CODE.format(4999),
        ),
        "a copy": yes(
            "in: ptr buf src; pointer: ptr -> src[8]; pointer: buf -> dst[8]; out: dst; "
            "ensures: all j in 0..7: dst[j] == old src[j]; clobbers: A Y N Z; stack: 0; "
            "cycles: 135..142",
            COPY_CODE,
        ),
        "one byte": yes(
            "in: ptr src; pointer: ptr -> src[1]; out: A; ensures: A == src[0]; "
            "clobbers: Y N Z; cycles: 13",
            "ldy #0/lda (ptr),y/rts",
        ),
        "the sum of a block": yes(
            "in: ptr src; pointer: ptr -> src[4]; out: A; clobbers: Y N V Z C; "
            "ensures: A == (sum j in 0..3: src[j]) % 256",
            "lda #0/ldy #3/@l: clc/adc (ptr),y/dey/bpl @l/rts",
        ),
        "any of its bytes": yes(
            "in: ptr X src; requires: X < 8; pointer: ptr -> src[8]; out: A; ensures: A == src[X]; "
            "clobbers: Y N Z",
            "txa/tay/lda (ptr),y/rts",
        ),
        "as many as X says": yes(
            "in: ptr X; requires: X in 1..4; pointer: ptr -> dst[X]; out: dst; "
            "ensures: all j in 0..3: j < X -> dst[j] == 0; clobbers: A Y N Z",
            "txa/tay/lda #0/@l: dey/sta (ptr),y/bne @l/rts",
        ),
        "what it wrote is read again": yes(
            "in: ptr; pointer: ptr -> dst[2]; out: dst A; ensures: A == 5, dst[1] == 5; "
            "clobbers: Y N Z",
            "lda #5/ldy #1/sta (ptr),y/lda #0/lda (ptr),y/rts",
        ),
        "a byte stays": yes(
            "in: ptr dst; pointer: ptr -> dst[4]; out: dst; clobbers: A Y N Z; "
            "ensures: dst[0] == old dst[0], dst[2] == old dst[1]",
            "ldy #1/lda (ptr),y/iny/sta (ptr),y/rts",
        ),
        "a pointer that comes back": yes(
            "in: ptr buf src; pointer: ptr -> src[8]; pointer: buf -> dst[8]; out: dst; "
            "ensures: all j in 0..7: dst[j] == old src[j]; clobbers: tmp A Y N Z; "
            "stack: 0; ",
            "inc ptr/dec ptr/" + COPY_CODE,
        ),
        "where it begins": yes(
            "in: ptr src; pointer: ptr -> src[4]; out: A; clobbers: N Z; ensures: A == &src % 256; "
            "cycles: 9",
            "lda ptr/rts",
        ),
        "both may be the same where they are only read": yes(
            "in: ptr buf one two; pointer: ptr -> one[1]; pointer: buf -> two[1]; out: Z; "
            "clobbers: A Y N C; ensures: Z -> one[0] == two[0]",
            "ldy #0/lda (ptr),y/cmp (buf),y/rts",
        ),
    },
    "sm83": {
        "into a variable": gb(
            yes(
                "in: HL src; pointer: HL -> src[8]; out: arr[8]; "
                "ensures: all j in 0..7: arr[j] == src[j]; clobbers: A B HL DE F; stack: 0; "
                "cycles: 88 constant",
                LOAD_CODE,
            )
        ),
        "a copy": gb(yes(GB_COPY, GB_COPY_CODE)),
        "a pointer in high RAM": gb(
            yes(
                "in: ptr src; pointer: ptr -> src[2]; out: A; ensures: A == src[1]; clobbers: HL F",
                "ldh a, [ptr]/ld l, a/ldh a, [ptr+1]/ld h, a/inc hl/ld a, [hl]/ret",
            )
        ),
    },
}
FALSE: Table = {
    "6502": {
        "beyond the last of many": no(
            "in: ptr src; pointer: ptr -> src[5000]; out: A; ensures: A == src[4999]; "
            "clobbers: buf[2] Y N V Z C",
            FAR_CODE.format(5000),
        ),
        "another of many bytes": no(
            "in: ptr src; pointer: ptr -> src[5000]; out: A; ensures: A == src[4998]; "
            "clobbers: buf[2] Y N V Z C",
            FAR_CODE.format(4999),
        ),
        "a byte too many is read": no(COPY, "ldy #8/lda (ptr),y/" + COPY_CODE, "reads"),
        "a byte before is read": no(
            "in: ptr src; pointer: ptr -> src[4]; out: A; clobbers: Y N Z",
            "ldy #$ff/lda (ptr),y/rts",
            "reads",
        ),
        "a byte too many is written": no(COPY, COPY_CODE.replace("#7", "#8")),
        "a byte too few is written": no(COPY, COPY_CODE.replace("bpl", "bne")),
        "another byte is written": no(COPY, COPY_CODE.replace("/sta", "/eor #1/sta")),
        "the block that is only read is written": no(
            COPY, COPY_CODE.replace("/rts", "/iny/lda (ptr),y/clc/adc #1/sta (ptr),y/rts")
        ),
        "what is only written is read": no(
            "in: ptr buf src; pointer: ptr -> src[8]; pointer: buf -> dst[8]; out: dst A; "
            "ensures: all j in 0..7: dst[j] == old src[j]; clobbers: Y N Z; stack: 0; ",
            "ldy #0/lda (buf),y/pha/ldy #7/@l: lda (ptr),y/sta (buf),y/dey/bpl @l/pla/rts",
        ),
        "it may be in the middle of the routine's variables": no(
            "in: ptr arr[8]; requires: ptr == &arr; pointer: ptr -> dst[8]; out: dst; "
            "clobbers: A Y N Z",
            "ldy #0/tya/sta (ptr),y/rts",
            "no input",
            verdicts=(VACUOUS,),
        ),
        "a pointer that changes": no(COPY, "inc ptr/" + COPY_CODE + "/dec ptr"),
        "it wraps in the zero page": no(
            "in: X src ptr; pointer: ptr -> src[8]; out: A; clobbers: Y N Z; requires: X == 0",
            "lda (ptr,x)/lda ptr,x/tay/lda $00,y/rts",
        ),
        "a variable outside of a block is as it was": no(
            "in: ptr; pointer: ptr -> dst[4]; out: dst; clobbers: A Y N Z; "
            "ensures: $1234[0] == old $1234[0]",
            "ldy #0/tya/sta (ptr),y/rts",
            "ensures",
        ),
        "a variable that has no name": no(
            "in: ptr; pointer: ptr -> dst[4]; out: dst A; clobbers: Y N Z; ensures: A == dst[0]",
            "lda $1234/ldy #0/sta (ptr),y/lda $1234/rts",
        ),
        "the return address": no(
            "in: ptr; pointer: ptr -> dst[4]; out: dst A; clobbers: Y N Z; stack: 2; "
            "ensures: A == 1",
            "lda #1/pha/ldy #0/tya/sta (ptr),y/pla/eor #1/rts",
        ),
        "secret data": no(
            "in: ptr src; pointer: ptr -> src[1]; secret: src; out: A; clobbers: Y N Z",
            "ldy #0/lda (ptr),y/beq @d/lda #1/@d: rts",
            "secret",
        ),
        "0 is 256": no(
            "in: ptr X; requires: X <= 4; pointer: ptr -> dst[(X - 1 + 256) % 256 + 1]; out: dst; "
            "ensures: dst[255] == 0; clobbers: A Y N Z",
            "txa/tay/lda #0/cpy #0/beq @d/@l: dey/sta (ptr),y/bne @l/@d: rts",
        ),
        "the result depends on what lies behind": no(
            "in: ptr src; pointer: ptr -> src[2]; out: A; clobbers: Y N Z",
            "ldy #2/lda (ptr),y/lsr a/lda #0/rol a/rts",
        ),
        "blocks overlap where both are read, and one is written": no(
            "in: ptr buf src dst; pointer: ptr -> src[2]; pointer: buf -> dst[2]; out: dst; "
            "clobbers: A Y N Z; ensures: dst[0] == old src[1]",
            "ldy #0/lda (ptr),y/sta (buf),y/rts",
        ),
        "cycles of one page only": no(
            "in: ptr buf src; pointer: ptr -> src[8]; pointer: buf -> dst[8]; out: dst; "
            "ensures: all j in 0..7: dst[j] == old src[j]; clobbers: A Y N Z; stack: 0; "
            "cycles: 135",
            COPY_CODE,
        ),
        "cycles that are never reached": wide(
            no(
                "in: ptr buf src; pointer: ptr -> src[8]; pointer: buf -> dst[8]; out: dst; "
                "ensures: all j in 0..7: dst[j] == old src[j]; clobbers: A Y N Z; stack: 0; "
                "cycles: 135..143",
                COPY_CODE,
            )
        ),
    },
    "sm83": {
        "more bytes than are free": gb(
            no(
                "in: HL DE src more; pointer: HL -> src[32768]; pointer: DE -> more[32768]; "
                "out: arr[8]; ensures: all j in 0..7: arr[j] == src[j]; clobbers: A B HL DE F; "
                "stack: 0; ",
                LOAD_CODE,
                "leaves no 32,768 free bytes",
            )
        ),
        "a carry is missing": gb(no(GB_COPY, GB_COPY_CODE.replace("inc de", "inc e"))),
        "a byte too many": gb(no(GB_COPY, GB_COPY_CODE.replace("ld b, 8", "ld b, 9"))),
        "a byte too few": gb(no(GB_COPY, GB_COPY_CODE.replace("ld b, 8", "ld b, 7"))),
        "into the variable, one too many": gb(no(LOAD, LOAD_CODE.replace("b, 8", "b, 9"))),
        "a byte before": gb(no(LOAD, "dec hl/" + LOAD_CODE)),
        "it has a port": gb(
            no(
                "in: HL src; pointer: HL -> src[1]; out: A; ensures: A == src[0], HL == $FF04; "
                "clobbers: F",
                "ld a, [hl]/ret",
            )
        ),
    },
}


LONG_TRUE = {
    "6502 as many as X says",
    *("6502 a copy", "sm83 a copy", "sm83 into a variable", "6502 a pointer that comes back"),
}
LONG_FALSE = {
    *("6502 a pointer that changes", "sm83 a carry is missing"),
    *("sm83 into the variable, one too many", "sm83 a byte too many"),
}
"""What takes more than a second."""


@pytest.mark.quick_cases(
    "6502 at one place alone",
    "6502 a copy",
    "6502 as many as X says",
    "6502 a pointer that comes back",
    "sm83 into a variable",
    "sm83 a copy",
)
@pytest.mark.parametrize(("cpu", "said"), cases(TRUE, long=LONG_TRUE))
def test_what_is_true_is_proved(cpu: str, said: Said) -> None:
    check(cpu, said)


@pytest.mark.quick_cases(
    "6502 a byte before is read",
    "6502 it may be in the middle of the routine's variables",
    "6502 a pointer that changes",
    "6502 it wraps in the zero page",
    "6502 the return address",
    "6502 secret data",
    "6502 the result depends on what lies behind",
    "sm83 more bytes than are free",
    "sm83 a carry is missing",
    "sm83 a byte too many",
    "sm83 into the variable, one too many",
    "sm83 it has a port",
)
@pytest.mark.parametrize(("cpu", "said"), cases(FALSE, long=LONG_FALSE))
def test_what_is_false_is_not(cpu: str, said: Said) -> None:
    check(cpu, said)
