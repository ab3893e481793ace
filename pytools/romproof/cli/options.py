"""Options that several commands have, each said once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from romproof.cli.echo import echo
from romproof.cli.values import MAX_CYCLES, BytesArgument, Number, RegisterArgument

Command = TypeVar("Command", bound=Callable[..., Any])
Decorator = Callable[[Command], Command]

_DAY = 24 * 60 * 60
_TIMEOUT = 60
_LIMIT = 10_000_000


def json_option(what: str = "result") -> Decorator[Any]:
    """``--json``; the command gets ``as_json``."""
    return click.option(
        "--json", "as_json", is_flag=True, help=f"Print the {what} as JSON (docs/json.md)."
    )


def timeout_option(stops: str) -> Decorator[Any]:
    """``--timeout``, in seconds; it ends what ``stops`` says."""
    return click.option(
        "--timeout",
        type=Number(1, _DAY),
        default=_TIMEOUT,
        show_default=True,
        metavar="SECONDS",
        help=f"Stop {stops}; statements that are still open are reported as unknown.",
    )


def effort_option(text: str) -> Decorator[Any]:
    """``--effort``, a multiple of the default; ``text`` says of what."""
    return click.option(
        "--effort",
        type=click.FloatRange(0, min_open=True),
        default=1,
        show_default=True,
        metavar="N",
        help=text,
    )


def jobs_option(text: str) -> Decorator[Any]:
    """``-j`` and ``--jobs``, one when not given; ``text`` says what processes do."""
    return click.option(
        "-j",
        "--jobs",
        type=Number(1, 1024),
        default=1,
        show_default=True,
        metavar="N",
        help=text,
    )


def limit_option(default: int = _LIMIT, of: str = "a call") -> Decorator[Any]:
    """``--limit``: the cycles of a call."""
    return click.option(
        "--limit",
        type=Number(1, MAX_CYCLES),
        default=default,
        show_default=True,
        help=f"Give up {of} after this many cycles.",
    )


def against_option(text: str) -> Decorator[Any]:
    """``--against``, a revision of git; ``text`` says what is compared with it."""
    return click.option(
        "--against",
        metavar="REVISION",
        help=f"Compare with {text}, which is built in a temporary worktree.",
    )


def registers_option(when: str) -> Decorator[Any]:
    """``--reg``: registers before a call; the command gets ``registers``."""
    return click.option(
        "--reg",
        "registers",
        multiple=True,
        type=RegisterArgument(),
        help=f"A register or flag before {when} call: a=1, x=0x0C, c=1; SM83: hl=0xC000, cf=1.",
    )


def memory_option(when: str) -> Decorator[Any]:
    """``--mem``: memory before a call; the command gets ``memory``."""
    return click.option(
        "--mem",
        "memory",
        multiple=True,
        type=BytesArgument(),
        help=f"Memory before {when} call: bytes in the order of their addresses.",
    )


def version_option(program: str) -> Callable[[Command], Command]:
    """The option ``--version`` of a group of commands; the version is looked up only then."""

    from romproof.support.version import read_build_note, read_version

    def tell(context: click.Context, _: click.Parameter, wanted: bool) -> None:
        if wanted and not context.resilient_parsing:
            note = read_build_note() if program == "romproof" else ""
            echo(f"{program}, version {read_version()}" + (f" ({note})" if note else ""))
            context.exit()

    return click.option(
        "-V",
        "--version",
        is_flag=True,
        expose_value=False,
        is_eager=True,
        callback=tell,
        help="Show the version and exit.",
    )


scheduler_option = click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Use the workers of this dask scheduler, such as tcp://10.0.0.5:8786 (needs "
    "romproof[cluster]).",
)
