"""All routines of a program, callees first: a proved one is a lemma for its callers."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from romproof.contract.nouns.model import ROUTINE, Contract
from romproof.contract.nouns.statement import StatementKind
from romproof.harness.rom import Rom
from romproof.prover.calls.call_graph import callees_first
from romproof.prover.calls.summaries import ProvedRoutine, summary_of
from romproof.prover.catalogue import Property, Reason
from romproof.prover.replay.confirm import GOOD
from romproof.prover.results import Finding, Proof, Verdict
from romproof.prover.routines.routine import Explored, ProofOptions, ProofTask, prove_routine
from romproof.prover.routines.without_cycles import without_cycles
from romproof.prover.states.program import ProofProgram, program_of
from romproof.prover.states.variables import SHOWN
from romproof.symbolic.execute.events import LemmaDoesNotFit
from romproof.symbolic.execute.executor import Lemma
from romproof.symbolic.solve.deadline import Deadline
from romproof.symbolic.terms.node import using
from romproof.text.cause import Cause
from romproof.text.diagnostic import suggest
from romproof.text.errors import RomproofError
from romproof.text.messages import Message


class NoSuchRoutine(RomproofError):
    """The name is not a routine's with a contract."""


@dataclass(frozen=True)
class CalleeUse:
    """What a proof may know of callees.

    Without ``by_contract``, the code of those of which no more is known than their contracts is
    executed; so it is where these leave open what is claimed of cycles and dependences. ``least``:
    of all no more is used than their contracts say. The code of those at the addresses ``without``
    is executed.
    """

    by_contract: bool = True
    least: bool = False
    without: Collection[int] = ()


@dataclass
class LemmaStore:
    """The routines of ``program`` that were proved so far."""

    program: ProofProgram
    options: ProofOptions = field(default_factory=ProofOptions)
    proofs: dict[str, Proof] = field(default_factory=dict)
    _lemmas: dict[int, tuple[str, ProvedRoutine]] = field(default_factory=dict)

    def prove(
        self,
        contract: Contract,
        address: int | None = None,
        ends: Sequence[int] = (),
        exact: bool = True,
        *,
        use: CalleeUse | None = None,
        deadline: Deadline | None = None,
        cycles_needed: bool = True,
    ) -> tuple[Proof, Explored | None]:
        """Prove the contract of a routine, or of the code at an ``address`` that it may be about as
        well, with the help of what was proved before.

        A piece of code comes to one of the ``ends``; a routine without any is a lemma from then
        on. When not ``exact``, callers only know what its contract says. ``use`` is what it may
        know of callees. ``deadline`` is by default that of the options, from now on. Where cycles
        are not ``cycles_needed`` and all but these is proved, the proof is of the contract without
        them.
        """
        use = use or CalleeUse()
        if address is None:
            address = self.program.image.address(contract.name)
        begun = time.monotonic()
        deadline = deadline or Deadline(self.options.timeout)
        options = self.options
        if deadline.seconds is not None:
            options = replace(options, timeout=deadline.left)
        every, known = self._find_usable(contract, address, use)
        lemmas = every if use.by_contract else known
        used: set[str] = set()
        unfit: dict[str, frozenset[int]] = {}
        watched = {at: with_notes(name, lemma, used, unfit) for at, (name, lemma) in lemmas.items()}

        def endless() -> set[str]:
            return {name for name, lemma in lemmas.values() if name in used and not lemma.ends}

        proof, explored = prove_routine(
            ProofTask(
                self.program,
                contract,
                address,
                options,
                watched,
                ends,
                is_endless=lambda: bool(endless()),
                proved=self.proved,
            )
        )
        if not cycles_needed and explored is not None and proof.verdict not in GOOD:
            proof, explored = without_cycles(proof, explored) or (proof, explored)
        if not use.least and _leaves_open(proof) and used - {name for name, _ in known.values()}:
            again = self.prove(
                contract,
                address,
                ends,
                exact,
                use=replace(use, by_contract=False),
                deadline=deadline,
                cycles_needed=cycles_needed,
            )
            if again[0].verdict is not Verdict.UNKNOWN:
                return again
        proof = replace(
            weaken(_explain(proof, unfit, self.program), endless()),
            lemmas=tuple(sorted(used)),
            seconds=time.monotonic() - begun,
        )
        self.proofs[contract.name] = proof
        good = proof.verdict in GOOD
        callable_ = contract.kind == ROUTINE and not ends
        if explored is not None and good and callable_:
            exact = exact and self.options.keeping is None
            with using(explored.terms):
                is_over = proof.verdict is Verdict.PROVED
                lemma = summary_of(explored.case, explored.filled, exact, is_over)
            self._lemmas[address] = contract.name, lemma
        return proof, explored

    def _find_usable(
        self, contract: Contract, address: int, use: CalleeUse
    ) -> tuple[dict[int, tuple[str, ProvedRoutine]], dict[int, tuple[str, ProvedRoutine]]]:
        """The lemmas for callees, and those of them that know more than contracts say."""
        lemmas = {
            at: (name, lemma.by_contract() if use.least else lemma)
            for at, (name, lemma) in self.lemmas(contract, address).items()
            if at not in use.without
        }
        return lemmas, {at: each for at, each in lemmas.items() if each[1].results is not None}

    @property
    def proved(self) -> Mapping[str, bool]:
        """The routines whose proofs are over, with whether all of each is proved."""
        return {name: each.verdict is Verdict.PROVED for name, each in self.proofs.items()}

    def pop_lemma(self, address: int) -> ProvedRoutine | None:
        """The lemma at an address, which is none from then on."""
        found = self._lemmas.pop(address, None)
        return None if found is None else found[1]

    def give(self, address: int, proof: Proof, lemma: ProvedRoutine) -> None:
        """Let a proof that was made of several be one, and a lemma for callers."""
        name = lemma.contract.name
        self.proofs[name], self._lemmas[address] = proof, (name, lemma)

    @property
    def by_address(self) -> Mapping[int, ProvedRoutine]:
        """All lemmas, by their addresses."""
        return {at: lemma for at, (_, lemma) in self._lemmas.items()}

    def lemmas(self, contract: Contract, address: int) -> Mapping[int, tuple[str, ProvedRoutine]]:
        """The lemmas for a routine. One with secrets has to look into what it calls."""
        if contract.secrets:
            return {}
        return {at: lemma for at, lemma in self._lemmas.items() if at != address}


def _leaves_open(proof: Proof) -> bool:
    """Whether what is not known are cycles or what outputs depend on: of these the contract of a
    callee with invariants says less than its code."""
    unknown = {each.kind for each in proof.findings if each.verdict is Verdict.UNKNOWN}
    less = {StatementKind.CYCLES, StatementKind.DEPENDS}
    return proof.verdict is Verdict.UNKNOWN and unknown <= less


def weaken(proof: Proof, endless: Collection[str]) -> Proof:
    """A proof of code with callees that are only proved if they end: so is it."""
    if not endless:
        return proof
    first, *others = sorted(endless)
    reason = Reason.CALLEE_MAY_NOT_END(callee=first)
    if others:
        reason = Reason.CALLEES_MAY_NOT_END(callees=(first, *others))
    causes = (Cause.CALLEE_MAY_NOT_END,)
    findings = tuple(
        replace(each, verdict=Verdict.PARTIAL, reason=reason, causes=causes)
        if each.kind is StatementKind.RETURNS and each.verdict is Verdict.PROVED
        else each
        for each in proof.findings
    )
    if all(each.kind is not StatementKind.RETURNS for each in findings):
        kind = StatementKind.RETURNS
        more = Finding(Property.RETURNS(), Verdict.PARTIAL, reason, kind=kind, causes=causes)
        findings = (*findings, more)
    return replace(proof, findings=findings)


def with_notes(
    name: str, lemma: Lemma, used: set[str], unfit: dict[str, frozenset[int]] | None = None
) -> Lemma:
    """A lemma that puts its name into ``used`` when it is, and into ``unfit`` with the ports that
    it takes for memory where it is therefore not."""

    def apply(executor: object, state: object) -> None:
        try:
            lemma(executor, state)  # type: ignore[arg-type]
        except LemmaDoesNotFit as fault:
            if fault.ports and unfit is not None:
                unfit[name] = fault.ports
            raise
        used.add(name)

    return apply


def _explain(proof: Proof, unfit: Mapping[str, frozenset[int]], program: ProofProgram) -> Proof:
    """A proof that came to no end, with the callees whose proofs were of no use as they take ports
    for memory."""
    if not unfit or proof.verdict is not Verdict.UNKNOWN:
        return proof

    def explain(why: Message | None) -> Message | None:
        for name, ports in unfit.items():
            shown = tuple(program.image.describe(port) for port in sorted(ports)[:SHOWN])
            why = Reason.PORTS_OF_CALLEE(why=why, routine=name, ports=shown)
        return why

    findings = tuple(
        replace(each, reason=explain(each.reason)) if each.kind is StatementKind.FOLLOWED else each
        for each in proof.findings
    )
    return replace(proof, findings=findings)


def contracts_of(rom: Rom, names: Collection[str] = ()) -> list[Contract]:
    """The contracts of the routines ``names`` and all they reach, callees before callers.

    Without names, of all routines whose contracts can be read. Only those in what is loaded count.
    Raises NoSuchRoutine, and BuildFailed for a malformed contract of one of ``names``.
    """
    here = {symbol.name for symbol in rom.loaded.symbols}
    known = {name: each for name, each in rom.readable.items() if name in here}
    elsewhere = rom.not_loaded()
    for name in names:
        rom.contract_of(name)  # it says what is wrong with it
        if name in elsewhere:
            area = elsewhere[name]
            raise NoSuchRoutine(
                f"'{name}' is in area '{area}', which is not loaded; load it with "
                f'the key banks = ["{area}"], in Python banks=["{area}"]'
            )
        if name not in known:
            hint = suggest(name, known)
            raise NoSuchRoutine(
                f"no routine '{name}' with a contract" + (f"; {hint}" if hint else "")
            )
    return callees_first(rom, known, names or known)


def prove_rom(
    rom: Rom,
    names: Collection[str] = (),
    options: ProofOptions | None = None,
    begun: Callable[[str], None] = lambda name: None,
) -> Iterator[Proof]:
    """The proofs of routines, one after the other; ``begun`` hears which is next."""
    bank = LemmaStore(program_of(rom), options or ProofOptions())
    for contract in contracts_of(rom, names):
        begun(contract.name)
        yield bank.prove(contract)[0]
