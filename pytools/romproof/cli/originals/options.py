"""Options as tables, and the one reader of them.

A row of a table is an ``Option``: its names and argument, its setter, and what help says of it. The
reader takes a command line word by word and lets each row change the settings of the command, a
frozen dataclass; so the order of options counts wherever a setter looks at what was set before.
How words are split into options and arguments is the syntax of a family of tools:
``rgbds_arguments.parse`` and ``cc65_arguments.parse``. No library reads either: click, argparse and
getopt know no long options with one dash, no ``@file`` with comments, no options of two letters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn, TypeVar

from romproof.cli.originals.setters import Setter, ignore
from romproof.text.errors import RomproofError

FILE = ""
"""The key of what comes that is no option: operands, mostly files."""


class BadCommandLine(RomproofError):
    """A command line the tool cannot follow."""


class HelpWanted(Exception):
    """Raised by a tool whose command line asks for help."""


class ReadingEnds(Exception):
    """Raised by a setter behind which the command line is not read."""

    def __init__(self, settings: Any) -> None:
        self.settings = settings


@dataclass(frozen=True)
class ToolSettings:
    """What each command line may ask for; a command adds fields of its own."""

    version: bool = False


class Option:
    """A row: an option as help shows it, ``-s --long ARGUMENT``, its setter and its line of help.

    The short name has one or two letters; either name may be missing, and the argument is where
    the option takes one. An option without ``help`` is known and not listed. ``gone`` says of an
    option of older releases what to do instead: its letter is refused.
    No dataclass: each start makes dozens.
    """

    __slots__ = ("argument", "gone", "help", "long", "setter", "short")

    def __init__(self, form: str, setter: Setter = ignore, help: str = "", gone: str = "") -> None:
        self.short = self.long = self.argument = ""
        for word in form.split():
            if word.startswith("--"):
                self.long = word[2:]
            elif word.startswith("-"):
                self.short = word[1:]
            else:
                self.argument = word
        self.setter = setter
        self.help = help
        self.gone = gone

    @property
    def key(self) -> str:
        """What it is known by: the letter, or the long name."""
        return self.short or self.long

    @property
    def display_name(self) -> str:
        """How messages call it."""
        return f"-{self.short}" if self.short else f"--{self.long}"


def operand(setter: Setter) -> Option:
    """The row for the arguments that are no options."""
    return Option(FILE, setter)


def _want_help(*_: object) -> NoReturn:
    raise HelpWanted


HELP = Option("-h --help", _want_help, "Show this text.")
LONG_HELP = Option("--help", _want_help, "Show this text.")
"""For command lines whose -h means something else."""
SettingsT = TypeVar("SettingsT", bound=ToolSettings)
Syntax = Callable[[Sequence[str], Sequence[Option]], Iterator[tuple[str, str]]]
"""Splits words: gives pairs of an option's key and its argument, in order."""


def read(
    words: Sequence[str], options: Sequence[Option], settings: SettingsT, parse: Syntax
) -> SettingsT:
    """``settings``, changed by each option and operand of ``words`` in turn.

    Raises BadCommandLine, and HelpWanted.
    """
    rows = {option.key: option for option in options}
    try:
        for key, argument in parse(words, options):
            row = rows[key]
            settings = row.setter(settings, row.display_name, argument)
    except ReadingEnds as end:
        settings = end.settings
    return settings
