"""A program for the Game Boy in PyBoy, an emulator by others: keys in, memory and pictures out."""

from __future__ import annotations

import io
import warnings
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from romproof import BadInput, Image, MissingExtra, RomproofError

ROM_BANK = 0x4000
WAITING = "wait_for_press"
"""The routine in which our programs wait for a key; when it is entered, all else is done."""
HELD = 3
"""Frames for which a key is held."""
SETTLED = 2
"""Frames until the program is sure that it is no longer held."""
PATIENCE = 600
"""Frames after which a program that should wait again is given up."""
SCALE = 3
"""Pixels of a picture file for each of the screen's."""
PICTURE_FRAMES = 2
"""Frames to draw before a picture is taken: the first one after a pause may be incomplete."""


class Stuck(RomproofError):
    """The program does not come back to waiting for a key."""


class BadPicture(BadInput):
    """A picture cannot be written in the format that its name asks for."""


class Console:
    """A program in PyBoy, without window and sound, as fast as it goes.

    ``colour`` makes it a Game Boy Color, else it is a DMG. The times are frames since it was
    switched on. ``rom`` is the program if it is not that of the image, byte for byte. Raises
    MissingExtra without PyBoy, Stuck. To be closed.
    """

    def __init__(self, image: Image, colour: bool = False, rom: bytes | None = None) -> None:
        self.image = image
        self.frame = 0
        self._waits = 0
        self._pyboy = _pyboy(rom or image.files[0].data, colour)
        waiting = image.address(WAITING)
        self._pyboy.hook_register(waiting // ROM_BANK, waiting, self._entered, None)
        self._until_waiting(1)
        self.wait(SETTLED)

    def _entered(self, _context: object) -> None:
        self._waits += 1

    def press(self, *keys: str) -> None:
        """Press keys one after the other: ``a``, ``b``, ``start``, ``select``, ``left``, …; each
        until the program has done what it does then. Raises Stuck."""
        for key in keys:
            waits = self._waits
            self._pyboy.button_press(key)
            self.wait(HELD)
            self._pyboy.button_release(key)
            self._until_waiting(waits + 1)
            self.wait(SETTLED)

    def tap(self, key: str) -> None:
        """Press a key and do not wait for what comes of it."""
        self._pyboy.button_press(key)
        self.wait(HELD)
        self._pyboy.button_release(key)

    def wait(self, frames: int) -> None:
        """Let frames pass."""
        if frames:
            self._pyboy.tick(frames, False, False)
        self.frame += frames

    def read(self, symbol: str, size: int) -> bytes:
        """``size`` bytes of memory from a symbol on. Raises UnknownSymbol."""
        return self.read_at(self.image.address(symbol), size)

    def read_at(self, address: int, size: int) -> bytes:
        """``size`` bytes of memory from an address on."""
        return bytes(self._pyboy.memory[address : address + size])

    def write(self, symbol: str, data: bytes) -> None:
        """Change memory from a symbol on. Raises UnknownSymbol."""
        address = self.image.address(symbol)
        self._pyboy.memory[address : address + len(data)] = list(data)

    def pixels(self) -> Any:
        """The screen as a picture of Pillow's, 160 by 144 in RGB."""
        for _ in range(PICTURE_FRAMES):
            self._pyboy.tick(1, True, False)
        self.frame += PICTURE_FRAMES
        return self._pyboy.screen.image.convert("RGB")

    def picture(self, path: Path) -> None:
        """Write the screen to a file, SCALE times 160 by 144 pixels; its name says the format.

        Raises OSError, and BadPicture for a format that there is not.
        """
        image = self.pixels()
        try:
            image.resize((SCALE * image.width, SCALE * image.height), resample=0).save(path)
        except ValueError as fault:
            raise BadPicture(f"cannot write '{path}': {fault}; name it .png") from fault

    def close(self) -> None:
        """Switch it off."""
        self._pyboy.stop(save=False)

    def _until_waiting(self, times: int) -> None:
        for _ in range(PATIENCE):
            if self._waits >= times:
                return
            self.wait(1)
        raise Stuck(f"after {self.frame} frames the ROM has not come back to {WAITING}")


def _pyboy(rom: bytes, colour: bool) -> Any:
    """A PyBoy that does not wait for real time. Raises MissingExtra."""
    for package in ("pyboy", "PIL"):
        if find_spec(package) is None:
            raise MissingExtra(
                f'PyBoy plays it, which needs {package}: pip install "fairdeck[emulators]"'
            )
    with warnings.catch_warnings(action="ignore"):  # it tells where its SDL2 comes from
        pyboy = import_module("pyboy")
    made = pyboy.PyBoy(
        io.BytesIO(rom), window="null", sound_emulated=False, log_level="ERROR", cgb=colour
    )
    made.set_emulation_speed(0)
    return made
