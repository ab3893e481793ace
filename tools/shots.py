"""Pictures of what the ROMs show, for README and the docs; ``make shots`` runs it.

Each ROM is played in an emulator by others. The files go to `docs/shots/<rom>-<screen>.png`. Needs
the extra ``emulators``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from fairdeck.tarot.draw import Reduction
from fairdeck.tarot.feedback import DEFAULT_FEEDBACK
from romproof import RomproofError

FOLDER = Path(__file__).parents[1] / "docs" / "shots"
SEED = 0x12345678


class Screens(Protocol):
    """A tarot ROM that is being played."""

    def press(self, *keys: str) -> None:
        """Press keys."""

    def type_seed(self, seed: int) -> None:
        """Type a seed."""

    def picture(self, path: Path) -> None:
        """Write the screen to a file."""


def tour(player: Screens, take: Callable[[str], None]) -> None:
    """Go through the screens of a tarot ROM; ``take`` is called with the name of each."""
    take("title")
    player.type_seed(SEED)
    take("seed")
    player.press("start")
    take("face-down")
    player.press("a", "a", "a")
    take("spread")
    player.press("select", "down", "right")
    take("rest")


def tarot_nes() -> None:
    """The NES's screens, in cynes."""
    from fairdeck.tarot.nes import Player

    player = Player(DEFAULT_FEEDBACK, Reduction.CORRECT)
    tour(player, lambda name: player.picture(FOLDER / f"tarot-nes-{name}.png"))


ROMS = (tarot_nes,)


def main() -> int:
    """Write the pictures."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    try:
        for rom in ROMS:
            rom()
    except RomproofError as fault:
        print(f"shots: {fault}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
