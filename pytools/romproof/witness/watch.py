"""Single runs on the engine ``plain``, of which every access and every label is checked."""

from __future__ import annotations

from dataclasses import dataclass, field

from romproof.contract.names.evaluate import evaluate
from romproof.contract.nouns.model import LoopBound
from romproof.contract.nouns.statement import Statement, StatementKind
from romproof.engine.plain.core import BusCycle
from romproof.engine.protocol import EngineFault, Stop
from romproof.isa.microcode import StepKind
from romproof.witness.columns import OneView
from romproof.witness.job import Job, entry_registers, view_registers
from romproof.witness.labels import Broken, Labels, OwnCode, broken_at, iterations
from romproof.witness.single import machine, start
from romproof.witness.subject import Subject

READS = Statement(StatementKind.READS, "reads only its inputs")
NO_LABELS = Labels()
_COUNTED = (StepKind.FETCH, StepKind.OPERAND, StepKind.READ, StepKind.WRITE)
"""What counts as an access: dummy ones bring nothing that is used."""


@dataclass
class Watched:
    """One run: its accesses in order, the visits to each label, and what is broken.

    ``own`` are the instructions that the routine executed itself, where its loops are claimed.
    """

    accesses: list[tuple[StepKind, int]] = field(default_factory=list)
    own: list[int] = field(default_factory=list)
    visits: dict[int, int] = field(default_factory=dict)
    broken: list[Broken] = field(default_factory=list)
    finished: bool = False
    cycles: int = 0
    weight: int = 0

    @property
    def pcs(self) -> list[int]:
        """The addresses of the instructions, in order."""
        return [address for kind, address in self.accesses if kind is StepKind.FETCH]

    def touches(self, places: frozenset[int]) -> bool:
        """Whether memory at one of some places was read or written."""
        return any(address in places for _, address in self.accesses)


def watch(job: Job, row: int, labels: Labels = NO_LABELS, most_weight: int = 0) -> Watched:
    """Run one of a job's machines. What is checked of labels has at most ``most_weight``.

    Labels are looked at when their code is fetched: to stop there and go on takes twice the time.
    """
    subject = job.subject
    watched = Watched()
    engine, ports = machine(job, None)
    start(job, row, engine, ports)
    entry = OneView(entry_registers(job, row), bytes(engine.memory))
    accesses, stops, fetch = watched.accesses, labels.stops, StepKind.FETCH
    values: dict[int, int] = {}
    looked = 0
    code = OwnCode(labels.calls, (1 << subject.abi.stack_pointer.bits) - 1)
    own_code, pointer = labels.own, subject.cpu.stack

    def arrive(address: int) -> None:
        nonlocal looked
        if watched.weight < most_weight or not accesses:
            looked = _forget(labels, values, watched, looked)
            view = OneView(
                view_registers(subject.abi, engine.registers_now()), engine.memory, entry
            )
            _visit(watched, subject, labels, address, view, values)

    def note(cycle: BusCycle) -> None:
        _, kind, address, _ = cycle
        if kind in _COUNTED and address is not None:
            if kind is fetch and address in stops:
                arrive(address)
            is_own = kind is fetch and address in own_code
            if is_own and code.holds(address, engine.registers_now()[pointer]):
                watched.own.append(address)
            accesses.append((kind, address))

    engine.watch(note)
    try:
        stop = engine.run(job.setting.ends, job.limit)
        pc = engine.registers.pc
        watched.finished = stop is Stop.REACHED
        if stop is Stop.LIMIT and pc in stops:
            arrive(pc)
    except EngineFault:
        pass  # a batch of runs tells of it
    watched.cycles = engine.cycles
    return watched


def _visit(
    watched: Watched,
    subject: Subject,
    labels: Labels,
    address: int,
    view: OneView,
    values: dict[int, int],
) -> None:
    """Look at the claims on a place."""
    watched.visits[address] = watched.visits.get(address, 0) + 1
    watched.weight += labels.weights[address]
    for each in broken_at(subject, labels, address, view, values):
        if each not in watched.broken:
            watched.broken.append(each)
    for claim in labels.decreases.get(address, ()):
        values[address] = evaluate(claim.expression, view)


def _forget(labels: Labels, values: dict[int, int], watched: Watched, looked: int) -> int:
    """Forget the values of loops that were left since the last visit."""
    for pc in watched.own[looked:] if values else ():
        for address in list(values):
            if pc not in labels.bodies.get(address, frozenset()):
                del values[address]
    return len(watched.own)


def reads(subject: Subject, watched: Watched, stack: int) -> list[Broken]:
    """The first read of what is not an input and was not written before, if there is one."""
    readable = subject.readable(stack)
    for kind, address in watched.accesses:
        if kind is StepKind.WRITE:
            readable[address] = 1
        elif kind is StepKind.READ and not readable[address]:
            return [(READS, f"{subject.describe(address)} is read, which is not an input")]
    return []


def find_miscounted(labels: Labels, watched: Watched) -> list[Broken]:
    """Bounds of loops that a run does not keep to."""
    return [
        (_statement_of(bound), f"it is executed {count} times")
        for bound, count in iterations(labels, watched.own, watched.finished)
    ]


def _statement_of(bound: LoopBound) -> Statement:
    text = f"loops: {bound.label} {bound.least}..{bound.most}"
    return Statement(StatementKind.LOOPS, text, bound.addresses)
