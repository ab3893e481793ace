"""The SM83 against an independent emulator, PyBoy: results and times of all instructions.

Both run the same Game Boy ROMs, which write what came of each instruction to RAM.
"""

from __future__ import annotations

import io
import random
import warnings
from importlib import import_module
from importlib.util import find_spec

import pytest
from sm83_pieces import (
    DONE,
    FINISHED,
    HIGH_RAM,
    IE,
    RAM,
    RAM_END,
    SCRATCH,
    SCRATCH_SIZE,
    TESTED,
    TIMER_PERIOD,
    Cartridge,
    cartridges,
)
from sm83_trials import REPEATED, effects, timing_of_nothing, timings

from romproof.machine.gameboy.lcd import FRAME
from romproof.machine.gameboy.machine import GameBoy

pytestmark = pytest.mark.skipif(
    find_spec("pyboy") is None, reason="PyBoy is not installed: pip install pyboy"
)
SEED = 83
TIMES = 40
"""How often each opcode is tried."""
FRAMES = 600
"""More than PyBoy needs for its boot ROM and any of our ROMs."""


def ram_of_pyboy(cartridge: Cartridge) -> bytes:
    """The RAM, with HIGH_RAM behind it, after PyBoy ran a ROM to its end."""
    with warnings.catch_warnings(action="ignore"):  # it tells where its SDL2 comes from
        pyboy = import_module("pyboy")
    player = pyboy.PyBoy(
        io.BytesIO(cartridge.rom), window="null", sound_emulated=False, log_level="ERROR"
    )
    player.set_emulation_speed(0)
    frames = 0
    while player.memory[DONE] != FINISHED:
        player.tick(1, False, False)
        frames += 1
        assert frames < FRAMES, "PyBoy does not come to the end"
    ram = bytes(player.memory[RAM:RAM_END]) + bytes(player.memory[HIGH_RAM:IE])
    player.stop(save=False)
    return ram


def ram_of_romproof(cartridge: Cartridge) -> bytes:
    """The same of our Game Boy."""
    machine = GameBoy(cartridge.rom, "plain")
    finished = machine.run_until(lambda m: m.peek(DONE) == FINISHED, limit=FRAMES * FRAME)
    assert finished, "our Game Boy does not come to the end"
    return bytes(machine.peek(at) for at in (*range(RAM, RAM_END), *range(HIGH_RAM, IE)))


def written(ram: bytes) -> bytes:
    """The part that instructions wrote to."""
    scratch = SCRATCH - RAM
    return ram[scratch : scratch + SCRATCH_SIZE] + ram[RAM_END - RAM :]


@pytest.mark.slow
def test_all_instructions_have_the_same_results() -> None:
    tried = 0
    for cartridge in cartridges([*effects(TIMES, random.Random(SEED))], SEED):
        ours, theirs = ram_of_romproof(cartridge), ram_of_pyboy(cartridge)
        for piece, place in zip(cartridge.pieces, cartridge.places, strict=True):
            results = slice(place - RAM, place - RAM + piece.size)
            assert ours[results].hex(" ", -2) == theirs[results].hex(" ", -2), piece.about
        assert written(ours) == written(theirs)
        tried += len(cartridge.pieces)
    assert tried == TIMES * len(TESTED) == TIMES * 498


def test_all_instructions_take_the_same_time() -> None:
    """M-cycles, taken and not taken, are those of the table on both emulators."""
    trials = {trial.piece: trial for trial in (timing_of_nothing(), *timings())}
    assert len(trials) == 1 + 498 + 16  # 16 have a condition
    nothing: list[int] = []
    for cartridge in cartridges([*trials], SEED):
        ours, theirs = ram_of_romproof(cartridge), ram_of_pyboy(cartridge)
        for piece, place in zip(cartridge.pieces, cartridge.places, strict=True):
            counted = [ram[place - RAM] for ram in (ours, theirs)]
            nothing = nothing or counted
            took = [
                round((count - before) * TIMER_PERIOD / REPEATED)
                for count, before in zip(counted, nothing, strict=True)
            ]
            assert took == [trials[piece].cycles] * 2, piece.about
