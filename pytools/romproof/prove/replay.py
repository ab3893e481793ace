"""Counterexamples are executed: what a solver says has to happen on the machine as well."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from romproof.engine.plain.core import BusCycle
from romproof.engine.plain.engine import PlainEngine
from romproof.engine.protocol import EngineFault, Stop
from romproof.isa.microcode import Kind
from romproof.prove.start import Program
from romproof.symbolic.execute.state import State
from romproof.symbolic.solve.solver import Model
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import ARRAY
from romproof.symbolic.terms.term import Term

LIMIT = 10_000_000
"""Cycles a replay may take."""


@dataclass(frozen=True)
class Inputs:
    """A state with numbers: what a run begins with, by the names of the microcode."""

    registers: Mapping[str, int]
    memory: bytes = field(repr=False)


@dataclass(frozen=True)
class Run:
    """What a run did. ``touched`` are the addresses of its accesses, in order, with their kind;
    ``stopped`` says that it came to where it was to end, ``fault`` why it did not."""

    registers: Mapping[str, int]
    memory: bytes = field(repr=False)
    cycles: int
    touched: tuple[tuple[Kind, int], ...] = field(repr=False)
    stopped: bool
    fault: str = ""


def inputs_of(
    program: Program, first: State, model: Model, involved: Iterable[Term] = ()
) -> Inputs:
    """The state ``first`` for the values of a model; ``involved`` are further terms of it."""
    registers = {name: model.value(first.get(name)) for name in program.cpu.registers}
    memory = bytearray(program.fixed)
    layout = first.memory.layout
    for each in layout.objects:
        for address in range(each.address, each.end):
            memory[address] = model.value(first.memory.byte(address))
    for variable in t.variables(involved):
        if variable.op is not ARRAY and variable.name.startswith("$"):
            address = int(variable.name[1:5], 16)
            memory[address] = model.value(first.memory.byte(address))
    for address, value in first.memory.changed_bytes().items():
        memory[address] = model.value(value)
    return Inputs(registers, bytes(memory))


def run(program: Program, inputs: Inputs, until: Iterable[int], limit: int = LIMIT) -> Run:
    """Execute from the state ``inputs`` until one of the places ``until`` comes next.

    At most ``limit`` cycles, and those that the last instruction takes.
    """
    engine = PlainEngine(program.abi.cpu)
    engine.memory[:] = inputs.memory
    engine.registers.pack(dict(inputs.registers))
    touched: list[tuple[Kind, int]] = []

    def watch(cycle: BusCycle) -> None:
        if cycle.address is not None:
            touched.append((cycle.kind, cycle.address))

    engine.watch(watch)
    fault, stopped = "", False
    try:
        stopped = engine.run(tuple(until), limit, None) is not Stop.LIMIT
    except EngineFault as error:
        fault = str(error)
    registers = engine.registers.unpack()
    return Run(registers, bytes(engine.memory), engine.cycles, tuple(touched), stopped, fault)


def compared(program: Program, at: State) -> dict[int, Term]:
    """The bytes that a run has to leave as a state says, but for those of arrays: all that were
    written. What was pushed and is pulled again is nobody's."""
    gone = program.abi.on_stack(at.lowest, at.get(program.cpu.stack).number)
    return {place: value for place, value in at.memory.changed_bytes().items() if place not in gone}


def agrees(program: Program, done: Run, at: State, model: Model) -> bool:
    """Whether a run ended in the state that symbolic execution says, for a model's values."""
    if not done.stopped or done.cycles != model.value(at.total_cycles()):
        return False
    if any(done.registers[name] != model.value(at.get(name)) for name in program.cpu.registers):
        return False
    changed = compared(program, at)
    if any(done.memory[address] != model.value(value) for address, value in changed.items()):
        return False
    return all(
        done.memory[address] == model.value(at.memory.byte(address))
        for each in at.memory.changed_arrays()
        for address in range(each.address, each.end)
    )
