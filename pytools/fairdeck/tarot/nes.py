"""The NES ROM played in cynes, an emulator by others: buttons in, seeds and decks out."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any

from fairdeck.console import BadPicture, Stuck
from fairdeck.data import rom_folder
from fairdeck.tarot.draw import Reduction
from fairdeck.tarot.feedback import Feedback
from fairdeck.tarot.library import defines
from fairdeck.tarot.played import Played
from romproof import Built, Image, MissingExtra, build

ROM = "tarot-nes"
KEYS = MappingProxyType(
    {
        "right": 0x01,
        "left": 0x02,
        "down": 0x04,
        "up": 0x08,
        "start": 0x10,
        "select": 0x20,
        "b": 0x40,
        "a": 0x80,
    }
)
"""As cynes and the ROM have them."""
HELD = 2
"""Frames for which a key is held."""
SETTLED = 2
"""Frames until the program is sure that it is no longer held."""
PATIENCE = 120
"""Frames after which a ROM that should wait again is given up; a card takes 9 to turn."""
SCALE = 2
"""Pixels of a picture file for each of the screen's."""


@cache
def nes_rom(feedback: Feedback, reduction: Reduction) -> Built:
    """The ROM in that variant, assembled in memory. Raises BuildFailed, DataMissing."""
    return build(rom_folder() / ROM, defines=defines(feedback, reduction))


class Player(Played):
    """The ROM of one variant in cynes, without window and sound, as fast as it goes.

    Raises MissingExtra without cynes, Stuck, and what building the ROM raises.
    """

    def __init__(self, feedback: Feedback, reduction: Reduction) -> None:
        self.image: Image = nes_rom(feedback, reduction).image
        self.rom = self.image.files[0].data
        self.frame = 0
        self._nes = _nes(self.rom)
        self._until_waiting(0)
        self.wait(SETTLED)

    def press(self, *keys: str) -> None:
        """Press keys one after the other: ``a``, ``b``, ``start``, ``select``, ``left``, …; each
        until the program has done what it does then. Raises Stuck."""
        for key in keys:
            before = self._waits()
            self.hold(key, HELD)
            self._until_waiting(before)
            self.wait(SETTLED)

    def hold(self, keys: str, frames: int) -> None:
        """Press keys (words) for so many frames, and do not wait for what comes of it."""
        self._nes.controller = sum(KEYS[key] for key in keys.split())
        self.wait(frames)
        self._nes.controller = 0

    def tap(self, key: str) -> None:
        """Press a key and do not wait for what comes of it."""
        self.hold(key, HELD)

    def wait(self, frames: int) -> None:
        """Let frames pass."""
        if frames:
            self._nes.step(frames)
        self.frame += frames

    def read(self, symbol: str, size: int) -> bytes:
        """``size`` bytes of memory from a symbol on. Raises UnknownSymbol."""
        address = self.image.address(symbol)
        return bytes(self._nes[address + i] for i in range(size))

    def write(self, symbol: str, data: bytes) -> None:
        """Change memory from a symbol on. Raises UnknownSymbol."""
        address = self.image.address(symbol)
        for i, byte in enumerate(data):
            self._nes[address + i] = byte

    def pixels(self) -> Any:
        """The screen as a picture of Pillow's, 256 by 240 in RGB. Raises MissingExtra."""
        _needs("PIL")
        self.frame += 1
        return import_module("PIL.Image").fromarray(self._nes.step(1).copy())

    def picture(self, path: Path) -> None:
        """Write the screen to a file, SCALE times 256 by 240 pixels; its name says the format.

        Raises OSError, MissingExtra without Pillow, and BadPicture for a format that there is not.
        """
        image = self.pixels()
        try:
            image.resize((SCALE * image.width, SCALE * image.height), resample=0).save(path)
        except ValueError as fault:
            raise BadPicture(f"cannot write '{path}': {fault}; name it .png") from fault

    def close(self) -> None:
        """Switch it off; nothing is left behind."""

    def _waits(self) -> int:
        return int.from_bytes(self.read("waits", 2), "little")

    def _until_waiting(self, before: int) -> None:
        for _ in range(PATIENCE):
            if self._waits() != before:
                return
            self.wait(1)
        raise Stuck(f"after {self.frame} frames the ROM does not wait for a key")


def _nes(rom: bytes) -> Any:
    """A console with a cartridge in it. Raises MissingExtra."""
    _needs("cynes")
    with TemporaryDirectory() as folder:  # it reads its cartridges from files only
        path = Path(folder) / f"{ROM}.nes"
        path.write_bytes(rom)
        return import_module("cynes").NES(str(path))


def _needs(package: str) -> None:
    if find_spec(package) is None:
        raise MissingExtra(
            f'the package {package} is not installed; pip install "fairdeck[emulators]"'
        )
