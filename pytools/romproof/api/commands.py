"""Command lines as romproof's own are: errors told in one way, exit codes, Ctrl-C, completion."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NoReturn

from romproof.cli import launch as launch_command
from romproof.cli import run_guarded
from romproof.cli.completion import completion
from romproof.cli.lazy import LazyGroup
from romproof.cli.options import version_option
from romproof.cli.output import error, show_diagnostics, tell
from romproof.support.reading import input_lines, read_bounded_lines, read_standard_input
from romproof.support.reading import read_input as read_file
from romproof.text.diagnostic import Diagnostic, Severity
from romproof.text.errors import RomproofError


class CommandGroup(LazyGroup):
    """A click group whose commands are imported when they are called.

    ``places`` has them by name, ``"package.module:attribute"`` each. The group of a whole
    ``program`` also has ``--version`` and the command ``completion``.
    """

    def __init__(
        self,
        *arguments: Any,
        places: Mapping[str, str],
        program: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__(*arguments, places=places, **options)
        self.program = program
        if program is not None:
            version_option(program)(self)
            self.add_command(completion, "completion")

    def run(self, args: Sequence[str]) -> int:
        """Carry out a command line; gives the exit code, every failure told on stderr."""
        return run_guarded(self, args, self.program or self.name or "")

    def launch(self) -> NoReturn:
        """Carry out the command line of this process, and exit."""
        launch_command(self, self.program or self.name or "")


def show_error(what: str | RomproofError | OSError) -> None:
    """An error on stderr; a BuildFailed with all its places."""
    if isinstance(what, str):
        error(what)
    else:
        tell(what)


def show_warnings(texts: Sequence[str]) -> None:
    """Warnings on stderr."""
    show_diagnostics(Diagnostic(Severity.WARNING, text) for text in texts)


def read_input(path: str) -> bytes:
    """The contents of a file, pipe or device that a user names; "-" is standard input.

    Raises OSError, also for an invalid name, and for a device without an end.
    """
    return read_standard_input() if path == "-" else read_file(path)


def read_lines(path: str) -> Iterator[str]:
    """The lines of a text in UTF-8, as they come; "-" is standard input.

    Raises OSError, also for an invalid name, for a line without an end, and for a pipe without a
    writer.
    """
    if path == "-":
        yield from read_bounded_lines(sys.stdin, "standard input")
    else:
        yield from input_lines(path)
