"""``fairdeck tarot gameboy``: the ROM played in PyBoy, every deck compared with the model."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fairdeck.cli.choices import variant_options
from fairdeck.cli.text import deck_table, show
from fairdeck.disagreement import Disagreement
from fairdeck.tarot.cards import NAMES
from fairdeck.tarot.draw import Reduction
from fairdeck.tarot.feedback import Feedback
from fairdeck.tarot.seed import format_state
from romproof import progress

if TYPE_CHECKING:
    from fairdeck.tarot.gameboy import Press

_CYCLE = 60

_HELP = """Play the Game Boy ROM in PyBoy: press a button, read seed and deck.

The ROM makes a seed out of the moment of the press and shuffles a sorted deck from it.
It runs without a window; each deck is compared with the model's for the seed found in
the machine's memory. PyBoy comes with: pip install "fairdeck[emulators]"

\b
Examples:
  fairdeck tarot gameboy
  fairdeck tarot gameboy --presses 20 --wait 45
  fairdeck tarot gameboy --screenshot deck.png

\b
JSON (--json), one object: "presses", a list with one object for each
  frame  when the button was pressed, in frames since switching on
  seed   the shift register before the shuffle, 8 hexadecimal digits, lfsr0 first
  deck   the 78 numbers
  equal  whether the model has the same deck for that seed
"""


@click.command("gameboy", help=_HELP)
@click.option(
    "--presses",
    "count",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="N",
    help="How often the button is pressed.",
)
@click.option(
    "--wait",
    type=click.IntRange(0, 3600),
    default=30,
    show_default=True,
    metavar="FRAMES",
    help=f"Frames before the first press; one more before each next, up to {_CYCLE - 1} more.",
)
@click.option(
    "--screenshot",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the screen at the end, as PNG.",
)
@variant_options
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
def gameboy_command(
    count: int,
    wait: int,
    screenshot: Path | None,
    feedback: Feedback,
    reduction: Reduction,
    as_json: bool,
) -> None:
    """Play, show and compare; see the help text above."""
    # here and not above: help needs neither assembler nor emulator
    from fairdeck.tarot.gameboy import Player

    player = Player(feedback, reduction)
    try:
        with progress("pressing", count) as tick:
            found: list[Press] = []
            for number in range(count):
                found.append(player.press(wait + number % _CYCLE))
                tick()
        if screenshot is not None:
            player.picture(screenshot)
    finally:
        player.close()
    right = [press.is_right(feedback, reduction) for press in found]
    if as_json:
        click.echo(as_object(found, right))
    else:
        show(_as_text(found, right))
    for press, equal in zip(found, right, strict=True):
        if not equal:
            raise Disagreement(
                f"the Game Boy disagrees with the model about seed {format_state(press.seed)}, "
                f"of the press at frame {press.frame}"
            )


def as_object(found: Sequence[Press], right: Sequence[bool]) -> str:
    """The presses as one line of JSON."""
    rows = [
        {"frame": p.frame, "seed": format_state(p.seed), "deck": p.deck, "equal": equal}
        for p, equal in zip(found, right, strict=True)
    ]
    return json.dumps({"presses": rows})


def _as_text(found: Sequence[Press], right: Sequence[bool]) -> str:
    lines = [click.style("tarot on the Game Boy, in PyBoy", bold=True)]
    for press in found:
        first = press.deck[0]
        lines.append(
            f"frame {press.frame:5,}: seed {format_state(press.seed)}, "
            f"first card {first:2} {NAMES[first]}"
        )
    last = deck_table(found[-1].deck)
    check = f"Game Boy against model: {sum(right)} of {len(right)} decks equal"
    return "\n".join([*lines, "", last, "", check])
