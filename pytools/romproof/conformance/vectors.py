"""Single instructions with the state before and after: JSON of SingleStepTests, and ours."""

from __future__ import annotations

import gzip
import io
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from romproof.conformance.model import REFUSED, SHOWN, Failure, Outcome, SuiteFile
from romproof.engine.engines import ENGINES, Ability, make_engine
from romproof.engine.plain.core import BusCycle
from romproof.engine.protocol import EngineFault
from romproof.engine.space import SIZE
from romproof.isa.cpus import cpu_named
from romproof.isa.model import Variant
from romproof.text.reading import read_input

_UNUSED_FLAGS = 0x30
"""Bits of the 6502's flag byte that do not exist in the chip."""
_SM83_REGISTERS = ("pc", "sp", "a", "f", "b", "c", "d", "e", "h", "l", "ime")
_ARTIFICIAL = (0x10, 0x76)
"""After ``stop`` and ``halt`` the vectors repeat cycles that say nothing."""
_UNSTABLE_STORES = (0x93, 0x9B, 0x9C, 0x9E, 0x9F)
"""What these store, and where, differs from chip to chip; our own vectors leave it open."""
JAM = "opcode that stops the processor: not run"
UNSTABLE = "store that differs from chip to chip"
"""Why a case does not count."""

Bus = tuple[str, int, int]
"""``read`` or ``write``, address and value; ("idle", 0, 0) for a cycle without an access."""
_IDLE: Bus = ("idle", 0, 0)


@dataclass(frozen=True, slots=True)
class Vector:
    """One instruction. ``ram`` and ``ram_after`` map addresses to bytes.

    ``bus`` are its cycles as far as they are known, ``cycles`` their number; None: not known.
    ``unstable`` says that chips differ in what it does.
    """

    name: str
    before: Mapping[str, int]
    ram: Mapping[int, int]
    after: Mapping[str, int]
    ram_after: Mapping[int, int]
    bus: tuple[Bus, ...]
    cycles: int | None
    unstable: bool = False


class Probe:
    """An engine that executes one instruction after another and compares."""

    def __init__(self, engine: str, cpu: str) -> None:
        made: Any = make_engine(engine, cpu)
        self._engine = made
        self._ordinary = made.registers.copy()
        self._opcodes = cpu_named(cpu).opcodes
        self._seen: list[Bus] = []
        abilities = ENGINES[made.name].abilities
        self._knows_all = Ability.UNDOCUMENTED in abilities
        self._traces = Ability.BUS_TRACE in abilities
        if self._traces:
            made.watch(self._note)

    def _note(self, cycle: BusCycle) -> None:
        if cycle.address is None or cycle.value is None:
            self._seen.append(_IDLE)
        else:
            kind = "write" if cycle.kind.is_write else "read"
            self._seen.append((kind, cycle.address, cycle.value))

    def reason_not_to_run(self, vector: Vector) -> str | None:
        """Why a case is not one for this engine; None when it is."""
        variant = self._opcodes[vector.ram[vector.before["pc"]]].variant
        if variant is Variant.JAM:
            return JAM
        return None if self._knows_all or variant is Variant.DOCUMENTED else REFUSED

    def run(self, vector: Vector) -> str | None:
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
            engine.step()
            wrong = self._wrong(vector, engine.cycles - start)
        except EngineFault as fault:
            wrong = str(fault)
        for address in (*vector.ram, *vector.ram_after):
            memory[address] = 0
        if wrong is not None:  # then any address may have been written
            memory[:] = bytes(SIZE)
        return wrong

    def _wrong(self, vector: Vector, cycles: int) -> str | None:
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
                    return f"cycle {number}: {_told(got_cycle)}, not {_told(wanted)}"
        return None


def _told(bus: Bus) -> str:
    kind, address, value = bus
    return kind if kind == "idle" else f"{kind} ${address:04X} ${value:02X}"


def run_6502(file: SuiteFile, engine: str, sample: int = 1) -> Outcome:
    """A file of SingleStepTests/65x02, its folder 6502/v1; every ``sample``-th case of it."""
    vectors = (
        Vector(
            name=case["name"],
            before=_registers(case["initial"], ("pc", "s", "a", "x", "y", "p")),
            ram=dict(case["initial"]["ram"]),
            after=_registers(case["final"], ("pc", "s", "a", "x", "y", "p")),
            ram_after=dict(case["final"]["ram"]),
            bus=tuple((kind, address, value) for address, value, kind in case["cycles"]),
            cycles=len(case["cycles"]),
            unstable=int(case["name"].split()[0], 16) in _UNSTABLE_STORES,
        )
        for case in _cases(file.path)[::sample]
    )
    return _all(vectors, Probe(engine, "mos6502"))


def run_sm83(file: SuiteFile, engine: str, sample: int = 1) -> Outcome:
    """A file of SingleStepTests/sm83, its folder v1; every ``sample``-th case of it."""
    return _all(map(_sm83_vector, _cases(file.path)[::sample]), Probe(engine, "sm83"))


def _sm83_vector(case: Mapping[str, Any]) -> Vector:
    cycles = [_sm83_cycle(cycle) for cycle in case["cycles"]]
    artificial = int(case["name"].split()[0], 16) in _ARTIFICIAL
    return Vector(
        name=case["name"],
        before=_registers(case["initial"], _SM83_REGISTERS),
        ram=dict(case["initial"]["ram"]),
        after=_registers(case["final"], _SM83_REGISTERS),
        ram_after=dict(case["final"]["ram"]),
        bus=tuple(cycles[:1] if artificial else cycles),
        cycles=None if artificial else len(cycles),
    )


def _sm83_cycle(cycle: tuple[int, int, str] | None) -> Bus:
    """``r-m`` reads, ``-wm`` writes, ``---`` and null are cycles without an access."""
    if cycle is None or "m" not in cycle[2]:
        return _IDLE
    return ("write" if "w" in cycle[2] else "read", cycle[0], cycle[1])


def run_silicon(file: SuiteFile, engine: str, sample: int = 1) -> Outcome:
    """Cases from a simulation of the 6502's transistors, in the form of tests/vectors; every
    ``sample``-th of them."""
    return _all(
        map(_silicon_vector, _cases(file.path)[::sample]), Probe(engine, _silicon_cpu(engine))
    )


def _silicon_cpu(engine: str) -> str:
    """The CPU that does what the simulation does; the documented part is the same for both."""
    known = ENGINES[engine].cpus
    return "perfect6502" if known is None or "perfect6502" in known else "mos6502"


def _silicon_vector(case: Mapping[str, Any]) -> Vector:
    bus = [("read" if read else "write", address, value) for address, value, read in case["cycles"]]
    ram = dict(case["initial"]["ram"])
    unstable = case["op"] in _UNSTABLE_STORES
    written = {address: value for kind, address, value in bus if kind == "write"}
    return Vector(
        name=f"{case['op']:02x} at ${case['initial']['pc']:04X}",
        before=_registers(case["initial"], ("pc", "s", "a", "x", "y", "p")),
        ram=ram,
        after=_registers(case["final"], ("pc", "s", "a", "x", "y", "p")),
        ram_after={} if unstable else ram | written,
        bus=tuple(bus[:-1] if unstable else bus),
        cycles=len(bus),
    )


def _registers(state: Mapping[str, int], names: Iterable[str]) -> dict[str, int]:
    return {name: state[name] for name in names}


def _all(vectors: Iterable[Vector], probe: Probe) -> Outcome:
    passed, failed, apart = 0, 0, Counter[str]()
    failures: list[Failure] = []
    for vector in vectors:
        reason = probe.reason_not_to_run(vector)
        if reason is not None:
            apart[reason] += 1
            continue
        wrong = probe.run(vector)
        if vector.unstable:
            apart[f"{UNSTABLE}: {'differs' if wrong else 'agrees'}"] += 1
        elif wrong is None:
            passed += 1
        else:
            failed += 1
            if failed <= SHOWN:
                failures.append(Failure(vector.name, wrong))
    return Outcome(passed, failed, apart, tuple(failures))


_MOST = 1 << 28


def _cases(path: Path) -> Any:
    data = read_input(path, _MOST)
    if path.suffix == ".gz":
        with gzip.open(io.BytesIO(data)) as file:
            data = file.read(_MOST + 1)
    if len(data) > _MOST:
        raise ValueError(f"it has more than {_MOST >> 20} MiB")
    try:
        return json.loads(data)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
