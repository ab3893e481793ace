"""Multiplication, division, generators: proved for all inputs, refuted where one is wrong."""

from __future__ import annotations

import pytest
from claims import REFUTED, Said, Table, cases, check, false, true

HEAD = {
    "6502": """\
        .segment "ZEROPAGE"
u:      .res 2
v:      .res 2
r:      .res 4
q:      .res 2
        .exportzp u, v, r, q
        .segment "CODE"
""",
    "sm83": """\
SECTION "Variables", HRAM[$FF90]
u:: ds 2
v:: ds 2
r:: ds 4
q:: ds 2
SECTION "Main", ROM0[$0150]
""",
}

MULTIPLY = "in: u[2] v[2]; out: r[4]; clobbers: A X N V Z C; ensures: r == u * v"
SHIFTED_RIGHT = (
    "lda #0/sta r+2/sta r+3/lda v/sta r/lda v+1/sta r+1/ldx #16/lsr r+1/ror r/@l: bcc @n/clc/"
    "lda r+2/adc u/sta r+2/lda r+3/adc u+1/sta r+3/@n: ror r+3/ror r+2/ror r+1/ror r/dex/bne @l/rts"
)
"""The product grows from the right into the place of the multiplier."""
SHIFTED_LEFT = (
    "lda #0/sta r/sta r+1/sta r+2/sta r+3/lda v/sta q/lda v+1/sta q+1/ldx #16/"
    "@l: asl r/rol r+1/rol r+2/rol r+3/asl q/rol q+1/bcc @n/clc/lda r/adc u/sta r/"
    "lda r+1/adc u+1/sta r+1/lda r+2/adc #0/sta r+2/lda r+3/adc #0/sta r+3/@n: dex/bne @l/rts"
)
WITH_Q = "in: u[2] v[2]; out: r[4]; clobbers: A X q[2] N V Z C; ensures: r == u * v"
DIVIDE = (
    "in: u[2] v[2]; requires: v > 0; out: q[2] r[2]; clobbers: A X N V Z C; "
    "ensures: q * v + (r[0] + (r[1] << 8)) == u, r[0] + (r[1] << 8) < v"
)
DIVISION = (
    "lda #0/sta r/sta r+1/lda u/sta q/lda u+1/sta q+1/ldx #16/"
    "@l: asl q/rol q+1/rol r/rol r+1/lda r/cmp v/lda r+1/sbc v+1/bcc @n/"
    "lda r/sbc v/sta r/lda r+1/sbc v+1/sta r+1/inc q/@n: dex/bne @l/rts"
)
BY_BYTE = (
    "in: u[2] v[1]; requires: v[0] > 0; out: q[2] r[1]; clobbers: A X N V Z C; "
    "ensures: q * v[0] + r[0] == u, r[0] < v[0]"
)
DIVISION_BY_BYTE = (
    "lda #0/sta r/lda u/sta q/lda u+1/sta q+1/ldx #16/@l: asl q/rol q+1/rol r/"
    "lda r/bcs @s/cmp v/bcc @n/@s: sbc v/sta r/inc q/@n: dex/bne @l/rts"
)
MULTIPLY_HL = "in: A DE; out: HL; clobbers: A B ZF NF HF CF; ensures: HL == (old A * DE) & $FFFF"
MULTIPLICATION = (
    "ld hl, 0/ld b, 8/.l: add hl, hl/add a, a/jr nc, .n/add hl, de/.n: dec b/jr nz, .l/ret"
)
DIVIDE_HL = (
    "in: HL C; requires: C > 0; out: HL A; clobbers: B ZF NF HF CF; "
    "ensures: HL * C + A == old HL, A < C"
)
DIVISION_OF_HL = (
    "xor a/ld b, 16/.l: add hl, hl/rla/jr c, .s/cp c/jr c, .n/.s: sub c/inc l/"
    ".n: dec b/jr nz, .l/ret"
)
TURNS = "in: r[4]; out: r[4]; clobbers: A X N Z C; cycles: {}"
GENERATOR = (
    "ldx #{}/@l: lsr r/ror r+1/ror r+2/ror r+3/bcc @n/lda r/eor #$A3/sta r/@n: dex/bne @l/rts"
)


def changed(text: str, old: str, new: str) -> str:
    """A text with one mistake."""
    assert old in text
    return text.replace(old, new, 1)


def refuted(contract: str, code: str, reason: str, cpu: str = "6502") -> Said:
    return false(contract, code, reason, (REFUTED,), head=HEAD[cpu])


def proved(contract: str, code: str, cpu: str = "6502") -> Said:
    return true(contract, code, head=HEAD[cpu])


CLAIMS: Table = {
    "6502": {
        "16 by 16, to the right": proved(MULTIPLY, SHIFTED_RIGHT),
        "16 by 16, to the left": proved(WITH_Q, SHIFTED_LEFT),
        "16 by 16 by 15 steps": refuted(
            MULTIPLY, changed(SHIFTED_RIGHT, "#16", "#15"), "r == u * v"
        ),
        "16 by 16, a carry that comes in": refuted(
            MULTIPLY, changed(SHIFTED_RIGHT, "clc/", ""), "r == u * v"
        ),
        "16 by 16, a carry that is lost": refuted(
            WITH_Q, changed(SHIFTED_LEFT, "lda r+3/adc #0/sta r+3/", ""), "r == u * v"
        ),
        "16 by 16, wrong for one multiplier": refuted(
            MULTIPLY,
            changed(
                SHIFTED_RIGHT,
                "dex/bne @l/rts",
                "dex/bne @l/lda v/cmp #$5A/bne @r/lda v+1/cmp #$A5/bne @r/inc r+1/@r: rts",
            ),
            "r == u * v",
        ),
        "16 by 16, one more than the product": refuted(
            "in: u[2] v[2]; out: r[4]; clobbers: A X N V Z C; ensures: r == u * v + 1",
            SHIFTED_RIGHT,
            "r == u * v",
        ),
        "16 / 16": proved(DIVIDE, DIVISION),
        "16 / 16 in one condition": proved(changed(DIVIDE, "== u,", "== u and"), DIVISION),
        "16 / 16 in one condition, less is left": refuted(
            changed(DIVIDE, "== u, r[0]", "== u and r[0] + 1"), DIVISION, "ensures"
        ),
        "16 by 16 on one condition": proved(
            changed(MULTIPLY, "r == u * v", "u < 9 -> r == u * v and v == v"), SHIFTED_RIGHT
        ),
        "16 by 16 or something else": proved(
            changed(MULTIPLY, "r == u * v", "v == 5 or r == u * v"), SHIFTED_RIGHT
        ),
        "16 by 16 or something else, wrong for the rest": refuted(
            changed(MULTIPLY, "r == u * v", "v == 5 or r == u * v + (v >> 15)"),
            SHIFTED_RIGHT,
            "ensures",
        ),
        "16 / 8": proved(BY_BYTE, DIVISION_BY_BYTE),
        "16 / 8 without the carry": refuted(
            BY_BYTE, changed(DIVISION_BY_BYTE, "bcs @s/", ""), "ensures"
        ),
        "16 / 16, one step too few": refuted(DIVIDE, changed(DIVISION, "#16", "#15"), "ensures"),
        "16 / 16, what is left may be the divisor": refuted(
            DIVIDE, changed(DIVISION, "bcc @n/", "bcc @n/beq @n/"), "ensures"
        ),
        "16 / 16 with a divisor that may be 0": refuted(
            changed(DIVIDE, "requires: v > 0; ", ""), DIVISION, "< v"
        ),
        "64 steps of a generator": proved(
            "in: r[4]; out: r[4]; clobbers: A X N Z C; cycles: 1799..2163", GENERATOR.format(64)
        ),
        "64 steps of a generator, one cycle less": refuted(
            "in: r[4]; out: r[4]; clobbers: A X N Z C; cycles: 1799..2162",
            GENERATOR.format(64),
            "cycles",
        ),
    },
    "sm83": {
        "16 by 8": proved(MULTIPLY_HL, MULTIPLICATION, "sm83"),
        "16 by 8 by 7 steps": refuted(
            MULTIPLY_HL, changed(MULTIPLICATION, "b, 8", "b, 7"), "HL ==", "sm83"
        ),
        "16 by 8, added twice": refuted(
            MULTIPLY_HL,
            changed(MULTIPLICATION, "add hl, de", "add hl, de/jr nc, .n/inc hl"),
            "HL ==",
            "sm83",
        ),
        "16 / 8": proved(DIVIDE_HL, DIVISION_OF_HL, "sm83"),
        "16 / 8 without the carry": refuted(
            DIVIDE_HL, changed(DIVISION_OF_HL, "jr c, .s/", ""), "ensures", "sm83"
        ),
        "16 / 8, one too far": refuted(
            DIVIDE_HL, changed(DIVISION_OF_HL, "jr c, .n", "jr c, .n/jr z, .n"), "ensures", "sm83"
        ),
    },
}


LONG = (
    "6502 16 by 16, wrong for one multiplier",
    "6502 16 by 16, a carry that is lost",
    "6502 16 / 16, what is left may be the divisor",
    "6502 64 steps of a generator, one cycle less",
    "sm83 16 / 8 without the carry",
)


@pytest.mark.quick_cases(
    "6502 16 by 16, wrong for one multiplier",
    "6502 16 / 16 with a divisor that may be 0",
    "6502 64 steps of a generator, one cycle less",
    "sm83 16 / 8",
    "sm83 16 / 8 without the carry",
)
@pytest.mark.parametrize(("cpu", "said"), cases(CLAIMS, long=LONG))
def test_arithmetic(cpu: str, said: Said) -> None:
    check(cpu, said)
