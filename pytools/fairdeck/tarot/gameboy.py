"""The Game Boy ROM played in PyBoy, an emulator by others: keys in, seeds and decks out."""

from __future__ import annotations

from fairdeck.console import Console
from fairdeck.tarot.draw import Reduction
from fairdeck.tarot.feedback import Feedback
from fairdeck.tarot.library import tarot_rom
from fairdeck.tarot.played import Played
from fairdeck.tarot.targets import SM83


class Player(Console, Played):
    """The ROM of one variant in PyBoy.

    Raises MissingExtra without PyBoy, Stuck, and what building the ROM raises. To be closed.
    """

    def __init__(self, feedback: Feedback, reduction: Reduction, colour: bool = False) -> None:
        super().__init__(tarot_rom(SM83, feedback, reduction).image, colour)
