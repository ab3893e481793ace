"""``fairdeck tenhou wall``."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import click

from fairdeck.cli.text import show
from fairdeck.cli.tiles import hand_line, letters_option, tile_text, use_letters, wall_rows
from fairdeck.cli.where import MODEL, require_equal, where_options
from fairdeck.tenhou.links import explain_argument, explain_contents
from fairdeck.tenhou.mjlog import BadLog, read_log
from fairdeck.tenhou.seed import Seed, SeedError, parse_seed
from fairdeck.tenhou.table import TABLES
from fairdeck.tenhou.wall import Round, rounds
from romproof import progress, read_input

_SEATS = ("east", "south", "west", "north")
_HELP = """Make the walls and dice of a game from its seed.

SEED is the text that a game's log has in its element SHUFFLE, with its format in front
(mt19937ar-sha512-n288-base64,...). It may also be a file with that text or a log, or - for
standard input.

\b
Examples:
  fairdeck tenhou wall seed.txt --rounds 2
  fairdeck tenhou wall seed.txt --on 6502
  fairdeck tenhou wall 2016100120gm-00a9-0000.mjlog --rounds 8 --json
  fairdeck tenhou wall - --players 3 < seed.txt

\b
JSON (--json): {"rounds": [...]}, each with
  wall    136 numbers, index 0 (the end of the dead wall) first; of three players
          108, numbered as if 2m to 8m did not exist
  dice    two faces 1..6
  hands   dealt tiles by seat, the dealer first: ids as logs write them, sorted
  dora    the first dora indicator, likewise
  cycles the cycles of the round, on the SM83 M-cycles; null on the model
"""


@click.command("wall", help=_HELP)
@click.argument("seed", metavar="SEED|FILE|-")
@click.option(
    "--rounds",
    "count",
    type=click.IntRange(1, 10_000),
    default=1,
    show_default=True,
    metavar="N",
    help="Number of rounds, from the first.",
)
@click.option(
    "--players",
    type=click.Choice(["4", "3"]),
    default=None,
    help="Number of players; default: that of the log, otherwise 4.",
)
@where_options
@letters_option
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def wall_command(
    seed: str,
    count: int,
    players: str | None,
    where: str,
    engine: str,
    letters: bool | None,
    as_json: bool,
) -> None:
    """Show walls; see the help text above."""
    key, seated = seed_from(seed)
    if players is not None and seated not in (None, int(players)):
        raise click.UsageError(f"the log is of a game for {seated}, not for {players}")
    table = TABLES[seated or int(players or 4)]
    model = list(islice(rounds(key, table), count))
    cycles: list[int | None] = [None] * count
    if where != MODEL:
        # here and not above: help and the model need neither assembler nor emulator
        from fairdeck.tenhou.on_machine import rounds_on

        with progress("making walls", count) as tick:
            made = rounds_on(where, key, table, count, engine, tick)
        require_equal(where, [one.round for one in made], model, "round")
        cycles = [one.cycles for one in made]
    rows = list(zip(model, cycles, strict=True))
    if as_json:
        click.echo(json.dumps({"rounds": [_as_object(one, took) for one, took in rows]}))
        return
    texts = (_as_text(n, one, took, use_letters(letters)) for n, (one, took) in enumerate(rows))
    show("\n\n".join(texts))


def seed_from(text: str) -> tuple[Seed, int | None]:
    """The seed a command line means: its text, a file with it, a log; of a log its players, too.

    Raises SeedError and BadLog.
    """
    if "," in text and not _exists(text):
        return parse_seed(text), None
    how = explain_argument(text)
    if how is not None:
        raise BadLog(how)
    try:
        data = read_input(text)
    except OSError as fault:
        raise SeedError(
            "{text}: {reason}; a seed begins with its format and a comma",
            text=text[:60],
            reason=str(fault.strerror),
        ) from None
    return _seed_in(data, "standard input" if text == "-" else text)


def _exists(text: str) -> bool:
    try:
        return Path(text).exists()
    except (OSError, ValueError):  # a name too long, or with a NUL: no file's
        return False


def _seed_in(data: bytes, where: str) -> tuple[Seed, int | None]:
    from fairdeck.tenhou.logs import unpack_gzip

    text = unpack_gzip(data)
    if not text.lstrip().startswith(b"<"):
        how = explain_contents(text)
        if how is not None:
            raise BadLog(f"{where}: {how}")
        return parse_seed(text.decode("utf-8", "replace")), None
    game = read_log(text)
    if game.seed is None:
        raise BadLog(f"{where}: the log has no seed")
    return parse_seed(game.seed), game.players


def _as_object(one: Round, cycles: int | None) -> dict[str, object]:
    return {
        "wall": one.wall,
        "dice": one.dice,
        "hands": [sorted(hand) for hand in one.hands()],
        "dora": one.dora,
        "cycles": cycles,
    }


def _as_text(number: int, one: Round, cycles: int | None, letters: bool) -> str:
    seats: Sequence[str] = _SEATS[: one.table.players]
    hands = [
        f"  {seat:<6} {hand_line(hand, letters)}"
        for seat, hand in zip(seats, one.hands(), strict=True)
    ]
    return "\n".join(
        (
            click.style(
                f"round {number}: dice {one.dice[0]} and {one.dice[1]}, "
                f"dora indicator {tile_text(one.dora, letters)}",
                bold=True,
            ),
            *([] if cycles is None else [f"  {cycles:,} cycles, equal to the model"]),
            *hands,
            wall_rows(one.logged, letters),
        )
    )
