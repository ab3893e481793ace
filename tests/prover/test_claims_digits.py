"""Numbers of eight decimal digits: what is added and subtracted, and what is nearly so."""

from __future__ import annotations

import pytest
from claims import REFUTED, Said, cases, check, false, true

HEAD_6502 = """\
        .segment "ZEROPAGE"
n:      .res 4
m:      .res 4
r:      .res 4
        .exportzp n, m, r
        .segment "CODE"
"""
HEAD_SM83 = """\
SECTION "Variables", HRAM[$FF90]
n:: ds 4
m:: ds 4
r:: ds 4
SECTION "Main", ROM0[$0150]
"""
ALL = 100_000_000
DIGITS = "requires: " + ", ".join(
    f"all j in 0..3: {name}[j] & 15 <= 9, all j in 0..3: {name}[j] >> 4 <= 9" for name in "nm"
)
LOW_ONLY = "requires: all j in 0..3: n[j] & 15 <= 9, all j in 0..3: m[j] & 15 <= 9"
VALID = "all j in 0..3: r[j] & 15 <= 9, all j in 0..3: r[j] >> 4 <= 9"


def value(name: str) -> str:
    """The number that four bytes of digits are, the lowest first."""
    places = [f"({name}[{j}] - 6 * ({name}[{j}] >> 4))" for j in range(4)]
    return f"{places[0]} + " + " + ".join(f"{100**j} * {places[j]}" for j in (1, 2, 3))


N, M, R = (value(name) for name in "nmr")
IN_PLACE = {name: value(name) for name in ("n", "old n")}
ADDS_6502 = f"{R} + {ALL} * C == {N} + {M}"
SUBTRACTS_6502 = f"{R} == {N} - ({M}) + {ALL} * (1 - C)"
ADDS_SM83, SUBTRACTS_SM83 = (
    f"{R} + {ALL} * CF == {N} + {M}",
    f"{R} == {N} - ({M}) + {ALL} * CF",
)
MODULO, MODULO_SUB = f"{R} == ({N} + {M}) % {ALL}", f"{R} == ({N} - ({M})) % {ALL}"


def m6502(ensures: str, requires: str = DIGITS, clobbers: str = "A D N V Z") -> str:
    """The contract of a routine with r = n and m."""
    return f"in: n m; {requires}; out: r C; clobbers: {clobbers}; ensures: {ensures}"


def sm83(ensures: str, requires: str = DIGITS) -> str:
    """The same on the SM83."""
    return f"in: n m; {requires}; out: r CF; clobbers: A B ZF NF HF; ensures: {ensures}"


def bytes_6502(operation: str, places: tuple[int, ...] = (0, 1, 2, 3), first: str = "sed") -> str:
    """The code, byte by byte."""
    each = [f"lda n+{j}/{operation} m+{j}/sta r+{j}" for j in places]
    return "/".join([first, *each, "cld/rts"])


def bytes_sm83(first: str, operation: str, daa: str = "daa") -> str:
    """The same on the SM83."""
    each = [
        f"ldh a, [m+{j}]/ld b, a/ldh a, [n+{j}]/{operation if j else first} b"
        f"/{daa if j == 2 else 'daa'}/ldh [r+{j}], a"
        for j in range(4)
    ]
    return "/".join([*each, "ret"])


def at_6502(contract: str, code: str, wrong: bool = False) -> Said:
    """A claim that is true, or that is false and has to be refuted."""
    if not wrong:
        return true(contract, code, head=HEAD_6502)
    return false(contract, code, "", (REFUTED,), head=HEAD_6502)


def at_sm83(contract: str, code: str, wrong: bool = False) -> Said:
    """The same on the SM83."""
    if not wrong:
        return true(contract, code, head=HEAD_SM83)
    return false(contract, code, "", (REFUTED,), head=HEAD_SM83)


LOOP = "ldx #0/ldy #4/@l: lda n,x/{} m,x/sta r,x/inx/dey/bne @l/cld/rts"
LOOPED = "A X Y D N V Z"
SM83_LOOP = (
    "in: n m; "
    "requires: all j in 0..3: n[j] & 15 <= 9, all j in 0..3: n[j] >> 4 <= 9, all j in "
    "0..3: m[j] & 15 <= 9, all j in 0..3: m[j] >> 4 <= 9; "
    "out: n CF; clobbers: A BC DE HL ZF NF HF; "
    "ensures: (n[0] - 6 * (n[0] >> 4)) + 100 * (n[1] - 6 * (n[1] >> 4)) + 10000 * "
    "(n[2] - 6 * (n[2] >> 4)) + 1000000 * (n[3] - 6 * (n[3] >> 4)) + 100000000 * CF == "
    "(old n[0] - 6 * (old n[0] >> 4)) + 100 * (old n[1] - 6 * (old n[1] >> 4)) + 10000 "
    "* (old n[2] - 6 * (old n[2] >> 4)) + 1000000 * (old n[3] - 6 * (old n[3] >> 4)) + "
    "(m[0] - 6 * (m[0] >> 4)) + 100 * (m[1] - 6 * (m[1] >> 4)) + 10000 * (m[2] - 6 * "
    "(m[2] >> 4)) + 1000000 * (m[3] - 6 * (m[3] >> 4))"
)
SM83_ADDING = (
    "ld hl, n/ld de, m/ld b, 4/or a/.l: ld a, [de]/adc [hl]/daa/ld [hl+], a/inc de/dec b"
    "/jr nz, .l/ret"
)
SM83_LOOP_SUB = SM83_LOOP.partition("ensures")[0] + (
    "ensures: (n[0] - 6 * (n[0] >> 4)) + 100 * (n[1] - 6 * (n[1] >> 4)) + 10000 * "
    "(n[2] - 6 * (n[2] >> 4)) + 1000000 * (n[3] - 6 * (n[3] >> 4)) == (old n[0] - 6 * "
    "(old n[0] >> 4)) + 100 * (old n[1] - 6 * (old n[1] >> 4)) + 10000 * (old n[2] - 6 "
    "* (old n[2] >> 4)) + 1000000 * (old n[3] - 6 * (old n[3] >> 4)) - ((m[0] - 6 * "
    "(m[0] >> 4)) + 100 * (m[1] - 6 * (m[1] >> 4)) + 10000 * (m[2] - 6 * (m[2] >> 4)) "
    "+ 1000000 * (m[3] - 6 * (m[3] >> 4))) + 100000000 * CF"
)
SM83_SUBTRACTING = SM83_ADDING.replace("adc [hl]", "ld c, a/ld a, [hl]/sbc c")

TRUE = {
    "6502": {
        "added": at_6502(m6502(ADDS_6502), bytes_6502("adc", first="sed/clc")),
        "added in a loop": at_6502(
            m6502(ADDS_6502, clobbers=LOOPED), "sed/clc/" + LOOP.format("adc")
        ),
        "subtracted": at_6502(m6502(SUBTRACTS_6502), bytes_6502("sbc", first="sed/sec")),
        "subtracted in a loop": at_6502(
            m6502(SUBTRACTS_6502, clobbers=LOOPED), "sed/sec/" + LOOP.format("sbc")
        ),
        "the sum modulo 10**8": at_6502(m6502(MODULO), bytes_6502("adc", first="sed/clc")),
        "the difference modulo 10**8": at_6502(
            m6502(MODULO_SUB), bytes_6502("sbc", first="sed/sec")
        ),
        "the digits are digits": at_6502(m6502(VALID), bytes_6502("adc", first="sed/clc")),
    },
    "65C02": {
        "added": at_6502(m6502(ADDS_6502), bytes_6502("adc", first="sed/clc")),
        "subtracted": at_6502(m6502(SUBTRACTS_6502), bytes_6502("sbc", first="sed/sec")),
    },
    "sm83": {
        "added": at_sm83(sm83(ADDS_SM83), bytes_sm83("add", "adc")),
        "added in a loop": at_sm83(SM83_LOOP, SM83_ADDING),
        "subtracted in a loop": at_sm83(SM83_LOOP_SUB, SM83_SUBTRACTING),
        "subtracted": at_sm83(sm83(SUBTRACTS_SM83), bytes_sm83("sub", "sbc")),
        "the sum modulo 10**8": at_sm83(sm83(MODULO), bytes_sm83("add", "adc")),
        "the difference modulo 10**8": at_sm83(sm83(MODULO_SUB), bytes_sm83("sub", "sbc")),
        "the digits are digits": at_sm83(sm83(VALID), bytes_sm83("add", "adc")),
    },
}
FALSE = {
    "6502": {
        "without clc": at_6502(
            m6502(ADDS_6502).replace("in: n m", "in: n m C"), bytes_6502("adc"), True
        ),
        "with sec": at_6502(m6502(ADDS_6502), bytes_6502("adc", first="sed/sec"), True),
        "subtracted with clc": at_6502(
            m6502(SUBTRACTS_6502), bytes_6502("sbc", first="sed/clc"), True
        ),
        "without sed": at_6502(m6502(ADDS_6502), bytes_6502("adc", first="clc"), True),
        "a byte twice": at_6502(
            m6502(ADDS_6502), bytes_6502("adc", (0, 1, 1, 2, 3), "sed/clc"), True
        ),
        "a byte left out": at_6502(m6502(ADDS_6502), bytes_6502("adc", (0, 1, 3), "sed/clc"), True),
        "carry cleared in the middle": at_6502(
            m6502(ADDS_6502),
            bytes_6502("adc", first="sed/clc").replace("lda n+3", "clc/lda n+3"),
            True,
        ),
        "high digits not required": at_6502(
            m6502(ADDS_6502, LOW_ONLY), bytes_6502("adc", first="sed/clc"), True
        ),
        "the carry the other way": at_6502(
            m6502(SUBTRACTS_6502.replace("(1 - C)", "C")),
            bytes_6502("sbc", first="sed/sec"),
            True,
        ),
        "modulo one less": at_6502(
            m6502(MODULO.replace(f"% {ALL}", f"% {ALL - 1}")),
            bytes_6502("adc", first="sed/clc"),
            True,
        ),
        "without what is carried": at_6502(
            m6502(f"{R} == {N} + {M}"), bytes_6502("adc", first="sed/clc"), True
        ),
        "the highest digit less than 9": at_6502(
            m6502("r[3] < $99"), bytes_6502("adc", first="sed/clc"), True
        ),
    },
    "sm83": {
        "without daa in one place": at_sm83(sm83(ADDS_SM83), bytes_sm83("add", "adc", "nop"), True),
        "without the carry of one": at_sm83(sm83(ADDS_SM83), bytes_sm83("add", "add"), True),
        "with the carry at first": at_sm83(
            sm83(ADDS_SM83).replace("in: n m", "in: n m CF"), bytes_sm83("adc", "adc"), True
        ),
        "subtracted, added in one place": at_sm83(
            sm83(SUBTRACTS_SM83),
            bytes_sm83("sub", "sbc").replace("sbc b/daa/ldh [r+2]", "adc b/daa/ldh [r+2]"),
            True,
        ),
        "digits not required": at_sm83(sm83(ADDS_SM83, LOW_ONLY), bytes_sm83("add", "adc"), True),
    },
}


LONG = (
    "6502 modulo one less",
    "6502 carry cleared in the middle",
    "6502 high digits not required",
    "6502 a byte twice",
    "6502 without sed",
    "6502 subtracted with clc",
    "6502 without what is carried",
    "sm83 digits not required",
    "sm83 without daa in one place",
    "sm83 without the carry of one",
)


@pytest.mark.slow_cases(
    "6502 without clc",
    "6502 a byte left out",
    "6502 the carry the other way",
    "6502 the highest digit less than 9",
    "sm83 with the carry at first",
    "sm83 subtracted, added in one place",
    "6502 added",
    "6502 the sum modulo 10**8",
    "6502 the difference modulo 10**8",
    "sm83 added in a loop",
    "sm83 subtracted in a loop",
    "sm83 subtracted",
    "sm83 the digits are digits",
)
@pytest.mark.parametrize(("cpu", "said"), cases(FALSE, TRUE, long=LONG))
def test_numbers_in_digits(cpu: str, said: Said) -> None:
    check(cpu, said)
