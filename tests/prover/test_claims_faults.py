"""What ended as an internal fault, and verdicts beside a refuted one."""

from __future__ import annotations

import pytest
from claims import (
    NOT_SHOWN,
    PARTIAL,
    PROVED,
    REFUTED,
    VACUOUS,
    Said,
    cases,
    check,
    false,
    proofs_of,
    told,
    true,
)

from romproof.prover.results import Verdict

NEVER = (*NOT_SHOWN, VACUOUS, PARTIAL)
BUF = "in: buf[4]; out: none; clobbers: none"

FALSE = {
    "6502": {
        "a range below zero": false(
            "in: buf[4]; out: none; clobbers: none; ensures: all j in -2..2: j >= 0",
            "rts",
            "j >= 0",
        ),
        "a range below zero, with values": false(
            "in: buf[4]; out: none; clobbers: none; ensures: all j in -3..-1: buf[j + 3] == j",
            "rts",
            "buf[",
        ),
        "sums below zero": false(
            "in: buf[4]; out: none; clobbers: none; ensures: sum j in -2..2: j > 0", "rts", "sum"
        ),
        "negative numbers": false("in: A; out: A; ensures: A - 300 > -100", "rts", "-100"),
        "in, below zero": false("in: A; out: A; ensures: A - 10 in -10..0", "rts", "-10..0"),
        "two that jump to each other": false(
            "in: A; out: A; ensures: A == 5",
            "jmp other",
            verdicts=NEVER,
            others={"other": ("in: A; out: A; ensures: A == 5", "jmp it")},
        ),
        "two that call each other": false(
            "in: A; out: A; ensures: A == 5",
            "jsr other/rts",
            verdicts=NEVER,
            others={"other": ("in: A; out: A; ensures: A == 5", "jsr it/rts")},
        ),
        "three that jump round": false(
            "in: A; out: A; ensures: A == 5",
            "jmp one",
            verdicts=NEVER,
            others={
                "one": ("in: A; out: A; ensures: A == 5", "jmp two"),
                "two": ("in: A; out: A; ensures: A == 5", "jmp it"),
            },
        ),
        "one that jumps to itself": false(
            "in: A; out: A; ensures: A == 5", "nop/jmp it", verdicts=NEVER
        ),
        "one that calls itself": false(
            "in: X; out: X; clobbers: N Z; ensures: X == 0",
            "dex/beq @d/jsr it/@d: rts",
            verdicts=NEVER,
        ),
        "no input is allowed": false(
            "in: A; requires: A < 5, A > 10; out: A; ensures: A == 7", "rts", "", (VACUOUS,)
        ),
        "after a read that is not allowed": false(
            "in: none; out: A; clobbers: N Z; ensures: A == 9", "lda tmp/rts", "tmp"
        ),
    },
    "sm83": {
        "a range below zero": false(
            "in: buf[4]; out: none; clobbers: none; ensures: all j in -2..2: j >= 0",
            "ret",
            "j >= 0",
        ),
        "two that jump to each other": false(
            "in: A; out: A; ensures: A == 5",
            "jp other",
            verdicts=NEVER,
            others={"other": ("in: A; out: A; ensures: A == 5", "jp it")},
        ),
        "two that call each other": false(
            "in: A; out: A; ensures: A == 5",
            "call other/ret",
            verdicts=NEVER,
            others={"other": ("in: A; out: A; ensures: A == 5", "call it/ret")},
        ),
        "no input is allowed": false(
            "in: A; requires: A < 5, A > 10; out: A; ensures: A == 7", "ret", "", (VACUOUS,)
        ),
    },
}
TRUE = {
    "6502": {
        "a range below zero": true(
            "in: buf[4]; out: none; clobbers: none; ensures: all j in -2..2: j >= -2", "rts"
        ),
        "cells by a range below zero": true(
            "in: buf[4]; out: none; clobbers: none; "
            "ensures: all j in -3..0: buf[j + 3] == old buf[j + 3]",
            "rts",
        ),
        "sums below zero": true(
            "in: buf[4]; out: none; clobbers: none; ensures: sum j in -2..2: j == 0", "rts"
        ),
        "negative numbers": true("in: A; out: A; ensures: A - 300 in -300..-45", "rts"),
        "a tail call": true(
            "in: A; out: A; clobbers: N Z; ensures: A == 5",
            "jmp other",
            others={"other": ("in: A; out: A; clobbers: N Z; ensures: A == 5", "lda #5/rts")},
        ),
    },
    "sm83": {
        "a range below zero": true(
            "in: buf[4]; out: none; clobbers: none; ensures: all j in -2..2: j >= -2", "ret"
        ),
    },
}


@pytest.mark.slow_cases(
    "6502 two that jump to each other",
    "6502 two that call each other",
    "6502 three that jump round",
)
@pytest.mark.parametrize(
    ("cpu", "said"),
    cases(FALSE, TRUE, long=["sm83 two that call each other", "sm83 two that jump to each other"]),
)
def test_no_fault(cpu: str, said: Said) -> None:
    check(cpu, said)


BESIDE = {
    "a read": Said("in: none; out: A; clobbers: N Z; ensures: A == 9", "lda tmp/rts"),
    "an index that is too large": Said(
        "in: X buf[4]; out: A; clobbers: N Z; ensures: A == buf[0]", "lda buf,x/rts"
    ),
    "a write": Said("in: A n[1]; out: none; clobbers: none; ensures: n == old n", "sta n/rts"),
    "an invariant": Said(
        "in: X; requires: X >= 1; out: none; clobbers: X N Z; ensures: X == 3; "
        "invariant: @l: X == 3; decreases: @l: X",
        "@l: dex/bne @l/rts",
    ),
    "what the invariant kept out": Said(
        "in: X; requires: X < 9; out: none; clobbers: X N Z buf[4]; "
        "invariant: @l: X < 4; decreases: @l: X",
        "@l: lda buf,x/sta buf,x/dex/bpl @l/rts".replace("lda buf,x/", ""),
    ),
    "a call": Said(
        "in: A; out: A; clobbers: N Z; ensures: A == 0",
        "jsr other/rts",
        others={
            "other": (
                "in: A; requires: A == 0; out: A; clobbers: N Z; ensures: A == 0",
                "ora #0/rts",
            )
        },
    ),
}
WRONG = {
    "a read": "ensures",
    "an index that is too large": "ensures",
    "a write": "ensures",
    "an invariant": "ensures",
    "what the invariant kept out": "changes",
    "a call": "ensures",
}
"""What is false, too, beside that which is found out first."""


@pytest.mark.parametrize("name", BESIDE)
def test_nothing_false_is_proved_beside_what_is_refuted(name: str) -> None:
    pytest.importorskip("z3", reason="what is asked of these routines needs it")
    proof = proofs_of("6502", BESIDE[name])["it"]
    assert proof.verdict not in (PROVED, PARTIAL), told(proof)
    beside = [each for each in proof.findings if str(each.statement).startswith(WRONG[name])]
    assert all(each.verdict is not PROVED for each in beside), told(proof)


def test_impossible_inputs_refute_nothing() -> None:
    pytest.importorskip("z3", reason="what is asked of these routines needs it")
    said = false("in: A; requires: A * A == 2; out: A; ensures: A == 7", "rts")
    proof = proofs_of("6502", said)["it"]
    assert proof.verdict is VACUOUS, told(proof)
    assert all(each.verdict is not REFUTED for each in proof.findings), told(proof)


@pytest.mark.proof
def test_a_loop_of_256_iterations_nests_no_deeper_than_the_rules_go() -> None:
    """What the time and the flags depend on is chosen among 256: rules go down into each."""
    said = Said("in: none; out: none; clobbers: none", ".l: dec d/jr nz, .l/ret")
    proof = proofs_of("sm83", said)["it"]
    assert proof.verdict is Verdict.REFUTED
    assert "can be followed" not in {str(each.statement) for each in proof.findings}
