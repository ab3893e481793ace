"""What decreases, and turns of loops, looked at while code is executed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from witness_programs import rom_of, routine_6502, routine_sm83, subject_in

from romproof.contract.nouns.expr import Comparison, Expression
from romproof.witness.domains import machines
from romproof.witness.job import Job
from romproof.witness.labels import labels_of
from romproof.witness.setting import settings_of
from romproof.witness.subject import SIZE, Subject
from romproof.witness.watch import find_miscounted, watch

NESTED = "ldx #3/@o:/ldy #2/@i:/dey/bne @i/dex/bne @o/rts"
CALLS_ITS_END = "ldx #3/@l:/jsr @end/dex/bne @l/@end:/iny/rts"
NO_RESULT = "in: none; out: none; clobbers: X Y N Z"


@dataclass(frozen=True)
class Decreases:
    """What a contract says of a number at a label."""

    label: str
    addresses: tuple[int, ...]
    expression: Expression
    text: str


def subject(label: str, number: str, code: str) -> tuple[Subject, Decreases]:
    """A routine, and what is claimed to decrease at a label of it."""
    fields = f"in: none; out: none; clobbers: X Y N Z; invariant: {label}: {number} <= 1000"
    it = subject_in(rom_of(routine_6502(fields, code)))
    (invariant,) = it.contract.invariants
    (condition,) = invariant.conditions
    assert isinstance(condition.expression, Comparison)
    return it, Decreases(label, invariant.addresses, condition.expression.left, number)


def broken(it: Subject, claim: Decreases) -> list[str]:
    """What one run shows to be wrong of a claim."""
    object.__setattr__(it, "contract", _With(it.contract, (claim,)))
    chance = np.random.default_rng(0)
    setting, _ = settings_of(it, chance)
    before = machines(it, setting, np.zeros((1, 0), np.uint8), chance)
    found = watch(Job(it, setting, before, bytes(SIZE), 10_000), 0, labels_of(it), 10_000)
    assert found.finished
    assert found.visits
    return [detail for _, detail in found.broken]


class _With:
    """A contract with one more field."""

    def __init__(self, contract: object, decreases: tuple[Decreases, ...]) -> None:
        self._contract = contract
        self.decreases = decreases

    def __getattr__(self, name: str) -> object:
        return getattr(self._contract, name)


@pytest.mark.parametrize(
    ("label", "number", "code", "wrong"),
    [
        ("@l", "X", "ldx #8/@l:/dex/bne @l/rts", []),
        ("@l", "9 - X", "ldx #0/@l:/inx/cpx #8/bne @l/rts", []),
        ("@l", "X", "ldx #0/@l:/inx/cpx #8/bne @l/rts", ["it is 1 and was 0"]),
        ("@l", "X - 5", "ldx #8/@l:/dex/bne @l/rts", ["it is -1, not a natural number"]),
        ("@l", "X >> 1", "ldx #8/@l:/dex/bne @l/rts", ["it is 3 and was 3"]),
        ("@o", "X", NESTED, []),
        ("@i", "Y", NESTED, []),
        ("@i", "X", NESTED, ["it is 3 and was 3"]),
        ("@l", "X", CALLS_ITS_END, []),
        ("@l", "X & 2", CALLS_ITS_END, ["it is 2 and was 2"]),
    ],
)
def test_what_decreases(label: str, number: str, code: str, wrong: list[str]) -> None:
    it, claim = subject(label, number, code)
    found = broken(it, claim)
    assert found[:1] == wrong


@pytest.mark.parametrize(
    ("loops", "wrong"),
    [
        ("@o 3, @i 2", []),
        ("@o 3..3, @i 2..2", []),
        ("@o 2", ["it is executed 3 times"]),
        ("@i 6..6", ["it is executed 2 times"]),
        ("@i 1..1", ["it is executed 2 times"]),
        ("@i 3..9", ["it is executed 2 times"]),
    ],
)
def test_turns_are_counted_each_time_a_loop_is_entered(loops: str, wrong: list[str]) -> None:
    _expect_turns(subject_in(rom_of(routine_6502(f"{NO_RESULT}; loops: {loops}", NESTED))), wrong)


@pytest.mark.parametrize(
    ("loops", "wrong"), [("@l 3..3", []), ("@l 4..9", ["it is executed 3 times"])]
)
def test_code_that_is_called_and_gone_on_to_does_not_end_a_loop(
    loops: str, wrong: list[str]
) -> None:
    source = routine_6502(f"{NO_RESULT}; loops: {loops}", CALLS_ITS_END)
    _expect_turns(subject_in(rom_of(source)), wrong)
    source = routine_sm83(
        f"in: none; out: none; clobbers: B C F; loops: {loops.replace('@', '.')}",
        "ld b, 3/.l:/call .end/scf/call nc, .end/dec b/jr nz, .l/.end:/inc c/ret",
    )
    _expect_turns(subject_in(rom_of(source, "sm83")), wrong)


@pytest.mark.parametrize(
    ("loops", "wrong"), [("@l 4..4", []), ("@l 5..9", ["it is executed 4 times"])]
)
def test_a_callee_that_drops_its_return_address_goes_on_with_the_loop(
    loops: str, wrong: list[str]
) -> None:
    source = routine_6502(
        f"in: none; out: none; clobbers: A X N Z; loops: {loops}",
        "ldx #4/@l:/dex/beq @e/jsr @away/@e:/rts/@away:/pla/pla/jmp @l",
    )
    _expect_turns(subject_in(rom_of(source)), wrong)
    source = routine_sm83(
        f"in: none; out: none; clobbers: B F HL; loops: {loops.replace('@', '.')}",
        "ld b, 4/.l:/dec b/jr z, .e/call .away/.e:/ret/.away:/pop hl/jp .l",
    )
    _expect_turns(subject_in(rom_of(source, "sm83")), wrong)


def _expect_turns(it: Subject, wrong: list[str]) -> None:
    """One run finds these faults of the bounds of loops."""
    chance = np.random.default_rng(0)
    setting, _ = settings_of(it, chance)
    before = machines(it, setting, np.zeros((1, 0), np.uint8), chance)
    labels = labels_of(it)
    found = watch(Job(it, setting, before, bytes(SIZE), 10_000), 0, labels)
    details = [detail for _, detail in find_miscounted(labels, found)]
    assert sorted(set(details)) == wrong
