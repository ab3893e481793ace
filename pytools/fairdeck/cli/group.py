"""The group of all commands."""

from __future__ import annotations

import click

from fairdeck.cli import mjarcade as mjarcade_commands
from fairdeck.cli.audit import audit_command
from fairdeck.cli.completion import completion_command
from fairdeck.cli.prove import prove_command
from fairdeck.cli.riichi import riichi
from fairdeck.cli.tarot_compare import compare_command
from fairdeck.cli.tarot_demo import demo_command
from fairdeck.cli.tarot_gameboy import gameboy_command
from fairdeck.cli.tarot_shuffle import shuffle_command
from fairdeck.cli.tarot_stats import stats_command
from fairdeck.cli.tenhou_verify import verify_command
from fairdeck.cli.tenhou_wall import wall_command
from romproof.cli.interruptible import InterruptibleGroup
from romproof.cli.output import version_option


@click.group(cls=InterruptibleGroup, context_settings={"help_option_names": ["-h", "--help"]})
@version_option("fairdeck")
def fairdeck() -> None:
    """Shuffles of card and tile games, modelled, and run on a 6502 and a Game Boy.

    \b
    Examples:
      fairdeck tarot shuffle --seed 12345678     a deck, by the model
      fairdeck tarot stats                       how fair the draws are, exactly
      fairdeck tarot demo                        the same deck by machine code
      fairdeck tarot compare                     what it costs on each CPU
      fairdeck tarot gameboy                     a deck on the Game Boy, by a button
      fairdeck tenhou verify game.mjlog          is a game what its seed says?
      fairdeck mjarcade wall --uncertain 1 ...   a wall from players' seeds
      fairdeck audit                             how fair each shuffle is, exactly
      fairdeck riichi analyze 123m456p23478s11z  which tiles help a hand
      fairdeck prove                             what the code does, for all inputs
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


@fairdeck.group()
def tenhou() -> None:
    """Tenhou's mahjong walls: made from a seed, and checked against logged games."""


tenhou.add_command(wall_command)
tenhou.add_command(verify_command)


@fairdeck.group()
def mjarcade() -> None:
    """MJ Arcade's mahjong walls: made from the players' seeds."""


mjarcade.add_command(mjarcade_commands.wall_command)
mjarcade.add_command(mjarcade_commands.uncertain_command)

for _other in (riichi, audit_command, prove_command, completion_command):
    fairdeck.add_command(_other)
