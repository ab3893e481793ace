"""Equalities with products that a loop keeps: divisions by subtraction of words, products by
repeated addition in a register and a byte; written or found. Slips must not be proved."""

from __future__ import annotations

import pytest
from claims import Said, Table, cases, check, false, true
from test_claims_arithmetic import HEAD, changed

DIVIDE = (  # by 16 and more: what is proved is executed here for 300,000 cycles at most
    "in: u[2] v[2]; requires: v > 15; out: q[2] u[2]; clobbers: A X N V Z C; "
    "ensures: q * v + u == old u, u < v"
)
SUBTRACT = (
    "lda #0/sta q/sta q+1/@l: lda u/cmp v/lda u+1/sbc v+1/bcc @d/"
    "lda u/sec/sbc v/sta u/lda u+1/sbc v+1/sta u+1/inc q/bne @l/inc q+1/jmp @l/@d: rts"
)
KEPT = "; invariant: @l: q * v + u == old u; decreases: @l: u"
GB_DIVIDE = (
    "in: HL DE; requires: DE > 15; out: HL BC; clobbers: A F; "
    "ensures: BC * DE + HL == old HL, HL < DE"
)
GB_SUBTRACT = (
    "ld bc, 0/.l: ld a, l/sub e/ld a, h/sbc a, d/ret c/"
    "ld a, l/sub e/ld l, a/ld a, h/sbc a, d/ld h, a/inc bc/jr .l"
)
GB_KEPT = "; invariant: .l: BC * DE + HL == old HL; decreases: .l: HL"
MULTIPLY = "in: u v; out: q; clobbers: A X N V Z C; ensures: q == u * v"
IN_A = "lda #0/sta q+1/ldx v/beq @d/@l: clc/adc u/bcc @n/inc q+1/@n: dex/bne @l/@d: sta q/rts"
"""The lower byte is in A until the end."""
SUM_IS = "; invariant: @l: X > 0, X <= v, A + 256 * q[1] == u * (v - X); decreases: @l: X"


SMALL = (
    HEAD["6502"]
    .replace("u:      .res 2", "u:      .res 1")
    .replace("v:      .res 2", "v:      .res 1")
)
"""The factors are bytes."""


def yes(contract: str, code: str, head: str = HEAD["6502"]) -> Said:
    """What has to be proved."""
    return true(contract, code, head=head)


def no(contract: str, code: str, old: str, new: str, head: str = HEAD["6502"]) -> Said:
    """The same with one slip in the code."""
    return false(contract, changed(code, old, new), head=head)


CLAIMS: Table = {
    "6502": {
        "a division of words, written": yes(
            "in: u[2] v[2]; requires: v > 15; out: q[2] u[2]; clobbers: A X N V Z C; "
            "ensures: q * v + u == old u, u < v; invariant: @l: q * v + u == old u; "
            "decreases: @l: u",
            SUBTRACT,
        ),
        "a division of words": yes(DIVIDE, SUBTRACT),
        "a division of words, the quotient is a byte": no(
            "in: u[2] v[2]; requires: v > 15; out: q[2] u[2]; clobbers: A X N V Z C; "
            "ensures: q * v + u == old u, u < v; invariant: @l: q * v + u == old u; "
            "decreases: @l: u",
            SUBTRACT,
            "bne @l/inc q+1/",
            "",
        ),
        "a division of words, a borrow is lost": no(
            "in: u[2] v[2]; requires: v > 15; out: q[2] u[2]; clobbers: A X N V Z C; "
            "ensures: q * v + u == old u, u < v; invariant: @l: q * v + u == old u; "
            "decreases: @l: u",
            SUBTRACT,
            "lda u+1/sbc v+1/sta u+1",
            "lda u+1/sec/sbc v+1/sta u+1",
        ),
        "a division of words, it stops too early": no(
            "in: u[2] v[2]; requires: v > 15; out: q[2] u[2]; clobbers: A X N V Z C; "
            "ensures: q * v + u == old u, u < v; invariant: @l: q * v + u == old u; "
            "decreases: @l: u",
            SUBTRACT,
            "lda u/cmp v/lda u+1/sbc v+1",
            "clc/lda u/sbc v/lda u+1/sbc v+1",
        ),
        "a division of words, the divisor may be 0": false(
            changed(
                "in: u[2] v[2]; requires: v > 15; out: q[2] u[2]; clobbers: A X N V Z C; "
                "ensures: q * v + u == old u, u < v; invariant: @l: q * v + u == old u; "
                "decreases: @l: u",
                "requires: v > 15; ",
                "",
            ),
            SUBTRACT,
            head=HEAD["6502"],
        ),
        "a division of words, the quotient is one more": false(
            changed(DIVIDE, "q * v", "(q + 1) * v") + changed(KEPT, "q * v", "(q + 1) * v"),
            SUBTRACT,
            head=HEAD["6502"],
        ),
        "a product, its lower byte in a, written": yes(
            "in: u v; out: q; clobbers: A X N V Z C; ensures: q == u * v; "
            "invariant: @l: X > 0, X <= v, A + 256 * q[1] == u * (v - X); decreases: @l: X",
            IN_A,
            SMALL,
        ),
        "a product, its lower byte in a": yes(MULTIPLY, IN_A, SMALL),
        "a product, one turn too many": no(
            "in: u v; out: q; clobbers: A X N V Z C; ensures: q == u * v; "
            "invariant: @l: X > 0, X <= v, A + 256 * q[1] == u * (v - X); decreases: @l: X",
            IN_A,
            "beq @d/",
            "",
            SMALL,
        ),
        "a product, counted up where nothing carries": no(
            "in: u v; out: q; clobbers: A X N V Z C; ensures: q == u * v; "
            "invariant: @l: X > 0, X <= v, A + 256 * q[1] == u * (v - X); decreases: @l: X",
            IN_A,
            "bcc @n",
            "bcs @n",
            SMALL,
        ),
        "a product, a carry comes in": no(
            "in: u v; out: q; clobbers: A X N V Z C; ensures: q == u * v; "
            "invariant: @l: X > 0, X <= v, A + 256 * q[1] == u * (v - X); decreases: @l: X",
            IN_A,
            "clc/",
            "",
            SMALL,
        ),
        "a product, its bytes the other way round": false(
            changed(MULTIPLY, "u * v", "u * v + q[0] - q[1]"), IN_A, head=SMALL
        ),
    },
    "sm83": {
        "a division of words, written": yes(
            "in: HL DE; requires: DE > 15; out: HL BC; clobbers: A F; "
            "ensures: BC * DE + HL == old HL, HL < DE; "
            "invariant: .l: BC * DE + HL == old HL; decreases: .l: HL",
            GB_SUBTRACT,
            HEAD["sm83"],
        ),
        "a division of words": yes(GB_DIVIDE, GB_SUBTRACT, HEAD["sm83"]),
        "a division of words, the quotient is a byte": no(
            "in: HL DE; requires: DE > 15; out: HL BC; clobbers: A F; "
            "ensures: BC * DE + HL == old HL, HL < DE; "
            "invariant: .l: BC * DE + HL == old HL; decreases: .l: HL",
            GB_SUBTRACT,
            "inc bc",
            "inc c",
            HEAD["sm83"],
        ),
        "a division of words, it stops too early": no(
            "in: HL DE; requires: DE > 15; out: HL BC; clobbers: A F; "
            "ensures: BC * DE + HL == old HL, HL < DE; "
            "invariant: .l: BC * DE + HL == old HL; decreases: .l: HL",
            GB_SUBTRACT,
            "ret c",
            "ret c/ret z",
            HEAD["sm83"],
        ),
    },
}
LONG = (
    "6502 a division of words",
    "sm83 a division of words",
    "6502 a product, its lower byte in a",
    "6502 a product, its lower byte in a, written",
    "6502 a product, a carry comes in",
    "6502 a product, its bytes the other way round",
    "6502 a division of words, a borrow is lost",
    "6502 a division of words, it stops too early",
    "6502 a product, one turn too many",
    "sm83 a division of words, it stops too early",
    "sm83 a division of words, the quotient is a byte",
)
"""What takes longer: where the invariant has to be found, or the input that refutes it."""


@pytest.mark.slow_cases(
    "6502 a division of words, written",
    "6502 a division of words, the quotient is a byte",
    "6502 a division of words, the divisor may be 0",
    "6502 a product, one turn too many",
)
@pytest.mark.parametrize(("cpu", "said"), cases(CLAIMS, long=LONG))
def test_kept_equalities(cpu: str, said: Said) -> None:
    check(cpu, said)
