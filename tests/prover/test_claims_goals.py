"""Loops of which an invariant is found from what is ensured of numbers: divisions by subtraction,
products by repeated addition, shifts that an input counts.

What is nearly true must not be proved: a quotient that begins one off, a divisor of 0, the other
flag, one time too often.
"""

from __future__ import annotations

import pytest
from claims import Said, Table, cases, check, false, true

HEAD = """\
        .segment "ZEROPAGE"
n:      .res 1
d:      .res 1
sum:    .res 2
        .exportzp n, d, sum
        .segment "CODE"
"""
HEAD_SM83 = """\
SECTION "Main", ROM0[$0150]
"""


def yes(contract: str, code: str, head: str = HEAD) -> Said:
    """A claim that has to be proved."""
    return true(contract, code, head=head)


def no(contract: str, code: str, head: str = HEAD) -> Said:
    """A claim that must not be."""
    return false(contract, code, head=head)


DIVIDE = "in: A d; requires: d > 0; out: A X; clobbers: N V Z C; ensures: X * d + A == old A, A < d"
DIVIDE_CODE = "ldx #0/sec/@l: sbc d/bcc @u/inx/bne @l/@u: adc d/rts"
FROM_255 = "ldx #$FF/sec/@l: inx/sbc d/bcs @l/adc d/rts"
REST = "in: A d; requires: d > 0; out: A; clobbers: N V Z C; ensures: A == old A % d"
REST_CODE = "sec/@l: cmp d/bcc @u/sbc d/jmp @l/@u: rts"
TIMES = "in: n d; out: sum; clobbers: A X N V Z C; ensures: sum == n * d"
TIMES_CODE = (
    "ldx n/lda #0/sta sum/sta sum+1/cpx #0/beq @u/"
    "@l: clc/lda sum/adc d/sta sum/bcc @n/inc sum+1/@n: dex/bne @l/@u: rts"
)
UPWARDS = (
    "ldx #0/stx sum/stx sum+1/@l: cpx n/beq @u/clc/lda sum/adc d/sta sum/lda sum+1/adc #0/"
    "sta sum+1/inx/jmp @l/@u: rts"
)
TIMES_BY_BYTES = "in: n d; out: sum; clobbers: A n N V Z C; ensures: sum == old n[0] * d[0]"
COUNTED_IN_N = (
    "lda #0/sta sum/sta sum+1/lda n/beq @u/"
    "@l: clc/lda sum/adc d/sta sum/bcc @n/inc sum+1/@n: dec n/bne @l/@u: rts"
)
GB_DIVIDE = "in: A B; requires: B > 0; out: A C; clobbers: F; ensures: C * B + A == old A, A < B"
GB_DIVIDE_CODE = "ld c, -1/.l: inc c/sub b/jr nc, .l/add b/ret"

TRUE: Table = {
    "6502": {
        "divide": yes(DIVIDE, DIVIDE_CODE),
        "divide from 255": yes(DIVIDE, FROM_255),
        "rest": yes(REST, REST_CODE),
        "times": yes(TIMES, TIMES_CODE),
        "times upwards": yes(TIMES, UPWARDS),
        "times, by its bytes": yes(TIMES_BY_BYTES, COUNTED_IN_N),
    },
    "sm83": {"divide": yes(GB_DIVIDE, GB_DIVIDE_CODE, HEAD_SM83)},
}
FALSE: Table = {
    "6502": {
        "divide by 0": no(
            "in: A d; requires: d >= 0; out: A X; clobbers: N V Z C; "
            "ensures: X * d + A == old A, A < d",
            DIVIDE_CODE,
        ),
        "quotient one off": no(DIVIDE, DIVIDE_CODE.replace("#0", "#1")),
        "one too many": no(DIVIDE, DIVIDE_CODE.replace("adc d", "nop")),
        "from 254": no(DIVIDE, FROM_255.replace("$FF", "$FE")),
        "borrowed at first": no(DIVIDE, FROM_255.replace("sec", "clc")),
        "rest by the sign": no(REST, REST_CODE.replace("bcc", "bmi")),
        "rest of another": no(
            "in: A d; requires: d > 0; out: A; clobbers: N V Z C; ensures: A == old A % (d + 1)",
            REST_CODE,
        ),
        "carried along": no(TIMES, TIMES_CODE.replace("clc", "sec")),
        "once too often": no(TIMES, TIMES_CODE.replace("bne @l", "bpl @l")),
        "0 times is 256": no(TIMES, TIMES_CODE.replace("cpx #0/beq @u/", "")),
        "by its bytes, once too often": no(
            TIMES_BY_BYTES, COUNTED_IN_N.replace("dec n/bne", "dec n/bpl")
        ),
        "by its bytes, the other one": no(
            "in: n d; out: sum; clobbers: A n N V Z C; ensures: sum == old n[0] * old n[0]",
            COUNTED_IN_N,
        ),
        "up to one less": no(
            TIMES, UPWARDS.replace("ldx #0", "ldx #1").replace("stx sum", "sta sum")
        ),
    },
    "sm83": {
        "from 0": no(GB_DIVIDE, GB_DIVIDE_CODE.replace("-1", "0"), HEAD_SM83),
        "other register": no(GB_DIVIDE, GB_DIVIDE_CODE.replace("add b", "add c"), HEAD_SM83),
    },
}
LONG = tuple(
    f"6502 {name}"
    for name in (
        "times",
        "times upwards",
        "rest",
        "divide",
        "divide by 0",
        "quotient one off",
        "one too many",
        "once too often",
        "times, by its bytes",
        "by its bytes, once too often",
        "by its bytes, the other one",
    )
)


@pytest.mark.quick_cases(
    "6502 divide",
    "6502 times upwards",
    "6502 divide by 0",
    "6502 quotient one off",
    "6502 one too many",
    "6502 rest of another",
    "6502 once too often",
    "6502 by its bytes, once too often",
    "6502 by its bytes, the other one",
)
@pytest.mark.parametrize(("cpu", "said"), list(cases(TRUE, FALSE, long=LONG)))
def test_what_is_ensured_of_numbers(cpu: str, said: Said) -> None:
    check(cpu, said)
