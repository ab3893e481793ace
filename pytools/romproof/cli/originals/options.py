"""Options as tables, and the one reader of them.

A row of a table is an ``Option``: its names, what help says of it, and its effect. The reader
takes a command line word by word and lets each row change the settings of the command, a frozen
dataclass; so the order of options counts wherever an effect looks at what was set before. How
words are split into options and arguments is the syntax of a family of tools:
``rgbds_arguments.parse`` and ``cc65_arguments.parse``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NoReturn, TypeVar

from romproof.text.errors import RomproofError

FILE = ""
"""The key of what comes that is no option: operands, mostly files."""


class BadCommandLine(RomproofError):
    """A command line the tool cannot follow."""


class HelpWanted(Exception):
    """Raised by a tool whose command line asks for help."""


class ReadingEnds(Exception):
    """Raised by an effect behind which the command line is not read."""

    def __init__(self, settings: Any) -> None:
        self.settings = settings


@dataclass(frozen=True)
class Settings:
    """What each command line may ask for; a command adds fields of its own."""

    version: bool = False


SettingsT = TypeVar("SettingsT", bound=Settings)
Effect = Callable[[Any, str, str], Any]
"""What an option does: settings, how messages call the option, its argument -> new settings.

Raises BadCommandLine when the argument is wrong.
"""
Converter = Callable[[str, str], Any]
"""A value from how messages call an option, and its argument. Raises BadCommandLine."""


def text(_: str, argument: str) -> str:
    """The argument as it is: a Converter."""
    return argument


def put(field: str, convert: Converter = text) -> Effect:
    """Set ``field``; the last time counts."""
    return lambda settings, name, argument: replace(settings, **{field: convert(name, argument)})


def append(field: str, convert: Converter = text) -> Effect:
    """Add to the end of ``field``, a tuple."""

    def effect(settings: Any, name: str, argument: str) -> Any:
        return replace(settings, **{field: (*getattr(settings, field), convert(name, argument))})

    return effect


def switch(*fields: str, to: object = True) -> Effect:
    """Set all of ``fields`` to ``to``."""
    values = dict.fromkeys(fields, to)
    return lambda settings, *_: replace(settings, **values)


def ignore(settings: Any, *_: str) -> Any:
    """Change nothing: the effect of what is known and has no use here."""
    return settings


def _want_help(*_: object) -> NoReturn:
    raise HelpWanted


class Option:
    """An option, as ``-short`` (one or two letters, or "" for none) and ``--long`` (or "").

    ``argument`` is what help calls its argument, "" when it takes none.
    ``help`` is one line; an option without it is known and not listed. ``gone`` says of an option
    of older releases what to do instead: its letter is refused.
    No dataclass: each start makes dozens.
    """

    __slots__ = ("argument", "effect", "gone", "help", "long", "short")

    def __init__(
        self,
        short: str,
        long: str = "",
        argument: str = "",
        effect: Effect = ignore,
        help: str = "",
        gone: str = "",
    ) -> None:
        self.short = short
        self.long = long
        self.argument = argument
        self.help = help
        self.effect = effect
        self.gone = gone

    @property
    def key(self) -> str:
        """What it is known by: the letter, or the long name."""
        return self.short or self.long

    @property
    def display_name(self) -> str:
        """How messages call it."""
        return f"-{self.short}" if self.short else f"--{self.long}"


def operand(effect: Effect) -> Option:
    """The row for the arguments that are no options."""
    return Option(FILE, effect=effect)


HELP = Option("h", "help", "", _want_help, "Show this text.")
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
            settings = row.effect(settings, row.display_name, argument)
    except ReadingEnds as end:
        settings = end.settings
    return settings
