"""A first test of a program: something that it does now, found by doing it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from romproof.contract.nouns.items import MemoryRange
from romproof.contract.nouns.model import INTERRUPT, Contract
from romproof.formats.layout import FLAT, GAME_BOY, NES
from romproof.harness.errors import CallFault
from romproof.harness.rom import Rom
from romproof.harness.state.values import GivenValue
from romproof.isa.abi import Flag, Register
from romproof.text.errors import RomproofError

_FRAMES = (60, 300)
"""Frames after which a picture may be there, at the earliest first."""
_CODE = {NES: [range(0x8000, 0x10000)], GAME_BOY: [range(0x8000)]}
"""Where the code of a cartridge is, as a rule."""
_CONTRACTS = 20
"""Contracts that are tried."""
_ROUTINES = 60
"""Public labels that are tried as routines."""
_LIMIT = 100_000
"""Cycles of a first call."""


@dataclass(frozen=True, slots=True)
class FirstTest:
    """A test function's name and body; ``says`` is what it shows, for people."""

    name: str
    body: tuple[str, ...]
    says: str

    @property
    def text(self) -> str:
        """The function."""
        return "\n".join([f"def {self.name}(rom):", *(f"    {line}" for line in self.body)]) + "\n"


def find_tests(rom: Rom) -> list[FirstTest]:
    """Tests that pass: the program runs for some frames, a routine keeps its contract; else that a
    routine takes its cycles, or that the program has its size.

    Raises CallFault where the program cannot run for so long.
    """
    booted = _boot(rom)
    found = [test for test in (booted, _call(rom)) if test is not None and _passes(test, rom)]
    return found or find_calls(rom) or [_measure(rom)]


def find_calls(rom: Rom) -> list[FirstTest]:
    """A test that calls a routine, if one comes back; one with a contract where that is."""
    with_contract = _call(rom)
    if with_contract is not None and _passes(with_contract, rom):
        return [with_contract]
    others = (test for test in _call_without_contract(rom) if _passes(test, rom))
    return list(islice(others, 1))


def _passes(test: FirstTest, rom: Rom) -> bool:
    """Whether the very text of the test passes."""
    names: dict[str, Any] = {}
    exec(compile(test.text, test.name, "exec"), names)
    try:
        names[test.name](rom)
    except (RomproofError, AssertionError):
        return False
    return True


def _call_without_contract(rom: Rom) -> Iterator[FirstTest]:
    """Calls of public routines that come back without being given anything."""
    names = [
        symbol.name
        for symbol in rom.image.symbols
        if symbol.is_label and symbol.exported and symbol.name.isidentifier()
    ]
    for name in names[:_ROUTINES]:
        try:
            result = rom.call(name, limit=_LIMIT)
        except RomproofError:
            continue
        yield FirstTest(f"test_{name.lower()}", (
            f'result = rom.call("{name}")',
            f"assert result.cycles == {result.cycles}  # as it is today",
        ), f"calls {name}, which takes {result.cycles:,} cycles")  # fmt: skip


def _measure(rom: Rom) -> FirstTest:
    size = sum(len(block.data) for block in rom.image.blocks)
    return FirstTest("test_it_has_its_size", (
        f"assert sum(len(block.data) for block in rom.image.blocks) == {size}  # as it is today",
    ), f"is loaded, {size:,} bytes; no routine comes back that is given nothing")  # fmt: skip


def _boot(rom: Rom) -> FirstTest | None:
    if rom.machine_name == FLAT:
        return None
    machine = rom.machine()
    log = machine.watch(0x2001, reads=False) if rom.machine_name == NES else None
    done = 0
    for frames in _FRAMES:
        machine.run_frames(frames - done)
        done = frames
        if log is not None and any(value & 0x18 for _, value in log.writes):
            return FirstTest("test_it_shows_a_picture", (
                "machine = rom.machine()",
                "ppu_mask = machine.watch(0x2001, reads=False)",
                f"machine.run_frames({frames})",
                "assert any(value & 0x18 for _, value in ppu_mask.writes)  # the picture is on",
            ), f"runs {frames} frames: the picture is switched on")  # fmt: skip
        if rom.machine_name == GAME_BOY and machine.read("rLCDC", 1)[0] & 0x80:
            return FirstTest("test_it_shows_a_picture", (
                "machine = rom.machine()",
                f"machine.run_frames({frames})",
                'assert machine.read("rLCDC", 1)[0] & 0x80  # the picture is on',
            ), f"runs {frames} frames: the picture is on")  # fmt: skip
    return _stay(rom, machine.registers.pc)


def _stay(rom: Rom, pc: int) -> FirstTest | None:
    """That the program is where it may be; None for one that is elsewhere."""
    blocks = [range(block.address, block.address + len(block.data)) for block in rom.image.blocks]
    code = _CODE.get(rom.machine_name, blocks)
    here = next((addresses for addresses in code if pc in addresses), None)
    if here is None:
        return None
    return FirstTest("test_it_runs", (
        "machine = rom.machine()",
        f"machine.run_frames({_FRAMES[-1]})",
        f"assert machine.registers.pc in range(0x{here.start:04X}, 0x{here.stop:04X})",
    ), f"runs {_FRAMES[-1]} frames, and is in its own code then")  # fmt: skip


def _call(rom: Rom) -> FirstTest | None:
    """A call of the first routine with a contract whose inputs may be 0 or 1."""
    for name, contract in islice(_plain_contracts(rom), _CONTRACTS):
        for value in (0, 1):
            memory: dict[str | int, GivenValue] = {
                item.name: value for item in contract.inputs if isinstance(item, MemoryRange)
            }
            registers: dict[str, Any] = {
                item.name.lower(): value for item in contract.inputs if isinstance(item, Register)
            }
            flags = {item.letter: value for item in contract.inputs if isinstance(item, Flag)}
            try:
                result = rom.call(name, mem=memory, flags=flags, limit=_LIMIT, **registers)
            except (RomproofError, TypeError):
                continue
            given = [f"{register}={number}" for register, number in registers.items()]
            if flags:
                given.append(f"flags={json.dumps(flags)}")
            if memory:
                given.append(f"mem={json.dumps(memory)}")
            arguments = "".join(f", {each}" for each in given)
            word = "".join(c if c.isalnum() else "_" for c in name).lower().strip("_")
            return FirstTest(f"test_{word}", (
                f'result = rom.call("{name}"{arguments})  # checked against its contract',
                f"assert result.cycles == {result.cycles}",
            ), f"calls {name} and checks its contract")  # fmt: skip
    return None


def _plain_contracts(rom: Rom) -> Iterator[tuple[str, Contract]]:
    """Contracts of routines that need nothing but registers and variables."""
    for name, contract in rom.readable.items():
        if contract.kind != INTERRUPT and not contract.pointers and not contract.volatile:
            yield name, contract


def checks_for(fault: CallFault) -> Mapping[str, str]:
    """The level of the check that refused something, at which it is told and goes on."""
    from romproof.engine.protocol import FaultKind

    return {
        FaultKind.ROM_WRITE: {"rom_writes": "warn"},
        FaultKind.STACK_OVERFLOW: {"stack": "warn"},
        FaultKind.STACK_UNDERFLOW: {"stack": "warn"},
    }.get(fault.kind, {})
