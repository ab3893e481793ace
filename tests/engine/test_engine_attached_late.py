"""A device that another one attaches in the middle of a run is asked at once, by every engine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from romproof.engine.engines import ENGINES, make_engine
from romproof.engine.registers import Registers
from romproof.engine.space import NEVER, WRITE_CALL, AddressSpace
from romproof.machine.gameboy.machine import GameBoy
from romproof.toolchains.rgbds.fix.header_fields import ROM_BANK

USABLE = [name for name, row in ENGINES.items() if row.refusal("mos6502") is None]
SLOW = dict.fromkeys(("llvm", "recompiled"), pytest.mark.slow)
USABLE_SM83 = [name for name, row in ENGINES.items() if row.refusal("sm83") is None]
PROGRAM = bytes.fromhex(
    "a064"  # 8000 ldy #100
    "c032"  # 8002 cpy #50
    "d003"  # 8004 bne 8009
    "8d0050"  # 8006 sta $5000
    "a200"  # 8009 ldx #0
    "ad0060"  # 800b lda $6000
    "f006"  # 800e beq 8016
    "e611"  # 8010 inc $11
    "d002"  # 8012 bne 8016
    "e612"  # 8014 inc $12
    "ca"  # 8016 dex
    "d0f2"  # 8017 bne 800b
    "88"  # 8019 dey
    "d0e6"  # 801a bne 8002
    "4c1c80"  # 801c jmp 801c
)
END = 0x801C
READS = 50 * 256
"""From Y = 50 on, 256 times in each round."""


class One:
    """Brings 1."""

    def __init__(self) -> None:
        self.reads = 0

    def read(self, address: int, cycle: int) -> int:
        self.reads += 1
        return 1

    def write(self, address: int, value: int, cycle: int) -> None:
        pass


@dataclass
class Attaches:
    """Attaches a device when it is written to, or when its time has come."""

    space: AddressSpace
    device: One
    address: int
    at: int = NEVER

    def read(self, address: int, cycle: int) -> int:
        return 0

    def write(self, address: int, value: int, cycle: int) -> None:
        self.space.attach(self.address, self.address, self.device)

    def due(self) -> int:
        return self.at

    def advance(self, cycle: int) -> None:
        self.at = NEVER
        self.space.attach(self.address, self.address, self.device)


def _engine(name: str, space: AddressSpace) -> Any:
    engine = make_engine(name, "mos6502", space)
    if hasattr(engine, "warm_up"):
        engine.warm_up = 100
    space.store[0x8000 : 0x8000 + len(PROGRAM)] = PROGRAM
    engine.registers.set(Registers(0, 0, 0, 0xFD, 0x24, 0x8000))
    return engine


# compiled engines compile two variants for these, which takes seconds; those of the last test are
# in use elsewhere as well
@pytest.mark.slow_cases("plain")
@pytest.mark.parametrize("name", [pytest.param(n, marks=SLOW.get(n, ())) for n in USABLE])
def test_attached_by_a_device(name: str) -> None:
    """The first device is only asked for writes: nothing looked at reads so far."""
    space, device = AddressSpace(), One()
    space.attach(0x5000, 0x5000, Attaches(space, device, 0x6000), WRITE_CALL)
    engine = _engine(name, space)
    engine.run({END}, 2_000_000)
    assert device.reads == READS
    assert space.store[0x11] + 256 * space.store[0x12] == READS


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=SLOW.get(n, ())) for n in USABLE if n != "py65"]
)
def test_attached_by_a_clock(name: str) -> None:
    space, device = AddressSpace(), One()
    space.attach_clock(Attaches(space, device, 0x6000, at=30_000))
    engine = _engine(name, space)
    engine.run({END}, 2_000_000)
    counts = space.store[0x11] + 256 * space.store[0x12]
    assert device.reads == counts
    # a round of the inner loop takes 4 + 3 + 2 + 3 cycles while it reads 0
    assert 100 * 256 - 30_000 // 12 - 5 <= device.reads <= 100 * 256 - 30_000 // 13 + 5


@pytest.mark.quick_cases("llvm")
@pytest.mark.parametrize("name", USABLE_SM83)
def test_in_banked_memory(name: str) -> None:
    rom = bytearray(2 * ROM_BANK)
    code = bytes.fromhex(
        "0664"  # 0150 ld b, 100
        "78"  # 0152 ld a, b
        "fe32"  # 0153 cp 50
        "2003"  # 0155 jr nz, 015a
        "ea00c0"  # 0157 ld [$c000], a
        "0e00"  # 015a ld c, 0
        "fa00c1"  # 015c ld a, [$c100]
        "b7"  # 015f or a
        "2801"  # 0160 jr z, 0163
        "13"  # 0162 inc de
        "0d"  # 0163 dec c
        "20f6"  # 0164 jr nz, 015c
        "05"  # 0166 dec b
        "20e9"  # 0167 jr nz, 0152
        "18fe"  # 0169 jr 0169
    )
    rom[0x150 : 0x150 + len(code)] = code
    rom[0x147] = 1  # MBC1
    machine = GameBoy(bytes(rom), name, fill=0)
    space, device = machine.memory.space, One()
    space.attach(0xC000, 0xC000, Attaches(space, device, 0xC100), WRITE_CALL)
    if hasattr(machine.engine, "warm_up"):
        machine.engine.warm_up = 100
    registers = machine.registers
    registers.pc, registers.d, registers.e = 0x150, 0, 0
    machine.run(2_000_000, {0x169})
    assert device.reads == READS
    assert machine.registers.d * 256 + machine.registers.e == READS
