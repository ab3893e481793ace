"""Every verdict is executed: what was proved is run, for all inputs or many, and compared.

Who runs and compares (``romproof.witness``) knows nothing of terms. What it finds to be otherwise
than proved is a fault of the prover; it is reported as one, and nothing is proved then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from romproof.contract.nouns.statement import StatementKind
from romproof.contract.reading.pointers import places_of
from romproof.prover.catalogue import Property, Reason
from romproof.prover.models.inputs import draw_inputs
from romproof.prover.models.mapping import Mapping
from romproof.prover.replay.judge import Case
from romproof.prover.results import CycleProof, Example, Finding, Proof, Verdict
from romproof.prover.states.entry import Start, register_name
from romproof.prover.states.program import ProofProgram
from romproof.symbolic.execute.layout import MemoryObject
from romproof.symbolic.solve.deadline import NEVER, Deadline, OutOfTime
from romproof.symbolic.terms.term import Term
from romproof.text.cause import Cause
from romproof.text.messages import Message
from romproof.witness.columns import OneView
from romproof.witness.execute import PLAIN
from romproof.witness.models import Model, RowView
from romproof.witness.results import Disagreement, Point, Snapshot, Witnessed
from romproof.witness.subject import InputKey, Subject, subject_of
from romproof.witness.witness import DEFAULT, Plan, witness

ATTEMPT = Plan(
    runs=256,
    exhaustive=1 << 10,
    sample=16,
    labels=32,
    sample_cycles=50_000,
    limit=200_000,
    cycles=5_000_000,
    plain_cycles=1_000_000,
)
"""What is executed where nothing is proved, to find an input that refutes: as much as takes some
tenths of a second."""

TO_COMPILE = 1.0
"""Seconds that compiling a routine may take."""
SHORT_RUN, FEW_CELLS = 5_000, 256
"""Cycles that the interpreter executes, and bytes of memory for which inputs are drawn, in some
hundredths of a second."""

LONG_RUN = 50_000_000
"""Cycles after which a call that was proved to end is taken for one that does not, where no most is
claimed: as many as take some tenths of a second in compiled code."""

GOOD = (Verdict.PROVED, Verdict.PARTIAL)


@dataclass(frozen=True)
class Executed:
    """What came of it: ``findings`` on what is otherwise than proved, and what was executed."""

    findings: tuple[Finding, ...]
    seen: Witnessed


def execute_contract(
    case: Case, limits: CycleProof | None, loose: bool, ends: bool, plan: Plan = DEFAULT
) -> Executed:
    """A proved contract, executed. ``ends``: so is that every call ends. The seconds that there
    are for it are those that the proof has left."""
    proof = limits or CycleProof(None, None)
    extra = [*_extreme(case, proof), *_in_time(_returns(case))]
    deadline = case.oracle.solver.deadline
    known = proof.least is not None and proof.most is not None
    attained = proof.fastest is not None and proof.slowest is not None
    if ends:  # it is proved that it does, and not when
        plan = replace(plan, limit=max(plan.limit, LONG_RUN))
    seen = witness(
        _subject(case.start),
        plan,
        draw=lambda count: list(_in_time(_draw_inputs(case, count))),
        extra=extra,
        limits=(proof.least, proof.most),
        tight=known and attained and not loose,
        ends=ends,
        left=lambda: deadline.left_in_all,
    )
    return Executed(_findings(case, seen, seen.disagreements, plan), seen)


def execute_model(
    case: Case,
    mapping: Mapping,
    model: Callable[..., Any],
    requires: Callable[..., Any] | None,
    plan: Plan = DEFAULT,
) -> Executed:
    """A routine or piece that was proved to be its model, executed with it."""
    start, deadline = case.start, case.oracle.solver.deadline

    def differs(before: RowView, after: RowView) -> str:
        result = mapping.run(model, before)
        if len(start.ends) > 1:
            here, result = result
            if start.ends[here] != after.place:
                place = start.program.image.describe(after.place)
                return str(Reason.ENDS_AT(place=place))
        for compared in mapping.compare(result, after):
            if not compared.equal:
                return str(Reason.DIFFERS_FROM_MODEL(place=str(compared.place)))
        return ""

    allows = None if requires is None else (lambda view: bool(mapping.run(requires, view)))
    seen = witness(
        _subject(start),
        plan,
        draw=lambda count: list(_in_time(_draw_inputs(case, count))),
        model=Model(differs, allows),
        ends=False,
        left=lambda: deadline.left_in_all,
    )
    # the contract is proved by itself: here it is the model that counts
    wrong = [each for each in seen.disagreements if each.of_model]
    return Executed(_findings(case, seen, wrong, plan), seen)


def attempt(start: Start, deadline: Deadline = NEVER) -> Finding | None:
    """That a routine does not keep to its contract for one of some inputs, if it does not.

    It has what is left of the seconds, the reserve included. Where that is too little to compile
    the routine, the interpreter executes it, if its runs are short, or nobody does.
    """
    cycles = start.contract.cycles
    quick = deadline.left_in_all < TO_COMPILE
    subject = _subject(start)
    if not has_stack(start):  # there is no call that the contract speaks of
        return None
    long = cycles is not None and (cycles[1] or 0) > SHORT_RUN
    if quick and (long or len(subject.cells) > FEW_CELLS):
        return None
    seen = witness(
        subject,
        replace(ATTEMPT, engine=PLAIN) if quick else ATTEMPT,
        ends=cycles is not None and cycles[1] is not None,
        left=lambda: deadline.left_in_all,
    )
    for each in seen.disagreements[:1]:
        example = _example(start, each.before)
        other = None if each.other is None else _example(start, each.other)
        return Finding(
            Property.CONTRACT(),
            Verdict.REFUTED,
            _describe_disagreement(each),
            example,
            True,
            other,
            kind=StatementKind.CONTRACT,
        )
    return None


def has_stack(start: Start) -> bool:
    """Whether there is a stack pointer with which the stack in use, as far as the contract says how
    much that is, lies on nothing that the contract lists."""
    subject = _subject(start)
    contract = replace(subject.contract, stack=subject.contract.stack or 0)
    return bool(replace(subject, contract=contract).free_pointers)


def with_runs(proof: Proof, executed: Executed) -> Proof:
    """A proof with what was executed of it."""
    seen = executed.seen
    return replace(
        proof,
        findings=(*proof.findings, *executed.findings),
        runs=seen.runs,
        all_inputs=seen.exhaustive,
        engine=seen.engine,
        unfinished=seen.unfinished,
    )


def report_unexecuted(reason: Message, *causes: Cause) -> Finding:
    """That no execution confirms what was proved, and why."""
    kind, statement = StatementKind.EXECUTED, Property.EXECUTED()
    return Finding(statement, Verdict.UNKNOWN, reason, kind=kind, causes=causes)


def _describe_disagreement(seen: Disagreement) -> Message:
    return Reason.STATEMENT_FAILS(statement=str(seen.statement), why=seen.detail)


def _subject(start: Start) -> Subject:
    program: ProofProgram = start.program
    ends = () if start.is_called else start.ends
    return subject_of(
        program.rom, start.plain_contract, start.address, start.layout.is_fixed, ends, start.stacks
    )


def _findings(
    case: Case, seen: Witnessed, wrong: Iterable[Disagreement], plan: Plan
) -> tuple[Finding, ...]:
    """What is to be reported: faults, and that nothing could be executed, or too little."""
    faults = tuple(_faults(case.start, wrong))
    seconds = case.oracle.solver.deadline.seconds
    if seen.stopped and not seen.exhaustive and seen.inputs < plan.runs:
        reason = Reason.TIME_IN_EXECUTION(seconds=seconds, executed=seen.inputs, planned=plan.runs)
        return (*faults, report_unexecuted(reason, Cause.NO_INPUT_KNOWN, Cause.TIME))
    if not seen.runs:
        return (report_unexecuted(Reason.NO_INPUT_FOUND(), Cause.NO_INPUT_KNOWN),)
    return faults


def _in_time(points: Iterator[Point]) -> Iterator[Point]:
    """As many of them as are found before the seconds are over."""
    with suppress(OutOfTime):
        yield from points


def _faults(start: Start, disagreements: Iterable[Disagreement]) -> Iterator[Finding]:
    for each in disagreements:
        reason = Reason.PROVER_FAULT(why=_describe_disagreement(each))
        more = (Cause.CUT_OFF,) if each.is_cut_off else ()
        found = report_unexecuted(reason, Cause.PROVER_FAULT, *more)
        yield replace(found, example=_example(start, each.before), replayed=False)


def _example(start: Start, machine: Snapshot) -> Example:
    """A machine at the first instruction, as the input of a call."""
    abi, before = start.program.abi, machine.registers
    registers = {
        register.attribute: before[register_name(abi, register)] for register in abi.registers
    }
    flags = {flag.letter: before[register_name(abi, flag)] for flag in abi.flags}
    memory = {
        which.address: bytes(machine.memory[which.address : which.end])
        for which in start.layout.objects
        if which not in start.block_objects
    }
    names = {
        which.address: which.name
        for which in start.layout.objects
        if which not in start.block_objects
    }
    for pointer, (place, size) in zip(
        start.plain_contract.pointers,
        places_of(start.plain_contract, OneView(before, machine.memory)),
        strict=True,
    ):
        if size:
            memory[place] = bytes(machine.memory[place : place + size])
            names[place] = pointer.name
    stack = before[start.program.cpu.stack]
    return Example(registers, flags, memory, names, stack, flag_names=abi.flag_names)


# ---------------------------------------------------------------- inputs


def _inputs(case: Case) -> dict[InputKey, Term]:
    """What is not known at the entry: registers, flags and the contract's memory."""
    start, entry = case.start, case.entry
    keys: dict[InputKey, Term] = {
        name: term
        for name, term in start.registers.items()
        if not term.is_const and name != start.program.cpu.stack
    }
    for which in start.layout.objects:
        for address in range(which.address, which.end):
            if address not in start.layout.volatile:
                keys[address] = entry.memory.byte(address)
    return {key: term for key, term in keys.items() if not term.is_const}


def _draw_inputs(case: Case, count: int) -> Iterator[Point]:
    """Inputs that satisfy what is required, found by the solver and near to those."""
    keys = _inputs(case)
    blocks = case.entry.memory.blocks
    wheres = [term for block in blocks for term in (block.base, block.size)]
    for batch in draw_inputs(case.oracle, [*keys.values(), *wheres], ()):
        values = batch.evaluate([*keys.values(), *wheres])
        for row in range(min(batch.count, count)):
            one = {key: int(values[term][row]) for key, term in keys.items()}
            for block in case.entry.memory.blocks:
                place, size = int(values[block.base][row]), int(values[block.size][row])
                one |= _move_block(one, block.which, place, size)
            yield _point(one)
        count -= min(batch.count, count)


def _point(values: dict[InputKey, int]) -> Point:
    registers = {key: value for key, value in values.items() if isinstance(key, str)}
    memory = {key: value for key, value in values.items() if isinstance(key, int)}
    return Point(registers, memory)


def _extreme(case: Case, proof: CycleProof) -> Iterator[Point]:
    """The inputs that reach the limits of cycles."""
    abi = case.abi
    letters = {flag.letter: register_name(abi, flag) for flag in abi.flags}
    for each in (proof.fastest, proof.slowest):
        if each is None:
            continue
        registers = dict(each.registers)
        registers |= {letters[letter]: value for letter, value in each.flags.items()}
        memory = {at + n: byte for at, data in each.memory.items() for n, byte in enumerate(data)}
        yield Point(registers, memory)


def _returns(case: Case) -> Iterator[Point]:
    """An input for each return, and for each path to an invariant."""
    keys = _inputs(case)
    paths: Sequence[Sequence[Term]] = [
        *(path for _, path in case.exploration.returns),
        *(leg.at.path for leg in case.legs if leg.begin is None),
    ]
    for path in paths:
        answer = case.oracle.ask(path)
        if answer.model is not None:
            value = answer.model.value
            values = {key: value(term) for key, term in keys.items()}
            for block in case.entry.memory.blocks:
                place, size = value(block.base), value(block.size)
                values |= _move_block(values, block.which, place, size)
            yield _point(values)


def _move_block(
    values: dict[InputKey, int], which: MemoryObject, place: int, size: int
) -> dict[InputKey, int]:
    """The bytes of what stands for a block at the addresses where the block is; they are taken
    out of ``values``."""
    cells = [values.pop(address, 0) for address in range(which.address, which.end)]
    return {place + number & 0xFFFF: value for number, value in enumerate(cells[:size])}
