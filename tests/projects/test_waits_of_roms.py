"""The games in rom/: what they wait for, and that none writes to video memory at a wrong time."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

import romproof
from romproof.harness.measured import measure_frames
from romproof.harness.rom import Rom
from romproof.measure.waits import WaitKind

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[2]


def rom_of(name: str, machine: str, video: str = "off") -> Rom:
    image = romproof.build(ROOT, name).image
    return Rom(image, machine=machine, checks={"video": video})


def test_the_tarot_cartridge_of_the_nes() -> None:
    """It warms up for two frames, then waits for two pictures, then polls the pad."""
    seen = measure_frames(rom_of("tarot-nes", "nes"), 6, mem={}, tick=lambda: None)
    found = [(wait.kind, wait.place, wait.symbol) for wait in seen.waits]
    assert found == [
        (WaitKind.FLAG, "wait_frame@same", "frames"),
        (WaitKind.BLANK, "reset@second", "PPUSTATUS"),
        (WaitKind.BLANK, "reset@first", "PPUSTATUS"),
    ]
    assert len(seen.frames) == 5
    # warming up nothing is done; from power-on to the first blank is no frame
    assert seen.frames[0].share < 0.05
    assert seen.frames[-1].share == 1.0  # the loop that polls the pad stirs the seed
    waited = sum(wait.cycles for wait in seen.waits)
    assert sum(frame.waiting for frame in seen.frames) <= waited < seen.profile.cycles


@pytest.mark.parametrize(
    ("name", "machine"), [("tarot-nes", "nes"), ("tarot-gb", "gameboy"), ("wall-gb", "gameboy")]
)
def test_no_write_comes_while_the_picture_is_drawn(name: str, machine: str) -> None:
    game = rom_of(name, machine, "error").machine()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", romproof.RomproofWarning)
        for button in ("start", "a", "down", "a", "right", "a"):
            game.run_frames(10)
            with game.buttons.hold(button):
                game.run_frames(3)
        game.run_frames(30)
    assert game.cycles > 100 * 17_000
