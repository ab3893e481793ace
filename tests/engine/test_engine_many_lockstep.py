"""Translated code that asks devices does what ``plain`` does, under interrupts; a slice of what
``tests/fuzz/fuzz_lockstep.py`` runs."""

from __future__ import annotations

from typing import Any

import pytest
from many_lockstep import in_step

from romproof.machine.gameboy.machine import GameBoy
from romproof.machine.nes.machine import Nes


@pytest.mark.slow_cases("gameboy-1-recompiled", "nes-4-recompiled0")
@pytest.mark.parametrize(
    ("kind", "seed", "engine"),
    [
        ("gameboy", 1, "recompiled"),
        ("gameboy", 2, "llvm"),
        ("nes", 4, "recompiled"),
        *(
            pytest.param("nes", seed, engine, marks=pytest.mark.proof)
            for seed in range(6)
            for engine in ("llvm", "recompiled")
        ),
    ],
)
def test_programs_of_a_cartridge_in_lockstep(kind: str, seed: int, engine: str) -> None:
    counted = in_step(kind, seed, range(3, 96, 24), engine)
    assert counted.programs == 4
    assert counted.instructions > 1000  # all of them executed something
    assert counted.translated > 0.2 * counted.instructions or engine == "llvm"


def _game_boy(code: str, name: str, **registers: int) -> GameBoy:
    rom = bytearray(b"\xc9" * 0x8000)
    rom[0x50:0x58] = bytes.fromhex("f5f1d90000000000")  # push af; pop af; reti
    rom[0x150 : 0x150 + len(bytes.fromhex(code))] = bytes.fromhex(code)
    rom[0x147:0x14A] = bytes(3)
    machine = GameBoy(bytes(rom), name)
    engine: Any = machine.engine
    engine.warm_up = 3000
    for register, value in {"pc": 0x150, "sp": 0xDF00, "ime": 1, **registers}.items():
        setattr(machine.registers, register, value)
    return machine


def _same(machines: list[GameBoy], cycles: int) -> None:
    for machine in machines:
        machine.run(cycles)
    one, other = machines
    assert one.registers == other.registers
    assert one.cycles == other.cycles
    assert one.engine.instructions == other.engine.instructions
    assert bytes(one.memory.space.store) == bytes(other.memory.space.store)


@pytest.mark.parametrize("engine", ["llvm", "recompiled"])
def test_an_interrupt_among_the_first_iteration_of_a_loop_that_waits(engine: str) -> None:
    # what the handler pushes are the flags of the loop: those that the first read finds are other
    code = (
        "3e05e007 3ec0e006 3e04e0ff"  # a timer interrupt in 256 cycles
        "37 3d 04"  # other flags, again and again at another time
        "f041 e680 28fa"  # waits for a bit of STAT that is always set
        "f00f e608 20fa"  # and until one of IF is clear, which it is
        "f041 e603 20fa"
        "18ec"
    )
    machines = [_game_boy(code, name) for name in ("plain", engine)]
    for _ in range(12):
        _same(machines, 611)


def test_translated_code_asks_devices_in_place() -> None:
    code = (
        "210098"  # hl = VRAM
        "f041 77 2c f044 86 57 f004 82 e042 34 18f3"  # STAT, LY, DIV, SCY, [hl]
    )
    machines = [_game_boy(code, name) for name in ("plain", "recompiled")]
    for cycles in (4000, 1, 17, 20_000, 9000):
        _same(machines, cycles)
    engine: Any = machines[1].engine
    assert engine.translated_instructions > 0.7 * (engine.instructions - 3000)


def test_a_run_ends_behind_what_a_device_has_taken() -> None:
    program = bytearray(b"\xea" * 0x8000)
    code = bytes.fromhex("a906 8d1440 e8 e8 4c0080")  # OAM DMA; inx; inx
    program[: len(code)] = code
    program[0x7FFC:0x7FFE] = b"\x00\x80"
    image = b"NES\x1a\x02\x01" + bytes(10) + bytes(program) + bytes(0x2000)
    machines = [Nes(image, name, warm=True) for name in ("plain", "recompiled")]
    tested: Any = machines[1].engine
    tested.warm_up = 2000
    for cycles in (4000, 100, 7, 513, 514, 515, 3, 200, 2000):
        for machine in machines:
            machine.run((), cycles)
        assert machines[0].registers == machines[1].registers
        assert machines[0].cycles == machines[1].cycles
    assert tested.translated_instructions > 10


def test_a_device_that_comes_and_goes_is_translated_for_once() -> None:
    # OAM DMA from ROM: as long as it copies, reads and fetches bring its bytes, which are nop here
    code = "3ec1 e046" + "00" * 200 + "0620 3c 05 20fc c35001"
    machines = [_game_boy(code, name) for name in ("plain", "recompiled")]
    for machine in machines:
        machine.memory.space.store[-0x2000:] = bytes(0x2000)
        page = machine.memory.space.write_pages[0xC1]
        machine.memory.space.store[page : page + 0x100] = bytes(0x100)
    _same(machines, 6000)
    tested: Any = machines[1].engine
    made = tested.translations
    for _ in range(10):
        _same(machines, 997)
    assert tested.translations <= made + 1
    assert tested.translated_instructions > 100
