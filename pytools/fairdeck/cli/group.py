"""The group of all commands."""

from __future__ import annotations

import click

from fairdeck.cli.completion import completion_command
from fairdeck.cli.tarot_compare import compare_command
from fairdeck.cli.tarot_demo import demo_command
from fairdeck.cli.tarot_gameboy import gameboy_command
from fairdeck.cli.tarot_shuffle import shuffle_command
from fairdeck.cli.tarot_stats import stats_command
from romproof import __version__


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "-V", "--version", prog_name="fairdeck")
def fairdeck() -> None:
    """Shuffles of card games, modelled, and run on a 6502 and a Game Boy.

    \b
    Examples:
      fairdeck tarot shuffle --seed 12345678     a deck, by the model
      fairdeck tarot stats                       how fair the draws are, exactly
      fairdeck tarot demo                        the same deck by machine code
      fairdeck tarot compare                     what it costs on each CPU
      fairdeck tarot gameboy                     a deck on the Game Boy, by a button
    """


@fairdeck.group()
def tarot() -> None:
    """The 78 cards of the tarot."""


for _command in (
    shuffle_command,
    stats_command,
    demo_command,
    compare_command,
    gameboy_command,
):
    tarot.add_command(_command)
fairdeck.add_command(completion_command)
