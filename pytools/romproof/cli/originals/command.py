"""What the commands with an original's command line share."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module

from romproof.cli.echo import echo
from romproof.cli.originals.arguments import BadCommandLine, Option, whole_number
from romproof.cli.output import error
from romproof.support.reading import read_standard_input

RGBDS_VERSION = "1.0.3"
"""The version of RGBDS whose behaviour the commands have."""

DIALECT = Option(
    "", "dialect", "VERSION", "Take sources and options as RGBDS 0.5 or 0.6 does: 0.5, 0.6."
)
"""Of rgbasm, rgblink, rgbfix and rgbgfx."""
DIALECT_NAMES = ("0.5", "0.6")
COLOUR = Option("", "color", "WHEN", "Colour messages: always, never or auto.")


class HelpWanted(Exception):
    """Raised by a tool whose command line asks for help."""


@dataclass(frozen=True)
class Tool:
    """``romproof NAME ...`` with the command line of the tool NAME.

    ``run`` gets all words and gives the exit code; its docstring is the help text, and ``usage``
    its first line.
    """

    name: str
    run: Callable[[Sequence[str]], int]
    options: Sequence[Option]
    usage: str

    def carry_out(self, words: Sequence[str]) -> int:
        """Run the tool; a wrong command line is reported with where help is, and gives 2.

        Raises HelpWanted.
        """
        try:
            return self.run(words)
        except BadCommandLine as fault:
            error(f"{fault}; see 'romproof {self.name} --help'")
            return 2


def read_dialect(words: Sequence[str]) -> str | None:
    """What ``--dialect`` says, or None: it decides how the other options are read.

    The first one counts. Raises BadCommandLine for a release that is not known.
    """
    for at, word in enumerate(words):
        name, equals, given = word.partition("=")
        if name == "--dialect":
            if not equals:
                given = words[at + 1] if at + 1 < len(words) else ""
            if given not in DIALECT_NAMES:
                known = " and ".join(DIALECT_NAMES)
                raise BadCommandLine(
                    f"'--dialect {given}': there are {known}; without it sources are those of "
                    f"{RGBDS_VERSION}"
                )
            return given
    return None


def show_version(name: str) -> None:
    """The version line, which begins as the original's."""
    from romproof.support.version import read_version

    echo(f"{name} v{RGBDS_VERSION} (romproof {read_version()})")


def load_tool(name: str) -> Tool:
    """The tool of that name, one of TOOLS."""
    tool: Tool = import_module(f"romproof.cli.originals.{name}").COMMAND
    return tool


def choose_colour(when: str) -> None:
    """Take ``--color WHEN``. Raises BadCommandLine when it is none of the three words."""
    from romproof.cli import output

    if when.lower() not in ("always", "never", "auto"):
        raise BadCommandLine(f"'--color {when}' is not one of always, never and auto")
    output.colour = {"always": True, "never": False}.get(when.lower())


def backtrace(argument: str, quiet_places: bool) -> bool:
    """Take ``-B``: whether quiet places are to be shown, given what was said of them before.

    The rest of it is about a form of messages that is not ours. Raises BadCommandLine.
    """
    word = argument.lower()
    if word in ("all", "no-all"):
        return word == "all"
    if word not in ("collapse", "no-collapse") and whole_number(argument) is None:
        raise BadCommandLine(f"'-B {argument}' is not understood")
    return quiet_places


def display_name(name: str) -> str:
    """What messages call an input file."""
    return "<stdin>" if name == "-" else name


def standard_input() -> bytes:
    """All of standard input."""
    return read_standard_input()


def write_outputs(outputs: Sequence[tuple[str, bytes | str]]) -> None:
    """Write files, all or none of them; '-' is standard output."""
    from romproof.support.files import write_all

    write_all([(name, data) for name, data in outputs if name != "-"])
    for name, data in outputs:
        if name == "-":
            raw = data.encode("utf-8", "surrogateescape") if isinstance(data, str) else data
            sys.stdout.buffer.write(raw)
            sys.stdout.buffer.flush()
