"""Limits of cycles of loops that call routines of which the contract alone is known."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from claims import PROVED, Said, few_runs, rom_of, source

from romproof.prover.prover import Prover
from romproof.prover.results import Proof
from romproof.prover.routines.routine import ProofOptions

pytest.importorskip("z3", reason="proofs need it")


def _counted(name: str, turn: str, cycles: str) -> tuple[str, str]:
    """A routine that counts Y down, and does something else each time."""
    contract = (
        "in: Y; requires: Y in 1..2; out: Y; ensures: Y == 0; clobbers: N Z; "
        f"cycles: {cycles}; invariant: @{name}: Y in 1..2; decreases: @{name}: Y"
    )
    return contract, f"@{name}: {turn}dey/bne @{name}/rts"


OTHERS = {
    "slow": _counted("s", "nop/nop/", "14..23"),
    "quick": _counted("q", "", "10..15"),
    "bit": (
        "in: Y tmp; requires: Y in 1..2; out: A; ensures: A <= 1; clobbers: Y N Z; "
        "cycles: 15..20; invariant: @b: Y in 1..2; decreases: @b: Y",
        "@b: dey/bne @b/lda tmp/and #1/rts",
    ),
}
BY_COUNT = "ldx #5/@l: ldy tmp/cpx #2/bcs @k/jsr slow/jmp @n/@k: jsr quick/@n: dex/bpl @l/rts"
"""Four quick calls and two slow ones: 125 cycles, and theirs."""
BY_RESULT = "ldx #5/@l: ldy tmp/jsr bit/cmp #1/bne @n/nop/nop/@n: dex/bpl @l/rts"
"""Six calls, and three cycles more for each that leaves 1: 121 to 139 cycles, and theirs."""


@pytest.fixture(autouse=True)
def _few() -> Iterator[None]:
    with few_runs():
        yield


def _proof(code: str, cycles: str) -> Proof:
    contract = (
        "in: tmp; requires: tmp in 1..2; out: none; clobbers: A X Y N Z C; "
        f"cycles: {cycles}; invariant: @l: X <= 5; decreases: @l: X"
    )
    said = Said(contract, code, others=OTHERS)
    own = Prover(rom_of("6502", source("6502", said)), ProofOptions(loose=True))
    for name in OTHERS:
        assert own.routine(name, exact=False).verdict is PROVED
    # no more is known of callees than their contracts say: their code is not tried
    proof, _ = own._bank.prove_at(own.contracts["it"], own.image.address("it"), least=True)
    return proof


@pytest.mark.quick_cases(
    "ldx #5/@l: ldy tmp/cpx #2/bcs @k/jsr slow/jmp @n/@k: jsr quick/@n: dex/bpl @l/rts-100..300"
)
@pytest.mark.parametrize(
    ("code", "cycles"), [(BY_COUNT, "193..231"), (BY_COUNT, "100..300"), (BY_RESULT, "211..259")]
)
def test_limits_are_those_of_each_way(code: str, cycles: str) -> None:
    proof = _proof(code, cycles)
    assert proof.verdict is PROVED, proof.findings


@pytest.mark.slow_cases(
    "ldx #5/@l: ldy tmp/cpx #2/bcs @k/jsr slow/jmp @n/@k: jsr quick/@n: dex/bpl @l/rts-194..231",
    "ldx #5/@l: ldy tmp/jsr bit/cmp #1/bne @n/nop/nop/@n: dex/bpl @l/rts-212..259",
)
@pytest.mark.parametrize(
    ("code", "cycles"),
    [
        (BY_COUNT, "194..231"),
        (BY_COUNT, "193..230"),
        (BY_COUNT, "193..215"),  # as if all were quick
        (BY_RESULT, "212..259"),
        pytest.param(BY_RESULT, "211..258", marks=pytest.mark.slow),
        pytest.param(BY_RESULT, "211..241", marks=pytest.mark.slow),  # as if none left 1
    ],
)
def test_limits_that_are_one_off_are_not_proved(code: str, cycles: str) -> None:
    assert _proof(code, cycles).verdict is not PROVED
