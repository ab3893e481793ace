"""Slips in the models of long statements: whether what is claimed of them is told from what is not.

To prove a statement takes minutes, most of them for contracts that stay as they are. Here these are
taken for granted: the code is followed, and no claim about it is asked. What is asked is what the
statement is about, that the code does what its model says, with one value of one stage another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from fairdeck.proofs.every import every
from romproof import Finding, Proof, ProofOptions, Prover, Stage, Verdict
from romproof.prover.calls import summaries as lemmas
from romproof.prover.calls.must_write import Surely
from romproof.prover.catalogue import Property
from romproof.prover.conditions.memory import find_written_at_return
from romproof.prover.refinement.simulation import simulate
from romproof.prover.routines import program_proof as bank
from romproof.prover.routines.routine import Explored, ProofTask, explore_routine
from romproof.symbolic.terms.node import Terms, using

GRANTED = (Finding(Property.OTHER(text="it is taken for granted"), Verdict.PROVED),)


@dataclass(frozen=True)
class Slip:
    """In the model of a ``routine``, at the stage with the ``label``, a value is one off where it
    is ``when``: one by its name, or a byte of an array, ``name[3]``."""

    routine: str
    label: str
    value: str
    when: int = 77

    def made(self, stage: Stage) -> Stage:
        """The stage with the slip."""
        name, _, place = self.value.rstrip("]").partition("[")

        def off(value: Any) -> Any:
            return value ^ (value == self.when)

        def model(**values: Any) -> Any:
            where, after = stage.model(**values)
            if name not in after:
                return where, after
            after = dict(after)
            if place:
                cells = after[name]
                cells[int(place)] = off(cells[int(place)])
            else:
                after[name] = off(after[name])
            return where, after

        return replace(stage, model=model)


class Asked(Exception):
    """What came of the stages with a slip: no more of the statement is wanted."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        super().__init__()
        self.findings = findings


def not_proved(name: str, slip: Slip, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is not proved of a statement with a slip in its model, of all that is claimed of the
    stage that slipped and of the first."""
    monkeypatch.setattr(bank, "prove_routine", _explored)
    monkeypatch.setattr(
        lemmas, "find_must_write", lambda case, filled: Surely(find_written_at_return(case))
    )

    def simulates(
        self: Prover, stages: Mapping[str, Stage], gives: Mapping[str, str], *more: Any
    ) -> Proof:
        explored = self._explored
        assert explored is not None
        assert not more
        if explored.case.contract.name != slip.routine or slip.label not in stages:
            return Proof("the model", GRANTED)
        near = {**stages, slip.label: slip.made(stages[slip.label])}
        raise Asked(_judged(explored, near, gives, slip.label, self._bank))

    monkeypatch.setattr(Prover, "simulates", simulates)
    with pytest.raises(Asked) as asked:
        every()[name].prove(ProofOptions())
    findings = asked.value.findings
    assert any(each.verdict is Verdict.PROVED for each in findings)
    return [str(each.statement) for each in findings if each.verdict is not Verdict.PROVED]


def _judged(
    explored: Explored,
    stages: Mapping[str, Stage],
    gives: Mapping[str, str],
    label: str,
    known: bank.LemmaStore,
) -> Sequence[Finding]:
    case = explored.case
    at = case.image.address(label) if label else None
    cuts = {place: cut for place, cut in case.exploration.cuts.items() if place == at}
    some = replace(case, exploration=replace(case.exploration, cuts=cuts))
    with using(explored.terms):
        return simulate(some, stages, gives, known.by_address).findings


def _explored(task: ProofTask) -> tuple[Proof, Explored]:
    """A contract that is taken for granted, and its code."""
    with using(Terms()):
        return Proof(task.contract.name, GRANTED), explore_routine(task)


def others_granted(monkeypatch: pytest.MonkeyPatch, routine: str) -> None:
    """Let all contracts be taken for granted but that of a routine."""
    prove = bank.prove_routine

    def proved(task: ProofTask) -> tuple[Proof, Explored | None]:
        chosen = prove if task.contract.name == routine else _explored
        return chosen(task)

    monkeypatch.setattr(bank, "prove_routine", proved)
