"""What is required of inputs that do not exist proves nothing, and neither does what is not
reached."""

from __future__ import annotations

import pytest
from claims import NOT_SHOWN, PROVED, REFUTED, VACUOUS, Said, cases, check, false, true

from romproof.prover.results import Verdict

NONE = (VACUOUS,)
NEVER = (VACUOUS, Verdict.UNKNOWN)


def required(conditions: str, reason: str = "no input satisfies") -> Said:
    """A claim for inputs that are not there."""
    return false(
        f"in: A X n[1] buf[4]; requires: {conditions}; out: A; ensures: A == 77",
        "rts",
        reason,
        NONE,
    )


FALSE = {
    "6502": {
        **{
            name: required(conditions)
            for name, conditions in {
                "no square": "A * A == 2",
                "two conditions": "A < 5, A > 10",
                "two conditions on memory": "n < 5, n > 10",
                "parity": "A & 1 == 2",
                "too large": "A > 255",
                "not of a byte": "A + X == 511",
                "modulo": "A % 4 == 3, A & 1 == 0",
                "two cells": "buf[0] < buf[1], buf[1] < buf[0]",
                "all cells": "all j in 0..3: buf[j] > 7, buf[2] == 3",
                "itself": "A != A",
            }.items()
        },
        "all of the stack": false(
            "in: X; out: $0100[256]; clobbers: A X N Z; ensures: X == 77",
            "lda #0/@l: sta $0100,x/inx/bne @l/rts",
            "leaves no room for the stack",
            NONE,
        ),
        "all of the stack that it says it uses": false(
            "out: $0104[252]; clobbers: N Z; stack: 4; ensures: $0104[0] == 77",
            "pha/pla/rts",
            "leaves no room for the stack",
            NONE,
        ),
        "nothing returns": false(
            "in: A; ensures: A == 77", "@l: jmp @l", verdicts=(*NOT_SHOWN, VACUOUS)
        ),
        "nothing returns, with an invariant": false(
            "in: A; ensures: A == 77; invariant: @l: A <= 255; decreases: @l: 5",
            "@l: jmp @l",
            verdicts=(*NOT_SHOWN, VACUOUS),
        ),
        "an invariant that is never reached": false(
            "in: A; invariant: @l: A == 77", "jmp @d/@l: nop/@d: rts", "@l", NEVER
        ),
        "an invariant that is never reached with such inputs": false(
            "in: X; requires: X < 5; clobbers: N Z C; invariant: @l: X == 77",
            "cpx #5/bcc @d/@l: nop/@d: rts",
            "@l",
            NEVER,
        ),
        "an invariant that nothing satisfies": false(
            "in: X; requires: X >= 1; clobbers: X N Z; ensures: X == 5; "
            "invariant: @l: X < 5, X > 10; decreases: @l: X",
            "@l: dex/bne @l/rts",
            "X",
            (*NOT_SHOWN, VACUOUS),
        ),
        "a callee's requirements that nothing satisfies": false(
            "in: A; out: none; ensures: A == 77",
            "jsr odd/rts",
            "",
            (*NOT_SHOWN, VACUOUS),
            {"odd": ("in: A; requires: A & 1 == 2; ensures: A == 77", "rts")},
        ),
    },
    "sm83": {
        **{
            name: false(
                f"in: A B n[1]; requires: {conditions}; out: A; ensures: A == 77",
                "ret",
                "no input satisfies",
                NONE,
            )
            for name, conditions in {
                "no square": "A * A == 2",
                "two conditions": "B < 5, B > 10",
                "pairs": "BC > 65535",
            }.items()
            if name != "pairs"
        },
        "all of the stack": false(
            "out: $C000[8192]; clobbers: A F; ensures: A == 77",
            "ld a, 5/ld [$D000], a/ret",
            "leaves no room for the stack",
            NONE,
        ),
        "nothing returns": false(
            "in: A; ensures: A == 77", ".l: jr .l", verdicts=(*NOT_SHOWN, VACUOUS)
        ),
        "an invariant that is never reached": false(
            "in: A; invariant: .l: A == 77", "jr .d/.l: nop/.d: ret", ".l", NEVER
        ),
    },
}
TRUE = {
    "6502": {
        "one input": true("in: A; requires: A * A == 4; out: A; ensures: A == 2", "rts"),
        "one of many": true("in: A X; requires: A + X == 510; out: A; ensures: A == 255", "rts"),
        "a part of the stack": true(
            "in: A; out: $0100[128]; cycles: 10; ensures: $0100[0] == A", "sta $0100/rts"
        ),
        "a return that is not reached": true(
            "in: X; requires: X < 5; clobbers: N Z C", "cpx #5/bcc @d/nop/rts/@d: rts"
        ),
        "a branch that is not taken": true(
            "in: X; requires: X < 5; clobbers: N Z C", "cpx #5/bcc @d/nop/@d: rts"
        ),
    },
    "sm83": {
        "one input": true("in: A; requires: A * A == 4; out: A; ensures: A == 2", "ret"),
        "a part of the stack": true(
            "in: A; out: $DF00[128]; ensures: $DF00[0] == A", "ld [$DF00], a/ret"
        ),
    },
}


@pytest.mark.parametrize(("cpu", "said"), cases(FALSE, TRUE))
def test_what_says_nothing(cpu: str, said: Said) -> None:
    check(cpu, said)


def test_a_false_ensures_with_inputs_is_refuted_and_not_vacuous() -> None:
    check(
        "6502", false("in: A; requires: A > 5; out: A; ensures: A == 77", "rts", "77", (REFUTED,))
    )
    assert PROVED not in NONE
