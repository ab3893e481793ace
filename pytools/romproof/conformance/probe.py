"""Executing single instructions with the state before and after, and comparing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from romproof.conformance.model import REFUSED, SuiteOutcome, count_executed
from romproof.engine.engines import ENGINES, Ability
from romproof.engine.plain.core import BusCycle
from romproof.engine.protocol import EngineFault
from romproof.isa.cpu import Cpu
from romproof.isa.model import OpcodeVariant

_AWHILE = 1_000_000
"""Cycles for an instruction that does not go where it should."""
_UNUSED_FLAGS = 0x30
"""Bits of the 6502's flag byte that do not exist in the chip."""
JAM = "opcode that stops the processor: not run"
"""Why a case does not count."""

BusRecord = tuple[str, int, int]
"""``read`` or ``write``, address and value; ("idle", 0, 0) for a cycle without an access."""
IDLE: BusRecord = ("idle", 0, 0)
"""A cycle without an access."""


@dataclass(frozen=True, slots=True)
class OpcodeVector:
    """One instruction. ``ram`` and ``ram_after`` map addresses to bytes.

    ``bus`` are its cycles as far as they are known, ``cycles`` their number; None: not known.
    ``unstable`` says that chips differ in what it does.
    """

    name: str
    before: Mapping[str, int]
    ram: Mapping[int, int]
    after: Mapping[str, int]
    ram_after: Mapping[int, int]
    bus: tuple[BusRecord, ...]
    cycles: int | None
    unstable: bool = False


class ProbeEngine:
    """An engine that executes one instruction after another and compares.

    What is in memory already stays there; ``lets_go`` has the engine run freely to where the
    instruction leads, in place of one step.
    """

    def __init__(self, engine: Any, cpu: Cpu, lets_go: bool = False) -> None:
        self._engine = engine
        self._lets_go = lets_go
        self._base = bytes(engine.memory)
        self._ordinary = engine.registers.copy()
        self._opcodes = cpu.opcodes
        self._seen: list[BusRecord] = []
        abilities = ENGINES[engine.name].abilities
        self._knows_all = Ability.UNDOCUMENTED in abilities
        self._traces = Ability.BUS_TRACE in abilities
        if self._traces:
            engine.watch(self._note)

    @property
    def progress(self) -> SuiteOutcome:
        """How much was executed so far, and by whom."""
        return count_executed(self._engine)

    def _note(self, cycle: BusCycle) -> None:
        if cycle.address is None or cycle.value is None:
            self._seen.append(IDLE)
        else:
            kind = "write" if cycle.kind.is_write else "read"
            self._seen.append((kind, cycle.address, cycle.value))

    def reason_not_to_run(self, vector: OpcodeVector) -> str | None:
        """Why a case is not one for this engine; None when it is."""
        variant = self._opcodes[vector.ram[vector.before["pc"]]].variant
        if variant is OpcodeVariant.JAM:
            return JAM
        return None if self._knows_all or variant is OpcodeVariant.DOCUMENTED else REFUSED

    def run(self, vector: OpcodeVector) -> str | None:
        """Execute a case; what is wrong then, None when nothing is."""
        engine, memory = self._engine, self._engine.memory
        engine.registers.set(self._ordinary)
        for name, value in vector.before.items():
            setattr(engine.registers, name, value)
        for address, value in vector.ram.items():
            memory[address] = value
        self._seen.clear()
        start = engine.cycles
        try:
            if self._lets_go:
                engine.run((vector.after["pc"],), _AWHILE)
            else:
                engine.step()
            wrong = self._wrong(vector, engine.cycles - start)
        except EngineFault as fault:
            wrong = str(fault)
        for address in (*vector.ram, *vector.ram_after):
            memory[address] = self._base[address]
        if wrong is not None:  # then any address may have been written
            memory[:] = self._base
        return wrong

    def _wrong(self, vector: OpcodeVector, cycles: int) -> str | None:
        registers, memory = self._engine.registers, self._engine.memory
        for name, value in vector.after.items():
            got = getattr(registers, name)
            if name == "p":
                got, value = got | _UNUSED_FLAGS, value | _UNUSED_FLAGS
            if got != value:
                return f"register {name.upper()} is ${got:02X}, not ${value:02X}"
        for address, value in vector.ram_after.items():
            if memory[address] != value:
                return f"${address:04X} holds ${memory[address]:02X}, not ${value:02X}"
        if vector.cycles is not None and cycles != vector.cycles:
            return f"{cycles} cycles, not {vector.cycles}"
        if self._traces:
            for number, (got_cycle, wanted) in enumerate(zip(self._seen, vector.bus, strict=False)):
                if got_cycle != wanted:
                    return f"cycle {number}: {_bus_text(got_cycle)}, not {_bus_text(wanted)}"
        return None


def _bus_text(bus: BusRecord) -> str:
    kind, address, value = bus
    return kind if kind == "idle" else f"{kind} ${address:04X} ${value:02X}"
