"""Cycles of loops with invariants: bounds that a number which decreases makes exact."""

from __future__ import annotations

import pytest
from claims import NOT_SHOWN, PARTIAL, Said, cases, check, false, true, wide

WEAK = (*NOT_SHOWN, PARTIAL)
"""Where the argument that it ends does not hold either."""


def _seven(cycles: str, number: str = "X") -> str:
    return (
        f"in: none; out: none; clobbers: X N Z; cycles: {cycles}; "
        f"invariant: @l: X in 1..7; decreases: @l: {number}"
    )


def _either(cycles: str) -> str:
    return (
        f"in: n[1]; out: none; clobbers: A X N Z; cycles: {cycles}; "
        "invariant: @l: X in 1..7; decreases: @l: X"
    )


def _until(cycles: str) -> str:
    return (
        f"in: n[1]; requires: n <= 5; out: none; clobbers: X N Z C; cycles: {cycles}; "
        "invariant: @l: X in 1..8, X > n; decreases: @l: X"
    )


def _pairs(cycles: str) -> str:
    return (
        f"in: none; out: none; clobbers: X N Z; cycles: {cycles}; "
        "invariant: @l: X in 2..8, X % 2 == 0; decreases: @l: X"
    )


def _nested(cycles: str, number: str) -> str:
    return (
        f"in: none; out: none; clobbers: X Y N Z; cycles: {cycles}; "
        f"invariant: @i: X in 1..3, Y in 1..3; decreases: @i: {number}"
    )


def _varying(cycles: str, number: str = "Y * 3 + X") -> str:
    return (
        f"in: n[1]; out: none; clobbers: A X Y N Z; cycles: {cycles}; "
        f"invariant: @i: X in 1..3, Y in 1..3; decreases: @i: {number}"
    )


def _both(cycles: str) -> str:
    return (
        f"in: none; out: none; clobbers: X Y N Z; cycles: {cycles}; "
        "invariant: @l: X in 1..7; decreases: @l: X; invariant: @m: Y in 1..5; decreases: @m: Y"
    )


SEVEN = "ldx #7/@l: dex/bne @l/rts"
EITHER = "ldx #7/@l: lda n/beq @k/nop/@k: dex/bne @l/rts"
UNTIL = "ldx #8/@l: dex/cpx n/bne @l/rts"
PAIRS = "ldx #8/@l: dex/dex/bne @l/rts"
NESTED = "ldy #3/@o: ldx #3/@i: dex/bne @i/dey/bne @o/rts"
VARYING = "ldy #3/@o: ldx #3/@i: lda n/beq @k/nop/@k: dex/bne @i/dey/bne @o/rts"
"""What an iteration takes varies, what is between two rows of them does not."""
BOTH = "ldx #7/@l: dex/bne @l/ldy #5/@m: nop/dey/bne @m/rts"
SM83 = "in: none; out: none; clobbers: F B; cycles: {}; invariant: .l: B in 1..7; decreases: .l: B"
SM83_CODE = "ld b, 7/.l: dec b/jr nz, .l/ret"

FALSE = {
    "6502": {
        "one less": false(_seven("41 constant"), SEVEN, "cycles"),
        "one more": false(_seven("43 constant"), SEVEN, "cycles"),
        "wider at the top": wide(false(_seven("42..43"), SEVEN, "cycles")),
        "wider at the bottom": wide(false(_seven("41..42"), SEVEN, "cycles")),
        "a number that grows": false(_seven("43 constant", "7 - X"), SEVEN, "", WEAK),
        "a number that stays": false(_seven("43 constant", "7"), SEVEN, "", WEAK),
        "not what the quick way takes": false(_either("85..91"), EITHER, "cycles"),
        "not what the slow way takes": false(_either("84..90"), EITHER, "cycles"),
        "constant, but for an input": false(_either("91 constant"), EITHER, "cycles"),
        "what is left of the number counts": false(_until("32..71"), UNTIL, "cycles"),
        "what there was of it counts": false(_until("31..70"), UNTIL, "cycles"),
        "two at a time, one less": false(_pairs("34 constant"), PAIRS, "cycles"),
        "two at a time, one more": false(_pairs("36 constant"), PAIRS, "cycles"),
        "nested, one less": false(_nested("69 constant", "Y * 21 + X * 5"), NESTED, "cycles"),
        "nested, one more": false(_nested("71 constant", "Y * 21 + X * 5"), NESTED, "cycles"),
        "varying, one less at the bottom": wide(false(_varying("123..133"), VARYING, "cycles")),
        "varying, one more at the bottom": false(_varying("125..133"), VARYING, "cycles"),
        "varying, one less at the top": false(_varying("124..132"), VARYING, "cycles"),
        "varying, one more at the top": wide(false(_varying("124..134"), VARYING, "cycles")),
        "varying, a number that grows": false(_varying("124..133", "9 - Y - X"), VARYING, "", WEAK),
        "two loops, one less": false(_both("77 constant"), BOTH, "cycles"),
        "two loops, one more": false(_both("79 constant"), BOTH, "cycles"),
    },
    "sm83": {
        "one less": false(
            "in: none; out: none; clobbers: F B; cycles: 32 constant; "
            "invariant: .l: B in 1..7; decreases: .l: B",
            SM83_CODE,
            "cycles",
        ),
        "one more": false(
            "in: none; out: none; clobbers: F B; cycles: 34 constant; "
            "invariant: .l: B in 1..7; decreases: .l: B",
            SM83_CODE,
            "cycles",
        ),
    },
}

TRUE: dict[str, dict[str, Said]] = {
    "6502": {
        "a constant number of iterations": true(_seven("42 constant"), SEVEN),
        "either way": true(_either("84..91"), EITHER),
        "until an input": true(_until("31..71"), UNTIL),
        "two at a time": true(_pairs("35 constant"), PAIRS),
        "nested": true(_nested("70 constant", "Y * 21 + X * 5"), NESTED),
        "nested, where an iteration varies": true(_varying("124..133"), VARYING),
        "nested, a number for neither end": true(_varying("124..133", "Y * 7 + X"), VARYING),
        "two loops": true(_both("78 constant"), BOTH),
    },
    "sm83": {
        "a constant number of iterations": true(
            "in: none; out: none; clobbers: F B; cycles: 33 constant; "
            "invariant: .l: B in 1..7; decreases: .l: B",
            SM83_CODE,
        )
    },
}


@pytest.mark.slow_cases(
    "6502 not what the quick way takes",
    "6502 not what the slow way takes",
    "6502 constant, but for an input",
    "6502 varying, one less at the bottom",
    "6502 varying, one more at the bottom",
    "6502 varying, one more at the top",
    "6502 varying, a number that grows",
    "6502 nested, where an iteration varies",
    "6502 nested, a number for neither end",
)
@pytest.mark.parametrize(("cpu", "said"), cases(FALSE, TRUE))
def test_cycles_across_invariants(cpu: str, said: Said) -> None:
    check(cpu, said)
