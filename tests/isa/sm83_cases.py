"""A golden file of SM83 instructions: made by the microcode itself, kept to notice changes.

It is no proof that the microcode is right; test_isa_sm83_pyboy.py and ``romproof conformance``
are. It was made when the microcode agreed with all 500,000 cases of SingleStepTests/sm83. Make
it anew, ``python tests/isa/sm83_cases.py``, only when the microcode does so again.
"""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterator
from dataclasses import astuple, dataclass
from pathlib import Path

from interpret import IDLE, Cycle, Interpreter

from romproof.isa.cpu import Cpu
from romproof.isa.model import Opcode, OpcodeVariant
from romproof.isa.sm83 import AFTER_PREFIX, sm83

FILE = Path(__file__).parents[1] / "golden" / "sm83.json.gz"
REGISTERS = ("pc", "sp", "a", "f", "b", "c", "d", "e", "h", "l", "ime", "mode")
FLAGS = (("zf", 7), ("nf", 6), ("hf", 5), ("cf", 4))
PREFIX = 0xCB

CASES_EACH = 8
TRIED = 160
EDGES = (0x00, 0x01, 0x0F, 0x10, 0x7F, 0x80, 0x99, 0x9A, 0xF0, 0xFE, 0xFF)
"""Bytes at which something carries over, more often than chance brings them."""


@dataclass(frozen=True)
class Case:
    """Registers before and after, in the order of REGISTERS, and the cycles on the bus: each
    [address, value, 1 for a read], [] when it is idle."""

    before: list[int]
    after: list[int]
    bus: list[list[int]]

    @property
    def flags_before(self) -> int:
        """The flag byte before."""
        return self.before[REGISTERS.index("f")]

    @property
    def flags_after(self) -> int:
        """The flag byte after."""
        return self.after[REGISTERS.index("f")]

    @property
    def memory(self) -> dict[int, int]:
        """The memory that the instruction finds."""
        memory: dict[int, int] = {}
        for address, value, read in filter(None, self.bus):
            memory.setdefault(address, value if read else 0)
        return memory


def load_cases() -> dict[int, list[Case]]:
    """The cases of FILE by the number of the microcode."""
    found = json.loads(gzip.decompress(FILE.read_bytes()))
    assert tuple(found["registers"]) == REGISTERS
    return {int(number, 16): [Case(*c) for c in cases] for number, cases in found["cases"].items()}


def instructions(cpu: Cpu) -> list[Opcode]:
    """All opcodes that are instructions."""
    return [o for o in cpu.opcodes if o.variant not in (OpcodeVariant.JAM, OpcodeVariant.PREFIX)]


def machine_with(cpu: Cpu, registers: list[int], memory: dict[int, int]) -> Interpreter:
    """A CPU with these values of REGISTERS."""
    named = dict(zip(REGISTERS, registers, strict=True))
    flags = named.pop("f")
    return Interpreter(cpu, named | {name: flags >> bit & 1 for name, bit in FLAGS}, memory)


def registers_of(machine: Interpreter) -> list[int]:
    """Its REGISTERS now."""
    flags = sum(machine.registers[name] << bit for name, bit in FLAGS)
    return [flags if name == "f" else machine.registers[name] for name in REGISTERS]


def bus_of(machine: Interpreter) -> list[list[int]]:
    """Its bus cycles so far."""
    return [_as_numbers(cycle) for cycle in machine.bus]


def _as_numbers(cycle: Cycle) -> list[int]:
    kind, address, value = cycle
    if cycle == IDLE or address is None or value is None:
        return []
    return [address, value, int(kind == "r")]


class _RandomMemory(dict[int, int]):
    """Memory that holds any bytes."""

    def __init__(self, chance: random.Random, known: dict[int, int]) -> None:
        super().__init__(known)
        self._chance = chance

    def __missing__(self, address: int) -> int:
        self[address] = _byte(self._chance)
        return self[address]


def _byte(chance: random.Random) -> int:
    return chance.choice(EDGES) if chance.random() < 0.4 else chance.randrange(256)


def _case(cpu: Cpu, number: int, chance: random.Random) -> Case:
    before = [_byte(chance) for _ in REGISTERS]
    before[0] = pc = chance.randrange(0x10000)
    before[1] = _byte(chance) << 8 | _byte(chance)
    before[REGISTERS.index("f")] &= 0xF0
    before[-2:] = [chance.randrange(2), 0]  # ime, mode
    code = [number] if number < AFTER_PREFIX else [PREFIX, number - AFTER_PREFIX]
    known = {pc + place & 0xFFFF: byte for place, byte in enumerate(code)}
    machine = machine_with(cpu, before, _RandomMemory(chance, known))
    machine.step()
    return Case(before, registers_of(machine), bus_of(machine))


def _different(cpu: Cpu, number: int) -> Iterator[Case]:
    """Cases of which as many as possible differ in flags, before or after, and in cycles."""
    chance = random.Random(number)
    tried = [_case(cpu, number, chance) for _ in range(TRIED)]
    seen: set[tuple[int, ...]] = set()
    later = []
    for case in tried:
        what: tuple[int, ...] = (case.flags_after, len(case.bus))
        if what in seen:
            later.append(case)
        else:
            seen.add(what)
            yield case
    for case in later:
        what = (case.flags_before, case.flags_after, len(case.bus))
        if what not in seen:
            seen.add(what)
            yield case
    yield from later


def make() -> None:
    """Write FILE."""
    cpu = sm83()
    cases = {}
    for number in (opcode.index for opcode in instructions(cpu)):
        found = _different(cpu, number)
        cases[f"{number:03x}"] = [astuple(next(found)) for _ in range(CASES_EACH)]
    text = json.dumps({"registers": REGISTERS, "cases": cases}, separators=(",", ":"))
    FILE.write_bytes(gzip.compress(text.encode(), mtime=0))


if __name__ == "__main__":
    make()
