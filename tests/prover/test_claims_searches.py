"""Loops that look for something, or go through a buffer for the greatest: what is ensured of all
cells in some case is tried as an invariant, of those that were read. Slips must not be proved."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from _pytest.mark import ParameterSet
from claims import Said, Table, cases, check, false, true

HEAD_6502 = """\
        .segment "ZEROPAGE"
src:    .res 2
n:      .res 1
        .exportzp src, n
        .segment "BSS"
buf:    .res 100
        .export buf
        .segment "CODE"
"""
HEAD_SM83 = """\
SECTION "Work", WRAM0[$C0E8]
buf:: ds 200
SECTION "Main", ROM0[$0150]
"""

FIND = (
    "in: src[2] n s A; pointer: src -> s[n]; out: C Y; clobbers: N Z; "
    "ensures: C == 1 -> Y < n and s[Y] == A, C == 0 -> (all j in 0..254: j < n -> s[j] != A)"
)
FIND_CODE = "ldy #0/@l: cpy n/beq @x/cmp (src),y/beq @y/iny/bne @l/@x: clc/rts/@y: sec/rts"
LENGTH = (
    "in: src[2] s; pointer: src -> s[256]; requires: s[255] == 0; out: Y; clobbers: A N Z; "
    "ensures: s[Y] == 0, all j in 0..255: j < Y -> s[j] != 0"
)
LENGTH_CODE = "ldy #0/@l: lda (src),y/beq @d/iny/bne @l/@d: rts"
MAX = (
    "in: buf[100] n; requires: n in 1..100; out: A; clobbers: X N Z C; "
    "ensures: all j in 0..99: j < n -> buf[j] <= A"
)
MAX_CODE = "ldx n/dex/lda buf,x/@l: dex/cpx #255/beq @d/cmp buf,x/bcs @l/lda buf,x/jmp @l/@d: rts"
MAX_64 = "in: buf[100]; out: A; clobbers: X N Z C; ensures: all j in 0..63: buf[j] <= A"
MAX_64_CODE = "lda #0/ldx #63/@l: cmp buf,x/bcs @n/lda buf,x/@n: dex/bpl @l/rts"
"""It is executed to its end, and then the question is hard."""
GB_FIND = (
    "in: buf[200] E; out: HL ZF; clobbers: A B NF HF CF; "
    "ensures: ZF == 1 -> buf[HL - &buf] == E, ZF == 0 -> (all j in 0..199: buf[j] != E)"
)
GB_FIND_CODE = "ld hl, buf/ld b, 200/.l: ld a, [hl]/cp e/ret z/inc hl/dec b/jr nz, .l/inc b/ret"


def yes(contract: str, code: str, cpu: str = "6502") -> Said:
    """What has to be proved."""
    return true(contract, code, head=HEAD_6502 if cpu == "6502" else HEAD_SM83)


def no(contract: str, code: str, old: str, new: str, cpu: str = "6502") -> Said:
    """The same with one slip, in the code or in the contract."""
    assert (old in contract) != (old in code)
    head = HEAD_6502 if cpu == "6502" else HEAD_SM83
    return false(contract.replace(old, new), code.replace(old, new), head=head)


CLAIMS: Table = {
    "6502": {
        "found by a pointer": yes(FIND, FIND_CODE),
        "found one too early": no(FIND, FIND_CODE, "beq @y/iny", "iny/beq @y"),
        "the last is not looked at": no(FIND, FIND_CODE, "ldy #0/@l: cpy n", "ldy #1/@l: cpy n"),
        "one cell more": no(FIND, FIND_CODE, "j < n ->", "j <= n ->"),
        "not found is found": no(FIND, FIND_CODE, "@x: clc", "@x: sec"),
        "how long it is": yes(LENGTH, LENGTH_CODE),
        "how long, and one more": no(LENGTH, LENGTH_CODE, "j < Y", "j <= Y"),
        "how long from the second on": no(LENGTH, LENGTH_CODE, "ldy #0", "ldy #1"),
        "without an end": no(LENGTH, LENGTH_CODE, "s[255] == 0", "s[255] == 1"),
        "the greatest of n": yes(MAX, MAX_CODE),
        "the greatest is less than all": no(MAX, MAX_CODE, "<= A", "< A"),
        "the greatest, the first left out": no(MAX, MAX_CODE, "cpx #255", "cpx #0"),
        "the greatest, the wrong branch": no(MAX, MAX_CODE, "bcs @l", "bcc @l"),
        "the greatest of 64": yes(MAX_64, MAX_64_CODE),
        "the greatest of 64, one cell less": no(MAX_64, MAX_64_CODE, "#63", "#62"),
        "the greatest of 64, the wrong branch": no(MAX_64, MAX_64_CODE, "bcs @n", "bcc @n"),
    },
    "sm83": {
        "found from hl": yes(GB_FIND, GB_FIND_CODE, "sm83"),
        "found from hl, one too far": no(GB_FIND, GB_FIND_CODE, "- &buf]", "- &buf + 1]", "sm83"),
        "found from hl, the last left out": no(GB_FIND, GB_FIND_CODE, "b, 200", "b, 199", "sm83"),
        "found from hl, another register": no(GB_FIND, GB_FIND_CODE, "cp e", "cp d", "sm83"),
        "found from hl, flags of the end": no(GB_FIND, GB_FIND_CODE, "inc b/ret", "ret", "sm83"),
    },
}
SUITE = ("6502 the greatest of 64, the wrong branch", "sm83 found from hl, another register")
PROOFS = (
    "6502 not found is found",
    "6502 the greatest of n",
    "6502 the greatest is less than all",
    "sm83 found from hl",
)
"""The others take five minutes together: `make fuzz` tries them."""


def _cases() -> Iterator[object]:
    names = [f"{cpu} {name}" for cpu, claims in CLAIMS.items() for name in claims]
    for case in cases(CLAIMS, long=[name for name in names if name not in SUITE]):
        assert isinstance(case, ParameterSet)
        rare = case.id not in (*SUITE, *PROOFS)
        yield pytest.param(*case.values, id=case.id, marks=pytest.mark.long) if rare else case


@pytest.mark.slow_cases("sm83 found from hl, another register")
@pytest.mark.parametrize(("cpu", "said"), list(_cases()))
def test_searches(cpu: str, said: Said) -> None:
    check(cpu, said)
