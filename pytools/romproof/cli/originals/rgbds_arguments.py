"""Command lines as the RGBDS tools read them, which is as getopt_long_only(3) does.

Short options may be joined (``-tw``, ``-p0xFF``), long ones abbreviated and
written with one dash or two, options and files mixed. ``--`` ends the options,
and so does ``-``, which is itself a file: standard input or output. ``@file``
stands for the words in that file.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from romproof.cli import output
from romproof.cli.echo import echo
from romproof.cli.originals.options import (
    FILE,
    BadCommandLine,
    Effect,
    Option,
    Settings,
    switch,
)
from romproof.support.files import write_all
from romproof.support.reading import MAX_BYTES, MAX_TEXT, read_input, read_standard_input
from romproof.support.version import read_version

RGBDS_VERSION = "1.0.3"
"""The version of RGBDS whose behaviour the commands have."""
DIALECT_NAMES = ("0.5", "0.6")


def parse(words: Sequence[str], options: Sequence[Option]) -> Iterator[tuple[str, str]]:
    """The options and files of a command line, in order.

    Gives pairs of an option's key (FILE for a file) and its argument ("" without one).
    Raises BadCommandLine when an option is unknown or ambiguous, has an argument
    too many or too few, or when an ``@file`` cannot be read.
    """
    return _words(list(words), options, ())


def _words(
    words: list[str], options: Sequence[Option], inside: tuple[str, ...]
) -> Iterator[tuple[str, str]]:
    shorts = {option.short: option for option in options if option.short}
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if word == "--" or word == "-":
            # what follows is files even if it looks like options
            for file in words[at - (word == "-") :]:
                yield FILE, file
            return
        if word.startswith("@"):
            yield from _words(_at_file(word[1:], inside), options, (*inside, word))
            continue
        if not word.startswith("-"):
            yield FILE, word
            continue
        option = _long_option(word, options, shorts)
        if option is not None:
            given = word.partition("=")[2] if "=" in word else None
            if given is not None and not option.argument:
                raise BadCommandLine(f"the option '--{option.long}' takes no argument")
            if given is None and option.argument:
                given = _next(words, at, f"--{option.long}")
                at += 1
            yield option.key, given or ""
            continue
        letters = word[1:]
        while letters:
            letter, letters = letters[0], letters[1:]
            if letter not in shorts:
                raise BadCommandLine(f"unknown option '-{letter}'")
            option = shorts[letter]
            if option.gone:
                raise BadCommandLine(f"'-{letter}' is an option of older RGBDS: {option.gone}")
            if option.argument and not letters:
                letters = _next(words, at, f"-{letter}")
                at += 1
            yield option.key, letters if option.argument else ""
            if option.argument:
                break


def _next(words: list[str], at: int, option: str) -> str:
    if at >= len(words):
        raise BadCommandLine(f"the option '{option}' needs an argument")
    return words[at]


def _long_option(word: str, options: Sequence[Option], shorts: dict[str, Option]) -> Option | None:
    """The long option that ``word`` names; None for short ones."""
    double = word.startswith("--")
    name = word.lstrip("-") if not double else word[2:]
    name = name.partition("=")[0]
    exact = [option for option in options if option.long and option.long == name]
    if exact:
        return exact[0]
    matches = [option for option in options if option.long.startswith(name)] if name else []
    if len(matches) == 1 and not (not double and len(name) == 1 and name in shorts):
        return matches[0]
    if double:
        if matches:
            likely = ", ".join(f"--{option.long}" for option in matches)
            raise BadCommandLine(f"the option '--{name}' is ambiguous: {likely}")
        raise BadCommandLine(f"unknown option '--{name}'")
    return None


def _at_file(name: str, inside: tuple[str, ...]) -> list[str]:
    """The words of an ``@file``; lines that begin with '#' are comments."""
    if f"@{name}" in inside:
        raise BadCommandLine(f"the file '{name}' of arguments contains itself")
    try:
        lines = os.fsdecode(read_input(name, MAX_TEXT)).replace("\r", "\n").split("\n")
    except OSError as fault:
        raise BadCommandLine(
            f"the file '{name}' of arguments cannot be read: {fault.strerror}"
        ) from None
    return [
        word
        for line in lines
        if not line.lstrip(" \t").startswith("#")
        for word in line.replace("\t", " ").split(" ")
        if word
    ]


_MAX_DIGITS = 64
_PREFIXES = {"%": 2, "&": 8, "$": 16, "0b": 2, "0o": 8, "0x": 16}


def whole_number(text: str) -> int | None:
    """A number as the RGBDS tools take it, or None: ``42``, ``$2A``, ``0x2A``, ``&52``, ``%101``.

    Signs and ``_`` are not taken.
    """
    text = text.lstrip(" \t").lower()
    base = 10
    for prefix, prefix_base in _PREFIXES.items():
        if text.startswith(prefix):
            base, text = prefix_base, text[len(prefix) :]
            break
    digits = "0123456789abcdef"[:base]
    if not text or any(c not in digits for c in text):
        return None
    significant = text.lstrip("0")
    if len(significant) > _MAX_DIGITS:
        return 1 << _MAX_DIGITS  # too large for any option; reading it could take long
    return int(significant or "0", base)


def number(name: str, text: str, digits: str | None = None) -> int:
    """The number that ``text``, or the ``digits`` in it, are: a Converter."""
    value = whole_number(text if digits is None else digits)
    if value is None:
        raise BadCommandLine(f"the argument of '{name}' is not a number: '{text}'")
    return value


def byte(name: str, text: str) -> int:
    """A number from 0 to 255: a Converter."""
    value = number(name, text)
    if value > 0xFF:
        raise BadCommandLine(f"the argument of '{name}' must be within 0..0xFF: '{text}'")
    return value


@dataclass(frozen=True)
class RgbdsSettings(Settings):
    """What all tools of RGBDS are asked for.

    ``words`` is the whole command line, ``release`` the one of ``--dialect``.
    """

    words: Sequence[str] = ()
    release: str | None = None
    verbose: bool = False


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


def _dialect(settings: RgbdsSettings, *_: str) -> RgbdsSettings:
    return replace(settings, release=read_dialect(settings.words))


def _choose_colour(settings: RgbdsSettings, _: str, when: str) -> RgbdsSettings:
    if when.lower() not in ("always", "never", "auto"):
        raise BadCommandLine(f"'--color {when}' is not one of always, never and auto")
    output.colour = {"always": True, "never": False}.get(when.lower())
    return settings


DIALECT = Option(
    "", "dialect", "VERSION", _dialect,
    "Take sources and options as RGBDS 0.5 or 0.6 does: 0.5, 0.6.",
)  # fmt: skip
COLOUR = Option("", "color", "WHEN", _choose_colour, "Colour messages: always, never or auto.")
VERSION = Option("V", "version", "", switch("version"), "Show the version.")
VERBOSE = Option("v", "verbose", "", switch("verbose"), "Report progress on stderr.")


def backtrace(field: str) -> Option:
    """``-B``, which says in ``field`` whether quiet places are shown.

    The rest of it is about a form of messages that is not ours.
    """

    def effect(settings: Any, _: str, argument: str) -> Any:
        word = argument.lower()
        if word in ("all", "no-all"):
            return replace(settings, **{field: word == "all"})
        if word not in ("collapse", "no-collapse") and whole_number(argument) is None:
            raise BadCommandLine(f"'-B {argument}' is not understood")
        return settings

    help = "Format of backtraces: 'all' shows quiet entries, too."
    return Option("B", "backtrace", "PARAM", effect, help)


def output_file(field: str) -> Effect:
    """Set ``field`` to the name of a file; that an earlier one is not used is a warning."""

    def effect(settings: Any, name: str, path: str) -> Any:
        old = getattr(settings, field)
        if old is not None:
            settings.diagnostics.warning(f"'{name} {path}' is used instead of '{name} {old}'")
        return replace(settings, **{field: path})

    return effect


def warning(effect: Effect) -> Option:
    """``-W``."""
    help = "Switch a warning on; -Wno-NAME off, -Werror makes errors."
    return Option("W", "warning", "NAME", effect, help)


def show_version(name: str) -> int:
    """The version line, which begins as the original's."""
    echo(f"{name} v{RGBDS_VERSION} (romproof {read_version()})")
    return 0


def display_name(name: str) -> str:
    """What messages call an input file."""
    return "<stdin>" if name == "-" else name


def read_file(name: str, most: int = MAX_BYTES) -> bytes:
    """A file; '-' is standard input. Raises OSError."""
    return read_standard_input() if name == "-" else read_input(name, most)


def write_outputs(outputs: Sequence[tuple[str, bytes | str]]) -> None:
    """Write files, all or none of them; '-' is standard output."""
    write_all([(name, data) for name, data in outputs if name != "-"])
    for name, data in outputs:
        if name == "-":
            raw = data.encode("utf-8", "surrogateescape") if isinstance(data, str) else data
            sys.stdout.buffer.write(raw)
            sys.stdout.buffer.flush()
