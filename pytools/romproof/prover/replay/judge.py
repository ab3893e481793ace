"""Claims about what symbolic execution found, and the judge of them.

A claim that does not hold comes with an input; that input is executed before anybody hears of it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from romproof.contract.checks.view import holds
from romproof.contract.nouns.model import Contract
from romproof.contract.nouns.statement import StatementKind
from romproof.isa.abi import Abi
from romproof.isa.microcode import StepKind
from romproof.program.image import Image
from romproof.prover.catalogue import Reason
from romproof.prover.exploration.explore import Exploration, Leg, ProgramPoint
from romproof.prover.replay.examples import example_of, state_of
from romproof.prover.replay.run import (
    LIMIT,
    ReplayRun,
    agrees,
    compare_bytes,
    execute,
    inputs_of,
    visits,
)
from romproof.prover.results import Example, Finding, Verdict
from romproof.prover.states.entry import Start
from romproof.prover.states.handlers import KnownHandler
from romproof.prover.states.overlaps import away
from romproof.prover.states.program import ProofProgram
from romproof.prover.states.variables import is_contracted
from romproof.symbolic.execute.events import Event, EventKind
from romproof.symbolic.execute.state import State
from romproof.symbolic.solve.deadline import OutOfTime
from romproof.symbolic.solve.oracle import Oracle, Undecided
from romproof.symbolic.solve.smallest import smallest
from romproof.symbolic.solve.solver import Model
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import STORE
from romproof.symbolic.terms.origin import OriginKind
from romproof.symbolic.terms.term import Term
from romproof.text.cause import Cause, join_causes
from romproof.text.messages import Message

ADDRESS_BITS = 16

WRITES = (StepKind.WRITE, StepKind.DUMMY_WRITE)

READS = (EventKind.READS, EventKind.READS_OBJECT, EventKind.READS_ARRAY)


SPARE = 64
"""Cycles that a run may take more than it should: then it is seen to be wrong."""


@dataclass(frozen=True)
class Claim:
    """``holds`` whenever all of ``path`` do, on the paths of ``leg`` or where ``event`` was.

    ``broken`` says what is wrong when it does not. ``other`` are variables with those that stand
    for them in a second input: then the claim is about two runs. One that ``guesses_ports`` takes
    anything that ports bring to differ between them, where it is only not known to be the same.
    ``cause`` is the class of what is wrong, if it has one; ``register`` the register or flag that
    it is about, in small letters, or "".
    """

    broken: Message
    path: Sequence[Term]
    holds: Term
    leg: Leg | None = None
    event: Event | None = None
    other: Mapping[Term, Term] = field(default_factory=dict)
    guesses_ports: bool = False
    cause: Cause | None = None
    register: str = ""


@dataclass(frozen=True)
class Case:
    """All paths through a routine, and someone to ask."""

    exploration: Exploration
    oracle: Oracle
    on_statement: Callable[[Message], None] | None = field(default=None, repr=False)
    """Hears what is asked next."""
    handlers: Mapping[str, KnownHandler] = field(default_factory=dict, repr=False)
    """What is known of the handlers that the contract names."""

    @property
    def abi(self) -> Abi:
        """The calling side of the CPU."""
        return self.program.abi

    @property
    def start(self) -> Start:
        """What is known where the routine begins."""
        return self.exploration.start

    @property
    def program(self) -> ProofProgram:
        """The program it is part of."""
        return self.exploration.start.program

    @property
    def image(self) -> Image:
        """The same as it was linked, with symbols."""
        return self.exploration.start.program.image

    @property
    def contract(self) -> Contract:
        """What is claimed."""
        return self.exploration.start.contract

    @property
    def entry(self) -> State:
        """The state at the first instruction."""
        return self.exploration.entry

    @property
    def legs(self) -> Sequence[Leg]:
        """All paths between two places: the entry, invariants, ends."""
        return self.exploration.legs

    def judge(self, kind: StatementKind, statement: Message, claims: Iterable[Claim]) -> Finding:
        """One finding on claims: the first that does not hold refutes the statement. Where the
        seconds are over, that is the reason why it is unknown."""
        measure = self.start_statement(statement)
        found: Finding | None = None
        for claim in claims:
            if claim.holds is t.TRUE:
                continue
            try:
                model = self.oracle.always(claim.path, claim.holds)
            except Undecided as stop:
                found = found or _open(statement, claim, stop)
                continue
            except OutOfTime as stop:
                found = _open(statement, claim, stop)
                break
            if model is not None:
                found = self._refute(statement, claim, model)
                break
        return replace(measure(found or Finding(statement, Verdict.PROVED)), kind=kind)

    def start_statement(self, statement: Message) -> Callable[[Finding], Finding]:
        """Tell whoever looks on what is asked next; gives what adds to a finding what it took from
        here on."""
        if self.on_statement is not None:
            self.on_statement(statement)
        begun, worked = time.monotonic(), self.oracle.solver.work

        def measure(found: Finding) -> Finding:
            work = self.oracle.solver.work - worked
            return replace(found, seconds=time.monotonic() - begun, work=work)

        return measure

    def _refute(self, statement: Message, claim: Claim, model: Model) -> Finding:
        """The finding on a claim that a model breaks, with as small an input as there is time
        for: one that is not the smallest shows it as well."""
        breaking = [*claim.path, t.not_(claim.holds)]
        with suppress(OutOfTime):
            breaking, model = self.separate(breaking, model)
            model = smallest(self.oracle, breaking, model)
        return self.refute(statement, claim, model)

    def separate(self, conditions: Sequence[Term], model: Model) -> tuple[list[Term], Model]:
        """Conditions that a model fulfils, and the same of blocks that share nothing, if there is
        such a model: of others the contents of a block need not be what memory has there."""
        if not self.entry.memory.blocks:
            return list(conditions), model
        more = [*conditions, *away(self.start.layout, self.entry.memory.blocks)]
        answer = self.oracle.ask(more)
        return (list(conditions), model) if answer.model is None else (more, answer.model)

    def writing(
        self, kind: StatementKind, statement: Message, broken: Message, leg: Leg, offset: int
    ) -> Finding:
        """A finding that the stack is written at an offset on one of the paths of a leg."""
        model, involved = self.oracle.ask(leg.at.path).model, list(leg.at.path)
        start = self.start
        if model is not None and leg.begin is None:
            place = model.value(start.frame.base) + offset
            done = self.run(leg.first, model, involved, [leg.end])
            if (StepKind.WRITE, place) in done.touched:
                example = self.example(model, involved)
                return Finding(statement, Verdict.REFUTED, broken, example, True, kind=kind)
        reason, causes = Reason.NO_INPUT_SHOWS(claim=broken), (Cause.NO_INPUT_KNOWN,)
        return Finding(statement, Verdict.UNKNOWN, reason, kind=kind, causes=causes)

    def run(
        self,
        first: State,
        model: Model,
        involved: Sequence[Term],
        ends: Sequence[int],
        begin: ProgramPoint = None,
        limit: int = LIMIT,
        at: State | None = None,
    ) -> ReplayRun:
        """The run from a state with the values of a model, for so many cycles at most.

        ``at`` is the state at the end where one is known: a routine that returns with another
        stack pointer than it should has ended, too.
        """
        ports = [
            event
            for event in self.exploration.events
            if event.kind is EventKind.READS_PORT and event.begin == begin
        ]
        given = inputs_of(self.start, first, model, involved, ports)
        if at is not None:
            stack = self.program.cpu.stack
            given = replace(given, after=model.value(at.get(stack)))
        invariants = (*self.exploration.cuts, *self.exploration.unreached)
        # a cut at the entry: nothing is executed. A piece may end where it begins, after one
        if begin is None and first.pc in ends and first.pc in invariants:
            return ReplayRun(given.registers, given.memory, 0, (), True)
        return execute(self.start, given, ends, limit)

    def example(self, model: Model, involved: Iterable[Term]) -> Example:
        """The input of a model, as a call takes it."""
        return example_of(self.start, model, self.exploration.indexed, involved)

    def refute(self, statement: Message, claim: Claim, model: Model) -> Finding:
        """The finding on a claim that does not hold for the input of a model.

        Only an input at the routine's entry refutes anything. A state at an invariant may be one
        that no input leads to: what holds for all inputs may then need a stronger invariant.
        """
        involved = [*claim.path, claim.holds]
        example: Example | None = self.example(model, involved)
        begin = claim.leg.begin if claim.leg else claim.event.begin if claim.event else None
        broken = claim.broken
        if claim.event is not None and not claim.other:
            where = self._find_address(claim.event, model)
            if not where.is_const and where.width == ADDRESS_BITS:
                broken = Reason.HERE(claim=broken, place=self.image.describe(model.value(where)))
            is_read = claim.event.kind in READS and where.width == ADDRESS_BITS
            if is_read and self._is_loaded(model.value(where)):
                broken = Reason.LOADED(claim=broken)
        replayed = self._replay(claim, model, involved)
        verdict = Verdict.REFUTED if replayed is not False else Verdict.UNKNOWN
        other = self.example(_rename_second(model, claim.other), involved) if claim.other else None
        state, place = None, ""
        causes = join_causes(claim.cause)
        if begin is not None:
            place = self.program.name_at(begin)
            state = state_of(self.start, self.exploration.start_state(begin), model, involved)
            broken = Reason.FROM_INVARIANT(claim=broken, place=place)
            causes = join_causes(*causes, Cause.WEAK_INVARIANT)
            verdict = Verdict.UNKNOWN
        assumed = claim.event is not None and claim.event.by_contract and not replayed
        if assumed:
            replayed = None  # that the machine does it was never claimed
        if claim.guesses_ports and any(each.name.kind is OriginKind.PORT for each in claim.other):
            verdict = Verdict.UNKNOWN
        if assumed or any(map(is_contracted, t.variables(involved))):
            # the callee may do it by its contract; whether it does, nobody looked
            verdict = Verdict.UNKNOWN
            broken = Reason.BY_CALLEE(claim=broken)
        return Finding(
            statement,
            verdict,
            broken,
            example,
            replayed,
            other,
            state,
            place,
            causes=causes,
            register=claim.register,
        )

    def _fails_assertion(self, event: Event, model: Model, involved: list[Term]) -> bool | None:
        """Whether the machine comes to a place where what is asserted does not hold."""
        if event.begin is not None:
            return None
        conditions = [
            condition
            for claim in self.contract.assertions
            for condition in claim.conditions
            if event.pc in claim.addresses and condition == event.about
        ]
        given = inputs_of(self.start, self.entry, model, involved)
        views = visits(self.start, given, event.pc)
        return any(not holds(each, view) for view in views for each in conditions)

    def _is_loaded(self, address: int) -> bool:
        """Whether the program is loaded with a byte that may be written."""
        blocks = ((block.address, len(block.data)) for block in self.image.blocks)
        there = any(begin <= address < begin + size for begin, size in blocks)
        return there and not self.program.is_fixed[address]

    def _replay(self, claim: Claim, model: Model, involved: list[Term]) -> bool | None:
        """Whether the machine does what the model says; None when there is nothing to run, as
        where a callee may do anything that its contract allows."""
        if any(map(is_contracted, t.variables(involved))):
            return None
        program, exploration = self.program, self.exploration
        at: State | None = None
        if claim.leg is not None:
            begin, first, at = claim.leg.begin, claim.leg.first, claim.leg.at
            ends = [claim.leg.end]
            involved = [*involved, *map(at.get, program.cpu.registers), at.total_cycles()]
            involved += compare_bytes(at).values()
        elif claim.event is not None:
            begin, first = claim.event.begin, exploration.start_state(claim.event.begin)
            ends = [*exploration.start.ends, *exploration.cuts]
        else:
            return None
        limit = LIMIT if at is None else model.value(at.total_cycles()) + SPARE
        done = self.run(first, model, involved, ends, begin, limit, at)
        if claim.other:
            twin = _rename_second(model, claim.other)
            limit = LIMIT if at is None else twin.value(at.total_cycles()) + SPARE
            second = self.run(first, twin, involved, ends, begin, limit, at)
            return (
                done.touched != second.touched
                or done.registers != second.registers
                or done.memory != second.memory
            )
        if at is not None:
            return agrees(program, done, at, model)
        assert claim.event is not None
        if claim.event.kind is EventKind.ASSERTS:
            return self._fails_assertion(claim.event, model, involved)
        address = self._find_address(claim.event, model)
        return address.width != ADDRESS_BITS or _happens(
            claim.event.kind, model.value(address), done
        )

    def _find_address(self, event: Event, model: Model) -> Term:
        """The address of an access; in what stands for a block, where the byte of the block is."""
        address = event.what
        if event.kind is not EventKind.READS_ARRAY:
            return address
        place = model.value(address)
        for block in self.entry.memory.blocks:
            if block.which.address <= place < block.which.end:
                return t.add(block.base, t.const(place - block.which.address, ADDRESS_BITS))
        return address


def _open(statement: Message, claim: Claim, stop: Undecided | OutOfTime) -> Finding:
    """A claim that was not decided."""
    causes = join_causes(claim.cause, stop.cause)
    return Finding(
        statement,
        Verdict.UNKNOWN,
        Reason.UNDECIDED(claim=claim.broken, why=stop.reason),
        causes=causes,
        register=claim.register,
    )


def _happens(kind: EventKind, address: int, done: ReplayRun) -> bool:
    """Whether a run does at an address what an event says."""
    kinds = [
        what for what, where in done.touched if where == address and what is not StepKind.DUMMY_READ
    ]
    if kind in (EventKind.WRITES, EventKind.WRITES_FIXED):
        return any(each in WRITES for each in kinds)
    if kind in READS:
        return bool(kinds) and kinds[0] not in WRITES  # before anything is written there
    return bool(kinds)


def _rename_second(model: Model, other: Mapping[Term, Term]) -> Model:
    """The second of two inputs, under the names of the first."""
    values, arrays = dict(model.values), dict(model.arrays)
    for one, two in other.items():
        if one.width:
            values[one.name] = model.value(two)
        else:
            arrays[one.name] = _contents(model, two)
    return Model(values, arrays)


def _contents(model: Model, array: Term) -> bytes:
    """The bytes of an array: one that is unknown, with others at known addresses."""
    stores: dict[int, Term] = {}
    while array.op is STORE:
        array, address, value = array.args
        stores.setdefault(address.number, value)
    data = bytearray(model.array(array.name))
    for place, value in stores.items():
        data[place] = model.value(value)
    return bytes(data)
