"""The options that the tools of RGBDS share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from romproof.cli import output
from romproof.cli.echo import echo
from romproof.cli.originals.options import BadCommandLine, Option, ToolSettings
from romproof.cli.originals.rgbds_arguments import MisreadWords, parse, whole_number
from romproof.cli.originals.setters import Setter, switch
from romproof.support.version import read_version

RGBDS_VERSION = "1.0.3"
"""The version of RGBDS whose behaviour the commands have."""
DIALECT_NAMES = ("0.5", "0.6")


@dataclass(frozen=True)
class RgbdsSettings(ToolSettings):
    """What all tools of RGBDS are asked for.

    ``release`` is the one of ``--dialect``.
    """

    release: str | None = None
    verbose: bool = False


def _dialect(settings: RgbdsSettings, _: str, given: str) -> RgbdsSettings:
    """Take the release that is named first."""
    if given not in DIALECT_NAMES:
        known = " and ".join(DIALECT_NAMES)
        raise BadCommandLine(
            f"'--dialect {given}': there are {known}; without it sources are those of "
            f"{RGBDS_VERSION}"
        )
    return settings if settings.release is not None else replace(settings, release=given)


def _choose_colour(settings: RgbdsSettings, _: str, when: str) -> RgbdsSettings:
    if when.lower() not in ("always", "never", "auto"):
        raise BadCommandLine(f"'--color {when}' is not one of always, never and auto")
    output.colour = {"always": True, "never": False}.get(when.lower())
    return settings


DIALECT = Option(
    "--dialect VERSION", _dialect, "Take sources and options as RGBDS 0.5 or 0.6 does: 0.5, 0.6."
)


def read_dialect(words: Sequence[str], options: Sequence[Option]) -> str | None:
    """What ``--dialect`` says, or None: it decides how the other options are read.

    ``options`` are those of the dialects: they split words as today's do, and know more letters.
    A word that neither knows is left to who reads the whole line. Raises BadCommandLine for a
    release that is not known.
    """
    settings = RgbdsSettings()
    try:
        for key, argument in parse(words, options):
            if key == DIALECT.key:
                settings = _dialect(settings, DIALECT.display_name, argument)
    except MisreadWords:
        pass
    return settings.release


COLOUR = Option("--color WHEN", _choose_colour, "Colour messages: always, never or auto.")
VERSION = Option("-V --version", switch("version"), "Show the version.")
VERBOSE = Option("-v --verbose", switch("verbose"), "Report progress on stderr.")


def backtrace(field: str) -> Option:
    """``-B``, which says in ``field`` whether quiet places are shown.

    The rest of it is about a form of messages that is not ours.
    """

    def setter(settings: Any, _: str, argument: str) -> Any:
        word = argument.lower()
        if word in ("all", "no-all"):
            return replace(settings, **{field: word == "all"})
        if word not in ("collapse", "no-collapse") and whole_number(argument) is None:
            raise BadCommandLine(f"'-B {argument}' is not understood")
        return settings

    help = "Format of backtraces: 'all' shows quiet entries, too."
    return Option("-B --backtrace PARAM", setter, help)


def output_file(field: str) -> Setter:
    """Set ``field`` to the name of a file; that an earlier one is not used is a warning."""

    def setter(settings: Any, name: str, path: str) -> Any:
        old = getattr(settings, field)
        if old is not None:
            settings.diagnostics.warning(f"'{name} {path}' is used instead of '{name} {old}'")
        return replace(settings, **{field: path})

    return setter


def warning(setter: Setter) -> Option:
    """``-W``."""
    help = "Switch a warning on; -Wno-NAME off, -Werror makes errors."
    return Option("-W --warning NAME", setter, help)


def show_version(name: str) -> int:
    """The version line, which begins as the original's."""
    echo(f"{name} v{RGBDS_VERSION} (romproof {read_version()})")
    return 0
