"""NES images made here, and machines with code in RAM."""

from __future__ import annotations

from typing import Any

from romproof.machine.nes.machine import Nes

START = 0x0200
CODE = START


def image(
    mapper: int = 0,
    prg: int = 2,
    chr: int = 1,
    flags: int = 0,
    submapper: int | None = None,
    vectors: bytes = bytes.fromhex("00 03 00 02 00 04"),
    timing: int = 0,
) -> bytes:
    """A file with ``prg`` units of 16 KiB and ``chr`` of 8 KiB.

    Each 8 KiB of program is filled with its number, with vectors at its end: NMI to $0300, reset
    to $0200, IRQ to $0400. Each 1 KiB of graphics is filled with its number. NES 2.0 when a
    submapper is given.
    """
    header = bytearray(b"NES\x1a") + bytes([prg, chr, (mapper & 15) << 4 | flags, mapper & 0xF0])
    header += bytes(8)
    if submapper is not None:
        header[7] |= 0x08
        header[8] = submapper << 4
        header[10] = 0x07
        header[11] = 0 if chr else 0x07
        header[12] = timing
    rom = b"".join(bytes([bank]) * (0x2000 - 6) + vectors for bank in range(2 * prg))
    return bytes(header) + rom + b"".join(bytes([bank & 0xFF]) * 0x400 for bank in range(8 * chr))


def nes_with(code: str, engine: str = "plain", rom: bytes | None = None, **options: Any) -> Nes:
    """A warm machine with code (hexadecimal) at $0200, where it begins; handlers only return."""
    machine = Nes(image() if rom is None else rom, engine, **{"warm": True, **options})
    put(machine, START, code)
    put(machine, 0x300, "40")
    put(machine, 0x400, "40")
    machine.registers.pc = START
    return machine


def put(machine: Nes, address: int, code: str) -> None:
    """Code in RAM."""
    for place, byte in enumerate(bytes.fromhex(code), address):
        machine.poke(place, byte)


def run_to(machine: Nes, address: int, limit: int = 1_000_000) -> int:
    """Run to an address; the cycles it took."""
    before = machine.cycles
    stop = machine.run((address,), limit)
    assert stop.value == "reached", stop
    return machine.cycles - before


def after(code: str, **options: Any) -> Nes:
    """The machine after code, which is executed once."""
    machine = nes_with(code, **options)
    run_to(machine, START + len(bytes.fromhex(code)))
    return machine
