"""``fairdeck mjarcade``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from fairdeck.cli.text import show
from fairdeck.cli.tiles import letters_option, use_letters, wall_rows
from fairdeck.cli.where import MODEL, require_equal, where_options
from fairdeck.mjarcade.uncertain import START, BadEvent, running_value
from fairdeck.mjarcade.wall import TILES, Dealt, deal
from romproof import read_input, show_warnings

_WALL_HELP = """Make a wall and dice from the seeds of three or four players.

The players' order does not matter. N is the uncertain element, which "mjarcade uncertain" works
out. A seed that begins with - has to stand behind --, as all that follows then does:

\b
Examples:
  fairdeck mjarcade wall --uncertain 1 1YeOi5hethi47htVQqbf2PHpqGO KvqrR... Zx81... 0-aB...
  fairdeck mjarcade wall --uncertain 418 --json -- -S_Gn... KvqrR... Zx81... 0-aB...

\b
JSON (--json):
  wall         136 numbers (108 of three players) after the swaps, index 0 first
  dice         two faces 1..6
  assumptions  what is not published and was assumed
  warnings     with --lenient: what was wrong with the seeds
  cycles       what it took on the machine, on the SM83 M-cycles; null on the model
"""


class _SeedsCommand(click.Command):
    """Says what to do about a seed that looks like an option."""

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        """See click."""
        given = list(args)
        try:
            return super().parse_args(context, args)
        except click.NoSuchOption as fault:
            raise click.UsageError(
                f"'{_meant(given, fault.option_name)}' looks like an option; if it is a seed, "
                "write -- before the seeds, and options before that: "
                "fairdeck mjarcade wall --uncertain N -- SEED SEED SEED SEED",
                context,
            ) from None


def _meant(args: list[str], option: str) -> str:
    """The word of the command line that was taken for ``option``."""
    return next((a for a in args if a.startswith(option)), option)


@click.command("wall", cls=_SeedsCommand, help=_WALL_HELP)
@click.argument("seeds", nargs=-1, required=True, metavar="S1 S2 S3 [S4]")
@click.option(
    "--uncertain", type=click.IntRange(min=0), required=True, metavar="N", help="See above."
)
@click.option("--lenient", is_flag=True, help="Take malformed seeds as the published script does.")
@where_options
@letters_option
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
def wall_command(
    seeds: tuple[str, ...],
    uncertain: int,
    lenient: bool,
    where: str,
    engine: str,
    letters: bool | None,
    as_json: bool,
) -> None:
    """Show a wall; see the help text above."""
    if len(seeds) not in (3, 4):
        raise click.UsageError(f"{len(seeds)} seeds were given; a game has four players, or three")
    dealt = deal(seeds, uncertain, lenient=lenient)
    cycles = None
    if where != MODEL:
        # here and not above: help and the model need neither assembler nor emulator
        from fairdeck.mjarcade.on_machine import deal_on

        made = deal_on(where, seeds, uncertain, engine)
        require_equal(where, [(made.wall, made.dice)], [(dealt.wall, dealt.dice)], "deal")
        cycles = made.cycles
    if as_json:
        click.echo(
            json.dumps(
                {
                    "wall": dealt.wall,
                    "dice": dealt.dice,
                    "assumptions": dealt.assumptions,
                    "warnings": dealt.warnings,
                    "cycles": cycles,
                }
            )
        )
        return
    show_warnings(dealt.warnings)
    show(_as_text(dealt, cycles, use_letters(letters)))


def _as_text(dealt: Dealt, cycles: int | None, letters: bool) -> str:
    three = len(dealt.wall) == TILES[3]
    guessed = "; three players: extrapolated, not published" if three else ""
    return "\n".join(
        (
            click.style(f"dice {dealt.dice[0]} and {dealt.dice[1]}{guessed}", bold=True),
            *([] if cycles is None else [f"  {cycles:,} cycles, as the model has it"]),
            wall_rows([_tile(n, three) for n in dealt.wall], letters, reds=False),
            *(f"  assumption: {text}" for text in dealt.assumptions),
        )
    )


_ONES = 4
"""Tiles 1m of three players, behind which their 9m come."""
_LACKING = 7 * 4
"""Tiles 2m to 8m."""


def _tile(number: int, three: bool) -> int:
    """Our tile id of a number: bamboos come before circles there; three lack 2m to 8m."""
    if three and number >= _ONES:
        number += _LACKING
    suit, rest = divmod(number, 36)
    return number if suit in (0, 3) else (3 - suit) * 36 + rest


@click.command("uncertain")
@click.argument(
    "events", type=click.Path(exists=True, dir_okay=False, path_type=Path, allow_dash=True)
)
@click.option("--start", type=click.IntRange(min=0), default=START, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
def uncertain_command(events: Path, start: int, as_json: bool) -> None:
    """Work out the uncertain element from what happened at the table.

    EVENTS is a JSON file (or -): a list of ["deal"] and ["discard", player, nth, tile], or an
    object with such a list as "events". A deal adds 1; a discard adds its number in the player's
    row of the round, times the tile: suit tiles their number, winds 1 to 4, white 5, green 6,
    red 7. Where it starts is not published: 0 is an assumption (--start).

    \b
    Examples:
      fairdeck mjarcade uncertain events.json
      echo '[["deal"],["discard",0,3,"C"]]' | fairdeck mjarcade uncertain - --json
    """
    values = running_value(_events(events), start)
    total = values[-1] if values else start
    if as_json:
        click.echo(json.dumps({"total": total, "values": values, "start": start}))
    else:
        click.echo(f"{total}  after {len(values):,} events")


def _events(path: Path) -> list[Any]:
    raw = read_input(str(path))
    try:
        found = json.loads(raw)
    except (ValueError, RecursionError) as fault:
        raise BadEvent(f"{path}: no JSON: {fault}") from None
    if isinstance(found, dict):
        found = found.get("events")
    if not isinstance(found, list):
        raise BadEvent(f'{path}: expected a list of events, or an object with the key "events"')
    return found
