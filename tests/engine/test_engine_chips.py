"""Devices that are compiled do what the same text does in Python."""

from __future__ import annotations

from collections.abc import MutableSequence
from random import Random

import pytest

from romproof.engine.chips import Chip, fields, in_python
from romproof.engine.engines import make_engine
from romproof.engine.llvm.chips.compiled import compile_chips
from romproof.engine.llvm.chips.values import NotCompiled
from romproof.engine.space import NEVER, AddressSpace, Signals
from romproof.isa.cpus import cpu_named
from romproof.machine.gameboy.machine import GameBoy

_TABLE = (3, 1, 4, 1, 5, 9, 2, 6)
_SOME = frozenset({1, 2, 77})
_RANGE = range(10, 20)


@fields()
class Inner(Chip):
    """Something that another chip has."""

    count: int

    def __init__(self) -> None:
        self.limit = 5

    @property
    def rest(self) -> int:
        return self.limit - self.count

    def more(self, by: int = 1) -> int:
        self.count += by
        return self.count


@fields(words={"numbers": 4}, cells=8)
class Everything(Chip):
    """Each construct that devices may be written in."""

    total: int
    flag: bool
    numbers: MutableSequence[int]
    cells: MutableSequence[int]

    def __init__(self, signals: Signals) -> None:
        self._signals = signals
        self.inner = Inner()
        self.parts = (Inner(), Inner())
        self.heard: list[int] = []
        self.memory = bytearray(16)

    def read(self, address: int, cycle: int) -> int:
        kind = address & 7
        if kind == 0:
            return self.arithmetic(self.total, cycle)
        elif kind == 1:
            return self.loops(address)
        if kind == 2:
            return self.cells[cycle & 7] + self.memory[address & 15]
        one, other = divmod(self.total - 50, 7)
        if kind == 3:
            return one + other
        if kind == 4:
            one, other = self.pair(cycle)
            return one ^ other
        if kind == 5:
            return self.inner.rest if self.flag else self.inner.more(by=2)
        if kind == 6:
            return self.total in _SOME or self.total in _RANGE or not self.flag
        return self._heard(address, cycle) + min(self.total, 9, cycle) + max(3, self.total)

    def write(self, address: int, value: int, cycle: int) -> None:
        self.total = value
        self.flag = value & 1 == 0 and value > 2
        self.numbers[value & 3] = value << 33 | 1
        self.cells[value & 7] = value
        self.memory[4:8] = self.memory[0:4]
        self.memory[address & 3] ^= value
        for part in self.parts:
            part.more()
        if value == 0xEE:
            self._signals.requested |= 4

    def arithmetic(self, one: int, other: int) -> int:
        less = one - other
        a = less // 8 + less % 8 + (less >> 3) * 5 - (one << 2)
        a ^= _TABLE[less & 7] | (~one & 0x3C)
        b = -a if a > 10 else +1 * a
        return (b // (other + 1) + b % (other + 3)) & 0xFF

    def loops(self, address: int) -> int:
        found = 0
        for number in range(2, self.total & 0x1F, 3):
            if number == 8:
                continue
            if number > 20:
                break
            found += number
        while True:
            found -= 5
            if 0 <= found <= 3 or found < 0:
                break
        for place in range(4):
            found += self.numbers[place] >> 33
        assert address
        return found & 0xFF

    def pair(self, cycle: int) -> tuple[int, int]:
        if self.flag:
            return self.total, 7
        first: int = cycle & 0x0F
        return first, first or self.total

    @in_python
    def _heard(self, address: int, cycle: int) -> int:
        self.heard.append(address)
        return len(self.heard) & 1

    def due(self) -> int:
        return NEVER

    def advance(self, cycle: int) -> None:
        """Never."""


def _machine(engine: str) -> tuple[Everything, MutableSequence[int]]:
    """A CPU that reads and writes the device for ever, and what it read."""
    space = AddressSpace()
    device = Everything(space.use_signals())
    space.attach(0xFF00, 0xFF07, device)
    made = make_engine(engine, "sm83", space)
    random, place = Random(7), 0x100
    for number in range(400):
        port = random.randrange(8)
        if random.random() < 0.4:
            code = bytes((0x3E, random.randrange(256), 0xE0, port))  # ld a, n; ldh [port], a
        else:
            code = bytes((0xF0, port, 0xEA, number & 0xFF, 0xC0 + (number >> 8)))
        space.store[place : place + len(code)] = code
        place += len(code)
    made.registers.pc, made.registers.sp = 0x100, 0xDFFE
    made.run((place,), 100_000)
    return device, space.store[0xC000:0xC200] + bytes(device) + bytes(device.inner)


def test_every_construct_is_compiled_to_what_python_does() -> None:
    (one, plain), (other, compiled) = _machine("plain"), _machine("llvm")
    assert plain == compiled
    assert one.heard == other.heard
    assert one.memory == other.memory
    assert [bytes(part) for part in one.parts] == [bytes(part) for part in other.parts]


@fields()
class Wrong(Chip):
    """Uses what cannot be compiled."""

    def read(self, address: int, cycle: int) -> int:
        return sum(n for n in range(address))

    def write(self, address: int, value: int, cycle: int) -> None:
        """Nothing."""


def test_what_cannot_be_compiled_is_named() -> None:
    space = AddressSpace()
    space.attach(0, 0, Wrong())
    with pytest.raises(NotCompiled, match=r"Wrong\.read: "):
        compile_chips(cpu_named("sm83"), space, "interrupt")


class Logged:
    """A device in Python, as a test attaches one."""

    def __init__(self) -> None:
        self.seen: list[tuple[int, int]] = []

    def read(self, address: int, cycle: int) -> int:
        self.seen.append((address, cycle))
        return 0x42

    def write(self, address: int, value: int, cycle: int) -> None:
        self.seen.append((value, cycle))


@pytest.mark.parametrize("engine", ["llvm", "recompiled"])
def test_a_device_of_a_test_hides_a_compiled_one(engine: str) -> None:
    rom = bytearray(0x8000)
    code = bytes.fromhex("f044 e045 f005 18f8")  # LY, LYC, TIMA, again
    rom[0x150 : 0x150 + len(code)] = code
    rom[0x100:0x104] = bytes.fromhex("00c35001")
    seen = []
    for name in ("plain", engine):
        machine, device = GameBoy(bytes(rom), name), Logged()
        machine.run(500)
        machine.memory.space.attach(0xFF44, 0xFF45, device)
        machine.run(500)
        machine.memory.space.detach(device)
        machine.run(500)
        seen.append((device.seen, machine.registers.copy(), machine.cycles))
    assert seen[0] == seen[1]
    assert len(seen[0][0]) > 50


@pytest.mark.slow_cases("llvm")
@pytest.mark.parametrize("engine", ["llvm", "recompiled"])
def test_loops_that_poll_end_in_the_same_cycle(engine: str) -> None:
    rom = bytearray(0x8000)
    code = bytes.fromhex(
        "f044 fe90 20fa"  # LY = $90
        "f041 e603 20fa"  # mode 0
        "f004 b7 28fb"  # DIV not 0
        "fa41ff cb4f 20f9"  # bit 1 of STAT
        "f00f e601 28fa afe00f 18e2"  # IF: VBlank
    )
    rom[0x150 : 0x150 + len(code)] = code
    rom[0x100:0x104] = bytes.fromhex("00c35001")
    machines = [GameBoy(bytes(rom), name) for name in ("plain", engine)]
    for cycles in (1, 17_000, 3, 555, 40_000, 70_000):
        for machine in machines:
            machine.run(cycles)
        one, other = machines
        assert one.registers == other.registers
        assert (one.cycles, one.engine.instructions) == (other.cycles, other.engine.instructions)
