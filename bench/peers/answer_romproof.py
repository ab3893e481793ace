"""Asks romproof what answer_angr.py asks angr. A process of its own.

    python -m peers.answer_romproof < question > answer

The answer has the same form; ``paths`` is None. More is proved than was asked: what the routine
changes, that it reads nothing but its inputs, that it returns; and what is proved is executed.
"""

from __future__ import annotations

import json
import sys
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

import romproof
from peers.claims import BY_NAME, Claim
from romproof.prover.results import Example, Finding, Proof, Verdict
from romproof.prover.routines.routine import ProofOptions

PROGRAM = Path(__file__).parent / "routines.toml"


def answer(question: dict[str, Any]) -> dict[str, Any]:
    """Prove the contract, as ``romproof prove`` does."""
    options = ProofOptions(timeout=question["timeout"], fresh=True)
    proof = romproof.prove(romproof.load(PROGRAM), question["name"], options=options)[-1]
    return _summary(proof, BY_NAME[question["name"]], question["places"])


def _summary(proof: Proof, claim: Claim, places: dict[str, int]) -> dict[str, Any]:
    found = next((f for f in proof.findings if f.verdict is Verdict.REFUTED), None)
    example = found and found.example and _example(found.example, claim, places)
    open_ = next((f for f in proof.findings if f.verdict is not Verdict.PROVED), None)
    return {"verdict": proof.verdict.value, "example": example, "detail": _why(open_)}


def _why(finding: Finding | None) -> str:
    return "" if finding is None else f"{finding.statement}: {finding.detail}"


def _example(example: Example, claim: Claim, places: dict[str, int]) -> dict[str, int]:
    """Values by name, as the inputs of the question; what any value does for is 0."""
    memory = {at + i: b for at, data in example.memory.items() for i, b in enumerate(data)}
    values = {name: example.registers.get(name, 0) for name in claim.registers}
    for name, size in claim.memory.items():
        values |= {f"{name}+{i}": memory.get(places[name] + i, 0) for i in range(size)}
    return values


def main() -> None:
    """Answer the question of standard input."""
    question = json.load(sys.stdin)
    loaded = time.process_time()
    found = answer(question)
    asking = time.process_time() - loaded
    by = f"romproof {version('romproof')}, z3 {version('z3-solver')}"
    print(json.dumps(found | {"paths": None, "loading": loaded, "asking": asking, "by": by}))


if __name__ == "__main__":
    main()
