"""Translated banks of a Game Boy do what ``plain`` does, cycle by cycle."""

from __future__ import annotations

from typing import Any

import pytest
from gameboy_lockstep import cartridge, in_step

from romproof.machine.gameboy.machine import GameBoy


@pytest.mark.slow
def test_random_code_in_banks_in_lockstep() -> None:
    assert in_step(2, 12) > 0.01


@pytest.mark.slow
def test_translated_code_meets_oam_dma_on_its_bus() -> None:
    # in the last of these runs code in a bank starts the copy and goes on to translated code,
    # which fetches nothing: the bytes that are copied have to be executed in its place
    assert in_step(100, 13) > 0.01


def test_a_change_of_rom_between_runs_is_noticed() -> None:
    rom = bytearray(cartridge(1))
    rom[0x150:0x155] = bytes.fromhex("3e013c18fd")  # ld a, 1; inc a; jr to that
    machines = [GameBoy(bytes(rom), engine) for engine in ("plain", "recompiled")]
    machines[1].engine.warm_up = 50  # type: ignore[attr-defined]
    for opcode in (0x3C, 0x3D, 0x04):  # inc a, dec a, inc b
        for machine in machines:
            machine.memory.space.store[0x152] = opcode
            machine.registers.pc, machine.registers.ime = 0x150, 0
            machine.run(2000)
        assert machines[0].registers == machines[1].registers
        assert machines[0].cycles == machines[1].cycles
    assert machines[1].engine.translated_instructions > 1000  # type: ignore[attr-defined]


def test_what_a_handler_returns_to_is_no_place_to_begin_at() -> None:
    rom = bytearray(0x8000)
    rom[0x50] = 0xD9  # the timer's handler: reti
    start = bytes.fromhex("3e05e007 3e04e0ff 3ee5e006 fb")  # TAC, IE, TMA; ei
    rom[0x100 : 0x100 + len(start) + 3] = start + bytes.fromhex("c35001")
    rom[0x150:0x15A] = bytes.fromhex("00 3c 04 0c 14 1c 24 2c 18f6")  # inc of all; jr to $150
    machine = GameBoy(bytes(rom), "recompiled")
    engine: Any = machine.engine
    engine.warm_up = 20_000
    machine.run(100_000)
    heads = {head for unit in engine._units.units.values() for head, _ in unit.heads}
    assert 0x150 in heads
    assert len(heads & set(range(0x151, 0x15A))) <= 1  # where warming up ended
    assert engine.translated_instructions > 0.5 * engine.instructions
