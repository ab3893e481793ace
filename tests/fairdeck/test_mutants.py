"""The prover is tried itself: a proof of a routine with a fault in it fails, and says why.

A fault that changes nothing that is promised is proved to be one.
"""

from __future__ import annotations

from collections import Counter

import pytest
from mutants import MUTANTS
from mutating import By, Kind, Mutant, statements, tried, with_fault

from romproof.harness.errors import CallError
from romproof.harness.rom import Rom
from romproof.prover.replay.trial import ResultView, call
from romproof.prover.results import Attained, Finding, Proof, Verdict
from romproof.prover.routines.routine import ProofOptions
from romproof.prover.states.model_places import ModelPlaces

OPTIONS = ProofOptions()
MODELS = (
    "equals the model",
    "where the model does",
    "the model takes every input",
    "goes the model, too",
)
"""How the statements end that are about a model and not about the contract."""


def refuted(proof: Proof) -> list[Finding]:
    return [finding for finding in proof.findings if finding.verdict is Verdict.REFUTED]


def objected(proof: Proof) -> list[Finding]:
    """What is refuted, and what does not hold in a state at an invariant, of which nobody knows
    whether execution comes there, and cycles that no call takes any longer."""
    unknown = [finding for finding in proof.findings if finding.verdict is Verdict.UNKNOWN]
    loose = [finding for finding in proof.findings if finding.attained is Attained.NO]
    found = refuted(proof) + [finding for finding in unknown if finding.state is not None]
    return found + loose


def found_by(proof: Proof) -> By:
    """Who objects to it."""
    by_model = {str(finding.statement).endswith(MODELS) for finding in objected(proof)}
    if not by_model:
        return By.NOBODY
    return By.BOTH if len(by_model) == 2 else By.EQUALITY if True in by_model else By.CONTRACT


SUITE = 45
"""One of so many faults is tried in the suite, all others by ``make proofs``."""
SLOW = (
    "sha512/sm83/add: and a, a -> nop",
    "tarot/sm83/flip: push de -> push hl",
    "riichi/sm83/suit_costs: bit 3, a -> bit 2, a",
    "riichi/6502/kokushi_shanten: sec -> nop",
    "tarot/sm83/flip: ret -> ret nc",
    "tarot/6502/draw: lda #1 -> lda #2",
    "tarot/sm83/draw: sla e -> srl e",
    "tarot/sm83/draw: ld d, 0 -> ld d, 1",
)
"""Those among them that take seconds: also left to ``make proofs``."""


def is_left(number: int, mutant: Mutant) -> bool:
    """Whether a fault is left to ``make proofs``."""
    return number % SUITE > 0 or str(mutant) in SLOW


CASES = [
    pytest.param(mutant, id=str(mutant), marks=[pytest.mark.proof] if is_left(n, mutant) else [])
    for n, mutant in enumerate(MUTANTS)
]


def test_the_slow_ones_exist() -> None:
    assert set(SLOW) <= set(map(str, MUTANTS))


@pytest.mark.slow_cases(
    "tarot/6502/next_byte-a3: lda lfsr+2 -> lda lfsr+1",
    "arith/6502/modulo: bcs * -> bcc *",
    "arith/6502/modulo: ldx #8 -> ldx #7",
    "arith/6502/modulo: asl dividend+3 -> lsr dividend+3",
    "mt19937/6502/mt_next: clc -> nop",
    "sha512/6502/big_sigma1: clc -> nop",
    "sha512/6502/round: iny -> nop",
    "sha512/6502/round: cpy #80 -> cpy #79",
    "tarot/sm83/flip: ret -> ret nc",
    "mt19937/sm83/temper: rrca -> rlca",
    "sha512/sm83/add: and a, a -> nop",
    "sha512/sm83/round: adc a, d -> add a, d",
    "sha512/sm83/round: jp nz, * -> jp z, *",
    "sha512/sm83/round: dec a -> nop",
    "riichi/sm83/kokushi_shanten: jr c, * (1) -> jr nc, *",
    "riichi/sm83/suit_costs: bit 3, a -> bit 2, a",
)
@pytest.mark.parametrize("mutant", CASES)
def test_a_fault_is_found_or_is_none(mutant: Mutant) -> None:
    found = tried(mutant, OPTIONS)
    proof = found.proof
    assert found_by(proof) is mutant.by, [f for f in proof.findings if f.verdict.name != "PROVED"]
    if mutant.by is By.NOBODY:
        assert statements()[mutant.proof].is_shown(proof), proof.findings
        return
    if proof.attained is Attained.NO:
        assert not statements()[mutant.proof].is_shown(proof)
    else:
        assert proof.verdict is (Verdict.REFUTED if refuted(proof) else Verdict.UNKNOWN)
    for finding in refuted(proof):
        assert finding.example is not None, finding
        assert finding.replayed is True, finding
    original, faulty = found.original, with_fault(mutant, found.original)
    simple = [each for each in refuted(proof) if is_about_results(each, original)]
    assert not simple or any(shows(each, original, faulty) for each in simple), simple


def is_about_results(finding: Finding, rom: Rom) -> bool:
    """Whether it says of a routine what one call of it leaves behind, or how long it takes."""
    routine, _, statement = str(finding.statement).partition(": ")
    seen = ("ensures", "takes", "preserves", "uses", "keeps")
    return (
        routine in rom.contracts
        and finding.example is not None
        and finding.other is None
        and (statement.startswith(seen) or statement.endswith(MODELS))
    )


def shows(finding: Finding, original: Rom, faulty: Rom) -> bool:
    """Whether the routine with the fault, simply called with the example, breaks its contract or
    does something else than the one without."""
    routine = str(finding.statement).partition(": ")[0]
    return outcome(faulty, routine, finding) != outcome(original, routine, finding)


def outcome(rom: Rom, routine: str, finding: Finding) -> list[object]:
    """What a call leaves in the outputs of its contract; nothing when it fails."""
    assert finding.example is not None
    contract = rom.contracts[routine]
    try:
        result = call(rom, contract, finding.example, None)
    except CallError:
        return []
    view = ResultView(result)
    return [
        result.cycles,
        *(place.read(view) for place in ModelPlaces(contract, result.abi).of(contract.outputs)),
    ]


def test_there_are_faults_of_all_kinds_for_both_cpus() -> None:
    assert len(MUTANTS) >= 60
    assert len(set(map(str, MUTANTS))) == len(MUTANTS)
    for cpu in ("6502", "sm83"):
        kinds = Counter(mutant.kind for mutant in MUTANTS if mutant.cpu == cpu)
        assert set(kinds) == set(Kind), set(Kind) - set(kinds)
        assert kinds.total() >= 30
    assert all(bool(mutant.reason) == (mutant.by is By.NOBODY) for mutant in MUTANTS)
