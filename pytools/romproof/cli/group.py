"""The group of all commands."""

from __future__ import annotations

import click

from romproof.cli.asm import asm
from romproof.cli.bounds import bounds
from romproof.cli.build import build
from romproof.cli.compare import compare
from romproof.cli.completion import completion
from romproof.cli.conformance import conformance
from romproof.cli.disasm import disasm
from romproof.cli.engines import engines
from romproof.cli.infer import infer
from romproof.cli.lazy import LazyGroup
from romproof.cli.output import version_option
from romproof.cli.prove import prove
from romproof.cli.report import report
from romproof.cli.run import run
from romproof.cli.same import same

ORIGINALS = {
    "ca65": "Assemble one file, as cc65's assembler does.",
    "ld65": "Link what ca65 made, and libraries of cc65.",
    "ar65": "Make libraries of objects, and look into them.",
    "cl65": "Compile, assemble and link with one command.",
    "od65": "Tell what is in an object.",
    "rgbasm": "Assemble one file for the Game Boy, as RGBDS's assembler does.",
    "rgblink": "Link what rgbasm made.",
    "rgbfix": "Put header and checksums into a Game Boy ROM.",
    "rgbgfx": "Convert pictures to a Game Boy's tiles, maps and palettes.",
}
"""Tools whose command lines we take as they are; each has a module with its ``COMMAND``."""


class CommandGroup(LazyGroup):
    """Our commands, and the originals' under their own names."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Our commands; the originals' have a list of their own."""
        return [name for name in super().list_commands(ctx) if name not in ORIGINALS]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The lists of commands in the help text."""
        super().format_commands(ctx, formatter)
        with formatter.section("For makefiles that call these tools"):
            formatter.write_dl(list(ORIGINALS.items()))


@click.group(
    cls=CommandGroup,
    places={name: f"romproof.cli.originals.{name}:COMMAND" for name in ORIGINALS},
    context_settings={"help_option_names": ["-h", "--help"]},
)
@version_option("romproof")
def romproof() -> None:
    """8-bit code that is assembled, run, timed and checked.

    \b
    Examples:
      romproof asm main.s -o main.bin            assemble and link
      romproof build                             every ROM of the project
      romproof run demo --call add --reg a=2     call one routine
      romproof report demo                       where the cycles go
      romproof compare old.nes new.nes           which takes fewer cycles, bytes, RAM
      romproof bounds demo                       what they are at best and at worst
      romproof prove demo                        that contracts hold for all inputs
      romproof infer demo                        contracts for routines without one
      romproof same demo:old demo:new            that two routines do the same
      romproof disasm main.bin --start '$8000'   bytes back to source
    """


_COMMANDS = (
    asm, build, disasm, run, report, compare, bounds, prove, infer, same, engines, conformance,
    completion,
)  # fmt: skip
for _command in _COMMANDS:
    romproof.add_command(_command)
