"""``--strict``: comments that look like contracts and that nobody reads are errors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import click

from romproof.cli.output import show_diagnostics

if TYPE_CHECKING:
    from romproof.program.image import Image

Command = TypeVar("Command", bound=Callable[..., Any])

_KEY = "romproof.strict"
_ROWS = "romproof.unread"
_JSON = "romproof.unread.json"


def _note(context: click.Context, parameter: click.Parameter, value: bool) -> bool:
    context.meta[_KEY] = value
    return value


def strict_option(command: Command) -> Command:
    """Add ``--strict``; ``tell_unread`` knows what it says."""
    return click.option(
        "--strict",
        is_flag=True,
        callback=_note,
        expose_value=False,
        help="Comments that look like contracts and are not read are errors.",
    )(command)


def tell_unread(name: str, image: Image) -> None:
    """Tell what looks like a contract in the program ``name`` and is not read, where the command at
    work reads contracts. Raises BuildFailed with ``--strict``."""
    context = click.get_current_context(silent=True)
    if context is None or _KEY not in context.meta:
        return
    from romproof.report.unread import findings_of, lost_in, lost_json, refuse

    lost = lost_in(image)
    findings = findings_of(lost, name, context.meta[_KEY])
    refuse(findings)
    told = context.meta.setdefault(_ROWS, {})
    if told.get(name) != findings:  # one program may be named several times
        told[name] = findings
        context.meta.setdefault(_JSON, []).extend(lost_json(name, lost))
        show_diagnostics(findings)


def unread_rows() -> tuple[Mapping[str, object], ...] | None:
    """What was told so far, for JSON; None for commands that read no contracts."""
    context = click.get_current_context(silent=True)
    if context is None or _KEY not in context.meta:
        return None
    return tuple(context.meta.get(_JSON, ()))
