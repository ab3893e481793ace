"""A contract that says nothing of cycles, from the proof of one that does.

A proof judges each statement by itself, on one exploration; none but that of cycles asks for what
``cycles:`` says. So with a contract of which all is proved, and was executed, but that its limits
of cycles are reached, the same contract without ``cycles:`` is proved too.
"""

from __future__ import annotations

from dataclasses import replace

from romproof.contract.nouns.statement import StatementKind
from romproof.prover.replay.judge import Case
from romproof.prover.results import Proof, Verdict
from romproof.prover.routines.routine import Explored


def without_cycles(proof: Proof, explored: Explored) -> tuple[Proof, Explored] | None:
    """The proof of the contract without ``cycles:``, and its exploration; None where more than that
    would have to be left out, or nothing was executed."""
    left = tuple(each for each in proof.findings if each.kind is not StatementKind.CYCLES)
    if not proof.runs or any(each.verdict is not Verdict.PROVED for each in left):
        return None
    exploration = explored.exploration
    contract = exploration.start.contract
    places = tuple(each for each in contract.places if each[0] != "cycles")
    less = replace(contract, cycles=None, places=places)
    exploration = replace(exploration, start=replace(exploration.start, contract=less))
    case = Case(exploration, explored.case.oracle, handlers=explored.case.handlers)
    return replace(proof, findings=left, cycles=None), replace(
        explored, exploration=exploration, case=case
    )
