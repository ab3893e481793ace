"""The accesses of single runs, in order, from the engine ``plain``."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from functools import cache

from fuzz_nouns import M6502
from fuzz_states import BUDGET, Bench
from fuzz_values import States

from romproof.engine.plain.core import BusCycle
from romproof.engine.plain.engine import PlainEngine
from romproof.engine.protocol import EngineFault
from romproof.engine.registers import registers_of
from romproof.isa.microcode import StepKind

_WRITES = (StepKind.WRITE, StepKind.DUMMY_WRITE)


def trace(bench: Bench, routine: str, state: States) -> list[tuple[StepKind, int]]:
    """The accesses of a run, in order."""
    engine = _engine(bench.abi.cpu)
    engine.registers.set(registers_of(engine.cpu))
    engine.memory[:] = bench.initial
    for name, rows in state.memory.items():
        at = bench.addresses[name]
        engine.memory[at : at + rows.shape[1]] = rows[0].tobytes()
    base = int(state.stack[0]) + bench.abi.stack_base
    engine.memory[base : base + 2] = bench.back(state.stack)[0].tobytes()
    registers, machine = engine.registers, bench.machine
    for name in machine.registers:
        setattr(registers, name.lower(), int(state.registers[name][0]))
    flags = sum(mask for name, mask in machine.flags.items() if state.registers[name][0])
    setattr(registers, machine.flag_byte, flags | (0x20 if machine is M6502 else 0))
    setattr(registers, machine.stack, int(state.stack[0]))
    registers.pc = bench.label(routine, "")
    if machine is not M6502:
        registers.ime = int(state.registers["IME"][0])
    accesses: list[tuple[StepKind, int]] = []

    def watch(cycle: BusCycle) -> None:
        if cycle.address is not None:
            accesses.append((cycle.kind, cycle.address))

    engine.watch(watch)
    with suppress(EngineFault):  # that it does not come back is told elsewhere
        engine.run(bench.ends, min(BUDGET, 4000))
    return accesses


@cache
def _engine(cpu: str) -> PlainEngine:
    """One for all runs."""
    return PlainEngine(cpu)


def read_first(
    trace: list[tuple[StepKind, int]], fixed: frozenset[int], more: Collection[int]
) -> int | None:
    """An address that is read and neither known (``fixed`` or ``more``) nor written before."""
    written = set(more)
    for kind, address in trace:
        if kind in _WRITES:
            written.add(address)
        elif kind is StepKind.READ and address not in written and address not in fixed:
            return address
    return None
