"""``fairdeck tarot nes``: the ROM played in cynes, every deck compared with the model."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fairdeck.cli.choices import seed_option, variant_options
from fairdeck.cli.text import deck_table, show
from fairdeck.disagreement import Disagreement
from fairdeck.tarot.cards import NAMES
from fairdeck.tarot.draw import Reduction
from fairdeck.tarot.feedback import Feedback
from fairdeck.tarot.seed import format_state
from romproof.cli.output import progress

if TYPE_CHECKING:
    from fairdeck.tarot.nes import Dealt

_HELP = """Play the NES ROM in cynes: press START, read seed and deck.

The ROM makes a seed out of the moment at which START is pressed, or takes the one that is typed,
and shuffles a sorted deck from it; each further START shuffles on. It runs without a window; each
deck, and which of its cards are reversed, is compared with the model's for the seed found
in the machine's memory. cynes comes with: pip install "romproof[emulators]"

\b
Examples:
  fairdeck tarot nes
  fairdeck tarot nes --shuffles 20 --wait 45
  fairdeck tarot nes --seed 12345678 --screenshot spread.png

\b
JSON (--json), one object: "shuffles", a list with one object for each
  frame     when START was pressed, in frames since switching on
  seed      the shift register before the first shuffle, 8 hexadecimal digits, lfsr0 first
  number    the number of the shuffle of that seed, from 1
  deck      the 78 numbers
  reversed  the places, from 0, of the cards that are reversed
  equal     whether the model has the same deck with the same cards reversed
"""


@click.command("nes", help=_HELP)
@seed_option(required=False)
@click.option(
    "--shuffles",
    "count",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="N",
    help="How often START is pressed.",
)
@click.option(
    "--wait",
    type=click.IntRange(0, 3600),
    default=30,
    show_default=True,
    metavar="FRAMES",
    help="Frames on the title before the first button.",
)
@click.option(
    "--screenshot",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Turn three cards over at the end, and write the screen as PNG.",
)
@variant_options
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
def nes_command(
    seed: int | None,
    count: int,
    wait: int,
    screenshot: Path | None,
    feedback: Feedback,
    reduction: Reduction,
    as_json: bool,
) -> None:
    """Play, show and compare; see the help text above."""
    # here and not above: help needs neither assembler nor emulator
    from fairdeck.tarot.nes import Player

    player = Player(feedback, reduction)
    player.wait(wait)
    if seed is not None:
        player.type_seed(seed)
    with progress("shuffling", count) as tick:
        found: list[Dealt] = []
        for _ in range(count):
            found.append(player.shuffle())
            tick()
    if screenshot is not None:
        player.press("a", "a", "a")
        player.picture(screenshot)
    right = [dealt.is_right(feedback, reduction) for dealt in found]
    if as_json:
        click.echo(as_object(found, right))
    else:
        show(_as_text(found, right))
    for dealt, equal in zip(found, right, strict=True):
        if not equal:
            raise Disagreement(
                f"the NES disagrees with the model about shuffle {dealt.number} of seed "
                f"{format_state(dealt.seed)}"
            )


def as_object(found: Sequence[Dealt], right: Sequence[bool]) -> str:
    """The shuffles as one line of JSON."""
    rows = [
        {
            "frame": dealt.frame,
            "seed": format_state(dealt.seed),
            "number": dealt.number,
            "deck": dealt.deck,
            "reversed": [place for place, turned in enumerate(dealt.reversed) if turned],
            "equal": equal,
        }
        for dealt, equal in zip(found, right, strict=True)
    ]
    return json.dumps({"shuffles": rows})


def _as_text(found: Sequence[Dealt], right: Sequence[bool]) -> str:
    lines = [click.style("tarot on the NES, in cynes", bold=True)]
    for dealt in found:
        spread = [
            NAMES[card] + (" reversed" if turned else "")
            for card, turned in zip(dealt.deck[:3], dealt.reversed[:3], strict=True)
        ]
        lines.append(
            f"frame {dealt.frame:5,}: seed {format_state(dealt.seed)} #{dealt.number}, "
            + ", ".join(spread)
        )
    check = f"NES against model: {sum(right)} of {len(right)} decks equal"
    return "\n".join([*lines, "", deck_table(found[-1].deck), "", check])
