"""Loops whose count is an input, without an invariant in the contract: one is found and proved.

What is nearly true must not be proved: one cell too many at either end, a count of 0, what
overlaps, what wraps around.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from _pytest.mark import ParameterSet
from claims import Said, Table, cases, check, false, true

HEAD_6502 = """\
        .segment "ZEROPAGE"
n:      .res 1
zp:     .res 24
        .exportzp n, zp
        .segment "BSS"
src:    .res 48
dst:    .res 48
        .export src, dst
        .segment "CODE"
"""
HEAD_SM83 = """\
SECTION "Variables", HRAM[$FF90]
n:: ds 1
SECTION "Work", WRAM0[$C0E8]
src:: ds 48
dst:: ds 48
SECTION "Main", ROM0[$0150]
"""


def yes(contract: str, code: str, head: str = HEAD_6502) -> Said:
    """A claim that has to be proved."""
    return true(contract, code, head=head)


def no(contract: str, code: str, head: str = HEAD_6502) -> Said:
    """A claim that must not be."""
    return false(contract, code, head=head)


SET = "in: A X; requires: X in 1..48; out: dst[48]; clobbers: X N Z; stack: 0"
SET_CODE = "@l: sta dst-1,x/dex/bne @l/rts"
COPY = "in: X src[48]; requires: X < 48; out: dst[48]; clobbers: A X N Z; stack: 0"
COPY_CODE = "@l: lda src,x/sta dst,x/dex/bne @l/rts"
UP = "in: n src[48]; requires: n in 1..48; out: dst[48]; clobbers: A Y N Z C; stack: 0"
UP_CODE = "ldy #0/@l: lda src,y/sta dst,y/iny/cpy n/bne @l/rts"
XOR = "in: X src[48] dst[48]; requires: X in 1..48; out: dst[48]; clobbers: A X N Z; stack: 0"
XOR_CODE = "@l: lda src-1,x/eor dst-1,x/sta dst-1,x/dex/bne @l/rts"
GB_SET = "in: A C; requires: C in 1..48; out: dst[48]; clobbers: C HL F; stack: 0"
GB_SET_CODE = "ld hl, dst/.l: ld [hl+], a/dec c/jr nz, .l/ret"
GB_COPY = "in: C src[48]; requires: C in 1..48; out: dst[48]; clobbers: A C DE HL F; stack: 0"
GB_COPY_CODE = "ld hl, src/ld de, dst/.l: ld a, [hl+]/ld [de], a/inc de/dec c/jr nz, .l/ret"

TRUE: Table = {
    "6502": {
        "memset": yes(
            "in: A X; requires: X in 1..48; out: dst[48]; clobbers: X N Z; stack: 0; "
            "ensures: all j in 0..47: j < old X -> dst[j] == old A, all j in 0..47: j >= old X "
            "-> dst[j] == old dst[j]; "
            "cycles: 15..485",
            SET_CODE,
        ),
        "memcpy": yes(
            "in: X src[48]; requires: X in 1..47; out: dst[48]; clobbers: A X N Z; "
            "stack: 0; ensures: all j in 1..47: j <= old X -> dst[j] == old src[j]",
            COPY_CODE,
        ),
        "upwards": yes(
            "in: n src[48]; requires: n in 1..48; out: dst[48]; clobbers: A Y N Z C; "
            "stack: 0; ensures: all j in 0..47: j < n -> dst[j] == old src[j]",
            UP_CODE,
        ),
        "xor": yes(
            "in: X src[48] dst[48]; requires: X in 1..48; out: dst[48]; clobbers: A X N Z; "
            "stack: 0; "
            "ensures: all j in 0..47: j < old X -> dst[j] == old dst[j] ^ old src[j]",
            XOR_CODE,
        ),
    },
    "sm83": {
        "memset": yes(
            "in: A C; requires: C in 1..48; out: dst[48]; clobbers: C HL F; stack: 0; "
            "ensures: all j in 0..47: j < old C -> dst[j] == old A",
            GB_SET_CODE,
            HEAD_SM83,
        ),
        "memcpy": yes(
            "in: C src[48]; requires: C in 1..48; out: dst[48]; clobbers: A C DE HL F; "
            "stack: 0; ensures: all j in 0..47: j < old C -> dst[j] == old src[j]",
            GB_COPY_CODE,
            HEAD_SM83,
        ),
    },
}
FALSE: Table = {
    "6502": {
        "one too many": no(
            "in: A X; requires: X in 1..48; out: dst[48]; clobbers: X N Z; stack: 0; "
            "ensures: all j in 0..47: j <= old X -> dst[j] == old A",
            SET_CODE,
        ),
        "the cell behind stays": no(
            "in: A X; requires: X in 1..48; out: dst[48]; clobbers: X N Z; stack: 0; "
            "ensures: all j in 0..47: j >= old X - 1 -> dst[j] == old dst[j]",
            SET_CODE,
        ),
        "a count of 0": no(
            "in: A X; requires: X in 0..48; out: dst[48]; clobbers: X N Z; stack: 0; "
            "ensures: all j in 0..47: j < old X -> dst[j] == old A",
            SET_CODE,
        ),
        "beyond the array": no(
            "in: A X; requires: X in 1..49; out: dst[48]; clobbers: X N Z; stack: 0", SET_CODE
        ),
        "the first cell, too": no(
            "in: X src[48]; requires: X in 1..47; out: dst[48]; clobbers: A X N Z; "
            "stack: 0; ensures: all j in 0..47: j <= old X -> dst[j] == old src[j]",
            COPY_CODE,
        ),
        "one more upwards": no(
            "in: n src[48]; requires: n in 1..48; out: dst[48]; clobbers: A Y N Z C; "
            "stack: 0; ensures: all j in 0..47: j <= n -> dst[j] == old src[j]",
            UP_CODE,
        ),
        "without an end": no(
            "in: n src[48]; requires: n in 0..48; out: dst[48]; clobbers: A Y N Z C; stack: 0",
            UP_CODE,
        ),
        "over itself upwards": no(
            "in: n dst[48]; requires: n in 1..47; out: dst[48]; clobbers: A Y N Z C; "
            "ensures: all j in 0..46: j < n -> dst[j + 1] == old dst[j]",
            "ldy #0/@l: lda dst,y/sta dst+1,y/iny/cpy n/bne @l/rts",
        ),
        "over its count": no(
            "in: A n; requires: n in 1..24; out: n zp[24]; clobbers: Y N Z C; "
            "ensures: all j in 0..23: j < old n -> zp[j] == old A",
            "ldy #0/@l: sta n,y/iny/cpy n/bne @l/rts",
        ),
        "around the zero page": no(
            "in: A X; requires: X >= 1; out: zp[24]; clobbers: X N Z",
            "@l: sta zp-1,x/dex/bne @l/rts",
        ),
        "every second": no(
            "in: A X; requires: X in 1..48; out: dst[48]; clobbers: X N Z; stack: 0; "
            "ensures: all j in 0..47: j < old X -> dst[j] == old A",
            "@l: sta dst-1,x/dex/dex/bne @l/rts",
        ),
        "another value": no(
            "in: X src[48] dst[48]; requires: X in 1..48; out: dst[48]; clobbers: A X N Z; "
            "stack: 0; ensures: all j in 0..47: j < old X -> dst[j] == old src[j]",
            XOR_CODE,
        ),
        "fewer cycles": no(
            "in: A X; requires: X in 1..48; out: dst[48]; clobbers: X N Z; stack: 0; "
            "cycles: 15..484",
            SET_CODE,
        ),
        "a register is kept": no(
            "in: A X; requires: X in 1..48; out: dst[48]; clobbers: N Z; stack: 0", SET_CODE
        ),
    },
    "sm83": {
        "one too many": no(
            "in: A C; requires: C in 1..48; out: dst[48]; clobbers: C HL F; stack: 0; "
            "ensures: all j in 0..47: j <= old C -> dst[j] == old A",
            GB_SET_CODE,
            HEAD_SM83,
        ),
        "a count of 0": no(
            "in: A C; requires: C in 0..48; out: dst[48]; clobbers: C HL F; stack: 0",
            GB_SET_CODE,
            HEAD_SM83,
        ),
        "a pointer that stays on its page": no(
            "in: A C; requires: C in 1..48; out: dst[48]; clobbers: C HL F; stack: 0; "
            "ensures: all j in 0..47: j < old C -> dst[j] == old A",
            "ld hl, dst/.l: ld [hl], a/inc l/dec c/jr nz, .l/ret",
            HEAD_SM83.replace("$C0E8", "$C0B8"),
        ),
        "over itself": no(
            "in: C src[48]; requires: C in 1..47; out: src[48]; clobbers: A C DE HL F; "
            "ensures: all j in 0..46: j < old C -> src[j + 1] == old src[j]",
            GB_COPY_CODE.replace("ld de, dst", "ld de, src+1"),
            HEAD_SM83,
        ),
        "the last cell stays": no(
            "in: C src[48]; requires: C in 1..48; out: dst[48]; clobbers: A C DE HL F; "
            "stack: 0; ensures: all j in 0..47: j >= old C - 1 -> dst[j] == old dst[j]",
            GB_COPY_CODE,
            HEAD_SM83,
        ),
    },
}
IN_SUITE = ("6502 memset", "6502 a count of 0")
LONG = [
    f"{cpu} {name}"
    for table in (TRUE, FALSE)
    for cpu, claims in table.items()
    for name in claims
    if f"{cpu} {name}" not in IN_SUITE
]


SLOWEST = ("every second",)
"""Seven minutes, on the 6502: two million instructions are executed, and it is unknown but for the
runs that refute it. `make fuzz` tries it."""


def _cases() -> Iterator[object]:
    for case in cases(TRUE, FALSE, long=LONG):
        assert isinstance(case, ParameterSet)
        slowest = str(case.id).removeprefix("6502 ") in SLOWEST
        yield pytest.param(*case.values, id=case.id, marks=pytest.mark.long) if slowest else case


@pytest.mark.slow_cases("6502 memset", "6502 a count of 0")
@pytest.mark.parametrize(("cpu", "said"), list(_cases()))
def test_loops_without_an_invariant(cpu: str, said: Said) -> None:
    check(cpu, said)
