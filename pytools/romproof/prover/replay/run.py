"""Counterexamples are executed: what a solver says has to happen on the machine as well."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from romproof.contract.checks.view import StateView as MachineView
from romproof.contract.nouns.state import State as MachineState
from romproof.engine.plain.core import BusCycle
from romproof.engine.plain.engine import PlainEngine
from romproof.engine.protocol import EngineFault, Stop
from romproof.engine.space import AddressSpace
from romproof.isa.microcode import StepKind
from romproof.prover.states.entry import Start
from romproof.prover.states.program import ProofProgram
from romproof.symbolic.execute.events import Event
from romproof.symbolic.execute.layout import MemoryObject
from romproof.symbolic.execute.memory import Memory
from romproof.symbolic.execute.state import State
from romproof.symbolic.solve.solver import Model
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import ARRAY, VAR
from romproof.symbolic.terms.origin import LocationKind, OriginKind
from romproof.symbolic.terms.term import Term

LIMIT = 200_000
"""Cycles a replay may take where nobody knows how many it needs."""


@dataclass(frozen=True)
class ReplayInputs:
    """A state with numbers: what a run begins with, by the names of the microcode.

    ``ports`` are the values that reads of ports bring, in order; ``target`` is where the routine
    returns to, with the stack pointer ``after``.
    """

    registers: Mapping[str, int]
    memory: bytes = field(repr=False)
    ports: tuple[int, ...] = ()
    target: int = 0
    after: int = 0


@dataclass(frozen=True)
class ReplayRun:
    """What a run did. ``touched`` are the addresses of its accesses, in order, with their kind;
    ``stopped`` says that it came to where it was to end, ``fault`` why it did not."""

    registers: Mapping[str, int]
    memory: bytes = field(repr=False)
    cycles: int
    touched: tuple[tuple[StepKind, int], ...] = field(repr=False)
    stopped: bool
    fault: str = ""


def inputs_of(
    start: Start,
    first: State,
    model: Model,
    involved: Iterable[Term] = (),
    ports: Iterable[Event] = (),
) -> ReplayInputs:
    """The state ``first`` for the values of a model; ``involved`` are further terms of it.

    ``ports`` are the events of reading ports on the way from there.
    """
    program, frame = start.program, start.frame
    model = _separate_stack(start, model)
    registers = {name: model.value(first.get(name)) for name in program.cpu.registers}
    memory = bytearray(program.fixed)
    layout = first.memory.layout
    for block in first.memory.blocks:
        place, data = model.value(block.base), contents(first.memory, block.which, model)
        for number in range(min(model.value(block.size), len(data))):
            if not layout.is_fixed[place + number & 0xFFFF]:
                memory[place + number & 0xFFFF] = data[number]
    for each in layout.objects:
        if each in start.block_objects:
            continue
        if each in first.memory.indexed and first.memory.array(each).op is ARRAY:
            data = model.array(first.memory.array(each).name)
            memory[each.address : each.end] = data[each.address : each.end]
            continue
        drawn = model.arrays.get(each.key)
        if drawn is not None:  # nobody's answer: all bytes were drawn at once
            memory[each.address : each.end] = drawn[each.address : each.end]
            continue
        for address in range(each.address, each.end):
            memory[address] = model.value(first.memory.byte(address))
    base = model.value(frame.base)
    for variable in sorted(t.variables(involved), key=lambda each: each.name):
        name = variable.name
        at = name.address if name.is_at_entry else None
        if at is not None:
            memory[at] = model.value(first.memory.byte(at))
        is_pushed = name.location.kind is LocationKind.STACK and name.kind is OriginKind.ENTRY
        offset = name.location.address
        if is_pushed and offset is not None and not name.origin.is_second:
            memory[base + offset & 0xFFFF] = model.value(variable)
    for address, value in first.memory.changed_bytes().items():
        memory[address] = model.value(value)
    for offset, value in first.memory.stack().items():
        memory[base + offset & 0xFFFF] = model.value(value)
    stream = tuple(
        model.value(event.value)
        for event in ports
        if event.value is not None and all(model.value(each) for each in event.path)
    )
    target, after = model.value(frame.target), model.value(start.stack_after)
    return ReplayInputs(registers, bytes(memory), stream, target, after)


def contents(memory: Memory, which: MemoryObject, model: Model) -> bytes:
    """What an array holds for the values of a model."""
    array = memory.array(which)
    if array.op is ARRAY:
        return model.array(array.name)[which.address : which.end]
    cells = (memory.byte(address) for address in range(which.address, which.end))
    return bytes(map(model.value, cells))


def _separate_stack(start: Start, model: Model) -> Model:
    """A model with the stack where nothing lies that the routine names, if it may lie anywhere."""
    pointer, frame = start.frame.pointer, start.frame
    if pointer.op is not VAR or pointer.name in model.values:
        return model
    size = start.abi.return_size + start.abi.stack_base
    for place in dict.fromkeys((pointer.low, pointer.high)):
        room = range(place - frame.room + start.abi.stack_base, place + size + 1)
        if all(
            o.end <= room.start or room.stop <= o.address
            for o in start.layout.objects
            if o not in start.block_objects
        ):
            return Model({**model.values, pointer.name: place}, model.arrays)
    return model


@dataclass
class _Stream:
    """The ports of a run: values that are given, then zeros."""

    values: Iterator[int]

    def read(self, address: int, cycle: int) -> int:
        """See Device."""
        return next(self.values, 0)

    def write(self, address: int, value: int, cycle: int) -> None:
        """See Device."""


class _Bus(AddressSpace):
    """Memory and ports as proofs see them: dummy reads bring nothing of a port."""

    def read_call(self, address: int, cycle: int, dummy: bool) -> int:
        """See AddressSpace."""
        return self.peek(address) if dummy else super().read_call(address, cycle, dummy)


def execute(
    start: Start, inputs: ReplayInputs, until: Iterable[int], limit: int = LIMIT
) -> ReplayRun:
    """Execute from the state ``inputs`` until one of the places ``until`` comes next.

    The place that stands for the return is the return address with the stack pointer of the
    end. At most ``limit`` cycles, and those that the last instruction takes.
    """
    program = start.program
    engine = PlainEngine(program.abi.cpu, _Bus())
    engine.memory[:] = inputs.memory
    engine.registers.pack(dict(inputs.registers))
    if inputs.ports:
        ports = _Stream(iter(inputs.ports))
        for address in sorted(start.layout.volatile):
            engine.space.attach(address, address, ports)
    touched: list[tuple[StepKind, int]] = []

    def watch(cycle: BusCycle) -> None:
        if cycle.address is not None:
            touched.append((cycle.kind, cycle.address))

    engine.watch(watch)
    places = set(until)
    returning = start.is_called and places.intersection(start.ends)
    if returning:
        places = places.difference(start.ends) | {inputs.target}
    fault, stopped = "", False
    try:
        while not stopped and engine.cycles < limit:
            reached = engine.run(tuple(places), limit - engine.cycles, None) is not Stop.LIMIT
            here = engine.registers.unpack()
            early = here["pc"] == inputs.target and here[program.cpu.stack] != inputs.after
            stopped = reached and not (returning and early)
    except EngineFault as error:
        fault = str(error)
    registers = engine.registers.unpack()
    if stopped and returning and registers["pc"] == inputs.target:
        registers["pc"] = start.ends[0]
    return ReplayRun(registers, bytes(engine.memory), engine.cycles, tuple(touched), stopped, fault)


def visits(
    start: Start, inputs: ReplayInputs, address: int, limit: int = LIMIT
) -> Iterator[MachineView]:
    """The machine each time that the instruction at an address comes next, in a run from the state
    ``inputs`` until it returns, for at most ``limit`` cycles. A view is good until the next."""
    program = start.program
    engines = [PlainEngine(program.abi.cpu) for _ in range(2)]
    for each in engines:
        each.memory[:] = inputs.memory
        each.registers.pack(dict(inputs.registers))
    engine, before = engines
    first = MachineState(before.registers, bytes(before.memory))
    ends = {inputs.target} if start.is_called else set(start.ends)
    here = inputs.registers["pc"]
    with suppress(EngineFault):
        while True:
            if here == address:
                now = MachineState(engine.registers, bytes(engine.memory))
                yield MachineView(program.abi, now, first)
            left = limit - engine.cycles
            if left <= 0 or engine.run((address, *ends), left, None) is Stop.LIMIT:
                return
            here = engine.registers.unpack()["pc"]
            if here in ends and here != address:
                return


def compare_bytes(at: State) -> dict[int, Term]:
    """The bytes that a run has to leave as a state says, but for those of arrays and of the stack:
    all that were written. A port has what was written, and does not give it back."""
    ports = at.memory.layout.volatile
    return {a: value for a, value in at.memory.changed_bytes().items() if a not in ports}


def agrees(program: ProofProgram, done: ReplayRun, at: State, model: Model) -> bool:
    """Whether a run ended in the state that symbolic execution says, for a model's values."""
    if not done.stopped or done.cycles != model.value(at.total_cycles()):
        return False
    if any(done.registers[name] != model.value(at.get(name)) for name in program.cpu.registers):
        return False
    changed = compare_bytes(at)
    for block in at.memory.blocks:
        place, size = model.value(block.base), model.value(block.size)
        data = (done.memory[place + n & 0xFFFF] for n in range(size))
        cells = (at.memory.byte(block.which.address + n) for n in range(size))
        if any(byte != model.value(cell) for byte, cell in zip(data, cells, strict=True)):
            return False
    if any(done.memory[address] != model.value(value) for address, value in changed.items()):
        return False
    return all(
        done.memory[address] == model.value(at.memory.byte(address))
        for each in at.memory.changed_arrays()
        if not at.memory.stands(each)
        for address in range(each.address, each.end)
        if address not in at.memory.layout.volatile
    )
