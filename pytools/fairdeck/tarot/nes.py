"""The NES ROM played in cynes, an emulator by others: buttons in, seeds and decks out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any

from fairdeck.data import rom_folder
from fairdeck.tarot.draw import Reduction
from fairdeck.tarot.feedback import Feedback
from fairdeck.tarot.gameboy import BadPicture, Stuck
from fairdeck.tarot.on_machine import defines
from fairdeck.tarot.orientation import orientations
from fairdeck.tarot.runs import Request, on_model
from fairdeck.tarot.shuffle import CARDS
from romproof.program.image import Image
from romproof.projects import Built, build, load_manifest
from romproof.text.errors import MissingExtra

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
TITLE, SEED, SPREAD, REST = range(4)
"""The screens; the ROM's byte ``screen``."""
HELD = 2
"""Frames for which a key is held."""
SETTLED = 2
"""Frames until the program is sure that it is no longer held."""
PATIENCE = 120
"""Frames after which a ROM that should wait again is given up; a card takes 9 to turn."""
SCALE = 2
"""Pixels of a picture file for each of the screen's."""
_DIGITS = 8


@dataclass(frozen=True, slots=True)
class Dealt:
    """One press that shuffled: ``frame`` since switching on, and what the ROM made of it.

    ``deck`` is that of the ``number``-th shuffle of ``seed``; ``reversed`` says for each of its
    places whether the card lies reversed.
    """

    frame: int
    seed: int
    number: int
    deck: tuple[int, ...]
    reversed: tuple[bool, ...]

    def is_right(self, feedback: Feedback, reduction: Reduction) -> bool:
        """Whether the model has the same deck for that seed, and the same cards reversed."""
        last = on_model(Request(self.seed, self.number, feedback, reduction))[-1]
        return (last.deck, orientations(last.generator)) == (self.deck, self.reversed)


@cache
def nes_rom(feedback: Feedback, reduction: Reduction) -> Built:
    """The ROM in that variant, assembled in memory. Raises BuildFailed, DataMissing."""
    manifest = load_manifest(rom_folder() / ROM / "manifest.toml")
    return build(manifest, defines=defines(feedback, reduction))


class Player:
    """The ROM of one variant in cynes, without window and sound, as fast as it goes.

    Its keys and screens are those of the Game Boy (docs/roms.md). Raises MissingExtra without
    cynes, Stuck, and what building the ROM raises.
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

    def wait(self, frames: int) -> None:
        """Let frames pass."""
        if frames:
            self._nes.step(frames)
        self.frame += frames

    def to_title(self) -> None:
        """Go back to the title. Raises Stuck."""
        while self.read("screen", 1)[0] != TITLE:
            self.press("b")

    def new_deck(self, wait: int) -> Dealt:
        """From the title, wait ``wait`` frames and shuffle: the seed is made of the timing.

        Raises Stuck.
        """
        self.to_title()
        self.wait(wait)
        return self.shuffle()

    def shuffle(self) -> Dealt:
        """Press START, where that shuffles, and give what came out. Raises Stuck."""
        frame = self.frame
        self.press("start")
        return Dealt(
            frame,
            int.from_bytes(self.read("seed", 4), "big"),
            int.from_bytes(self.read("shuffles", 2), "little"),
            tuple(self.read("deck", CARDS)),
            tuple(byte == 1 for byte in self.read("orientation", CARDS)),
        )

    def type_seed(self, seed: int) -> None:
        """Type a seed, digit by digit, and stay on that screen. Raises Stuck."""
        self.to_title()
        self.press("select")
        for place in range(_DIGITS):
            there = int.from_bytes(self.read("seed", 4), "big")
            shift = 4 * (_DIGITS - 1 - place)
            up = ((seed >> shift) - (there >> shift)) % 16
            self.press(*(["up"] * up if up <= 8 else ["down"] * (16 - up)))
            if place < _DIGITS - 1:
                self.press("right")

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
        """The next frame: an array of numpy's, 240 lines of 256 times red, green and blue."""
        self.frame += 1
        return self._nes.step(1).copy()

    def picture(self, path: Path) -> None:
        """Write the screen to a file, SCALE times 256 by 240 pixels; its name says the format.

        Raises OSError, MissingExtra without Pillow, and BadPicture for a format that there is not.
        """
        _needs("PIL")
        image = import_module("PIL.Image").fromarray(self.pixels())
        try:
            image.resize((SCALE * image.width, SCALE * image.height), resample=0).save(path)
        except ValueError as fault:
            raise BadPicture(f"cannot write '{path}': {fault}; name it .png") from fault

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
            f'the package {package} is not installed; pip install "romproof[emulators]"'
        )
