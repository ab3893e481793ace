"""Every engine against a simulation of the NMOS 6502 at the level of its transistors."""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from every_case import every_case
from every_engine import HERE, engine_with, engines_with
from py65.devices.mpu6502 import MPU

from romproof.engine.engines import Ability
from romproof.engine.plain.core import BusCycle
from romproof.engine.protocol import EngineFault, FaultKind, Guard
from romproof.engine.py65_engine import Py65Engine
from romproof.isa.load import load
from romproof.isa.model import Opcode, OpcodeVariant

VECTORS = Path(__file__).parents[1] / "vectors" / "silicon-6502.json.gz"
FLAGS = 0xCF
"""The bits of the flag byte that exist in the chip."""

Case = dict[str, Any]


def _by_opcode() -> dict[int, list[Case]]:
    cases: dict[int, list[Case]] = defaultdict(list)
    for case in json.loads(gzip.decompress(VECTORS.read_bytes())):
        cases[case["op"]].append(case)
    return cases


CASES = _by_opcode()
DOCUMENTED = [o for o in load() if o.variant is OpcodeVariant.DOCUMENTED]
REFUSED_BY_PY65 = [o for o in load() if o.variant is not OpcodeVariant.DOCUMENTED]
JAMS = [o for o in load() if o.variant is OpcodeVariant.JAM]
FURTHER = [o for o in REFUSED_BY_PY65 if o.byte in CASES]
ALL_OPCODES = engines_with(Ability.UNDOCUMENTED)

# The vectors come from perfect6502, which disagrees with real chips in these: ANC, ALR, ARR, LAS.
AS_IN_THE_SIMULATION = (0x0B, 0x2B, 0x4B, 0x6B, 0xBB)
# Where and what these write depends on analogue effects; the rest of them does not.
UNSTABLE_STORES = (0x93, 0x9B, 0x9C, 0x9E, 0x9F)


def _id(opcode: Opcode) -> str:
    return f"{opcode.byte:02x} {opcode.syntax}"


def _engine(name: str, case: Case, cpu: str = "mos6502") -> Any:
    registers = {n: case["initial"][n] for n in ("a", "x", "y", "s", "p", "pc")}
    engine = engine_with(name, cpu=cpu, **registers)
    for address, value in case["initial"]["ram"]:
        engine.memory[address] = value
    return engine


def _memory_after(case: Case) -> dict[int, int]:
    memory = dict(case["initial"]["ram"])
    memory.update((address, value) for address, value, is_read in case["cycles"] if not is_read)
    return memory


def _check(name: str, case: Case, cpu: str = "mos6502") -> None:
    """One instruction: registers, cycles, and memory where it is settled."""
    engine = _engine(name, case, cpu)
    engine.step()
    got = {n: getattr(engine.registers, n) for n in ("a", "x", "y", "s", "pc")}
    assert got == {n: case["final"][n] for n in got}
    assert engine.registers.p & FLAGS == case["final"]["p"] & FLAGS
    assert engine.cycles == len(case["cycles"])
    assert engine.instructions == 1
    if case["op"] not in UNSTABLE_STORES:
        memory = _memory_after(case)
        assert {a: engine.memory[a] for a in memory} == memory
        assert sum(engine.memory) == sum(memory.values()), "nothing else was written"


def test_there_are_twelve_cases_for_each_opcode_but_those_without_a_result() -> None:
    assert len(DOCUMENTED) == 151
    left_out = {o.byte for o in JAMS} | {0x8B, 0xAB}
    assert {op: len(cases) for op, cases in CASES.items()} == {
        opcode.byte: 12 for opcode in load() if opcode.byte not in left_out
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", HERE)
@every_case("opcode", DOCUMENTED, ids=_id)
def test_documented_opcodes_do_what_the_chip_does(opcode: Opcode, name: str) -> None:
    for case in CASES[opcode.byte]:
        _check(name, case)


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL_OPCODES)
@every_case("opcode", FURTHER, ids=_id)
def test_undocumented_opcodes_do_what_the_simulation_does(opcode: Opcode, name: str) -> None:
    for case in CASES[opcode.byte]:
        _check(name, case, "perfect6502")
        if opcode.byte not in AS_IN_THE_SIMULATION:
            _check(name, case)


@pytest.mark.parametrize("name", engines_with(Ability.BUS_TRACE))
@every_case("opcode", [*DOCUMENTED, *FURTHER], ids=_id)
def test_every_bus_cycle_is_that_of_the_chip(opcode: Opcode, name: str) -> None:
    cpus = ["perfect6502"]
    if opcode.byte not in AS_IN_THE_SIMULATION:
        cpus.append("mos6502")
    for case in CASES[opcode.byte]:
        for cpu in cpus:
            seen: list[tuple[int | None, int | None, bool]] = []

            def note(c: BusCycle, seen: list[Any] = seen) -> None:
                assert c.cycle == len(seen)
                seen.append((c.address, c.value, not c.kind.is_write))

            engine = _engine(name, case, cpu)
            engine.watch(note)
            engine.step()
            expected = [(address, value, bool(read)) for address, value, read in case["cycles"]]
            if opcode.byte in UNSTABLE_STORES:
                assert (seen.pop()[2], expected.pop()[2]) == (False, False)
            assert seen == expected


def test_py65_alone_counts_dec_absolute_wrongly_and_only_that() -> None:
    wrong = {}
    for opcode in DOCUMENTED:
        for case in CASES[opcode.byte]:
            memory = [0] * 0x10000
            for address, value in case["initial"]["ram"]:
                memory[address] = value
            mpu = MPU(memory=memory)
            first = case["initial"]
            mpu.a, mpu.x, mpu.y = first["a"], first["x"], first["y"]
            mpu.sp, mpu.p, mpu.pc = first["s"], first["p"], first["pc"]
            mpu.step()
            if mpu.processorCycles != len(case["cycles"]):
                wrong[opcode.byte] = (mpu.processorCycles, len(case["cycles"]))
    assert wrong == {0xCE: (3, 6)}


def test_the_correction_leaves_the_class_of_py65_alone() -> None:
    Py65Engine()
    assert MPU.cycletime[0xCE] == 3
    assert MPU.instruct[0x02] is MPU.inst_not_implemented


@every_case("opcode", REFUSED_BY_PY65, ids=_id)
def test_py65_refuses_undocumented_opcodes(opcode: Opcode) -> None:
    engine = engine_with("py65", bytes([opcode.byte]), at=0x1234)
    with pytest.raises(EngineFault) as caught:
        engine.step()
    fault = caught.value
    jam = opcode.variant is OpcodeVariant.JAM
    assert fault.kind is (FaultKind.JAM if jam else FaultKind.UNDOCUMENTED)
    assert (fault.address, fault.opcode, fault.engine) == (0x1234, opcode.byte, "py65")
    text = str(fault)
    assert f"${opcode.byte:02X} '{opcode.syntax}' at $1234" in text
    assert jam or "py65 does not support undocumented opcodes" in text
    assert jam or "use another engine" in text
    assert (engine.registers.pc, engine.cycles, engine.instructions) == (0x1234, 0, 0)


@pytest.mark.parametrize("name", HERE)
@pytest.mark.parametrize("opcode", JAMS, ids=_id)
def test_what_stops_the_processor_is_a_fault_everywhere(opcode: Opcode, name: str) -> None:
    engine = engine_with(name, bytes([0xEA, opcode.byte]), at=0x1234)
    with pytest.raises(EngineFault) as caught:
        engine.run((0,), 100)
    fault = caught.value
    assert (fault.kind, fault.address, fault.opcode) == (FaultKind.JAM, 0x1235, opcode.byte)
    assert fault.engine == name
    assert f"opcode ${opcode.byte:02X} 'jam' at $1235 stops the processor" in str(fault)
    assert (engine.registers.pc, engine.cycles, engine.instructions) == (0x1235, 2, 1)


@pytest.mark.parametrize("name", HERE)
def test_a_guard_forbids_brk_unless_it_is_allowed(name: str) -> None:
    case = CASES[0][0]
    engine = _engine(name, case)
    engine.guard = Guard()
    with pytest.raises(EngineFault, match=r"BRK at .*allow_brk=True"):
        engine.step()
    engine = _engine(name, case)
    engine.guard = Guard(brk=True)
    engine.step()
    assert engine.registers.pc == case["final"]["pc"]
