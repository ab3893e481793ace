"""Proving that a routine is its model, and showing the input that refutes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from romproof.contract.nouns.model import Contract
from romproof.engine.engines import ENGINES
from romproof.engine.protocol import EngineFault
from romproof.harness.calls.runner import MachineSetup
from romproof.harness.machine import Machine
from romproof.harness.rom import Rom
from romproof.isa.abi import abi_of
from romproof.machine.boards import FLAT, make_board
from romproof.machine.memory import FILL
from romproof.prover.refinement.equivalence import prove_equivalent
from romproof.prover.replay.trial import Claim, Failed, Target
from romproof.prover.results import Example, Finding, Proof, Verdict
from romproof.report.advice import advice_on
from romproof.report.testcase import Story
from romproof.text.errors import MissingExtra

WITNESS = "py65"
"""The engine that has the last word, where it knows the CPU."""


@dataclass(frozen=True, slots=True)
class ProofOutcome:
    """What came of a proof: ``problem`` says what is wrong, None if nothing is. ``runs`` is how
    often the routine was executed and compared with its model after it was proved: by the
    prover's witness, with all inputs where there are few, and by calls in this program."""

    problem: str | None
    runs: int = 0


def refute(story: Story, rom: Rom, examples: int, name: str, seconds: float) -> ProofOutcome:
    """What is wrong with a claim, or why it is not proved; nothing if it holds for all inputs.

    An input that refutes it is executed before it is shown. Where no proof is found,
    ``examples`` random inputs are tried. Where one is found, it is executed: the prover's own
    faults must show. Raises BadMapping and MissingExtra.
    """
    claim, routine = story.claim, story.claim.contract.name
    equivalence = prove_equivalent(
        rom, routine, claim.mapping, claim.model, claim.requires, timeout=seconds
    )
    proof = equivalence.proof
    if proof.verdict is Verdict.PROVED:
        done = _execute(story, rom, equivalence.inputs)
        return replace(done, runs=done.runs + proof.runs)
    for finding in proof.findings:
        if finding.example is not None and finding.verdict is Verdict.REFUTED:
            failed = replay(claim, rom, finding.example)
            if failed is not None:
                return ProofOutcome(story.tell(failed))
    if any(finding.verdict is Verdict.VACUOUS for finding in proof.findings):
        return ProofOutcome(_not_proved(proof))
    try:
        from romproof.pytest_plugin.sampling import falsify
    except MissingExtra:
        return ProofOutcome(_not_proved(proof))
    failed = falsify(claim, rom, examples, name)
    if failed is not None:
        return ProofOutcome(story.tell(failed))
    return ProofOutcome(
        f"{_not_proved(proof)}\n  (random inputs, up to {examples}, show no difference)"
    )


def _execute(story: Story, rom: Rom, inputs: Sequence[Example]) -> ProofOutcome:
    """What is proved, executed for some inputs on the program's own engine."""
    claim, routine = story.claim, story.claim.contract.name
    fault = f"'{routine}' is proved to be its model, but the proof is wrong, a bug in romproof: "
    if not inputs:
        return ProofOutcome(f"{fault}no allowed input is known")
    for example in inputs:
        if not claim.allows(example):
            return ProofOutcome(f"{fault}it was proved for {example}, which is not allowed")
        try:
            claim.check(rom, example)
        except Failed as failed:
            return ProofOutcome(f"{fault}when executed,\n{story.tell(failed)}")
    return ProofOutcome(None, len(inputs))


def _not_proved(proof: Proof) -> str:
    open_ = [finding for finding in proof.findings if finding.verdict is not Verdict.PROVED]
    return "\n".join([f"'{proof.routine}' is not proved to be its model:", *map(_message, open_)])


def _message(finding: Finding) -> str:
    text = f"  {finding.statement}: {finding.verdict.value}"
    if finding.detail:
        text += f", {finding.detail}"
    if (advice := advice_on(finding)) is not None:
        text += f" (see {advice.link})"
    if finding.verdict is Verdict.REFUTED:
        text += f"; but {finding.example}, when executed, shows no difference"
    return text


def replay(claim: Claim, rom: Rom, example: Example) -> Failed | None:
    """What an input shows when it is executed, by the witness if it can; None: no difference."""
    if not claim.allows(example):
        return None
    for target in (_witness(rom, claim.contract), rom):
        if target is None:
            continue
        try:
            claim.check(target, example)
        except Failed as failed:
            if target is not rom and isinstance(failed.fault, EngineFault):
                continue  # what the witness refuses, such as undocumented opcodes
            return failed
    return None


def _witness(rom: Rom, contract: Contract) -> Target | None:
    """The program on the engine that is an independent witness; None without it."""
    row, cpu = ENGINES[WITNESS], abi_of(rom.image.cpu).cpu
    if row.refusal(cpu) is not None:
        return None
    at = rom.image.address(contract.name)
    make = partial(make_board, FLAT, rom.image, WITNESS, FILL, rom.memory_map)
    return Machine(MachineSetup(rom.image, make, lambda _: {at: contract}))
