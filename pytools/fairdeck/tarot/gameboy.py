"""The Game Boy ROM played in PyBoy, an emulator by others: buttons in, seeds and decks out."""

from __future__ import annotations

import io
import warnings
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from fairdeck.tarot.draw import Generator, Reduction
from fairdeck.tarot.feedback import Feedback
from fairdeck.tarot.on_machine import tarot_rom
from fairdeck.tarot.shuffle import CARDS, shuffle
from fairdeck.tarot.targets import SM83
from romproof import BadInput, Image, MissingExtra, RomproofError

WAITING = "wait_for_press"
"""The routine in which the ROM waits; whenever it is entered, the last deck is done."""
BUTTON = "a"
HELD = 3
"""Frames for which the button is held."""
PATIENCE = 600
"""Frames after which a ROM that should wait again is given up; switched on, it takes about 70."""
SCALE = 3
"""Pixels of a picture file for each of the screen's."""
PICTURE_FRAMES = 2
"""Frames to draw before a picture is taken: the first one after a pause may be incomplete."""


class Stuck(RomproofError):
    """The ROM does not come back to waiting for a button."""


class BadPicture(BadInput):
    """A picture cannot be written in the format that its name asks for."""


@dataclass(frozen=True, slots=True)
class Press:
    """One press of the button: ``frame`` since switching on, and what the ROM made of it.

    ``seed`` is the state of the shift register from which it shuffled the sorted ``deck``.
    """

    frame: int
    seed: int
    deck: tuple[int, ...]

    def is_right(self, feedback: Feedback, reduction: Reduction) -> bool:
        """Whether the model has the same deck for that seed."""
        return shuffle(Generator(self.seed, feedback), reduction=reduction).deck == self.deck


class Player:
    """The ROM of one variant in PyBoy, without window and sound, as fast as it goes.

    Raises MissingExtra without PyBoy, Stuck, and what building the ROM raises. To be closed.
    """

    def __init__(self, feedback: Feedback, reduction: Reduction) -> None:
        built = tarot_rom(SM83, feedback, reduction)
        self.image: Image = built.image
        self.rom = self.image.files[0].data
        self.frame = 0
        self._waits = 0
        self._pyboy = _pyboy(self.rom)
        self._pyboy.hook_register(0, self.image.address(WAITING), self._entered, None)
        self._until_waiting(1)

    def _entered(self, _context: object) -> None:
        self._waits += 1

    def press(self, wait: int) -> Press:
        """Wait ``wait`` frames, press the button, and give what came out. Raises Stuck."""
        self._tick(wait)
        frame, waits = self.frame, self._waits
        self._pyboy.button_press(BUTTON)
        self._tick(HELD)
        self._pyboy.button_release(BUTTON)
        self._until_waiting(waits + 1)
        seed = int.from_bytes(self.read("seed", 4), "big")
        return Press(frame, seed, tuple(self.read("deck", CARDS)))

    def read(self, symbol: str, size: int) -> bytes:
        """``size`` bytes of memory from a symbol on. Raises UnknownSymbol."""
        return self.read_at(self.image.address(symbol), size)

    def read_at(self, address: int, size: int) -> bytes:
        """``size`` bytes of memory from an address on."""
        return bytes(self._pyboy.memory[address : address + size])

    def picture(self, path: Path) -> None:
        """Write the screen to a file, SCALE times 160 by 144 pixels; its name says the format.

        Raises OSError, and BadPicture for a format that there is not.
        """
        for _ in range(PICTURE_FRAMES):
            self._pyboy.tick(1, True, False)
        self.frame += PICTURE_FRAMES
        try:
            image = self._pyboy.screen.image
            image.resize((SCALE * image.width, SCALE * image.height), resample=0).save(path)
        except ValueError as fault:
            raise BadPicture(f"cannot write '{path}': {fault}; name it .png") from fault

    def close(self) -> None:
        """Switch it off."""
        self._pyboy.stop(save=False)

    def _tick(self, frames: int) -> None:
        for _ in range(frames):
            self._pyboy.tick(1, False, False)
        self.frame += frames

    def _until_waiting(self, times: int) -> None:
        for _ in range(PATIENCE):
            if self._waits >= times:
                return
            self._tick(1)
        raise Stuck(f"after {self.frame} frames the ROM has not come back to {WAITING}")


def _pyboy(rom: bytes) -> Any:
    """A PyBoy that does not wait for real time. Raises MissingExtra."""
    for package in ("pyboy", "PIL"):
        if find_spec(package) is None:
            raise MissingExtra(
                f'PyBoy plays it, which needs {package}: pip install "fairdeck[emulators]"'
            )
    with warnings.catch_warnings(action="ignore"):  # it tells where its SDL2 comes from
        pyboy = import_module("pyboy")
    made = pyboy.PyBoy(io.BytesIO(rom), window="null", sound_emulated=False, log_level="ERROR")
    made.set_emulation_speed(0)
    return made
