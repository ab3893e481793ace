"""What is proved of SHA-512 would not be of other functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from slow import slow_but

from fairdeck.proofs import sha512_model as fips
from fairdeck.proofs.sha512 import ROMS, STEPS
from fairdeck.proofs.stages import prove_steps
from fairdeck.proofs.statement import CPUS, bank
from romproof.prover.results import Verdict
from romproof.prover.routines.routine import ProofOptions

pytest.importorskip("z3", reason="a few questions are asked z3")

PARTS = {
    "add": "add",
    "rotate": "rotr",
    "shift": "shr",
    "ch": "ch",
    "maj": "maj",
    "big_sigma0": "big_sigma0",
    "big_sigma1": "big_sigma1",
    "small_sigma0": "small_sigma0",
    "small_sigma1": "small_sigma1",
}
"""Statements, each with a function of the model that its first step is about."""


EACH = [(subject, cpu) for subject in PARTS for cpu in CPUS]
ONCE = [pair for number, pair in enumerate(EACH) if (number + number // 2) % 2 == 0]
"""Each part on one of the CPUs, in turn."""


@pytest.mark.slow_cases(
    "add-6502", "shift-6502", "maj-6502", "small_sigma0-sm83", "small_sigma1-6502"
)
@pytest.mark.parametrize(("subject", "cpu"), slow_but(ONCE, EACH))
def test_with_another_function_it_is_refuted(
    monkeypatch: pytest.MonkeyPatch, cpu: str, subject: str
) -> None:
    """The lowest bit is another one where bit 7 is set."""
    right: Callable[..., Any] = getattr(fips, PARTS[subject])

    def wrong(*args: Any) -> Any:
        result = right(*args)
        return result ^ (result >> 7 & 1)

    monkeypatch.setattr(fips, PARTS[subject], wrong)
    own = bank(ROMS[cpu], ProofOptions())
    known = next(steps for steps in STEPS[cpu] if subject in steps)
    step = known[subject](own.image)[0]
    proof = prove_steps(own, subject, [step])
    assert Verdict.REFUTED in {finding.verdict for finding in proof.findings}
