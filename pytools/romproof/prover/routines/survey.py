"""The routines of a program beside what was proved of them: what a command shows."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from romproof.contract.nouns.model import Contract, CycleClaim
from romproof.harness.rom import Rom
from romproof.isa.abi import Abi, abi_of
from romproof.prover.replay.counterexample import failing_test
from romproof.prover.results import Attained, Proof, Verdict
from romproof.prover.routines.cache import digest_of, keep, recall
from romproof.prover.routines.program_proof import LemmaStore, contracts_of
from romproof.prover.routines.routine import ProofOptions
from romproof.prover.states.program import program_of
from romproof.text.diagnostic import Diagnostic

TestLines = tuple[str, ...]
Malformed = Mapping[str, tuple[Diagnostic, ...]]
"""What is wrong with contracts that cannot be read, by the routine's name."""


@dataclass(frozen=True, slots=True)
class SurveyRow:
    """A routine, and the cycles its contract claims, None without a claim.

    ``tests`` has for each of the proof's findings the lines of a test that fails, () where
    there is none. ``kept`` says that it was proved in an earlier run.
    """

    proof: Proof
    claim: CycleClaim | None
    tests: tuple[TestLines, ...]
    kept: bool = False


@dataclass(frozen=True, slots=True)
class Survey:
    """What was proved of the program ``rom``; ``left`` are the routines nobody got to.

    ``partial``: what is proved if it ends is enough; ``tight``: cycles that are claimed have to be
    attained. Of the routines in ``malformed`` nothing could
    be proved.
    """

    rom: str
    cpu: str
    rows: tuple[SurveyRow, ...]
    left: tuple[str, ...] = ()
    partial: bool = False
    tight: bool = False
    malformed: Malformed = field(default_factory=dict)

    @property
    def abi(self) -> Abi:
        """What is particular to the CPU."""
        return abi_of(self.cpu)

    @property
    def ok(self) -> bool:
        """Whether all is proved, as far as it is wanted."""
        enough = (Verdict.PROVED, Verdict.PARTIAL) if self.partial else (Verdict.PROVED,)
        proofs = [row.proof for row in self.rows]
        read = not self.left and not self.malformed
        tight = (Attained.YES, None) if self.tight else (*Attained, None)
        return read and all(
            (each.verdict in enough or each.assuming) and each.attained in tight for each in proofs
        )


@dataclass(frozen=True, slots=True)
class Work:
    """A program that is to be proved: its ``contracts``, callees first.

    ``name`` is what its tests have to call it, None if there is but one program. ``malformed`` are
    the contracts that were wanted as well, and cannot be read.
    """

    title: str
    rom: Rom
    contracts: tuple[Contract, ...]
    name: str | None = None
    malformed: Malformed = field(default_factory=dict)

    def rows(self, options: ProofOptions, begun: Callable[[str], None]) -> Iterator[SurveyRow]:
        """Prove one routine after the other; ``begun`` hears which is next.

        What an earlier run proved is taken as it is. Of a routine that has to be proved all callees
        are proved again as well: what callers know of them is not kept.
        """
        digest = digest_of(self.rom, options)
        known = dict(self._recall(digest)) if digest is not None and not options.fresh else {}
        missing = [contract.name for contract in self.contracts if contract.name not in known]
        again = {each.name for each in contracts_of(self.rom, missing)} if missing else set()
        bank = LemmaStore(program_of(self.rom), options)
        for contract in self.contracts:
            if contract.name not in again:
                yield known[contract.name]
                continue
            begun(contract.name)
            proof, _ = bank.prove(contract)
            failures = [
                failing_test(self.rom, contract, each, self.name) for each in proof.findings
            ]
            tests = _number(failures)
            if digest is not None:
                keep(digest, contract.name, self.name, proof, tests)
            yield SurveyRow(proof, contract.cycles, tests)

    def _recall(self, digest: str) -> Iterator[tuple[str, SurveyRow]]:
        for contract in self.contracts:
            kept = recall(digest, contract.name, self.name)
            if kept is not None:
                yield contract.name, SurveyRow(kept[0], contract.cycles, kept[1], kept=True)

    def parts(self) -> list[Work]:
        """The same work in parts that have no routine in common: a routine is with all it reaches.

        The largest part comes first.
        """
        group = {contract.name: {contract.name} for contract in self.contracts}
        for contract in self.contracts:
            for callee in contracts_of(self.rom, [contract.name]):
                mine, others = group[contract.name], group[callee.name]
                if mine is not others:
                    mine |= others
                    for name in others:
                        group[name] = mine
        parts = {id(names): names for names in group.values()}.values()
        made = [
            replace(self, contracts=tuple(c for c in self.contracts if c.name in names))
            for names in parts
        ]
        return sorted(made, key=lambda part: -len(part.contracts))

    def survey(
        self, rows: Collection[SurveyRow], partial: bool = False, tight: bool = False
    ) -> Survey:
        """What the rows so far come to."""
        done = {row.proof.routine for row in rows}
        left = tuple(c.name for c in self.contracts if c.name not in done)
        title, cpu = self.title, self.rom.image.cpu
        return Survey(title, cpu, tuple(rows), left, partial, tight, self.malformed)


def work_on(
    title: str, rom: Rom, routines: Collection[str | int] = (), name: str | None = None
) -> Work:
    """What there is to be proved of ``routines``, names or addresses, and all they reach.

    Without them, of all routines with a contract. A contract that cannot be read is no reason not
    to prove the others. Raises NoSuchRoutine.
    """
    names = [_name(rom, routine) for routine in routines]
    malformed = {
        each: faults for each, faults in rom.malformed.items() if not names or each in names
    }
    readable = [each for each in names if each not in malformed]
    known = contracts_of(rom, readable) if readable or not names else ()
    return Work(title, rom, tuple(known), name, malformed)


def _number(tests: Sequence[TestLines]) -> tuple[TestLines, ...]:
    """The tests with names of their own; one that stands there already is left out."""
    numbers: dict[TestLines, TestLines] = {(): ()}
    numbered: list[TestLines] = []
    for test in tests:
        known = test in numbers
        end = "(rom):" if len(numbers) == 1 else f"_{len(numbers)}(rom):"
        numbers.setdefault(test, tuple(line.replace("(rom):", end) for line in test))
        numbered.append(() if known else numbers[test])
    return tuple(numbered)


def _name(rom: Rom, routine: str | int) -> str:
    if isinstance(routine, str):
        return routine
    at = (name for name in (*rom.readable, *rom.malformed) if rom.image.address(name) == routine)
    return next(at, f"${routine:04X}")
