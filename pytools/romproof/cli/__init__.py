"""The command line. One file for each command; here is the way in and out.

Exit codes (docs/exit-codes.md): 0 all is well, 1 something failed, 2 the command line is wrong,
130 interrupted. Nothing a user can cause ends in a traceback.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Sequence
from io import TextIOWrapper
from typing import NoReturn, TextIO

import click

from romproof.cli import output
from romproof.cli.group import romproof
from romproof.cli.output import error, tell
from romproof.text.ctrl_c import INTERRUPTED, end_now, take_over
from romproof.text.diagnostic import Diagnostic, Severity, render
from romproof.text.errors import BadInput, RomproofError, RomproofWarning

__all__ = ["main", "romproof", "run"]

_USAGE = 2


def main() -> None:
    """The command ``romproof``."""
    launch(romproof, "romproof")


def launch(command: click.Command, name: str) -> NoReturn:
    """Carry out the command line of this process with ``command`` and exit."""
    take_over()
    code = guarded(command, sys.argv[1:], name)
    if code == INTERRUPTED:
        end_now(report=True)
    sys.exit(code)


def run(args: Sequence[str]) -> int:
    """Run a command line and return the exit code; every failure is reported on stderr."""
    return guarded(romproof, args, "romproof")


def guarded(command: click.Command, args: Sequence[str], name: str) -> int:
    """Run a click command and turn whatever it raises into a message and an exit code."""
    output.colour = None  # what an earlier command line in this process asked for
    for stream in ("stdout", "stderr"):
        if getattr(sys, stream) is None:  # it was closed before we began
            setattr(sys, stream, open(os.devnull, "w"))  # noqa: SIM115  # open until the end
        there = getattr(sys, stream)
        if isinstance(there, TextIOWrapper) and there.errors == "strict":
            there.reconfigure(errors="replace")  # neither a terminal nor a name without UTF-8
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("default", RomproofWarning)
            warnings.showwarning = _show_warning
            code = command.main(args=list(args), prog_name=name, standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as fault:
        fault.show()
        return fault.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        return INTERRUPTED
    except BrokenPipeError:
        # the reader of our output has closed the pipe: there is nobody left to write to
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except BadInput as fault:
        tell(fault)
        return _USAGE
    except (RomproofError, OSError) as fault:
        tell(fault)
        return 1
    except MemoryError:
        error("out of memory")
        return 1
    except Exception as fault:
        if os.environ.get("ROMPROOF_TRACEBACK"):
            raise
        error(
            f"internal fault: {type(fault).__name__}: {fault}\n"
            "  help: this is a bug in romproof; set ROMPROOF_TRACEBACK=1 to see where"
        )
        return 1
    return code if isinstance(code, int) else 0


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """A warning of a program's code as a line on stderr; others as Python shows them."""
    if issubclass(category, RomproofWarning):
        coloured = output.wants_colour(sys.stderr)
        text = render(Diagnostic(Severity.WARNING, str(message)), coloured)
        place = "" if filename.startswith("$") else f"{filename}:{lineno}: "
        click.echo(f"{place}{text}", err=True, color=coloured)
        return
    click.echo(
        warnings.formatwarning(message, category, filename, lineno, line), err=True, nl=False
    )
