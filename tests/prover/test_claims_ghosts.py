"""Ghosts in invariants, assertions and promises, on both CPUs; what is nearly true of them."""

from __future__ import annotations

import pytest
from claims import REFUTED, Said, cases, check, false, true

LOOP_6502 = "loop:/clc/adc #3/dex/bne loop/rts"
LOOP_SM83 = "loop:/add 3/dec b/jr nz, loop/ret"


def m6502(ghost: str, ensures: str, invariant: str = "A + 3 * X == whole") -> str:
    """The contract of a routine that adds 3 X times."""
    return (
        f"in: A X; requires: A <= 10, X in 1..20; ghost: {ghost}; out: A X; clobbers: N V Z C; "
        f"invariant: loop: {invariant}, 1 <= X <= 20; decreases: loop: X; ensures: {ensures}"
    )


def sm83(ghost: str, ensures: str, invariant: str = "A + 3 * B == whole") -> str:
    """The same on the SM83, with B."""
    return (
        f"in: A B; requires: A <= 10, B in 1..20; ghost: {ghost}; out: A B; clobbers: F; "
        f"invariant: loop: {invariant}, 1 <= B <= 20; decreases: loop: B; ensures: {ensures}"
    )


TRUE: dict[str, dict[str, Said]] = {
    "6502": {"a sum": true(m6502("whole = A + 3 * X", "A == whole, X == 0"), LOOP_6502)},
    "sm83": {"a sum": true(sm83("whole = A + 3 * B", "A == whole, B == 0"), LOOP_SM83)},
}
FALSE: dict[str, dict[str, Said]] = {
    "6502": {
        "one less": false(m6502("whole = A + 3 * X", "A < whole"), LOOP_6502, "", (REFUTED,)),
        "not the value now": false(
            m6502("whole = A + 3 * X", "whole == A + 3 * old X"), LOOP_6502, "", (REFUTED,)
        ),
        "another number": false(m6502("whole = A + 2 * X", "X == 0"), LOOP_6502, "", (REFUTED,)),
    },
    "sm83": {
        "one less": false(sm83("whole = A + 3 * B", "A < whole"), LOOP_SM83, "", (REFUTED,)),
        "another number": false(sm83("whole = A + 2 * B", "B == 0"), LOOP_SM83, "", (REFUTED,)),
    },
}


@pytest.mark.slow_cases("6502 one less", "6502 not the value now")
@pytest.mark.parametrize(("cpu", "said"), cases(FALSE, TRUE))
def test_ghosts(cpu: str, said: Said) -> None:
    check(cpu, said)
