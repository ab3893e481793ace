"""The py65 engine against a transistor-level simulation of the NMOS 6502."""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from py65.devices.mpu6502 import MPU

from romproof.engine.protocol import EngineFault, FaultKind, Guard
from romproof.engine.py65_engine import Py65Engine
from romproof.isa.load import load
from romproof.isa.model import Variant

VECTORS = Path(__file__).parents[1] / "vectors" / "silicon-6502.json.gz"
FLAGS = 0xCF
"""The bits of the flag byte that exist in the chip."""


def _by_opcode() -> dict[int, list[dict[str, Any]]]:
    cases: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for case in json.loads(gzip.decompress(VECTORS.read_bytes())):
        cases[case["op"]].append(case)
    return cases


CASES = _by_opcode()
DOCUMENTED = [o for o in load() if o.variant is Variant.DOCUMENTED]
REFUSED = [o for o in load() if o.variant is not Variant.DOCUMENTED]


def _engine(case: dict[str, Any]) -> Py65Engine:
    engine = Py65Engine()
    for address, value in case["initial"]["ram"]:
        engine.memory[address] = value
    registers = engine.registers
    for name in ("a", "x", "y", "s", "p", "pc"):
        setattr(registers, name, case["initial"][name])
    return engine


def _memory_after(case: dict[str, Any]) -> dict[int, int]:
    memory = dict(case["initial"]["ram"])
    memory.update((address, value) for address, value, is_read in case["cycles"] if not is_read)
    return memory


def test_there_are_twelve_cases_for_each_documented_opcode() -> None:
    assert len(DOCUMENTED) == 151
    assert all(len(CASES[opcode.byte]) == 12 for opcode in DOCUMENTED)


@pytest.mark.parametrize("opcode", DOCUMENTED, ids=lambda o: f"{o.byte:02x} {o.syntax}")
def test_state_and_cycles_are_those_of_the_chip(opcode: Any) -> None:
    for case in CASES[opcode.byte]:
        engine = _engine(case)
        engine.step()
        got = {n: getattr(engine.registers, n) for n in ("a", "x", "y", "s", "pc")}
        assert got == {n: case["final"][n] for n in got}
        assert engine.registers.p & FLAGS == case["final"]["p"] & FLAGS
        assert engine.cycles == len(case["cycles"])
        assert engine.instructions == 1
        memory = _memory_after(case)
        assert {a: engine.memory[a] for a in memory} == memory
        assert sum(engine.memory) == sum(memory.values()), "nothing else was written"


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


@pytest.mark.parametrize("opcode", REFUSED, ids=lambda o: f"{o.byte:02x} {o.syntax}")
def test_undocumented_opcodes_are_refused(opcode: Any) -> None:
    engine = Py65Engine()
    engine.memory[0x1234] = opcode.byte
    engine.registers.pc = 0x1234
    with pytest.raises(EngineFault) as caught:
        engine.step()
    fault = caught.value
    jam = opcode.variant is Variant.JAM
    assert fault.kind is (FaultKind.JAM if jam else FaultKind.UNDOCUMENTED)
    assert (fault.address, fault.opcode, fault.engine) == (0x1234, opcode.byte, "py65")
    text = str(fault)
    assert f"${opcode.byte:02X} '{opcode.syntax}' at $1234" in text
    assert jam or "py65 does not know undocumented opcodes" in text
    assert jam or "on an engine that does" in text
    assert (engine.registers.pc, engine.cycles, engine.instructions) == (0x1234, 0, 0)


def test_a_guard_forbids_brk_unless_it_is_allowed() -> None:
    case = CASES[0][0]
    engine = _engine(case)
    engine.guard = Guard()
    with pytest.raises(EngineFault, match=r"BRK at .*allow_brk=True"):
        engine.step()
    engine = _engine(case)
    engine.guard = Guard(brk=True)
    engine.step()
    assert engine.registers.pc == case["final"]["pc"]
