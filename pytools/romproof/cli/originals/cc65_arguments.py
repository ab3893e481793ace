"""Command lines as the tools of cc65 read them.

They know short options of one or two letters, whose argument follows in the
same word or is the next one, and long options, whose argument is the next word.
Letters cannot be joined, and long names not be abbreviated. Options and files
may be mixed; their order counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NoReturn

from romproof.cli.echo import echo
from romproof.cli.originals.options import FILE, BadCommandLine, Option, ReadingEnds, ToolSettings
from romproof.cli.originals.outputs import refuse_overwriting
from romproof.cli.originals.setters import Converter
from romproof.support.files import write_all
from romproof.support.version import read_version
from romproof.text.diagnostic import suggest
from romproof.text.numbers import whole
from romproof.text.paths import Name
from romproof.toolchains.ca65.obj.dialect import DIALECTS, Dialect

CC65_VERSION = "2.19"
"""The version of cc65 whose behaviour the tools have."""

MAX_ERRORS = 100_000
"""Errors after which a tool gives up; the originals never do."""

_MOST = 0xFFFFFFFF
"""The highest number of an option that says no other."""


def parse(words: Sequence[str], options: Sequence[Option]) -> Iterator[tuple[str, str]]:
    """The options and files of a command line, in order.

    Gives pairs of an option's key (FILE for a file) and its argument ("" without one).
    Raises BadCommandLine when an option is unknown or its argument is missing.
    """
    known = {f"-{option.short}": option for option in options if option.short}
    known |= {f"--{option.long}": option for option in options if option.long}
    following = iter(words)
    for word in following:
        if not word.startswith("-"):
            yield FILE, word
            continue
        name = word
        if not word.startswith("--"):
            name = word[:3] if word[:3] in known else word[:2]
        if name not in known:
            hint = suggest(word, known)
            raise BadCommandLine(f"unknown option '{word}'" + (f"; {hint}" if hint else ""))
        option, argument = known[name], word[len(name) :]
        if not option.argument:
            yield option.key, ""  # what follows a letter in its word means nothing
            continue
        if not argument:
            argument = next(following, "")
        if not argument:
            raise BadCommandLine(f"the option '{name}' needs an argument")
        yield option.key, argument


def number(option: str, text: str, highest: int = _MOST) -> int:
    """``12``, ``$0C`` or ``0x0C`` as a number: a Converter. Raises BadCommandLine."""
    value = _integer(text)
    if value is None or value < 0:
        kind = "a number" if value is None else "an address or count"
        raise BadCommandLine(f"'{text}' is not {kind}; write {option} 12 or {option} 0x0C")
    if value > highest:
        raise BadCommandLine(f"the argument of '{option}' is more than {highest}: '{text}'")
    return value


def _integer(text: str) -> int | None:
    """The number that C's ``%li`` reads, or behind ``$`` its ``%lx``: octal with a 0 in front.
    What is no number as a whole is none; the originals take its beginning."""
    sign, digits = (text[0], text[1:]) if text[:1] in ("-", "+") else ("", text)
    base = 10
    if not sign and digits[:1] == "$":
        base, digits = 16, digits[1:]
    elif digits[:2] in ("0x", "0X"):
        base, digits = 16, digits[2:]
    elif digits[:1] == "0":
        base = 8
    if not digits or not set(digits.lower()).issubset("0123456789abcdef"[:base]):
        return None
    value = whole(digits, base)
    return -value if sign == "-" else value


def up_to(highest: int) -> Converter:
    """Takes numbers that are not higher."""
    return lambda option, text: number(option, text, highest)


def definition(value_needed: bool) -> Converter:
    """Takes ``NAME=VALUE`` of -D as a pair; a value that may be missing is 0."""

    def convert(option: str, text: str) -> tuple[str, int]:
        name, equals, digits = text.partition("=")
        if not _is_name(name) or (value_needed and not equals):
            raise BadCommandLine(
                f"invalid definition '{text}'; write {option} NAME=12 or {option} NAME=0x0C"
            )
        value = _integer(digits) if equals else 0
        if value is None:
            what = f"'{digits}' is not a number" if digits else f"'{text}' has no value"
            raise BadCommandLine(f"{what}; write {option} {name}=12 or {option} {name}=0x0C")
        if not -_MOST // 2 - 1 <= value <= _MOST:
            raise BadCommandLine(f"the value of '{option} {text}' needs more than 32 bits")
        return name, value

    return convert


def _is_name(text: str) -> bool:
    """Whether a symbol can be called so."""
    return text.isascii() and text.isidentifier()


def dialect(_: str, text: str) -> Dialect:
    """A dialect by its name: a Converter. Raises BadCommandLine."""
    return DIALECTS[one_of("dialect", text, DIALECTS)]


def target_in(spoken: Dialect, name: str) -> str:
    """A target as a dialect calls it. Raises BadCommandLine where that knows none of this name."""
    from romproof.toolchains.ca65.asm.targets import LATER_TARGETS, targets_of

    known = targets_of(spoken)
    if name.lower() not in known and name.lower() in LATER_TARGETS:
        raise BadCommandLine(
            f"no target '{name}'; the dialect 2.19-git knows it: --dialect 2.19-git"
        )
    return one_of("target", name, known)


def one_of(what: str, text: str, names: Iterable[str]) -> str:
    """The name that ``text`` is in any case. Raises BadCommandLine."""
    names = list(names)
    for name in names:
        if name.lower() == text.lower():
            return name
    hint = suggest(text, names)
    raise BadCommandLine(f"no {what} '{text}'; {hint or 'known: ' + ', '.join(names)}")


def choice(what: str, names: Iterable[str]) -> Converter:
    """Takes one of ``names``, in any case."""
    return lambda _, text: one_of(what, text, names)


def _want_version(settings: ToolSettings, *_: str) -> NoReturn:
    raise ReadingEnds(replace(settings, version=True))


VERSION = Option("-V --version", _want_version, "Show the version.")


def show_version(name: str) -> int:
    """The version line, which begins as the original's."""
    echo(f"{name} V{CC65_VERSION} - romproof {read_version()}", err=True)
    return 0


def write(results: Sequence[tuple[Name, bytes | str]], inputs: Iterable[Name]) -> None:
    """Write all results or none. Raises BadCommandLine where one would replace an input."""
    refuse_overwriting([path for path, _ in results], inputs)
    write_all(results)
