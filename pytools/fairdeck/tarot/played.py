"""The tarot ROM of a console being played: its screens and keys, seeds and decks that come out.

docs/roms.md says which screens and keys there are; they are the same on all consoles.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Any

from fairdeck.tarot.draw import Generator, Reduction, flip
from fairdeck.tarot.feedback import Feedback
from fairdeck.tarot.shuffle import CARDS, shuffles

_DIGITS = 8


class Screen(IntEnum):
    """What the ROM shows; its byte ``screen``."""

    TITLE = 0
    SEED = 1
    SPREAD = 2
    REST = 3


@dataclass(frozen=True, slots=True)
class Press:
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
        generator = Generator(self.seed, feedback)
        last = shuffles(generator, self.number, reduction=reduction)[-1]
        return (last.deck, orientations(last.generator)) == (self.deck, self.reversed)


class Played(ABC):
    """The tarot ROM in a console, which whoever inherits from this emulates.

    ``frame`` counts the frames since it was switched on.
    """

    frame: int

    @abstractmethod
    def press(self, *keys: str) -> None:
        """Press keys one after the other; each until the program has done what it does then."""

    @abstractmethod
    def tap(self, key: str) -> None:
        """Press a key and do not wait for what comes of it."""

    @abstractmethod
    def wait(self, frames: int) -> None:
        """Let frames pass."""

    @abstractmethod
    def read(self, symbol: str, size: int) -> bytes:
        """``size`` bytes of memory from a symbol on."""

    @abstractmethod
    def pixels(self) -> Any:
        """The screen as a picture of Pillow's, in RGB."""

    @abstractmethod
    def picture(self, path: Path) -> None:
        """Write the screen to a file; its name says the format."""

    @abstractmethod
    def close(self) -> None:
        """Switch it off."""

    @property
    def screen(self) -> Screen:
        """What is shown."""
        return Screen(self.read("screen", 1)[0])

    def to_title(self) -> None:
        """Go back to the title. Raises Stuck."""
        while self.screen is not Screen.TITLE:
            self.press("b")

    def new_deck(self, wait: int) -> Press:
        """From the title, wait ``wait`` frames and shuffle: the seed is made of the timing.

        Raises Stuck.
        """
        self.to_title()
        self.wait(wait)
        return self.shuffle()

    def shuffle(self) -> Press:
        """Press START, where that shuffles, and give what came out. Raises Stuck."""
        frame = self.frame
        self.press("start")
        return Press(
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


def orientations(generator: Generator) -> tuple[bool, ...]:
    """For each place, the first one first, whether its card is reversed.

    It is decided by the 78 flips that follow the shuffle, which ``generator`` has just ended. They
    are not used up: the next shuffle has the same flips, so that decks depend on seed and number
    alone.
    """
    reversed_cards: list[bool] = []
    for _ in range(CARDS):
        generator, bit = flip(generator)
        reversed_cards.append(bit == 1)
    return tuple(reversed_cards)
