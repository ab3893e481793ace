"""The golden pictures of the NES's tarot: what cynes shows after some keys, as text.

The tiles in them are checked against docs/roms.md in test_tarot_nes.py, on another machine; what
these pin is the picture that comes out. Run this file to write them anew, after a change that is
meant to be seen, and look at `make shots`:

    python tests/fairdeck/golden_nes.py
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nes_picture import as_text, tiles_of

from fairdeck.tarot.draw import Reduction
from fairdeck.tarot.feedback import DEFAULT_FEEDBACK
from fairdeck.tarot.nes import HELD, Player
from romproof.text.files import write_atomically

FOLDER = Path(__file__).parents[1] / "golden" / "tarot_nes"
SEED = 0x12345678


def pictures(player: Player) -> Mapping[str, Any]:
    """The picture of each screen by its name; the player is on the title, just switched on."""
    found = {"title": player.pixels()}
    player.type_seed(0x000000A0)
    found["seed"] = player.pixels()
    player.press("left", "up", "up", "up", "up", "up", "up", "start")
    found["refused"] = player.pixels()
    player.type_seed(SEED)
    player.shuffle()
    found["face_down"] = player.pixels()
    player.hold("a", HELD + 2)
    found["turning"] = player.pixels()
    player.wait(10)
    player.press("a", "a")
    found["spread"] = player.pixels()
    player.press("start", "start", "a")
    found["third_shuffle"] = player.pixels()
    player.press("select", "down", "right", "down")
    found["rest"] = player.pixels()
    return found


def texts() -> dict[str, str]:
    """The golden files' texts by their names."""
    player = Player(DEFAULT_FEEDBACK, Reduction.CORRECT)
    tiles = tiles_of(player.rom)
    return {name: as_text(picture, tiles) for name, picture in pictures(player).items()}


def main() -> None:
    """Write the files."""
    for name, text in texts().items():
        write_atomically(FOLDER / f"{name}.txt", text)


if __name__ == "__main__":
    main()
