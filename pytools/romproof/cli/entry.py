"""The ways into the command line that click reads."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NoReturn

import click

from romproof.cli.echo import echo
from romproof.cli.group import romproof
from romproof.cli.guard import guard
from romproof.support.ctrl_c import INTERRUPTED, end_now, take_over


def main() -> None:
    """The command ``romproof``."""
    launch(romproof, "romproof")


def launch(command: click.Command, name: str) -> NoReturn:
    """Carry out the command line of this process with ``command`` and exit."""
    take_over()
    code = run_guarded(command, sys.argv[1:], name)
    if code == INTERRUPTED:
        end_now(report=True)
    sys.exit(code)


def run(args: Sequence[str]) -> int:
    """Run a command line and return the exit code; every failure is reported on stderr."""
    return run_guarded(romproof, args, "romproof")


def run_guarded(command: click.Command, args: Sequence[str], name: str) -> int:
    """Run a click command and turn whatever it raises into a message and an exit code."""

    def call() -> object:
        try:
            return command.main(args=list(args), prog_name=name, standalone_mode=False)
        except click.ClickException as fault:
            fault.show()
            return fault.exit_code
        except click.Abort:
            echo("interrupted", err=True)
            return INTERRUPTED

    return guard(call)
