"""What a profile costs: a run of frames under a profiler, and the same run without one."""

from __future__ import annotations

import tempfile
from pathlib import Path

import amount
from nes import cartridge
from rows import Row, best, without_llvm

import romproof
from romproof.harness.measured import measure_frames
from romproof.harness.rom import Rom

FRAMES = amount.of(600)
NAME = f"profile of {FRAMES} frames"
_OWN = {"tarot-nes": "nes", "tarot-gb": "gameboy"}
_MAIN = (
    "a9 80 8d 00 20 20 20 c0 4c 17 c0 ea ea ea"  # NMI on; a loop that calls $C020
    "a2 05 20 30 c0 ca d0 fa 60 ea ea ea ea ea ea ea"  # which calls $C030 five times
    "a5 10 69 01 85 11 60"
)
_NMI = "48 e6 10 20 30 c0 68 40"


def profiles() -> list[Row]:
    """Games, and a program of calls only."""
    absent = without_llvm()
    if absent is not None:
        return [Row(NAME, absent, "the run", None)]
    root = Path(__file__).resolve().parent.parent
    games = {name: _rom_of(root, name, kind) for name, kind in _OWN.items()}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "calls.nes")
        path.write_bytes(cartridge(_MAIN, _NMI))
        games["a call every 25 cycles"] = romproof.load(path, machine="nes")
        return [_row(name, rom) for name, rom in games.items()]


def _rom_of(root: Path, name: str, machine: str) -> Rom:
    return Rom(romproof.load(root, name).image, machine=machine)


def _row(name: str, rom: Rom) -> Row:
    def run() -> None:
        machine = rom.machine()
        for _ in range(FRAMES):
            machine.run_frames(1)

    def profile() -> None:
        measured = measure_frames(rom, FRAMES, mem={}, tick=lambda: None)
        assert measured.profile.cycles > 17_000 * FRAMES

    run()
    profile()  # so that all is compiled
    return Row(NAME, name, "the run", *best(profile, run))
