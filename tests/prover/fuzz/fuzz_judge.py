"""The prover's verdicts, held against what runs show."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from random import Random
from unittest.mock import patch

import numpy as np
from fuzz_make import FuzzCase
from fuzz_nouns import Contract, Program, Routine
from fuzz_relations import RELATIONS
from fuzz_states import MAX, SOME, Bench
from fuzz_terms import text
from fuzz_truth import Truths, judged_on, judged_pair, truths
from fuzz_values import States

from romproof.prover.replay.confirm import Executed
from romproof.prover.results import Example, Finding, Proof, Verdict
from romproof.prover.routines import routine as prove_one
from romproof.prover.routines.program_proof import prove_rom
from romproof.prover.routines.routine import ProofOptions
from romproof.text.diagnostic import BuildFailed
from romproof.witness.results import Witnessed

PARTIAL = getattr(Verdict, "PARTIAL", None)
VACUOUS = getattr(Verdict, "VACUOUS", None)
GOOD = (Verdict.PROVED, PARTIAL)
TIMEOUT = 10.0
"""Seconds for a routine: a fuzzer can do with "unknown"."""
EXECUTED = 25
"""Of so many cases one is also executed by the prover."""

_STATEMENTS = {
    "preserves": "preserves",
    "changes": "changes",
    "reads": "reads",
    "uses at most": "stack",
    "depends": "depends",
    "keeps": "secret",
    "takes": "cycles",
    "returns": "returns",
    "comes back": "returns",
}
"""How the prover's statements begin, and what they are called here."""


@dataclass(frozen=True)
class Violation:
    """Where the prover and runs do not agree. ``kind`` begins with what is worst."""

    kind: str
    seed: int
    routine: str
    statement: str
    detail: str

    def same_as(self, other: Violation) -> bool:
        """Whether the two are the same fault, as far as one can see."""
        mine = self.kind, self.routine, self.statement.split()[0]
        return mine == (other.kind, other.routine, other.statement.split()[0])


@dataclass
class Tally:
    """Counts of (whether it is true, the verdict) for statements and for routines."""

    statements: dict[tuple[str, str, str], int] = field(default_factory=dict)
    routines: dict[tuple[str, str], int] = field(default_factory=dict)
    relations: dict[tuple[str, str], int] = field(default_factory=dict)

    def add(self, kind: str, truth: str, verdict: str) -> None:
        """Count a statement."""
        key = kind, truth, verdict
        self.statements[key] = self.statements.get(key, 0) + 1

    def add_routine(self, truth: str, verdict: str) -> None:
        """Count a routine."""
        key = truth, verdict
        self.routines[key] = self.routines.get(key, 0) + 1

    def join(self, other: Tally) -> None:
        """Add the counts of another."""
        for key, count in other.statements.items():
            self.statements[key] = self.statements.get(key, 0) + count
        for mine, its in ((self.routines, other.routines), (self.relations, other.relations)):
            for pair, count in its.items():
                mine[pair] = mine.get(pair, 0) + count


def judge(case: FuzzCase, tally: Tally, some: int = SOME) -> list[Violation]:
    """All disagreements on a case. Raises BuildFailed where it cannot be assembled."""
    try:
        bench = Bench(case.program)
    except BuildFailed as refused:
        if "no input satisfies" not in str(refused):
            raise
        return _refused(case)
    try:
        proofs = {p.routine: p for p in proved(bench, case.seed % EXECUTED == 0)}
    except Exception as error:  # whatever the prover raises is a fault of its own
        told = f"{type(error).__name__}: {error}"
        return [Violation("5 the prover fails", case.seed, "main", "fault", told)]
    found: list[Violation] = []
    for routine in case.program.routines:
        if routine.contract is None or routine.name not in proofs:
            continue
        most = MAX if some == SOME else some
        truth = truths(bench, routine.name, routine.contract, case.seed, some, most)
        proof = proofs[routine.name]
        found += _compared(case, bench, routine, proof, truth, tally)
    return found


CONTRARY = {Verdict.REFUTED, VACUOUS}


def related(case: FuzzCase, tally: Tally, chance: Random) -> list[Violation]:
    """Whether a change that should not matter changes the verdict on ``main``."""
    name = chance.choice(list(RELATIONS))
    pair = RELATIONS[name](case.program, chance)
    if pair is None:
        return []
    try:
        verdicts = [_verdict(program) for program in pair]
    except BuildFailed:
        return []
    said = " / ".join(verdict.value for verdict in verdicts)
    tally.relations[name, said] = tally.relations.get((name, said), 0) + 1
    contrary = {verdict in CONTRARY for verdict in verdicts}
    if len(contrary) == 1 or Verdict.UNKNOWN in verdicts:
        return []
    if name == "unrolled" and verdicts[0] in CONTRARY:
        return []  # an invariant need not hold in the first turn any more
    detail = f"{said} for {pair[1].source()}"
    return [Violation("6 a change changes the verdict", case.seed, "main", name, detail)]


def _verdict(program: Program) -> Verdict:
    proofs = proved(Bench(program), False)
    return next(proof.verdict for proof in proofs if proof.routine == "main")


def proved(bench: Bench, executed: bool) -> list[Proof]:
    """What the prover says of a program.

    When not ``executed``, by formulas alone: what runs show of them is found out here, and what the
    prover's own runs would keep from being told is a fault of it.
    """
    options = ProofOptions(timeout=TIMEOUT)
    if executed:
        return list(prove_rom(bench.rom, (), options))
    nothing = Executed((), Witnessed(0, 0, False, "none"))
    with (
        patch.object(prove_one, "execute_contract", lambda *given: nothing),
        patch.object(prove_one, "attempt", lambda *given: None),
    ):
        return list(prove_rom(bench.rom, (), options))


def _refused(case: FuzzCase) -> list[Violation]:
    """A contract was refused because nothing satisfies what it requires: hold that it is so."""
    bare = case.program
    for routine in bare.routines:
        bare = bare.with_contract(routine.name, None)
    bench, chance = Bench(bare), np.random.default_rng(case.seed)
    for routine in case.program.routines:
        contract = routine.contract
        if contract is not None and not len(bench.drawn(contract, 10, chance)):
            return []
    detail = "refused, but there are inputs"
    return [Violation("3 a true claim is vacuous", case.seed, "main", "requires", detail)]


def _compared(
    case: FuzzCase, bench: Bench, routine: Routine, proof: Proof, truth: Truths, tally: Tally
) -> Iterator[Violation]:
    contract, seed, change = routine.contract, case.seed, case.change
    assert contract is not None
    whole = "false" if truth.false else "true" if truth.all_true else "unclear"
    tally.add_routine(whole, proof.verdict.value)
    if truth.false and proof.verdict in GOOD:
        only_ends = truth.false == ["ends"]
        if not (only_ends and proof.verdict is PARTIAL):
            name = truth.false[0]
            detail = f"{proof.verdict.value}, but {truth.found[name].why}"
            yield Violation("1 a false claim is proved", seed, routine.name, name, detail)
            return
    for finding in proof.findings:
        if "fault of the prover" in finding.detail:
            yield Violation(
                "1 a false claim is proved, as the prover found itself",
                seed,
                routine.name,
                str(finding.statement),
                finding.detail,
            )
            return
    if VACUOUS is not None and proof.verdict is VACUOUS and truth.inputs and whole == "true":
        detail = next(str(f.statement) for f in proof.findings if f.verdict is VACUOUS)
        yield Violation("3 a true claim is vacuous", seed, routine.name, "requires", detail)
    for name, finding in _matched(contract, proof):
        here = truth.found.get(name)
        if here is None:
            continue
        said = finding.verdict.value
        if finding.verdict is Verdict.REFUTED and (finding.state is not None or finding.place):
            said = "refuted under its invariant"
        tally.add(name.split()[0], str(here.holds), said)
        if here.holds is False and finding.verdict in GOOD:
            detail = f"{said}, but {here.why}"
            yield Violation("4 a false statement is proved", seed, routine.name, name, detail)
        if here.holds and said == "refuted" and whole == "true":
            if "which requires" in finding.detail and "requires" in change:
                continue  # a callee that requires more was called with less
            if "which requires D" in finding.detail or "where it was called" in finding.detail:
                continue  # the one need not show, the other not at the places we return to
            if not _shows(bench, routine, finding, name, seed):
                detail = f"{finding.statement}: {finding.detail}; {finding.example}"
                yield Violation("2 a true claim is refuted", seed, routine.name, name, detail)


def _matched(contract: Contract, proof: Proof) -> Iterator[tuple[str, Finding]]:
    """The findings with the names of what they are about."""
    ensured = {f"ensures {text(term)}": n for n, term in reversed([*enumerate(contract.ensures)])}
    for finding in proof.findings:
        said = str(finding.statement)
        if said in ensured:
            yield f"ensures {ensured[said]}", finding
        elif said.startswith("invariant at"):
            for label, terms in contract.invariants:
                for number, term in enumerate(terms):
                    if label in said and said.endswith(f": {text(term)}"):
                        yield f"invariant {label} {number}", finding
        elif said.startswith("decreases"):
            for label, _ in contract.decreases:
                if label in said:
                    what = "natural" if said.endswith("is natural") else "decreases"
                    yield f"{what} {label}", finding
        else:
            for begin, name in _STATEMENTS.items():
                if said.startswith(begin):
                    yield name, finding
                    break


def _shows(bench: Bench, routine: Routine, finding: Finding, name: str, seed: int) -> bool:
    """Whether a counterexample shows what it should, though no run of ours has."""
    contract = routine.contract
    assert contract is not None
    if finding.example is None:
        return False
    if finding.other is None and finding.example.returns_to is not None:
        there = bench.returning_to(finding.example.returns_to)
        if there is None:
            return True  # amid code: a run of ours cannot tell whether it has come back
        bench = there
    drawn = bench.drawn(replace(contract, requires=()), 300, np.random.default_rng(seed))
    states = _given(bench, drawn, finding.example)
    if finding.other is not None:
        other = _given(bench, drawn, finding.other)
        return _two_runs(bench, routine, states, other, name)
    return judged_on(bench, routine.name, contract, states, seed).found[name].holds is not True


def _given(bench: Bench, states: States, example: Example) -> States:
    registers = dict(states.registers)
    for name, value in example.registers.items():
        for part, number in _parts(name.upper(), value):
            if part in registers:
                registers[part] = np.full(len(states), number)
    letters = {"z": "ZF", "n": "NF", "h": "HF", "c": "CF"}
    for letter, value in example.flags.items():
        upper = letter.upper()
        flag = upper if bench.machine.cpu == "6502" else letters.get(letter, upper)
        registers[flag] = np.full(len(states), value)
    memory = {name: rows.copy() for name, rows in states.memory.items()}
    for address, data in example.memory.items():
        for offset, byte in enumerate(data):
            for name, rows in memory.items():
                at = address + offset - bench.addresses[name]
                if 0 <= at < rows.shape[1]:
                    rows[:, at] = byte
    stack = states.stack
    if example.stack is not None:
        stack = np.full(len(states), example.stack)
    return replace(states, registers=registers, memory=memory, stack=stack)


def _parts(name: str, value: int) -> list[tuple[str, int]]:
    if name in ("BC", "DE", "HL"):
        return [(name[0], value >> 8), (name[1], value & 0xFF)]
    return [(name, value)]


def _two_runs(bench: Bench, routine: Routine, one: States, other: States, name: str) -> bool:
    """Whether two inputs end differently, or take another way."""
    contract = routine.contract
    assert contract is not None
    return judged_pair(bench, routine.name, contract, one, other, name)
