"""What the commands with an original's command line share."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import click

from romproof.cli.originals.arguments import BadCommandLine, Option, whole_number
from romproof.text.reading import read_standard_input
from romproof.text.version import installed_version

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


class OriginalCommand(click.Command):
    """``romproof NAME ...`` with the command line of the tool NAME.

    ``run`` gets all words and gives the exit code; its docstring is the help
    text. A wrong command line exits with 1, as in the originals.
    """

    def __init__(
        self,
        name: str,
        run: Callable[[Sequence[str]], int],
        options: Sequence[Option],
        usage: str,
    ) -> None:
        super().__init__(name, callback=run, help=run.__doc__, add_help_option=False)
        self.options = options
        self.usage = usage

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep the words as they are."""
        ctx.params["words"] = list(args)
        return []

    def invoke(self, ctx: click.Context) -> int:
        """Run the tool; a wrong command line is reported with where help is."""
        from romproof.cli.output import error

        assert self.callback is not None
        try:
            code: int = self.callback(ctx.params["words"])
        except BadCommandLine as fault:
            error(f"{fault}; see 'romproof {self.name} --help'")
            return 2
        except HelpWanted:
            click.echo(self.get_help(ctx))
            return 0
        return code

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The usage line."""
        formatter.write_usage(ctx.command_path, self.usage)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The options that have a line of help."""
        rows = []
        for option in self.options:
            if option.help:
                names = [f"-{option.short}"] if option.short else []
                names += [f"--{option.long}"] if option.long else []
                rows.append((f"{', '.join(names)} {option.argument}".rstrip(), option.help))
        with formatter.section("Options"):
            formatter.write_dl(rows)


def wanted_dialect(words: Sequence[str]) -> str | None:
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
    click.echo(f"{name} v{RGBDS_VERSION} (romproof {installed_version()})")


def choose_colour(when: str) -> None:
    """Take ``--color WHEN``. Raises BadCommandLine when it is none of the three words."""
    from romproof.cli import output

    if when.lower() not in ("always", "never", "auto"):
        raise BadCommandLine(f"'--color {when}' is none of always, never and auto")
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


def shown_name(name: str) -> str:
    """What messages call an input file."""
    return "<stdin>" if name == "-" else name


def standard_input() -> bytes:
    """All of standard input."""
    return read_standard_input()


def write_outputs(outputs: Sequence[tuple[str, bytes | str]]) -> None:
    """Write files, all or none of them; '-' is standard output."""
    from romproof.text.files import write_all

    write_all([(Path(name), data) for name, data in outputs if name != "-"])
    for name, data in outputs:
        if name == "-":
            raw = data.encode("utf-8", "surrogateescape") if isinstance(data, str) else data
            sys.stdout.buffer.write(raw)
            sys.stdout.buffer.flush()
