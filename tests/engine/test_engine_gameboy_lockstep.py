"""Translated banks of a Game Boy do what ``plain`` does, cycle by cycle."""

from __future__ import annotations

from gameboy_lockstep import cartridge, in_step

from romproof.machine.gameboy.machine import GameBoy


def test_random_code_in_banks_in_lockstep() -> None:
    assert in_step(2, 12) > 0.01


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
