"""Options that several commands share, and what their help says about them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from fairdeck.tarot.draw import Reduction
from fairdeck.tarot.feedback import DEFAULT_FEEDBACK, FEEDBACKS, Feedback
from fairdeck.tarot.seed import SeedError, parse_seed
from fairdeck.tarot.variants import DEFAULT_VARIANT, VARIANTS, Variant

Command = TypeVar("Command", bound=Callable[..., Any])
"""A command under construction: a function, with or without options."""


TRUTH = """\b
Feedback bytes (--feedback):
  a3  $A3, full period: all 4,294,967,295 nonzero states on one cycle
      ($C5 with its bits reversed, as shifting right needs)
  c5  $C5, named in the published text; longest cycle 4,158,654,495;
      3.17 % of the states are on shorter ones (134,150,145 2,031,585
      65,535 63,457 2,047 31)
  cf  $CF, executed by the published code; longest cycle 3,757,580,295;
      12.51 % of the states are on shorter ones (536,797,185 458,745
      65,535 57,337 8,191 7)
  The text's claim of 2^32-1 is false for both $C5 and $CF.

\b
Draws (--reduction):
  correct  takes n off after an overshoot: every number equally likely,
           691/91 = 7.593 flips for n = 78
  printed  takes n - 1 off, as the published text does: biased.
           For n = 78 the total variation is 0.012187, and cards 0 and 1
           are drawn 0.6094 times as often as is fair. Shuffling a sorted
           deck, card 0 ends at offset 0 2.4994 times too often.
"""


def _seed(_context: click.Context, _parameter: click.Parameter, text: str | None) -> int | None:
    """The state a seed means, None where none is given; an unusable one is an error of usage."""
    if text is None:
        return None
    try:
        return parse_seed(text)
    except SeedError as error:
        raise click.BadParameter(str(error)) from None


def _feedback(_context: click.Context, _parameter: click.Parameter, name: str) -> Feedback:
    return FEEDBACKS[name]


def _reduction(_context: click.Context, _parameter: click.Parameter, name: str) -> Reduction:
    return Reduction(name)


def seed_option(**attributes: Any) -> Callable[[Command], Command]:
    """Add ``--seed``; the command gets the state. ``attributes`` are click's further ones."""
    usual = {"help": "The register at the start: 8 hex digits, lfsr0 first."}
    return click.option("--seed", callback=_seed, metavar="HEX", **usual | attributes)


def _variant(_context: click.Context, _parameter: click.Parameter, name: str) -> Variant:
    return VARIANTS[name]


def size_option(default: Variant = DEFAULT_VARIANT) -> Callable[[Command], Command]:
    """Add ``--variant``; the command gets the object it names."""
    return click.option(
        "--variant",
        type=click.Choice(list(VARIANTS), case_sensitive=False),
        default=default.name,
        show_default=True,
        callback=_variant,
        help="The variant of the machine code: readable, for games, or as fast as possible.",
    )


def variant_options(command: Command) -> Command:
    """Add ``--feedback`` and ``--reduction``; the command gets the objects they name."""
    command = click.option(
        "--reduction",
        type=click.Choice([r.value for r in Reduction], case_sensitive=False),
        default=Reduction.CORRECT.value,
        show_default=True,
        callback=_reduction,
        help="The number that the draw subtracts after an overshoot.",
    )(command)
    return click.option(
        "--feedback",
        type=click.Choice(list(FEEDBACKS), case_sensitive=False),
        default=DEFAULT_FEEDBACK.name,
        show_default=True,
        callback=_feedback,
        help="The byte that is XORed into lfsr0.",
    )(command)


scheduler_option = click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Use the workers of this dask scheduler, such as tcp://10.0.0.5:8786 (needs "
    "romproof[cluster]).",
)
