"""``fairdeck tarot compare``: what the routines cost on the two CPUs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from fairdeck.cli.choices import seed_option, variant_options
from fairdeck.cli.text import cost_table, show
from fairdeck.data import DEFAULT_ENGINE
from fairdeck.tarot.draw import Reduction
from fairdeck.tarot.feedback import Feedback
from fairdeck.tarot.runs import Request
from fairdeck.tarot.targets import TARGETS
from romproof import engines, progress

if TYPE_CHECKING:
    from fairdeck.tarot.costs import Cost

_HELP = """Compare what the routines cost on the 6502 and on the SM83.

Each routine is called some dozens to hundreds of times, going on from a seed; least,
mean and most are what was found, from the first instruction of a call to its last.
Cycles of the SM83 are M-cycles, of four clocks each. Times are for the mean, on an NES
(1.789773 MHz) and a Game Boy (1.048576 million M-cycles a second). Bytes are those of
the routine itself, not of what it calls. The fast shuffle calls no other routine.

\b
Examples:
  fairdeck tarot compare
  fairdeck tarot compare --json

\b
JSON (--json), one object: "costs", a list with one object for each routine and CPU
  routine, cpu      their names
  calls             how many calls the figures come from
  min, mean, max    cycles of a call
  microseconds      of a call with the mean
  clock             the clock these are for
  code, tables      bytes in ROM
"""


@click.command("compare", help=_HELP)
@seed_option(default="12345678", show_default=True)
@variant_options
@click.option(
    "--engine",
    type=click.Choice(engines()),
    default=DEFAULT_ENGINE,
    show_default=True,
    help="What executes the code.",
)
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
def compare_command(
    seed: int, feedback: Feedback, reduction: Reduction, engine: str, as_json: bool
) -> None:
    """Show the table; see the help text above."""
    # here and not above: help needs neither assembler nor emulator
    from fairdeck.tarot.costs import costs

    request = Request(seed, 1, feedback, reduction)
    found: list[Cost] = []
    with progress("measuring", len(TARGETS)) as tick:
        for target in TARGETS.values():
            found += costs(target, request, engine)
            tick()
    if as_json:
        click.echo(as_object(found))
    else:
        show(cost_table(found))


def as_object(found: Sequence[Cost]) -> str:
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
        for cost in found
    ]
    return json.dumps({"costs": rows})
