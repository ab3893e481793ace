"""The group of all commands."""

from __future__ import annotations

from importlib import import_module

import click

from romproof.cli.asm import asm
from romproof.cli.batch import batch
from romproof.cli.bounds import bounds
from romproof.cli.build import build
from romproof.cli.compare import compare
from romproof.cli.completion import completion
from romproof.cli.conformance import conformance
from romproof.cli.disasm import disasm
from romproof.cli.engines import engines
from romproof.cli.infer import infer
from romproof.cli.init import init
from romproof.cli.lazy import LazyGroup
from romproof.cli.options import version_option
from romproof.cli.originals import TOOLS
from romproof.cli.originals.as_click import OriginalCommand
from romproof.cli.prove import prove
from romproof.cli.report import report
from romproof.cli.running import run
from romproof.cli.same import same


class RomproofGroup(LazyGroup):
    """Our commands, and the originals' under their own names."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Our commands; the originals' have a list of their own."""
        return [name for name in super().list_commands(ctx) if name not in TOOLS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, None when there is none."""
        if cmd_name in TOOLS and cmd_name not in self.commands:
            tool = import_module(f"romproof.cli.originals.{cmd_name}").COMMAND
            self.add_command(OriginalCommand(tool), cmd_name)
        return super().get_command(ctx, cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The lists of commands in the help text."""
        super().format_commands(ctx, formatter)
        with formatter.section("The original tools, for makefiles that call them"):
            formatter.write_dl(list(TOOLS.items()))


@click.group(
    cls=RomproofGroup,
    places=dict.fromkeys(TOOLS, ""),
    context_settings={"help_option_names": ["-h", "--help"]},
)
@version_option("romproof")
def romproof() -> None:
    """Assemble, run, time and prove 8-bit code.

    \b
    Examples:
      romproof init                              a first table and test of a game
      romproof asm main.s -o main.bin            assemble and link
      romproof build                             every ROM of the project
      romproof run demo --call add --reg a=2     call one routine
      romproof report demo                       where the cycles go
      romproof compare old.nes new.nes           compare cycles, bytes, RAM
      romproof bounds demo                       the fewest and most cycles
      romproof prove demo                        prove contracts for all inputs
      romproof infer demo                        contracts for routines without one
      romproof same demo:old demo:new            prove that two routines do the same
      romproof disasm main.bin --start '$8000'   bytes back to source
    """


_COMMANDS = (
    init, asm, build, disasm, run, report, compare, bounds, prove, infer, same, engines,
    conformance, batch, completion,
)  # fmt: skip
for _command in _COMMANDS:
    romproof.add_command(_command)
