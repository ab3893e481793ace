"""Slips in the model of the fast shuffle, and in what it rests on, are not proved."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from fairdeck.proofs.draws import SHUFFLED
from fairdeck.proofs.shuffle_fast import (
    always_holds,
    fast_stages,
    prove_contract,
    prove_stream,
    under_way,
)
from fairdeck.proofs.stream import bytes_in_turn
from fairdeck.proofs.tarot_bank import tarot_bank
from fairdeck.tarot.targets import SM83
from romproof import Finding, ProofOptions, Prover, Stage, Verdict
from romproof.prover.refinement.model_invariants import Always
from romproof.prover.refinement.simulation import simulate
from romproof.symbolic.terms.node import using

TURN, DRAW = "shuffle.flip5_6_0", "shuffle.draw6_7_0"
"""A flip more and a first try of those that are decided quickly."""

After = dict[str, Any]


def _wrong_cards(after: After) -> After:
    after["deck"][0], after["deck"][1] = after["deck"][1], after["deck"][0]
    return after


def _other_flips(after: After) -> After:
    return {**after, "flips": after["flips"] ^ 1}


def _other_bytes(after: After) -> After:
    return {**after, "byte4": after["byte3"]}


def _biased(after: After) -> After:
    return {**after, "c": 0 if after["c"] == 3 else after["c"]} if "c" in after else after


def _slipped(stages: Mapping[str, Stage], label: str, slip: Any) -> Mapping[str, Stage]:
    def model(**values: Any) -> Any:
        where, after = stages[label].model(**values)
        return where, slip(dict(after))

    return {**stages, label: replace(stages[label], model=model)}


def _findings(
    own: Prover, stages: Mapping[str, Stage], places: Collection[str], always: str
) -> Collection[Finding]:
    """What is found of the stages at the entry and at some places."""
    explored = own._explored
    assert explored is not None
    case = explored.case
    addresses = {own.image.address(label) for label in places}
    cuts = {at: cut for at, cut in case.exploration.cuts.items() if at in addresses}
    some = replace(case, exploration=replace(case.exploration, cuts=cuts))
    with using(explored.terms):
        known = Always(own._conditions(case, always), under_way(own))
        return simulate(some, stages, SHUFFLED, own._bank.by_address, known).findings


@pytest.mark.long
def test_near_misses_of_the_fast_shuffle_are_not_proved() -> None:
    pytest.importorskip("z3", reason="proofs need it")
    own = tarot_bank(SM83, ProofOptions())
    assert prove_contract(own)[-1].verdict is Verdict.PARTIAL
    stages, always = fast_stages(own.image), always_holds(own)
    right = _findings(own, stages, (TURN, DRAW), always)
    assert all(each.verdict is Verdict.PROVED for each in right)
    for label in (TURN, DRAW):
        for slip in (_wrong_cards, _other_flips, _other_bytes, _biased):
            wrong = _findings(own, _slipped(stages, label, slip), (label,), always)
            assert any(each.verdict is not Verdict.PROVED for each in wrong), (label, slip)


@pytest.mark.proof
@pytest.mark.parametrize("slip", ["order", "table"])
def test_a_stream_made_in_another_way_is_not_proved(
    slip: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("z3", reason="proofs need it")

    def slipped(last: int, begun: Sequence[str] = ()) -> str:
        if slip == "order":
            return bytes_in_turn(last, begun[::-1])
        return bytes_in_turn(last, begun).replace("next_by_3[", "next_by_4[")

    monkeypatch.setattr("fairdeck.proofs.shuffle_fast.bytes_in_turn", slipped)
    making, _ = prove_stream(tarot_bank(SM83, ProofOptions()))
    assert making.verdict is not Verdict.PROVED
