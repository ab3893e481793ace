"""NES with random code in the banks of each mapper, on two engines: bank switches, NMI, IRQ of
sound, MMC3, MMC5, OAM DMA, the PPU. ``python tests/engine/nes_lockstep.py FIRST COUNT
RUNS`` executes COUNT cartridges with RUNS programs in each."""

from __future__ import annotations

import sys
from random import Random
from typing import Any

from romproof.engine.protocol import EngineFault
from romproof.machine.nes.machine import Nes

MAPPERS = (0, 1, 2, 3, 4, 7, 5)
RUNS = 10
WARM_UP, MISSES = 300, 8
_PRG, _BANK, _CODE = 0x8000, 0x2000, 0x180
"""Bytes of program, of the smallest bank, and of code in each bank."""
_JAMS = {0x02, 0x12, 0x22, 0x32, 0x42, 0x52, 0x62, 0x72, 0x92, 0xB2, 0xD2, 0xF2}
_JUMPS = {0x00, 0x20, 0x40, 0x4C, 0x60, 0x6C, 0x9A}
"""What leads away, or moves the stack: only where it is meant."""
_BYTES = [byte for byte in range(0x100) if byte not in _JAMS | _JUMPS]
_REGISTERS = (0x2000, 0x2001, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x4003, 0x4015, 0x4017)
_READ = (0x2002, 0x2004, 0x2007, 0x4015, 0x4016, 0x3FFA)
_MMC5_REGISTERS = (
    0x5000, 0x5003, 0x5015, 0x5100, 0x5101, 0x5102, 0x5103, 0x5104, 0x5105, 0x5106, 0x5113, 0x5114,
    0x5115, 0x5116, 0x5117, 0x5120, 0x512B, 0x5130, 0x5203, 0x5204, 0x5204, 0x5205, 0x5206, 0x5C10,
)  # fmt: skip
_MMC5_READ = (0x5015, 0x5204, 0x5204, 0x5205, 0x5206, 0x5C10, 0xFFFA)
_STORES = (0x8D, 0x8E, 0x8C)
_BACK = (0x10, 0x30, 0x50, 0x70, 0x90, 0xB0, 0xD0, 0xF0)


_STACK = bytes((0x80, 0xA0, 0xC0, 0xE0)[byte & 3] for byte in range(0x100))
"""Turns random bytes into addresses that ``rts`` finds code at."""


def _word(opcode: int, address: int) -> bytes:
    return bytes((opcode, address & 0xFF, address >> 8))


def _pieces(random: Random, mapper: int) -> bytes:
    """A few instructions that belong together."""
    if random.random() < 0.6:
        return bytes(random.choices(_BYTES, k=4))
    if mapper == 5 and random.random() < 0.5:
        if random.random() < 0.3:
            return _word(0xAD, random.choice(_MMC5_READ))
        value = random.choice((0x00, 0x01, 0x02, 0x05, 0x80, 0x83, random.randrange(0x100)))
        return bytes((0xA9, value)) + _word(0x8D, random.choice(_MMC5_REGISTERS))
    byte = random.randrange(0x100)
    place = random.choice((0x8000, 0xA000, 0xC000, 0xE000)) | random.randrange(_CODE)
    return random.choice(
        (
            bytes((0xA9, byte)) + _word(0x8D, random.choice(_REGISTERS)),
            _word(random.choice((0xAD, 0x2C, 0xAE)), random.choice(_READ)),
            _word(0x2C, 0x2002) + bytes((random.choice(_BACK), 0xFB)),  # waits, perhaps
            bytes((0xA9, 2)) + _word(0x8D, 0x4014),  # OAM DMA
            bytes((0xA9, byte)) + _word(random.choice(_STORES), 0x8000 | random.randrange(0x8000)),
            bytes((0xCA, random.choice((0xD0, 0xF0)), random.choice((0xFD, 2, 0xF0)))),
            _word(random.choice((0x20, 0x4C)), place),
            bytes((random.choice((0x60, 0x40, 0x58, 0x78, 0x48, 0x68)),)),
        )
    )


def cartridge(seed: int) -> bytes:
    """Its banks full of code; the mapper goes by the seed."""
    random = Random(seed)
    mapper = MAPPERS[seed % len(MAPPERS)]
    size = _PRG if mapper in (0, 3) else 2 * _PRG
    program = bytearray()
    while len(program) < size:
        bank = bytearray()
        while len(bank) < _CODE:
            bank += _pieces(random, mapper)
        program += bank.ljust(_BANK - 6, b"\x60")
        program += b"".join(
            (0x8000 | random.randrange(4) << 13 | random.randrange(_CODE)).to_bytes(2, "little")
            for _ in range(3)
        )
    flags = (mapper & 0x0F) << 4 | random.randrange(2)
    return b"NES\x1a" + bytes((size // 0x4000, 1, flags)) + bytes(9) + bytes(program) + bytes(_BANK)


class Subject:
    """One machine."""

    def __init__(self, rom: bytes, engine: str) -> None:
        self.machine = Nes(rom, engine, warm=True)
        inner: Any = self.machine.engine
        inner.warm_up, inner.many_misses = WARM_UP, MISSES
        self.fault = ""

    def begin(self, random: Random) -> None:
        """Another program."""
        machine, registers = self.machine, self.machine.registers
        machine.ram[:] = random.randbytes(len(machine.ram))
        machine.ram[0x100:0x200] = random.randbytes(0x100).translate(_STACK)
        for name in ("a", "x", "y"):
            setattr(registers, name, random.randrange(0x100))
        registers.s, registers.p = random.randrange(0x40, 0x100), random.choice((0x20, 0x24))
        registers.pc = 0x8000 | random.randrange(4) << 13 | random.randrange(_CODE)
        registers.interrupt = 0
        cycle = machine.cycles
        for address, values in (
            (0x2000, (0, 0x80, 0x88)),
            (0x2001, (0, 0x18)),
            (0x4017, (0, 0x40)),
        ):
            machine.space.write_call(address, random.choice(values), cycle)
        self.fault = ""

    def run(self, cycles: int) -> None:
        """Run on, unless there was a fault."""
        try:
            if not self.fault:
                self.machine.run((), cycles)
        except EngineFault as fault:
            self.fault = str(fault)

    def seen(self) -> Any:
        """All that must be the same."""
        machine, space = self.machine, self.machine.space
        ppu, engine = machine.ppu, machine.engine
        return (
            machine.registers.copy(),
            (engine.cycles, engine.instructions, self.fault),
            (bytes(space.signals), bytes(ppu), bytes(ppu.frames), bytes(machine.apu)),
            bytes(machine.memory.mapper),
            (bytes(ppu.oam), bytes(ppu.vram), bytes(ppu.palette), bytes(machine.controllers)),
            (space.read_pages.tobytes(), space.write_pages.tobytes(), bytes(space.store)),
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
        for _ in range(random.randint(2, 5)):
            cycles = random.choice((1, 5, 40, 200, 1000, 8000))
            for subject in subjects:
                subject.run(cycles)
            first, *others = (subject.seen() for subject in subjects)
            assert all(other == first for other in others), f"seed {seed}, run {run}"
    engine: Any = subjects[-1].machine.engine
    return getattr(engine, "translated_instructions", 0) / max(1, engine.instructions)


if __name__ == "__main__":
    for number in range(int(sys.argv[1]), int(sys.argv[1]) + int(sys.argv[2])):
        given = int(sys.argv[3]) if len(sys.argv) > 3 else RUNS
        print(number, f"{in_step(number, given):.2f}", flush=True)
