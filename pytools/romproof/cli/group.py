"""The group of all commands."""

from __future__ import annotations

import click

from romproof import __version__
from romproof.cli.asm import asm
from romproof.cli.build import build
from romproof.cli.completion import completion
from romproof.cli.conformance import conformance
from romproof.cli.disasm import disasm
from romproof.cli.engines import engines
from romproof.cli.report import report
from romproof.cli.run import run


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "-V", "--version", prog_name="romproof")
def romproof() -> None:
    """8-bit code that is assembled, run, timed and checked.

    \b
    Examples:
      romproof asm main.s -o main.bin            assemble and link
      romproof build                             every ROM of the project
      romproof run demo --call add --reg a=2     call one routine
      romproof report demo                       where the cycles go
      romproof disasm main.bin --start '$8000'   bytes back to source
    """


for _command in (asm, build, disasm, run, report, engines, conformance, completion):
    romproof.add_command(_command)
