"""The options that the tools of RGBDS share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from romproof.cli import output
from romproof.cli.echo import echo
from romproof.cli.originals.options import BadCommandLine, Option, ToolSettings
from romproof.cli.originals.rgbds_arguments import whole_number
from romproof.cli.originals.setters import Setter, switch
from romproof.support.version import read_version

RGBDS_VERSION = "1.0.3"
"""The version of RGBDS whose behaviour the commands have."""
DIALECT_NAMES = ("0.5", "0.6")


@dataclass(frozen=True)
class RgbdsSettings(ToolSettings):
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
    "--dialect VERSION", _dialect, "Take sources and options as RGBDS 0.5 or 0.6 does: 0.5, 0.6."
)
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
