"""Game Boys with random code in their banks, on two engines: bank switches, timer and LCD
interrupts, ``halt``, OAM DMA. ``python tests/engine/gameboy_lockstep.py FIRST COUNT`` runs many."""

from __future__ import annotations

import sys
from random import Random
from typing import Any

from romproof.engine.protocol import EngineFault
from romproof.machine.gameboy.machine import GameBoy

BANKS = 8
RUNS = 25
"""Programs in one cartridge: each begins somewhere, with other registers and devices."""
WARM_UP, MISSES = 300, 8
_BANK = 0x4000
_NO_CODE = {0x10, 0xD3, 0xDB, 0xDD, 0xE3, 0xE4, 0xEB, 0xEC, 0xED, 0xF4, 0xFC, 0xFD}
"""``stop``, and the opcodes that lock up the CPU."""
_JUMPS = {first + 8 * n for first in (0xC0, 0xC2, 0xC4) for n in range(4)} | {
    0x76,
    0xC3,
    0xE9,
    0xCD,
}
_JUMPS |= {0x76, 0xC3, 0xE9, 0xCD, *range(0xC7, 0x100, 8), 0xC9, 0xD9, 0xE8, 0xF9, 0x31, 0x33, 0x3B}
"""What leads away, or moves the stack: only where it is meant."""
_BYTES = [byte for byte in range(0x100) if byte not in _NO_CODE | _JUMPS]
_CODE = 0x300
"""Bytes of code in a bank; the rest are ``ret``."""
_HIGH = (1, 2, 0x40, 0x41, 0x42)
"""The high bytes of addresses there."""
_TO_ROM = bytes(_HIGH[byte % len(_HIGH)] for byte in range(0x100))
_REGISTERS = ("a", "f", "b", "c", "d", "e", "h", "l")


def _pieces(random: Random) -> bytes:
    """A few instructions that belong together."""
    if random.random() < 0.7:
        return bytes(random.choices(_BYTES, k=4))
    if random.random() < 0.02:
        return random.choice((b"\xfb\x76", b"\x76\x00"))  # halt, with interrupts or as they are
    byte, near = random.randrange(0x100), random.choice((2, 0xFE, 0xF0, 8, 0xE8))
    return random.choice(
        (
            bytes((0x3E, byte % BANKS, 0xEA, 0x00, 0x20)),  # ld a, bank; ld [$2000], a
            bytes((0x3E, byte, 0xE0, random.choice((0x05, 0x06, 0x07, 0x41, 0x45, 0x43)))),
            bytes((0x3E, byte & 0x1F, 0xE0, 0xFF)),  # ldh [rIE], a
            bytes((0x3E, 0xC0 | byte & 0x1F, 0xE0, 0x46)),  # OAM DMA
            bytes((0xF0, random.choice((0x04, 0x05, 0x0F, 0x41, 0x44)))),
            bytes((0xFB,)), bytes((0xF3,)),
            bytes((0x0D, 0x20, near)), bytes((0x18, near)), bytes((0x28, near)),
            bytes((0xCD, byte, random.choice(_HIGH))),  # call
            bytes((0xC3, byte, random.choice(_HIGH))),  # jp
            bytes((0xC9,)), bytes((0xD9,)), bytes((0xC5,)), bytes((0xE1,)),
            bytes((0x21, byte, random.randrange(0xC0, 0xE0), 0x34)),  # ld hl, n; inc [hl]
        )
    )  # fmt: skip


def cartridge(seed: int) -> bytes:
    """MBC5 without RAM, its banks full of code."""
    random, rom = Random(seed), bytearray()
    for _ in range(BANKS):
        bank = bytearray()
        while len(bank) < _CODE:
            bank += _pieces(random)
        rom += bank.ljust(_BANK, b"\xc9")
    for handler in range(0x40, 0x68, 8):
        rom[handler : handler + 8] = random.choice(
            (bytes.fromhex("f5f041f1d9000000"), bytes.fromhex("d900000000000000"), rom[:8])
        )
    rom[0x147:0x14A] = bytes((0x19, 2, 0))
    rom[0x14D] = -sum(byte + 1 for byte in rom[0x134:0x14D]) & 0xFF
    return bytes(rom)


class Subject:
    """One machine."""

    def __init__(self, rom: bytes, engine: str) -> None:
        self.machine = GameBoy(rom, engine)
        inner: Any = self.machine.engine
        inner.warm_up, inner.many_misses = WARM_UP, MISSES
        self.fault = ""

    def begin(self, random: Random) -> None:
        """Another program."""
        registers, space = self.machine.registers, self.machine.memory.space
        stack = range(space.read_pages[0xC8], space.read_pages[0xC8] + 0x1800)
        space.store[stack.start : stack.stop] = random.randbytes(0x1800).translate(_TO_ROM)
        for name in _REGISTERS:
            setattr(registers, name, random.randrange(0x100) & (0xF0 if name == "f" else 0xFF))
        registers.pc, registers.sp = (
            random.choice(_HIGH) << 8 | random.randrange(0x80),
            random.randrange(0xC800, 0xDFF0),
        )
        registers.ime, registers.mode, self.machine.stopped = random.randrange(2), 0, False
        cycle = self.machine.cycles
        for address, values in (
            (0xFF06, range(0x100)), (0xFF07, (0, 4, 5, 5, 6, 7)), (0xFFFF, range(0x20)),
            (0xFF40, (0x91, 0x91, 0x11)), (0xFF41, range(0, 0x80, 8)), (0xFF45, range(154)),
            (0x2000, range(BANKS)),
        ):  # fmt: skip
            space.write_call(address, random.choice(values), cycle)
        self.fault = ""

    def run(self, cycles: int) -> None:
        """Run on, unless there was a fault."""
        try:
            if not self.fault:
                self.machine.run(cycles)
        except EngineFault as fault:
            self.fault = str(fault)

    def seen(self) -> Any:
        """All that must be the same."""
        machine, space = self.machine, self.machine.memory.space
        pages = space.read_pages.tobytes() + space.write_pages.tobytes()
        engine, signals = machine.engine, space.signals
        lines = (signals.enabled, signals.requested, space.horizon)
        registers = machine.registers.copy()
        return (
            registers,
            engine.cycles,
            engine.instructions,
            lines,
            pages,
            bytes(space.store),
            self.fault,
        )


def in_step(
    seed: int, runs: int = RUNS, engines: tuple[str, ...] = ("plain", "recompiled")
) -> float:
    """AssertionError where the engines differ; the share of instructions that were translated."""
    rom = cartridge(seed)
    subjects = [Subject(rom, engine) for engine in engines]
    for run in range(runs):
        for subject in subjects:
            subject.begin(Random(f"{seed} {run}"))
        random = Random(f"{seed} {run} limits")
        for _ in range(random.randint(2, 6)):
            cycles = random.choice((1, 5, 40, 200, 1000))
            for subject in subjects:
                subject.run(cycles)
            first, *others = (subject.seen() for subject in subjects)
            assert all(other == first for other in others), f"seed {seed}, run {run}"
    engine: Any = subjects[-1].machine.engine
    return engine.translated_instructions / max(1, engine.instructions)


if __name__ == "__main__":
    for number in range(int(sys.argv[1]), int(sys.argv[1]) + int(sys.argv[2])):
        print(
            number,
            f"{in_step(number, int(sys.argv[3]) if len(sys.argv) > 3 else RUNS):.2f}",
            flush=True,
        )
