"""``fairdeck tarot shuffle``."""

from __future__ import annotations

import json
from collections.abc import Sequence

import click

from fairdeck.cli.choices import TRUTH, seed_option, size_option, variant_options
from fairdeck.cli.text import comparison, costs, deck_table, heading, show
from fairdeck.data import DEFAULT_ENGINE
from fairdeck.tarot.draw import Reduction
from fairdeck.tarot.feedback import Feedback
from fairdeck.tarot.runs import Outcome, Request, on_model, require_equal
from fairdeck.tarot.seed import format_state
from fairdeck.tarot.targets import TARGETS
from fairdeck.tarot.variants import Variant
from romproof import engines, progress

_HELP = f"""Shuffle the tarot deck from a seed.

The deck starts sorted. The seed is the state of the 32-bit shift register as
8 hexadecimal digits, lfsr0 first; flips left over from one shuffle are used by
the next. With --on 6502 or --on sm83 (the Game Boy's CPU) the machine code is run in
an emulator, its cycles are counted, and the deck, flips and state are compared with the model.

Cards are numbers. The published text names none; the names shown are ours:
0-21 the major arcana, then wands 22-35, cups 36-49, swords 50-63 and
pentacles 64-77, each from ace to king.

\b
Examples:
  fairdeck tarot shuffle --seed 12345678
  fairdeck tarot shuffle --seed 12345678 --on 6502
  fairdeck tarot shuffle --seed 12345678 --on sm83 --variant fast
  fairdeck tarot shuffle --seed 25A74E9D --feedback cf --shuffles 3 --json

{TRUTH}
\b
JSON (--json), one object:
  deck    the 78 numbers after the last shuffle
  decks   the same after each shuffle
  state   the shift register at the end, 8 hexadecimal digits, lfsr0 first
  flips   coin flips of each shuffle
  cycles  cycles of each shuffle (sm83: M-cycles), null on the model
"""


@click.command("shuffle", help=_HELP)
@seed_option(required=True)
@click.option(
    "--shuffles",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="N",
    help="Shuffles in a row.",
)
@variant_options
@click.option(
    "--on",
    "where",
    type=click.Choice(["model", *TARGETS]),
    default="model",
    show_default=True,
    help="The model or the CPU that shuffles.",
)
@click.option(
    "--engine",
    type=click.Choice(engines()),
    default=DEFAULT_ENGINE,
    show_default=True,
    help="The emulator for --on CPU; the model needs none.",
)
@size_option()
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def shuffle_command(
    seed: int,
    shuffles: int,
    feedback: Feedback,
    reduction: Reduction,
    where: str,
    engine: str,
    variant: Variant,
    as_json: bool,
) -> None:
    """Shuffle and show the result; see the help text above."""
    request = Request(seed, shuffles, feedback, reduction)
    model = on_model(request)
    outcomes = model
    target = TARGETS.get(where)
    if target is not None:
        # here and not above: help and the model need neither assembler nor emulator
        from fairdeck.tarot.on_machine import on_machine

        with progress("shuffling", shuffles) as tick:
            outcomes = on_machine(target, request, engine, tick, variant)
    if as_json:
        click.echo(as_object(outcomes))
    elif target is None:
        show("\n\n".join((heading(request, where), deck_table(model[-1].deck), costs(model))))
    else:
        show(
            "\n\n".join(
                (
                    heading(request, target.title),
                    deck_table(outcomes[-1].deck),
                    costs(outcomes, target.cycles),
                    comparison(target.title, outcomes[-1], model[-1]),
                )
            )
        )
    if target is not None:
        require_equal(target.title, outcomes, model)


def as_object(outcomes: Sequence[Outcome]) -> str:
    """The run as one line of JSON."""
    return json.dumps(
        {
            "deck": outcomes[-1].deck,
            "decks": [one.deck for one in outcomes],
            "state": format_state(outcomes[-1].generator.state),
            "flips": [one.flips for one in outcomes],
            "cycles": [one.cycles for one in outcomes],
        }
    )
