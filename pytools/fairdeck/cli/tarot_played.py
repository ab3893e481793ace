"""``fairdeck tarot gameboy`` and ``fairdeck tarot nes``: a console's ROM played in an emulator,
every deck compared with the model."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fairdeck.cli.choices import Command, seed_option, variant_options
from fairdeck.cli.text import deck_table, show
from fairdeck.disagreement import Disagreement
from fairdeck.tarot.cards import NAMES
from fairdeck.tarot.draw import Reduction
from fairdeck.tarot.feedback import Feedback
from fairdeck.tarot.seed import format_state
from romproof import progress

if TYPE_CHECKING:
    from fairdeck.tarot.played import Played, Press


_CYCLE = 60
_SPREAD = 3

_HELP = """Play the {console} ROM in {emulator}: press START on the title, read seed and deck.

The ROM makes a seed from the time of the press and shuffles a sorted deck with it; or a seed
is typed. It runs without a window; each deck, and which of its cards lie reversed, is compared
with the model's for the seed found in the machine's memory. {emulator} comes with:
pip install "fairdeck[emulators]"

\b
Examples:
  fairdeck tarot {name}
  fairdeck tarot {name} --presses 20 --wait 45
  fairdeck tarot {name} --seed 12345678 --presses 3
  fairdeck tarot {name} --screenshot spread.png

\b
JSON (--json), one object: "presses", a list with one object for each
  frame     when START was pressed, in frames since switching on
  seed      the shift register before the first shuffle, 8 hexadecimal digits, lfsr0 first
  number    the number of the shuffle of that seed, from 1
  deck      the 78 numbers
  reversed  of each place whether its card lies reversed
  equal     whether the model has the same deck for that, and the same cards reversed
"""


def playing_options(command: Command) -> Command:
    """The options of such a command, which gets what ``play`` wants."""
    options = (
        click.option(
            "--presses",
            "count",
            type=click.IntRange(min=1),
            default=1,
            show_default=True,
            metavar="N",
            help="Number of presses of START.",
        ),
        click.option(
            "--wait",
            type=click.IntRange(0, 3600),
            default=30,
            show_default=True,
            metavar="FRAMES",
            help=f"Frames before the first press; one more before each next, up to {_CYCLE - 1} "
            "more.",
        ),
        seed_option(
            help="Type this seed, 8 hex digits, instead of making one from the timing of each "
            "press; further presses continue with its deck.",
        ),
        click.option(
            "--screenshot",
            type=click.Path(dir_okay=False, path_type=Path),
            metavar="FILE",
            help="Turn the three cards over at the end and write the screen, as PNG.",
        ),
        variant_options,
        click.option("--json", "as_json", is_flag=True, help="Print the result as JSON."),
    )
    for option in reversed(options):
        command = option(command)
    return command


@click.command("gameboy", help=_HELP.format(name="gameboy", console="Game Boy", emulator="PyBoy"))
@playing_options
def gameboy_command(feedback: Feedback, reduction: Reduction, **options: Any) -> None:
    """Play, show and compare; see the help text above."""
    # here and not above: help needs neither assembler nor emulator
    from fairdeck.tarot.gameboy import Player

    player = Player(feedback, reduction)
    play(player, "Game Boy", "PyBoy", feedback=feedback, reduction=reduction, **options)


@click.command("nes", help=_HELP.format(name="nes", console="NES", emulator="cynes"))
@playing_options
def nes_command(feedback: Feedback, reduction: Reduction, **options: Any) -> None:
    """Play, show and compare; see the help text above."""
    from fairdeck.tarot.nes import Player

    player = Player(feedback, reduction)
    play(player, "NES", "cynes", feedback=feedback, reduction=reduction, **options)


def play(
    player: Played,
    console: str,
    emulator: str,
    *,
    count: int,
    wait: int,
    seed: int | None,
    screenshot: Path | None,
    feedback: Feedback,
    reduction: Reduction,
    as_json: bool,
) -> None:
    """Play, show and compare; the player is closed. Raises Disagreement."""
    try:
        if seed is not None:
            player.type_seed(seed)
        with progress("pressing", count) as tick:
            presses: list[Press] = []
            for number in range(count):
                pause = wait + number % _CYCLE
                if seed is None:
                    presses.append(player.new_deck(pause))
                else:
                    player.wait(pause)
                    presses.append(player.shuffle())
                tick()
        if screenshot is not None:
            player.press(*["a"] * _SPREAD)
            player.picture(screenshot)
    finally:
        player.close()
    right = [press.is_right(feedback, reduction) for press in presses]
    if as_json:
        click.echo(as_object(presses, right))
    else:
        show(_as_text(presses, right, console, emulator))
    for press, equal in zip(presses, right, strict=True):
        if not equal:
            raise Disagreement(
                f"the {console} disagrees with the model about seed {format_state(press.seed)} "
                f"#{press.number}, of the press at frame {press.frame}"
            )


def as_object(presses: Sequence[Press], right: Sequence[bool]) -> str:
    """The presses as one line of JSON."""
    rows = [
        {
            "frame": p.frame,
            "seed": format_state(p.seed),
            "number": p.number,
            "deck": p.deck,
            "reversed": p.reversed,
            "equal": equal,
        }
        for p, equal in zip(presses, right, strict=True)
    ]
    return json.dumps({"presses": rows})


def _as_text(presses: Sequence[Press], right: Sequence[bool], console: str, emulator: str) -> str:
    lines = [click.style(f"tarot on the {console}, in {emulator}", bold=True)]
    for press in presses:
        first = press.deck[0]
        lines.append(
            f"frame {press.frame:5,}: seed {format_state(press.seed)} #{press.number}, "
            f"first card {first:2} {NAMES[first]}{', reversed' if press.reversed[0] else ''}"
        )
    last = deck_table(presses[-1].deck)
    check = f"{console} against model: {sum(right)} of {len(right)} decks equal"
    return "\n".join([*lines, "", last, "", check])
