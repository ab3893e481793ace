"""The 6502's microcode against a transistor-level simulation: state and every bus cycle."""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from every_case import every_case
from interpret import Interpreter

from romproof.isa.cpu import Cpu
from romproof.isa.load import load
from romproof.isa.mos6502 import mos6502
from romproof.isa.perfect6502 import perfect6502

VECTORS = Path(__file__).parents[1] / "vectors" / "silicon-6502.json.gz"
FLAGS = (("n", 7), ("v", 6), ("d", 3), ("i", 2), ("z", 1), ("c", 0))
OF_THE_SIMULATION = (0x0B, 0x2B, 0x4B, 0x6B, 0xBB)
"""ANC, ALR, ARR, LAS: the simulation settles a conflict on an internal bus unlike chips do."""
UNSTABLE = (0x93, 0x9B, 0x9C, 0x9E, 0x9F)
"""What these store depends on analogue effects."""
CASES_EACH = 2


def _by_opcode() -> dict[int, list[dict[str, Any]]]:
    cases: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for case in json.loads(gzip.decompress(VECTORS.read_bytes())):
        cases[case["op"]].append(case)
    return cases


CASES = _by_opcode()
TESTED = [opcode for opcode in load() if opcode.byte in CASES and opcode.byte not in UNSTABLE]


def result_of(cpu: Cpu, initial: dict[str, Any]) -> tuple[dict[str, int], list[list[Any]]]:
    """Registers and bus cycles after one instruction, in the form of the vectors."""
    registers = {name: initial[name] for name in ("pc", "a", "x", "y", "s")}
    registers |= {name: initial["p"] >> bit & 1 for name, bit in FLAGS} | {"interrupt": 0}
    machine = Interpreter(cpu, registers, dict(initial["ram"]))
    machine.step()
    after = {name: machine.registers[name] for name in ("pc", "a", "x", "y", "s")}
    after["p"] = 0x20 | sum(machine.registers[name] << bit for name, bit in FLAGS)
    return after, [[address, value, kind == "r"] for kind, address, value in machine.bus]


def test_all_opcodes_but_jam_and_unstable_ones_are_tested() -> None:
    assert len(TESTED) == 256 - 12 - 2 - len(UNSTABLE)  # $8B and $AB have no vectors


@every_case("opcode", TESTED, ids=lambda o: f"{o.byte:02x} {o.syntax}")
def test_state_and_bus_are_those_of_the_chip(opcode: Any) -> None:
    cpu = perfect6502() if opcode.byte in OF_THE_SIMULATION else mos6502()
    for case in CASES[opcode.byte][:CASES_EACH]:
        after, bus = result_of(cpu, case["initial"])
        assert bus == [[address, value, bool(read)] for address, value, read in case["cycles"]]
        assert after == {name: case["final"][name] for name in after}


@pytest.mark.parametrize(
    ("immediate", "a", "carry"), [(0xFF, 0x0F, 0), (0x0F, 0xFF, 0), (0x80, 0xFF, 1)]
)
def test_anc_reads_its_operand_as_chips_do(immediate: int, a: int, carry: int) -> None:
    initial = {"pc": 0x200, "a": a, "x": 0, "y": 0, "s": 0xFF, "p": 0x20}
    ram = [[0x200, 0x0B], [0x201, immediate]]
    after, _ = result_of(mos6502(), {**initial, "ram": ram})
    assert (after["a"], after["p"] & 1) == (a & immediate, carry)
