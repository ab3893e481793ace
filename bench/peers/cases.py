"""Single instructions for the scoreboard: state before, state after, and who says so.

What a model is asked is JSON: ``base``, all 64 KiB as hexadecimal digits, and ``cases``, each with
``before`` (registers) and ``ram`` (pairs of address and byte that lie over the base). It answers
with ``by``, its name and version, and ``results``, one for each case: ``after`` (registers) and
``written`` (pairs), or ``open``, why the model has no result.
"""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from romproof.engine.engines import make_engine
from romproof.isa.cpus import cpu_named
from romproof.isa.model import Opcode, OpcodeVariant

ROOT = Path(__file__).parents[2]
SILICON = ROOT / "tests/vectors/silicon-6502.json.gz"
REGISTERS: Mapping[str, tuple[str, ...]] = {
    "mos6502": ("a", "x", "y", "s", "p", "pc"),
    "sm83": ("a", "f", "b", "c", "d", "e", "h", "l", "sp", "pc", "ime"),
}
EDGES = (0x00, 0x00, 0x01, 0x0F, 0x10, 0x7F, 0x80, 0x99, 0x9A, 0xF0, 0xFE, 0xFF, 0xFF, 0xFF)
"""Bytes at which something carries over, more often than chance brings them."""
LONGEST = 3
_EDGE = 0.5
_SEED = 6502
_NO_FLAGS = 0x30
"""Bits of the 6502's flag byte that do not exist in the chip."""


@dataclass(frozen=True)
class Case:
    """An instruction with what it found and what it left. ``changed`` is all memory that is not
    as it was, by address. ``opcode`` is the index of its row."""

    opcode: int
    before: Mapping[str, int]
    ram: Mapping[int, int]
    after: Mapping[str, int]
    changed: Mapping[int, int]


def _byte(chance: random.Random) -> int:
    return chance.choice(EDGES) if chance.random() < _EDGE else chance.randrange(256)


def _base() -> bytes:
    chance = random.Random(_SEED)
    return bytes(_byte(chance) for _ in range(0x10000))


BASE = _base()
"""What lies in memory where a case says nothing."""


def documented(cpu: str) -> list[Opcode]:
    """Opcodes that the maker of the CPU has described; of the SM83 all that there are."""
    wanted = (OpcodeVariant.DOCUMENTED, OpcodeVariant.STOP)
    return [opcode for opcode in cpu_named(cpu).opcodes if opcode.variant in wanted]


def question(cases: Iterable[Case]) -> str:
    """What a model is asked."""
    asked = [{"before": dict(c.before), "ram": sorted(c.ram.items())} for c in cases]
    return json.dumps({"base": BASE.hex(), "cases": asked})


def silicon() -> Iterator[Case]:
    """The suite's cases of the documented opcodes, from a simulation of the 6502's transistors."""
    wanted = {opcode.byte for opcode in documented("mos6502")}
    for case in json.loads(gzip.decompress(SILICON.read_bytes())):
        if case["op"] in wanted:
            written = {address: value for address, value, read in case["cycles"] if not read}
            yield _case("mos6502", case["op"], case["initial"], written, case["final"])


def steps(folder: Path, each: int) -> Iterator[Case]:
    """The first cases of each opcode in the files of SingleStepTests/sm83, the folder v1.

    Of ``halt`` and ``stop`` they describe the waiting, too: left out.
    """
    for opcode in documented("sm83"):
        if opcode.mnemonic in ("halt", "stop"):
            continue
        name = f"{'cb ' if opcode.prefix else ''}{opcode.byte:02x}.json"
        for case in json.loads((folder / name).read_text("utf-8"))[:each]:
            yield _case("sm83", opcode.index, case["initial"], case["final"]["ram"], case["final"])


def _case(cpu: str, opcode: int, initial: Any, written: Any, final: Any) -> Case:
    ram = dict(initial["ram"])
    before, after = ({name: state[name] for name in REGISTERS[cpu]} for state in (initial, final))
    return Case(opcode, before, ram, after, changes(ram, dict(written)))


def changes(ram: Mapping[int, int], written: Mapping[int, int]) -> dict[int, int]:
    """What was written and was not there before; ``ram`` lies over the base."""
    return {at: value for at, value in written.items() if value != ram.get(at, BASE[at])}


def described(cpu: str, each: int) -> Iterator[Case]:
    """Random cases of every documented opcode, with the results that our description gives."""
    chance = random.Random(_SEED)
    asked = []
    for opcode in documented(cpu):
        for _ in range(each):
            before = _registers(cpu, chance)
            code = [*opcode.prefix, opcode.byte, *(_byte(chance) for _ in range(LONGEST))]
            ram = {before["pc"] + i: byte for i, byte in enumerate(code[:LONGEST])}
            asked.append(Case(opcode.index, before, ram, {}, {}))
    for case, result in zip(asked, results(cpu, asked), strict=True):
        changed = changes(case.ram, dict(result["written"]))
        yield replace(case, after=result["after"], changed=changed)


def results(cpu: str, cases: Iterable[Case]) -> list[dict[str, Any]]:
    """What our description, executed, makes of cases: in the form that a model answers in."""
    engine = make_engine("plain", cpu)
    ordinary = engine.registers.copy()
    engine.memory[:] = BASE
    found = []
    for case in cases:
        engine.registers.set(ordinary)
        for name, value in case.before.items():
            setattr(engine.registers, name, value)
        for address, value in case.ram.items():
            engine.memory[address] = value
        start = bytes(engine.memory)
        engine.step()
        after = {name: getattr(engine.registers, name) for name in case.before}
        found.append({"after": after, "written": _written(start, bytes(engine.memory))})
        engine.memory[:] = BASE
    return found


_BLOCK = 0x100


def _written(start: bytes, end: bytes) -> list[tuple[int, int]]:
    """The bytes that are not as they were."""
    found: list[tuple[int, int]] = []
    for block in range(0, len(start), _BLOCK):
        if start[block : block + _BLOCK] != end[block : block + _BLOCK]:
            places = range(block, block + _BLOCK)
            found += [(at, end[at]) for at in places if start[at] != end[at]]
    return found


def _registers(cpu: str, chance: random.Random) -> dict[str, int]:
    """Any values; no instruction lies across the end of memory."""
    found = {name: _byte(chance) for name in REGISTERS[cpu]}
    found["pc"] = chance.randrange(0x0200, 0xFF00)
    if cpu == "sm83":
        found |= {"sp": _byte(chance) << 8 | _byte(chance), "ime": chance.randrange(2)}
        found["f"] &= 0xF0
    else:
        found["p"] |= _NO_FLAGS
    return found
