"""``--strict``: comments that look like contracts and that nobody reads are errors."""

from __future__ import annotations

from collections.abc import Mapping

import click

from romproof.cli.options import Command

STRICT = "romproof.strict"
"""Whether it was given; for commands that have the option only."""
TOLD = "romproof.unread"
"""What was told of each program."""
ROWS = "romproof.unread.json"
"""The same for JSON."""


def _note(context: click.Context, parameter: click.Parameter, value: bool) -> bool:
    context.meta[STRICT] = value
    return value


def strict_option(command: Command) -> Command:
    """Add ``--strict``; romproof.cli.unread knows what it says."""
    return click.option(
        "--strict",
        is_flag=True,
        callback=_note,
        expose_value=False,
        help="Report comments that look like contracts but are not read as errors.",
    )(command)


def unread_rows() -> tuple[Mapping[str, object], ...]:
    """What was told so far, for JSON."""
    context = click.get_current_context(silent=True)
    return () if context is None else tuple(context.meta.get(ROWS, ()))
