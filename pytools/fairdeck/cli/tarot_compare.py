"""``fairdeck tarot compare``: what the routines cost on the two CPUs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fairdeck.cli.choices import seed_option, size_option, variant_options
from fairdeck.cli.text import cost_table, show, variant_table
from fairdeck.data import DEFAULT_ENGINE
from fairdeck.tarot.draw import Reduction
from fairdeck.tarot.feedback import Feedback
from fairdeck.tarot.runs import Request
from fairdeck.tarot.targets import TARGETS
from fairdeck.tarot.variants import Variant
from romproof import engines, progress

if TYPE_CHECKING:
    from fairdeck.tarot.costs import Cost, Whole

_HELP = """Compare the cycles of the routines on the 6502 and on the SM83.

Each routine is called some dozens to hundreds of times, starting from a seed; least,
mean and most are measured, from the first instruction of a call to its last.
Cycles of the SM83 are M-cycles, of four clocks each. Times are for the mean, on an NES
(1.789773 MHz) and a Game Boy (1.048576 million M-cycles a second). Bytes are those of
the routine itself without its callees: the small shuffle calls draw and swap, the
others call no routine.

The second table has the Pareto front of the variants, which the picture shows too:
ROM and RAM of all routines with deck and variables, and the cycles of a shuffle. A mark
shows a variant that another one beats in all three.

\b
Examples:
  fairdeck tarot compare
  fairdeck tarot compare --variant small
  fairdeck tarot compare --picture front.png --json

\b
JSON (--json), one object: "costs", a list with one object for each routine and CPU
  routine, cpu      their names
  calls             how many calls the figures come from
  min, mean, max    cycles of a call
  microseconds      of a call with the mean
  clock             the clock these are for
  code, tables      bytes in ROM
and "variants", a list with one object for each variant and CPU
  variant, cpu      their names
  code, tables      bytes in ROM of all routines
  memory            bytes of RAM: deck, generator, variables
  calls, min, mean, max, microseconds, clock
                    of a shuffle, as above
  on_front          whether no other variant on that CPU is as good in ROM, RAM and
                    mean cycles, and better in one
"""


@click.command("compare", help=_HELP)
@seed_option(default="12345678", show_default=True)
@variant_options
@size_option()
@click.option(
    "--picture",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the front as PNG (needs fairdeck[pictures]).",
)
@click.option(
    "--engine",
    type=click.Choice(engines()),
    default=DEFAULT_ENGINE,
    show_default=True,
    help="Engine that executes the code.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def compare_command(
    seed: int,
    feedback: Feedback,
    reduction: Reduction,
    variant: Variant,
    picture: Path | None,
    engine: str,
    as_json: bool,
) -> None:
    """Show the table; see the help text above."""
    # here and not above: help needs neither assembler nor emulator
    from fairdeck.tarot.costs import costs, variants_of
    from fairdeck.tarot.picture import need_for_pictures, write_front

    if picture is not None:
        need_for_pictures()
    request = Request(seed, 1, feedback, reduction)
    measured: list[Cost] = []
    front: list[Whole] = []
    with progress("measuring", 2 * len(TARGETS)) as tick:
        for target in TARGETS.values():
            measured += costs(target, request, engine, variant)
            tick()
            front += variants_of(target, request, engine)
            tick()
    if picture is not None:
        write_front(picture, front)
    if as_json:
        click.echo(as_object(measured, front))
    else:
        title = click.style(f"the routines of the variant {variant.name}", bold=True)
        show("\n".join([title, cost_table(measured), "", variant_table(front)]))


def as_object(measured: Sequence[Cost], front: Sequence[Whole]) -> str:
    """The costs as one line of JSON."""
    rows = [
        {
            "routine": cost.routine,
            "cpu": cost.target.name,
            "calls": cost.calls,
            "min": cost.least,
            "mean": float(cost.mean),
            "max": cost.most,
            "microseconds": cost.microseconds,
            "clock": cost.clock.name,
            "code": cost.code,
            "tables": cost.tables,
        }
        for cost in measured
    ]
    variants = [
        {
            "variant": one.shuffle.variant.name,
            "cpu": one.shuffle.target.name,
            "code": one.size.code,
            "tables": one.size.tables,
            "memory": one.size.memory,
            "calls": one.shuffle.calls,
            "min": one.shuffle.least,
            "mean": float(one.shuffle.mean),
            "max": one.shuffle.most,
            "microseconds": one.shuffle.microseconds,
            "clock": one.shuffle.clock.name,
            "on_front": one.on_front,
        }
        for one in front
    ]
    return json.dumps({"costs": rows, "variants": variants})
