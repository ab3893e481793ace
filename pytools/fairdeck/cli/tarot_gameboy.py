"""``fairdeck tarot gameboy``: the ROM played in PyBoy, every deck compared with the model."""

from __future__ import annotations

from typing import Any

import click

from fairdeck.cli.tarot_played import JSON_HELP, play, playing_options
from fairdeck.tarot.draw import Reduction
from fairdeck.tarot.feedback import Feedback

_HELP = f"""Play the Game Boy ROM in PyBoy: press START on the title, read seed and deck.

The ROM makes a seed from the time of the press and shuffles a sorted deck with it; or a seed
is typed. It runs without a window; each deck, and which of its cards lie reversed, is compared
with the model's for the seed found in the machine's memory. PyBoy comes with:
pip install "fairdeck[emulators]"

\b
Examples:
  fairdeck tarot gameboy
  fairdeck tarot gameboy --presses 20 --wait 45
  fairdeck tarot gameboy --seed 12345678 --presses 3
  fairdeck tarot gameboy --screenshot spread.png

{JSON_HELP}"""


@click.command("gameboy", help=_HELP)
@playing_options
def gameboy_command(feedback: Feedback, reduction: Reduction, **options: Any) -> None:
    """Play, show and compare; see the help text above."""
    # here and not above: help needs neither assembler nor emulator
    from fairdeck.tarot.gameboy import Player

    player = Player(feedback, reduction)
    play(player, "Game Boy", "PyBoy", feedback=feedback, reduction=reduction, **options)
