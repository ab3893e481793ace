"""Command lines as the RGBDS tools read them, which is as getopt_long_only(3) does.

Short options may be joined (``-tw``, ``-p0xFF``), long ones abbreviated and
written with one dash or two, options and files mixed. ``--`` ends the options,
and so does ``-``, which is itself a file: standard input or output. ``@file``
stands for the words in that file.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from romproof.cli.originals.options import FILE, BadCommandLine, Option
from romproof.support.reading import MAX_TEXT, read_input


class MisreadWords(BadCommandLine):
    """Words that are no options of the tool, or that cannot be split into options."""


def parse(words: Sequence[str], options: Sequence[Option]) -> Iterator[tuple[str, str]]:
    """The options and files of a command line, in order.

    Gives pairs of an option's key (FILE for a file) and its argument ("" without one).
    Raises MisreadWords when an option is unknown or ambiguous, has an argument
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
                raise MisreadWords(f"the option '--{option.long}' takes no argument")
            if given is None and option.argument:
                given = _next(words, at, f"--{option.long}")
                at += 1
            yield option.key, given or ""
            continue
        letters = word[1:]
        while letters:
            letter, letters = letters[0], letters[1:]
            if letter not in shorts:
                raise MisreadWords(f"unknown option '-{letter}'")
            option = shorts[letter]
            if option.gone:
                raise MisreadWords(f"'-{letter}' is an option of older RGBDS: {option.gone}")
            if option.argument and not letters:
                letters = _next(words, at, f"-{letter}")
                at += 1
            yield option.key, letters if option.argument else ""
            if option.argument:
                break


def _next(words: list[str], at: int, option: str) -> str:
    if at >= len(words):
        raise MisreadWords(f"the option '{option}' needs an argument")
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
    is_letter = not double and name in shorts and not shorts[name].gone
    if len(matches) == 1 and not is_letter:
        return matches[0]
    if double:
        if matches:
            likely = ", ".join(f"--{option.long}" for option in matches)
            raise MisreadWords(f"the option '--{name}' is ambiguous: {likely}")
        raise MisreadWords(f"unknown option '--{name}'")
    return None


def _at_file(name: str, inside: tuple[str, ...]) -> list[str]:
    """The words of an ``@file``; lines that begin with '#' are comments."""
    if f"@{name}" in inside:
        raise MisreadWords(f"the file '{name}' of arguments contains itself")
    try:
        lines = os.fsdecode(read_input(name, MAX_TEXT)).replace("\r", "\n").split("\n")
    except OSError as fault:
        raise MisreadWords(
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
