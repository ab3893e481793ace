"""What came of many runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import IntEnum
from functools import cache
from typing import Any

import numpy as np

from romproof.engine.batch.inputs import Array, ByteRange
from romproof.engine.batch.loop import NOT_STARTED
from romproof.engine.faults import make_outside_fault
from romproof.engine.llvm.running import fault_of
from romproof.engine.llvm.state import ExitCode, state_type
from romproof.engine.protocol import EngineFault
from romproof.engine.registers import FLAG_BYTES, registers_of
from romproof.engine.stack import Move, moves
from romproof.isa.cpu import Cpu
from romproof.isa.cpus import cpu_named


class RunOutcome(IntEnum):
    """Why a run came to its end. From JAM on it is a fault."""

    REACHED = 0
    """The program counter came to one of the wanted addresses."""
    LIMIT = 1
    """The cycle budget was used up."""
    STOPPED = 2
    """The CPU stopped its clock (SM83 ``stop``)."""
    JAM = 3
    BRK = 4
    ROM_WRITE = 5
    STACK_OVERFLOW = 6
    STACK_UNDERFLOW = 7
    OUTSIDE = 8


_OUTCOMES = {
    ExitCode.FETCH: RunOutcome.OUTSIDE,
    ExitCode.LIMIT: RunOutcome.LIMIT,
    ExitCode.STOPPED: RunOutcome.STOPPED,
    ExitCode.JAM: RunOutcome.JAM,
    ExitCode.BRK: RunOutcome.BRK,
    ExitCode.ROM_WRITE: RunOutcome.ROM_WRITE,
    ExitCode.STACK: RunOutcome.STACK_UNDERFLOW,
    NOT_STARTED: RunOutcome.OUTSIDE,
}


@dataclass(frozen=True, slots=True)
class BatchResult:
    """What came of each run, in the order of the inputs; every array has one element a run.

    ``registers`` is a structured array with the registers by name, as after each run.
    ``cycles`` and ``instructions`` are uint64. ``outcomes`` are uint8, the numbers of Outcome.
    ``lowest_stack`` is the lowest value of the stack pointer (uint16); it is followed only
    with a guard. ``outputs`` has the bytes of the wanted places after each run, (runs, size).
    After a fault the program counter is at the instruction at fault, as if it had not begun.
    """

    registers: Array
    cycles: Array
    instructions: Array
    outcomes: Array
    lowest_stack: Array
    outputs: Mapping[ByteRange, Array]
    _cpu: Cpu = field(repr=False)
    _engine: str = field(repr=False)
    _top: int = field(repr=False)
    _rows: Array = field(repr=False)

    def __len__(self) -> int:
        """The number of runs."""
        return len(self.cycles)

    @property
    def last(self) -> Array:
        """The address of the instruction that each run executed last (uint16)."""
        last: Array = self._rows["last_pc"]
        return last

    def fault(self, run: int) -> EngineFault | None:
        """What an engine would have raised in run number ``run``; None when it was no fault.

        Raises IndexError.
        """
        row, registers = self._rows[run], self.registers[run]
        outcome = RunOutcome(self.outcomes[run])
        if outcome < RunOutcome.JAM:
            return None
        pc, opcode = int(registers["pc"]), int(row["opcode"])
        if outcome is RunOutcome.OUTSIDE:
            return make_outside_fault(
                self._engine, self._cpu.opcodes[opcode], pc, int(row["last_pc"])
            )
        state: Any = state_type(self._cpu.name)()
        for name in ("fault_address", "fault_value", "fault_number", "fault_stack"):
            setattr(state, name, int(row[name]))
        setattr(state, f"r_{self._cpu.stack}", int(registers[self._cpu.stack]))
        state.stack_top = self._top
        fault = fault_of(self._cpu, ExitCode(row["code"]), state)
        return EngineFault(fault.kind, self._engine, pc, opcode, fault.sentence, fault.write)


def outcomes_of(cpu: Cpu, rows: Array, registers: Mapping[str, Array], until: Array) -> Array:
    """The Outcome of each run, uint8; ``until`` has a nonzero byte for each wanted address."""
    codes = rows["code"]
    table, pushes = _tables(cpu.name)
    outcomes: Array = table[codes]
    outcomes[(codes == ExitCode.FETCH) & (until[registers["pc"]] != 0)] = RunOutcome.REACHED
    outcomes[(codes == ExitCode.STACK) & pushes[rows["fault_number"]]] = RunOutcome.STACK_OVERFLOW
    return outcomes


@cache
def _tables(cpu: str) -> tuple[Array, Array]:
    """The outcomes by code, and which microcodes push: a batch may have a few runs only."""
    table = np.zeros(256, np.uint8)
    for code, outcome in _OUTCOMES.items():
        table[code] = outcome
    return table, np.array([move is Move.PUSH for move in moves(cpu_named(cpu))])


def to_structured_array(registers: Mapping[str, Array], cpu: Cpu) -> Array:
    """Arrays for every register and flag of the microcode as one structured array."""
    names = [f.name for f in fields(registers_of(cpu))]
    kinds = [np.uint16 if cpu.registers.get(name, 8) > 8 else np.uint8 for name in names]
    result = np.zeros(len(registers["pc"]), np.dtype(list(zip(names, kinds, strict=True))))
    for name in names:
        if name in cpu.registers:
            result[name] = registers[name]
            continue
        flags, always = FLAG_BYTES[name]
        result[name] = always
        for flag, bit in flags:
            result[name] |= (registers[flag] << bit).astype(np.uint8)
    return result
