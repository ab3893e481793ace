"""Runs one by one, on the engine ``plain``."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from romproof.engine.devices import Device
from romproof.engine.plain.engine import PlainEngine
from romproof.engine.protocol import EngineFault, FaultKind, Guard, Stop
from romproof.engine.space import AddressSpace
from romproof.witness.columns import Machines, Memories
from romproof.witness.job import (
    Done,
    End,
    Job,
    entry_registers,
    fault_text,
    guard_of,
    view_registers,
)
from romproof.witness.subject import SIZE


@dataclass
class _Last:
    """An observer that keeps the address of the last instruction."""

    detached = True
    pc: int = 0

    def instruction(self, pc: int, byte: int, cycles: int, s: int, next_pc: int) -> None:
        """See Observer."""
        self.pc = pc


def one_by_one(job: Job) -> Done:
    """All runs of a job."""
    count, memory, subject = len(job.before), job.before.memory, job.subject
    ends = np.zeros(count, np.uint8)
    places, last, lowest = (np.zeros(count, np.int64) for _ in range(3))
    cycles = np.zeros(count, np.int64)
    matrix = np.zeros_like(memory.matrix)
    whole = np.zeros((count, SIZE), np.uint8) if job.whole else None
    faults: dict[int, str] = {}
    after: dict[str, list[int]] = {name: [] for name in subject.cpu.registers}
    where = list(memory.addresses)
    engine, ports = machine(job, guard_of(job))
    for row in range(count):
        start(job, row, engine, ports)
        last_seen = _Last(subject.entry)
        try:
            stop = engine.run(job.setting.ends, job.limit, last_seen)
            ends[row] = {Stop.REACHED: End.REACHED, Stop.LIMIT: End.LIMIT}.get(stop, End.FAULT)
            faults[row] = "the CPU stops its clock"
        except EngineFault as fault:
            ends[row] = End.WRITE if fault.kind is FaultKind.ROM_WRITE else End.FAULT
            faults[row] = fault.explain(fault_text(subject, fault))
        content = np.frombuffer(engine.memory, np.uint8)
        matrix[row] = content[where]
        if whole is not None:
            whole[row] = content
        for name, value in engine.registers.unpack().items():
            after[name].append(value)
        places[row], last[row] = engine.registers.pc, last_seen.pc
        cycles[row], lowest[row] = engine.cycles, engine.lowest_s
    registers = {name: np.array(values, np.int64) for name, values in after.items()}
    return Done(
        Machines(
            view_registers(subject.abi, registers),
            Memories(memory.base, memory.addresses, matrix, memory.places),
        ),
        ends,
        places,
        last,
        cycles,
        lowest,
        whole,
        lambda row: faults[row],
    )


class Ports:
    """A device in whose place another one can be put."""

    now: Device

    def read(self, address: int, cycle: int) -> int:
        """See Device."""
        return self.now.read(address, cycle)

    def write(self, address: int, value: int, cycle: int) -> None:
        """See Device."""
        self.now.write(address, value, cycle)


def machine(job: Job, guard: Guard | None) -> tuple[PlainEngine, Ports]:
    """An engine ``plain`` for the runs of a job, and what stands at volatile addresses."""
    ports, space = Ports(), AddressSpace()
    if job.device is not None:
        for each in job.subject.volatile:
            space.attach(each.start, each.stop - 1, ports)
    engine = PlainEngine(job.subject.cpu.name, space)
    engine.guard = guard
    return engine, ports


def start(job: Job, row: int, engine: PlainEngine, ports: Ports) -> None:
    """Bring an engine to where a run begins."""
    engine.memory[:] = job.before.memory.whole(row)
    if job.device is not None:
        ports.now = job.device(row)
    registers = entry_registers(job, row)
    engine.registers.pack(registers)
    engine.cycles = 0
    engine.lowest_s = registers[job.subject.cpu.stack]
