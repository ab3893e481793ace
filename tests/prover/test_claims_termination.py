"""What does not end is not proved, and what is said to decrease has to."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from unittest.mock import patch

import pytest
from claims import (
    NOT_SHOWN,
    PARTIAL,
    PROVED,
    VACUOUS,
    Said,
    cases,
    check,
    false,
    rom_of,
    source,
    told,
    true,
)

from romproof.prover.routines.program_proof import prove_rom
from romproof.witness.results import Witnessed
from romproof.witness.subject import Subject
from romproof.witness.witness import Plan, witness

NEVER = (*NOT_SHOWN, VACUOUS)
"""Of what never ends, for no input at all."""
WEAK = (*NOT_SHOWN, PARTIAL)
"""Of what ends for some inputs, or of an argument for it that does not hold."""
LOOP = "in: X; requires: X >= 1; out: none; clobbers: X N Z; invariant: @l: X >= 1"
UP = "in: X n[1]; out: X; clobbers: N Z C; invariant: @l: X <= 255"
NESTED = (
    "in: X Y; requires: X >= 1, Y >= 1; out: none; clobbers: A X Y N Z; "
    "invariant: @o: X >= 1, Y >= 1; invariant: @i: X >= 1, Y >= 1"
)
ROUNDS = "@o: txa/@i: dex/bne @i/tax/dey/bne @o/rts"
LOOP_SM83 = "in: B; requires: B >= 1; out: none; clobbers: F B; invariant: .l: B >= 1"

FALSE = {
    "6502": {
        "it ends for one input": false(
            "in: A; clobbers: N Z C; ensures: A == 0; invariant: @l: A <= 255",
            "@l: cmp #0/bne @l/rts",
            "end",
            WEAK,
        ),
        "it never ends, 5": false(
            "in: none; out: A; ensures: A == 5; invariant: @l: A <= 255",
            "@l: nop/jmp @l",
            verdicts=NEVER,
        ),
        "it never ends, 6": false(
            "in: A; ensures: A == 6; invariant: @l: A <= 255", "@l: nop/jmp @l", verdicts=NEVER
        ),
        "two labels that jump to each other": false(
            "in: A; ensures: A == 6; invariant: @p: A <= 255; invariant: @q: A <= 255",
            "@p: nop/jmp @q/@q: nop/jmp @p",
            verdicts=NEVER,
        ),
        "without what decreases": false(LOOP, "@l: dex/bne @l/rts", "decreases", (PARTIAL,)),
        "a constant": false(
            "in: X; requires: X >= 1; out: none; clobbers: X N Z; invariant: @l: X >= 1; "
            "decreases: @l: 5",
            "@l: dex/bne @l/rts",
            "5",
            WEAK,
        ),
        "what grows": false(
            "in: X; requires: X >= 1; out: none; clobbers: X N Z; invariant: @l: X >= 1; "
            "decreases: @l: 255 - X",
            "@l: dex/bne @l/rts",
            "X",
            WEAK,
        ),
        "not natural": false(
            "in: X; requires: X in 1..9; out: none; clobbers: X N Z; "
            "invariant: @l: X in 0..9; decreases: @l: X - 1",
            "@l: dex/bpl @l/rts",
            "X - 1",
            WEAK,
        ),
        "it wraps around in bytes": false(
            "in: X n[1]; out: X; clobbers: N Z C; invariant: @l: X <= 255; decreases: @l: n - X",
            "@l: inx/cpx n/bne @l/rts",
            "n - X",
            WEAK,
        ),
        "the low byte of what wraps": false(
            "in: X n[1]; out: X; clobbers: N Z C; invariant: @l: X <= 255; "
            "decreases: @l: (n - X) & 255",
            "@l: inx/cpx n/bne @l/rts",
            "n - X",
            WEAK,
        ),
        "on one of two ways only": false(
            "in: X n[1]; out: none; clobbers: A X N Z C; invariant: @l: X <= 255; decreases: @l: X",
            "@l: lda n/beq @k/dex/@k: cpx #0/bne @l/rts",
            "X",
            WEAK,
        ),
        "it only does not grow": false(
            "in: A X; requires: X >= 1; out: none; clobbers: A X N Z C; "
            "invariant: @l: X >= 1; decreases: @l: X",
            "@l: lsr a/bcc @l/dex/bne @l/rts",
            "X",
            WEAK,
        ),
        "the outer number at the inner label": false(
            "in: X Y; requires: X >= 1, Y >= 1; out: none; clobbers: A X Y N Z; "
            "invariant: @o: X >= 1, Y >= 1; invariant: @i: X >= 1, Y >= 1; "
            "decreases: @o: Y; decreases: @i: Y",
            ROUNDS,
            "Y",
            WEAK,
        ),
        "the inner loop only": false(
            "in: X Y; requires: X >= 1, Y >= 1; out: none; clobbers: A X Y N Z; "
            "invariant: @o: X >= 1, Y >= 1; invariant: @i: X >= 1, Y >= 1; decreases: @i: X",
            ROUNDS,
            "end",
            WEAK,
        ),
        "the outer loop only": false(
            "in: X Y; requires: X >= 1, Y >= 1; out: none; clobbers: A X Y N Z; "
            "invariant: @o: Y >= 1; decreases: @o: Y; invariant: @i: Y >= 1",
            "@o: txa/@i: nop/bne @i/dey/bne @o/rts",
            "end",
            WEAK,
        ),
        "what another changes": false(
            "in: X n[1]; requires: X >= 1; out: none; clobbers: X N Z n[1]; "
            "invariant: @l: X >= 1; decreases: @l: n",
            "@l: lda #9/sta n/dex/bne @l/rts",
            verdicts=WEAK,
        ),
        "too few cycles by what decreases": false(
            "in: X; requires: X >= 1; out: none; clobbers: X N Z; invariant: @l: X >= 1; "
            "decreases: @l: X; cycles: 10..1000",
            "@l: dex/bne @l/rts",
            "cycles",
        ),
        "a callee that need not end": false(
            "in: A; out: none; clobbers: N Z C; ensures: A == 0",
            "jsr hangs/rts",
            "hangs",
            (PARTIAL,),
            others={
                "hangs": (
                    "in: A; clobbers: N Z C; ensures: A == 0; invariant: @l: A <= 255",
                    "@l: cmp #0/bne @l/rts",
                )
            },
        ),
    },
    "sm83": {
        "it ends for one input": false(
            "in: A; clobbers: F; ensures: A == 0; invariant: .l: A <= 255",
            ".l: or a/jr nz, .l/ret",
            "end",
            WEAK,
        ),
        "it never ends": false(
            "in: A; ensures: A == 6; invariant: .l: A <= 255", ".l: jr .l", verdicts=NEVER
        ),
        "without what decreases": false(LOOP_SM83, ".l: dec b/jr nz, .l/ret", "decr", (PARTIAL,)),
        "a constant": false(
            "in: B; requires: B >= 1; out: none; clobbers: F B; invariant: .l: B >= 1; "
            "decreases: .l: 5",
            ".l: dec b/jr nz, .l/ret",
            "5",
            WEAK,
        ),
        "it wraps around in bytes": false(
            "in: B C; out: B; clobbers: AF; invariant: .l: B <= 255; decreases: .l: C - B",
            ".l: inc b/ld a, b/cp c/jr nz, .l/ret",
            "C - B",
            WEAK,
        ),
        "a callee that need not end": false(
            "in: A; out: none; clobbers: F; ensures: A == 0",
            "call hangs/ret",
            "hangs",
            (PARTIAL,),
            others={
                "hangs": (
                    "in: A; clobbers: F; ensures: A == 0; invariant: .l: A <= 255",
                    ".l: or a/jr nz, .l/ret",
                )
            },
        ),
        "a callee of a callee that need not end": false(
            "in: A; out: A; clobbers: F; ensures: A == 0",
            "call mid/ret",
            "mid",
            (PARTIAL,),
            others={
                "hangs": (
                    "in: A; out: A; clobbers: F; ensures: A == 0; invariant: .l: A <= 255",
                    ".l: or a/jr nz, .l/ret",
                ),
                "mid": ("in: A; out: A; clobbers: F; ensures: A == 0", "call hangs/ret"),
            },
        ),
        "halt waits for what may not come": false(
            "in: B; requires: B >= 1; out: none; clobbers: F B IME; "
            "invariant: .l: B >= 1; decreases: .l: 1",
            ".l: di/dec b/jr nz, .l/ret",
            "1",
            WEAK,
        ),
    },
}
TRUE = {
    "6502": {
        "down": true(
            "in: X; requires: X >= 1; out: none; clobbers: X N Z; invariant: @l: X >= 1; "
            "decreases: @l: X",
            "@l: dex/bne @l/rts",
        ),
        "down to below zero": true(
            "in: X; requires: X in 1..9; out: none; clobbers: X N Z; "
            "invariant: @l: X in 0..9; decreases: @l: X",
            "@l: dex/bpl @l/rts",
        ),
        "up": true(
            "in: X n[1]; requires: X < n; out: X; clobbers: N Z C; "
            "invariant: @l: X < n; decreases: @l: n - X",
            "@l: inx/cpx n/bne @l/rts",
        ),
        "by two, from an even number": true(
            "in: X; requires: X >= 2, X & 1 == 0; out: none; clobbers: X N Z; "
            "invariant: @l: X >= 2, X & 1 == 0; decreases: @l: X",
            "@l: dex/dex/bne @l/rts",
        ),
        "a number of two bytes": true(
            "in: n[1] m[1]; requires: m <= 3; out: none; clobbers: A N Z n[1] m[1]; "
            "invariant: @l: m <= 3; decreases: @l: m * 256 + n",
            "@l: lda n/bne @k/lda m/beq @d/dec m/@k: dec n/jmp @l/@d: rts",
        ),
        "one loop in the other": true(
            "in: Y; requires: Y in 1..9; out: none; clobbers: X Y N Z; "
            "invariant: @o: Y in 1..9; decreases: @o: Y * 4; "
            "invariant: @i: Y in 1..9, X in 1..3; decreases: @i: (Y - 1) * 4 + X",
            "@o: ldx #3/@i: dex/bne @i/dey/bne @o/rts",
        ),
    },
    "sm83": {
        "down": true(
            "in: B; requires: B >= 1; out: none; clobbers: F B; invariant: .l: B >= 1; "
            "decreases: .l: B",
            ".l: dec b/jr nz, .l/ret",
        ),
        "up": true(
            "in: B C; requires: B < C; out: B; clobbers: AF; "
            "invariant: .l: B < C; decreases: .l: C - B",
            ".l: inc b/ld a, b/cp c/jr nz, .l/ret",
        ),
    },
}


@pytest.mark.slow_cases(
    "6502 it ends for one input",
    "6502 without what decreases",
    "6502 what grows",
    "6502 the low byte of what wraps",
    "6502 on one of two ways only",
    "6502 it only does not grow",
    "6502 the outer number at the inner label",
    "6502 the inner loop only",
    "6502 the outer loop only",
    "6502 what another changes",
    "6502 too few cycles by what decreases",
    "sm83 a constant",
    "sm83 halt waits for what may not come",
    "6502 down",
    "6502 up",
    "6502 a number of two bytes",
)
@pytest.mark.parametrize(
    ("cpu", "said"),
    cases(
        FALSE,
        TRUE,
        long=[
            "sm83 it ends for one input",
            "sm83 up",
            "sm83 down",
            "sm83 without what decreases",
        ],
    ),
)
def test_whether_it_ends(cpu: str, said: Said) -> None:
    check(cpu, said)


@pytest.mark.slow
def test_a_call_that_ends_late_is_no_fault() -> None:
    """Six million cycles: that it ends is proved, and not when."""
    said = true(
        "in: none; out: none; clobbers: A X Y N Z tmp; invariant: @l: tmp in 1..20; "
        "decreases: @l: tmp * 65536 + (X + 255) % 256 * 256 + (Y + 255) % 256",
        "lda #20/sta tmp/ldx #0/ldy #0/@l: dey/bne @l/dex/bne @l/dec tmp/bne @l/rts",
    )

    def fewer(subject: Subject, plan: Plan, **others: Any) -> Witnessed:
        return witness(subject, replace(plan, runs=4, sample=1, labels=1, exhaustive=1), **others)

    with patch("romproof.prover.replay.confirm.witness", fewer):
        (proof,) = prove_rom(rom_of("6502", source("6502", said)))
    assert proof.verdict is PROVED, told(proof)
