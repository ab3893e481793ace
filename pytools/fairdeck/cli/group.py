"""The group of all commands; a command's module is imported when it is called."""

from __future__ import annotations

import click

from romproof import CommandGroup

COMMANDS = {
    "audit": "fairdeck.cli.audit:audit_command",
    "mahjongsoul": "fairdeck.cli.mahjongsoul:mahjongsoul",
    "prove": "fairdeck.cli.prove:prove_command",
    "riichi": "fairdeck.cli.riichi:riichi",
    "viewer": "fairdeck.cli.viewer:viewer_command",
}
TAROT = {
    "compare": "fairdeck.cli.tarot_compare:compare_command",
    "demo": "fairdeck.cli.tarot_demo:demo_command",
    "gameboy": "fairdeck.cli.tarot_played:gameboy_command",
    "nes": "fairdeck.cli.tarot_played:nes_command",
    "shuffle": "fairdeck.cli.tarot_shuffle:shuffle_command",
    "stats": "fairdeck.cli.tarot_stats:stats_command",
}
TENHOU = {
    "rom": "fairdeck.cli.tenhou_rom:rom_command",
    "verify": "fairdeck.cli.tenhou_verify:verify_command",
    "wall": "fairdeck.cli.tenhou_wall:wall_command",
}
MJARCADE = {
    "uncertain": "fairdeck.cli.mjarcade:uncertain_command",
    "wall": "fairdeck.cli.mjarcade:wall_command",
}


@click.group(
    cls=CommandGroup,
    program="fairdeck",
    places=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"]},
)
def fairdeck() -> None:
    """Shuffle and verify card and tile games, in Python and on a 6502 and a Game Boy.

    \b
    Examples:
      fairdeck tarot shuffle --seed 12345678     a deck, by the model
      fairdeck tarot stats                       exact fairness of the draws
      fairdeck tarot demo                        the same deck by machine code
      fairdeck tarot compare                     cycles on each CPU
      fairdeck tarot gameboy                     a deck on the Game Boy, by a button
      fairdeck tarot nes                         a deck on the NES, by a button
      fairdeck tenhou verify game.mjlog          check a game against its seed
      fairdeck mjarcade wall --uncertain 1 ...   a wall from players' seeds
      fairdeck viewer game.mjlog                 a game, its wall and verdict as a page
      fairdeck audit                             exact fairness of each shuffle
      fairdeck riichi analyze 123m456p23478s11z  tiles that help a hand
      fairdeck prove                             proofs about the code, for all inputs
    """


@fairdeck.group(cls=CommandGroup, places=TAROT)
def tarot() -> None:
    """The 78 cards of the tarot."""


@fairdeck.group(cls=CommandGroup, places=TENHOU)
def tenhou() -> None:
    """Tenhou's mahjong walls: made from a seed, and checked against logged games."""


@fairdeck.group(cls=CommandGroup, places=MJARCADE)
def mjarcade() -> None:
    """MJ Arcade's mahjong walls: made from the players' seeds."""
