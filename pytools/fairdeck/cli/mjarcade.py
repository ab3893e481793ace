"""``fairdeck mjarcade``."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from fairdeck.cli.text import show
from fairdeck.cli.tiles import letters_option, tile_text, use_letters
from fairdeck.cli.where import MODEL, require_equal, where_options
from fairdeck.mjarcade.layout import (
    ASSUMED_OPENING,
    ASSUMED_PLACES,
    SEATS,
    as_object,
    laid_out,
)
from fairdeck.mjarcade.uncertain import START, BadEvent, check_sequence, running_value
from fairdeck.mjarcade.wall import TILES, Dealt, deal, tile_of
from romproof import progress, read_input, show_warnings

_WALL_HELP = """Make a wall and dice from the seeds of three or four players.

The order of the players does not matter. N is the uncertain element, which "mjarcade uncertain"
computes. If a seed begins with -, write -- before the seeds:

\b
Examples:
  fairdeck mjarcade wall --uncertain 1 1YeOi5hethi47htVQqbf2PHpqGO KvqrR... Zx81... 0-aB...
  fairdeck mjarcade wall --uncertain 418 --json -- -S_Gn... KvqrR... Zx81... 0-aB...

\b
JSON (--json):
  wall         136 numbers (108 of three players) after the swaps, index 0 first
  dice         two faces 1..6
  sides        the same on the table: [{"seat", "stacks": [[upper, lower], ...]}, ...]
  opened       behind which stack (from 0) of whose side the wall is opened
  assumptions  facts that are not published, and were assumed
  warnings     with --lenient: the errors in the seeds
  cycles       those of the machine, on the SM83 M-cycles; null on the model
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
                f"'{_find_argument(given, fault.option_name)}' looks like an option; "
                "if it is a seed, write -- before the seeds, and options before that: "
                "fairdeck mjarcade wall --uncertain N -- SEED SEED SEED SEED",
                context,
            ) from None


def _find_argument(args: list[str], option: str) -> str:
    """The word of the command line that was taken for ``option``."""
    return next((a for a in args if a.startswith(option)), option)


@click.command("wall", cls=_SeedsCommand, help=_WALL_HELP)
@click.argument("seeds", nargs=-1, required=True, metavar="S1 S2 S3 [S4]")
@click.option(
    "--uncertain",
    type=click.IntRange(min=0),
    required=True,
    metavar="N",
    help="The uncertain element; see above.",
)
@click.option("--lenient", is_flag=True, help="Accept malformed seeds like the published script.")
@where_options
@letters_option
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
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
                    **as_object(laid_out(dealt.wall, dealt.dice)),
                    "assumptions": (*dealt.assumptions, ASSUMED_PLACES, ASSUMED_OPENING),
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
            *([] if cycles is None else [f"  {cycles:,} cycles, equal to the model"]),
            *_sides(dealt, three, letters),
            *(f"  assumption: {text}" for text in dealt.assumptions),
            f"  assumption: {ASSUMED_PLACES}",
            f"  assumption: {ASSUMED_OPENING}",
        )
    )


def _sides(dealt: Dealt, three: bool, letters: bool) -> list[str]:
    """The four sides of the wall, two rows each, from their players' right."""
    laid = laid_out(dealt.wall, dealt.dice)
    opened, behind = laid.opened
    lines = []
    for place, side in enumerate(laid.sides):
        whose = f"{SEATS[place]}, the first dealer's" if place == 0 else SEATS[place]
        opening = f"; opened behind stack {behind + 1}" if place == opened else ""
        lines.append(f"  {whose}: {len(side)} stacks{opening}")
        for level in ("upper", "lower"):
            tiles = (tile_of(getattr(stack, level), 3 if three else 4) for stack in side)
            row = (tile_text(tile, letters, False) for tile in tiles)
            lines.append(f"    {level}  {(' ' if letters else '').join(row)}".rstrip())
    return lines


@click.command("uncertain")
@click.argument(
    "events", type=click.Path(exists=True, dir_okay=False, path_type=Path, allow_dash=True)
)
@click.option("--start", type=click.IntRange(min=0), default=START, show_default=True)
@where_options
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def uncertain_command(events: Path, start: int, where: str, engine: str, as_json: bool) -> None:
    """Compute the uncertain element from the events at the table.

    EVENTS is a JSON file (or -): a list of ["deal"] and ["discard", player, nth, tile], or an
    object with such a list as "events". A deal adds 1; a discard adds its number in the player's
    row of the round, times the tile: suit tiles their number, winds 1 to 4, white 5, green 6,
    red 7. An impossible sequence (a discard before the first deal, a missing number, two
    discards in a row of one player, five of a kind in a round) is an error. The initial value
    is not published: 0 is an assumption (--start).

    \b
    Examples:
      fairdeck mjarcade uncertain events.json
      fairdeck mjarcade uncertain events.json --on sm83
      echo '[["deal"],["discard",0,1,"C"]]' | fairdeck mjarcade uncertain - --json

    \b
    JSON (--json): {"total", "values": the number after each event, "start", "cycles": those
    of all events on the machine, on the SM83 M-cycles; null on the model}
    """
    listed = _events(events)
    check_sequence(listed)
    values = running_value(listed, start)
    cycles = None if where == MODEL else _on_machine(where, listed, start, engine, values)
    total = values[-1] if values else start
    if as_json:
        answer = {"total": total, "values": values, "start": start, "cycles": cycles}
        click.echo(json.dumps(answer))
        return
    click.echo(f"{total}  after {len(values):,} events")
    if cycles is not None:
        click.echo(f"{cycles:,} cycles, equal to the model")


def _on_machine(
    where: str, events: list[Any], start: int, engine: str, model: Sequence[int]
) -> int:
    """The cycles of the machine, which must have the model's values: of them, 32 bits."""
    from fairdeck.mjarcade.on_machine import running_value_on

    with progress("counting", len(events)) as tick:
        made = running_value_on(where, events, start, engine, tick)
    require_equal(where, made.values, [value % (1 << 32) for value in model], "event")
    return made.cycles


def _events(path: Path) -> list[Any]:
    raw = read_input(str(path))
    try:
        document = json.loads(raw)
    except (ValueError, RecursionError) as fault:
        raise BadEvent(f"{path}: not JSON: {fault}") from None
    if isinstance(document, dict):
        document = document.get("events")
    if not isinstance(document, list):
        raise BadEvent(f'{path}: expected a list of events, or an object with the key "events"')
    return document
