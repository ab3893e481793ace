"""The routines of a program that have no contract, one after the other, callees first."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property

from romproof.contract.nouns.model import ROUTINE, Contract
from romproof.contract.nouns.statement import StatementKind
from romproof.harness.rom import Rom
from romproof.program.image import Symbol, UnknownSymbol
from romproof.prover.calls.summaries import ProvedRoutine
from romproof.prover.catalogue import Loose, Reason
from romproof.prover.infer.draft import Draft, block, fields, merge_spans
from romproof.prover.infer.examine import EFFORT, examine
from romproof.prover.infer.flows import Flows, flows_of
from romproof.prover.infer.hints import hints_of, in_rom
from romproof.prover.infer.interrupts import awaited_by, written_by_interrupts
from romproof.prover.infer.liveness import outputs_of
from romproof.prover.infer.obstacles import NoContract, Obstacle, ObstacleKind
from romproof.prover.infer.regions import Regions
from romproof.prover.infer.stored import find_stored_constants
from romproof.prover.infer.straying import IntendedObjects
from romproof.prover.infer.subject import Subject
from romproof.prover.infer.tight import Tight
from romproof.prover.infer.tight_loops import InLoops
from romproof.prover.results import Proof, Verdict
from romproof.prover.routines.program_proof import CalleeUse, LemmaStore, NoSuchRoutine
from romproof.prover.routines.routine import ProofOptions
from romproof.prover.states.program import program_of
from romproof.symbolic.execute.executor import Lemma
from romproof.symbolic.solve.deadline import Deadline, OutOfTime
from romproof.symbolic.solve.oracle import Undecided
from romproof.symbolic.terms.node import using
from romproof.text.cause import Cause
from romproof.text.diagnostic import BuildFailed
from romproof.text.messages import Message
from romproof.timing.graph import NoCode
from romproof.timing.program import TimedProgram as CodeOf

_ATTEMPTS = 3
_PART = 0.5
"""The part of the time that is left for a draft, where other attempts may follow."""
_PROOF = 0.8
"""The part of the time that is left for a proof: the rest shows that it is tight."""

_MUCH = 0x400
"""Bytes that a callee may list, for its contract to be used where its code can be executed."""


class Grade(Enum):
    """How much is known of a routine, the best first."""

    TIGHT = "tight"
    """A proved contract, and for each part of it an execution that breaks it without the part."""
    SOUND = "sound"
    """A proved contract; what of it may be too wide is named."""
    WAITS = "waits"
    """A contract that is proved but for one thing: that calls end rests on a port that changes, as
    ``assumes:`` says."""
    NONE = "none"
    """No contract; the reason is given."""
    WRITTEN = "written"
    """Somebody wrote a contract: what was found out about that one."""


@dataclass(frozen=True, slots=True)
class Inferred:
    """What came of a routine.

    ``fields`` are the lines of the contract, () without one; ``loose`` the parts that no execution
    shows to be needed; ``reason`` why there is no contract. ``proof`` is that of the contract, also
    of one that somebody wrote. ``seconds`` is what it all took.
    """

    name: str
    address: int
    grade: Grade
    fields: tuple[str, ...] = ()
    loose: tuple[Message, ...] = ()
    reason: Obstacle | None = None
    proof: Proof | None = field(default=None, repr=False)
    seconds: float = 0.0

    @property
    def block(self) -> str:
        """The contract as it stands above a routine; "" without one."""
        if not self.fields:
            return ""
        return "\n".join([f";; {self.name} – {summary_of(self.grade)}", *self.fields]) + "\n"


def summary_of(grade: Grade) -> str:
    """What a block says in place of what the routine does."""
    return f"(inferred, {grade.value})"


@dataclass
class Inference:
    """A program at work; ``private``: also the routines that are called and not exported.

    Raises BuildFailed for malformed contracts.
    """

    rom: Rom
    options: ProofOptions = field(default_factory=lambda: ProofOptions(effort=EFFORT))
    private: bool = False

    # the labels that somebody asks for, routines by that alone
    _named: list[Symbol] = field(default_factory=list, repr=False)
    # what the instructions of the routines with a contract access
    _meant: dict[int, IntendedObjects] = field(default_factory=dict, repr=False)

    @cached_property
    def flows(self) -> Flows:
        """The code."""
        return flows_of(self.rom, self._named, self.private)

    @cached_property
    def _bank(self) -> LemmaStore:
        return LemmaStore(program_of(self.rom, self.flows.steps), self.options)

    @cached_property
    def _regions(self) -> Regions:
        return Regions(self._bank.program, self.flows.steps.keys())

    @cached_property
    def _live(self) -> Mapping[int, frozenset[str]]:
        return outputs_of(self.flows, self.rom.memory_map.initial)

    @cached_property
    def _stored_constants(self) -> Mapping[int, frozenset[int]]:
        return find_stored_constants(self.flows, self.rom.memory_map.initial)

    @cached_property
    def _interrupt_writes(self) -> Mapping[int, int]:
        return written_by_interrupts(self._bank.program, self.flows)

    def _find_callee_objects(self, address: int) -> list[IntendedObjects]:
        """What the instructions of a routine's callees access. Of those of which that is not known
        nothing is to be said."""
        reached = self.flows.find_all_reached(address) & self._bank.by_address.keys() - {address}
        return [
            self._meant[at] if at in self._meant else dict.fromkeys(self.flows.body(at))
            for at in reached
        ]

    def order(self, names: Collection[str | int] = ()) -> list[int]:
        """The routines ``names`` and all they reach, callees first; without names all there are.

        Raises NoSuchRoutine.
        """
        entries = self._entries(names)
        return self.flows.callees_first(entries or self.flows.routines)

    def _entries(self, names: Collection[str | int]) -> list[int]:
        """The addresses of routines, which are some of the program's from now on."""
        program = CodeOf(self.rom.image, self.rom.readable, self.rom.banks)
        labels = [_label_of(program, name) for name in names]
        others = [label for label in labels if self.flows.routines.get(label.value) != label]
        if others:
            self._named += others
            for name in (
                "flows",
                "_bank",
                "_regions",
                "_live",
                "_stored_constants",
                "_interrupt_writes",
            ):
                self.__dict__.pop(name, None)
        return [label.value for label in labels]

    def infer(
        self, order: Collection[int], begun: Callable[[str], None] = lambda name: None
    ) -> Iterator[Inferred]:
        """What is found out, in this order; ``begun`` hears which routine is next."""
        for address in order:
            symbol = self.flows.routines[address]
            begun(symbol.name)
            since = time.monotonic()
            yield replace(self._infer_one(address, symbol), seconds=time.monotonic() - since)

    def _infer_one(self, address: int, symbol: Symbol) -> Inferred:
        try:
            written = self.rom.contract_of(symbol.name)
        except BuildFailed as fault:
            reason = Obstacle(ObstacleKind.UNPROVED, _first_fault(fault))
            return Inferred(symbol.name, address, Grade.WRITTEN, reason=reason)
        if written is not None:
            self._prove_handlers(each.handler for each in written.changing)
            proof, _ = self._bank.prove(written, address)
            return Inferred(symbol.name, address, Grade.WRITTEN, proof=proof)
        try:
            return self._report_without(address, symbol)
        except NoContract as stop:
            return Inferred(symbol.name, address, Grade.NONE, reason=stop.reason)
        except BuildFailed as fault:  # what cannot be written as a contract
            reason = Obstacle(ObstacleKind.UNPROVED, _first_fault(fault), address)
            return Inferred(symbol.name, address, Grade.NONE, reason=reason)

    def _report_without(self, address: int, symbol: Symbol) -> Inferred:
        flows, program = self.flows, self._bank.program
        if address in flows.first:
            raise NoContract(Obstacle(ObstacleKind.RETURNS, Reason.NO_CALLER(), address))
        subject = Subject(
            program,
            self._regions,
            flows,
            symbol.name,
            address,
            address in flows.handlers,
            self._live.get(address, frozenset()),
            hints_of(flows, address),
            self._stored_constants,
            self._awaited(address),
        )
        deadline = Deadline(self.options.timeout)
        try:
            if any(subject.awaited.values()):
                with suppress(NoContract):
                    return self._by_hints(subject, deadline)
                subject = replace(subject, awaited=dict.fromkeys(subject.awaited, ""))
            return self._by_hints(subject, deadline)
        except NoContract as stop:
            if stop.reason.kind is ObstacleKind.EFFORT and not deadline.is_over:
                # an index that is into what its base is may be a constant there
                with suppress(NoContract):
                    return self._by_hints(replace(subject, stored={}), deadline)
            raise

    def _awaited(self, address: int) -> dict[int, str]:
        """The bytes that interrupts write and for which a routine waits, each with the handler that
        is proved to change it, or ""."""
        program, flows = self._bank.program, self.flows
        awaited: dict[int, str] = {}
        for byte in sorted(awaited_by(program, flows, address, self._interrupt_writes)):
            label = flows.routines.get(self._interrupt_writes[byte])
            name = "" if label is None else label.name
            self._prove_handlers([name])
            awaited[byte] = name if self._bank.proved.get(name, False) else ""
        return awaited

    def _prove_handlers(self, names: Iterable[str]) -> None:
        """Prove the handlers of interrupts that have contracts, where nobody has yet."""
        for name in names:
            contract = self.rom.readable.get(name)
            if contract is not None and name not in self._bank.proofs:
                self._bank.prove(contract)

    def _by_hints(self, subject: Subject, deadline: Deadline) -> Inferred:
        # callers may pass texts in ROM, and put others together in memory
        is_fixed = self._bank.program.is_fixed
        others = replace(subject, hints=in_rom(subject.hints, is_fixed))
        if others.hints == subject.hints:
            return self._infer_best(subject, deadline)
        try:
            return self._infer_best(subject, deadline.share(_PART))
        except NoContract as stop:
            with suppress(NoContract):
                return self._infer_best(others, deadline)
            raise stop from None

    def _infer_best(self, subject: Subject, deadline: Deadline) -> Inferred:
        """The contract by the first attempt that comes to one; each has a part of the time."""
        reached = self.flows.find_all_reached(subject.address)
        lemmas = {
            at: lemma
            for at, (_, lemma) in self._bank.lemmas(_NOBODY, subject.address).items()
            if at in reached
        }
        exact = {at: lemma for at, lemma in lemmas.items() if _says_all(lemma)}
        if len(exact) < len(lemmas):
            # of other callees their code says more, where it can be executed
            with suppress(NoContract):
                left_out = lemmas.keys() - exact.keys()
                return self._attempt(subject, exact, deadline, _PART, left_out)
        little = {at: lemma.by_contract() for at, lemma in lemmas.items()}
        is_less = any(little[at] is not lemma for at, lemma in lemmas.items())
        try:
            return self._attempt(subject, lemmas, deadline, _PART if is_less else 1)
        except NoContract as stop:
            if stop.reason.kind is not ObstacleKind.EFFORT or not is_less:
                raise
            with suppress(NoContract):
                return self._attempt(subject, little, deadline, 1, least=True)
            raise

    def _attempt(
        self,
        subject: Subject,
        lemmas: Mapping[int, Lemma],
        deadline: Deadline,
        part: float,
        left_out: Collection[int] = (),
        least: bool = False,
    ) -> Inferred:
        draft = examine(subject, self.options, lemmas, deadline.share(part))
        return self._prove(subject, draft, deadline, left_out, least)

    def _prove(
        self,
        subject: Subject,
        draft: Draft,
        deadline: Deadline,
        left_out: Collection[int],
        least: bool,
    ) -> Inferred:
        """The draft, proved; what of it cannot be proved is claimed less of."""
        for _ in range(_ATTEMPTS):
            contract = subject.contract(draft)
            proof, explored = self._bank.prove(
                contract,
                subject.address,
                use=CalleeUse(least=least, without=left_out),
                deadline=deadline.share(_PROOF),
                cycles_needed=False,
            )
            if proof.verdict is Verdict.PROVED or _only_waits(proof):
                if all(each.kind is not StatementKind.CYCLES for each in proof.findings):
                    draft = replace(draft, cycles=None)
                break
            less = _weaken(draft, proof)
            if less == draft:
                break
            draft = less
        draft, waits = subject.spell(draft), _only_waits(proof)
        if not (proof.verdict is Verdict.PROVED or waits) or explored is None:
            wrong = next(f for f in proof.findings if f.verdict is proof.verdict)
            if Cause.TIME in wrong.causes and wrong.kind in _STOPPED:
                raise NoContract(
                    Obstacle(ObstacleKind.EFFORT, OutOfTime(deadline.seconds or 0).reason)
                )
            why = wrong.reason or Reason.VERDICT(verdict=wrong.verdict.value)
            failed = Reason.STATEMENT_FAILS(statement=wrong.statement, why=why)
            raise NoContract(Obstacle(ObstacleKind.UNPROVED, failed))
        explored.terms.watch = None
        explored.case.oracle.solver.until(deadline)
        lines = tuple(fields(draft, subject.regions))
        if waits:  # runs of it end when the port says so: they show nothing of the contract
            return Inferred(subject.name, subject.address, Grade.WAITS, lines, proof=proof)
        with using(explored.terms):
            kind = InLoops if explored.exploration.cuts else Tight
            parts = kind(explored.case, draft, proof, self._find_callee_objects(subject.address))
            try:
                loose = tuple(parts.open())
                self._meant[subject.address] = parts.intended_objects()
            except OutOfTime:
                loose = (Loose.ALL(why=OutOfTime(deadline.seconds or 0).reason),)
            except Undecided as stop:
                loose = (Loose.ALL(why=stop.reason),)
            except RecursionError:
                loose = (Loose.ALL(why=Reason.NESTS()),)
        grade = Grade.SOUND if loose else Grade.TIGHT
        return Inferred(subject.name, subject.address, grade, lines, loose, proof=proof)


def _first_fault(failed: BuildFailed) -> Message:
    """The first of some faults in a contract, or in what would be one."""
    fault = failed.diagnostics[0]
    return Reason.GIVEN(text=f"{fault.span}: {fault.severity.value}: {fault.message}")


_STOPPED = (StatementKind.FOLLOWED, StatementKind.REST, StatementKind.EXECUTED)
"""What is open where the seconds were over between two statements, and not within one."""


def _label_of(program: CodeOf, name: str | int) -> Symbol:
    """The label of a routine, by its name or address. Raises NoSuchRoutine."""
    try:
        address = program.find(name)
    except (UnknownSymbol, NoCode) as fault:
        raise NoSuchRoutine(str(fault)) from None
    label = program.image.symbol(name) if isinstance(name, str) else program.image.label_at(address)
    if label is None:
        raise NoSuchRoutine(f"there is no label at ${address:04X}, and a contract needs a name")
    return label


def _says_all(lemma: ProvedRoutine) -> bool:
    """Whether a callee is known exactly, with little memory: of what goes through a pointer its
    contract lists whole areas, where a caller passes one address."""
    contract = lemma.contract
    memory = contract.input_addresses | contract.written_addresses
    return lemma.results is not None and len(memory) <= _MUCH


def _only_waits(proof: Proof) -> bool:
    """Whether all is proved but that calls end, and that rests on ports, here or in a callee."""
    open_ = [each for each in proof.findings if each.verdict is not Verdict.PROVED]
    return proof.verdict is Verdict.PARTIAL and all(
        each.kind is StatementKind.RETURNS
        and (each.assuming or Cause.CALLEE_MAY_NOT_END in each.causes)
        for each in open_
    )


def _weaken(draft: Draft, proof: Proof) -> Draft:
    """A draft without what was not proved of it."""
    for finding in proof.findings:
        if finding.verdict is Verdict.PROVED:
            continue
        if finding.kind is StatementKind.CYCLES:
            return replace(draft, cycles=None)
        if finding.kind is StatementKind.DEPENDS:
            named = finding.register
            if named in draft.outputs and draft.outputs - {named}:
                return draft.with_clobbers((named,), False)
            if draft.outputs or draft.writes:
                return _clobber_outputs(draft)
            return replace(draft, cycles=None)
        if finding.kind is StatementKind.READS:
            return replace(draft, reads=merge_spans([*draft.reads, *draft.writes, *draft.scratch]))
        if finding.kind is StatementKind.ENSURES:
            return draft.without_ensures()
        if finding.kind is StatementKind.STACK:
            return replace(draft, stack=None)
    return draft


def _clobber_outputs(draft: Draft) -> Draft:
    """A draft with all outputs clobbered. If its cycles are always the same, nothing is left that
    depends on inputs; those of which something is required still are some."""
    less = draft.with_clobbers(draft.outputs, True)
    if draft.cycles is None or draft.cycles[0] != draft.cycles[1]:
        return less
    required = frozenset(name for need in draft.needs for name in need.names)
    return replace(less, inputs=draft.inputs & required)


_NOBODY = Contract("", "", (), (), (), None, None, None, kind=ROUTINE)  # type: ignore[arg-type]
"""The contract of a routine that has none: it has no secrets."""

__all__ = ["Grade", "Inference", "Inferred", "block"]
