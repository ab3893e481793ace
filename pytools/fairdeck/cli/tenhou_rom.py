"""``fairdeck tenhou rom``: a game's walls as a program for the Game Boy."""

from __future__ import annotations

import json
from pathlib import Path

import click

from fairdeck.cli.tenhou_wall import seed_from
from fairdeck.cli.text import show
from romproof import write_all

_HELP = """Write a Game Boy ROM that makes the walls of a game from its seed, and shows them.

SEED is the text that a game's log has in its element SHUFFLE, a file with it, a log, or - for
standard input, as for fairdeck tenhou wall. The ROM computes a round on the machine, in two
seconds: hands, live and dead wall, dice are those of fairdeck tenhou wall. It is for games of four
players, and runs on the Game Boy and the Game Boy Color.

\b
Examples:
  fairdeck tenhou rom seed.txt -o wall.gb
  fairdeck tenhou rom 2016100120gm-00a9-0000.mjlog -o game.gb

\b
JSON (--json): {"schema", "ok", "files", "words", "key"}; files is [{"path", "size"}], words how
many words of 32 bits the seed has, key all of them as hexadecimal bytes, as the ROM holds them
"""
SCHEMA = "fairdeck.tenhou.rom/1"


@click.command("rom", help=_HELP)
@click.argument("seed", metavar="SEED|FILE|-")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("wall.gb"),
    show_default=True,
    metavar="FILE",
    help="Write the ROM to this file.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def rom_command(seed: str, output: Path, as_json: bool) -> None:
    """Write the ROM; see the help text above."""
    key, seated = seed_from(seed)
    if seated not in (None, 4):
        raise click.UsageError(f"the log is of a game for {seated}; the ROM shows games for 4")
    # here and not above: help needs no assembler
    from fairdeck.tenhou.rom import rom_for

    rom = rom_for(key)
    write_all([(output, rom)])
    words = b"".join(word.to_bytes(4, "little") for word in key.words).hex()
    if as_json:
        files = [{"path": str(output), "size": len(rom)}]
        report = {"schema": SCHEMA, "ok": True, "files": files}
        click.echo(json.dumps(report | {"words": len(key.words), "key": words}))
        return
    show(f"{output}: {len(rom):,} bytes, for the seed whose key begins {words[:16]}")
