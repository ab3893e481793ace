"""What every command shows in the same way: errors, files, progress."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING, TextIO

from romproof.cli.echo import echo
from romproof.text.diagnostic import BuildFailed, Diagnostic, Severity, render
from romproof.text.errors import RomproofError

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import TaskID

    from romproof.report.protocol import Reporter

colour: bool | None = None
"""Whether a command line asked for colour (True) or against it (False)."""


def wants_colour(stream: TextIO) -> bool:
    """True for a terminal that may be coloured (see no-color.org), or when asked for."""
    if colour is not None:
        return colour
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def show_diagnostics(diagnostics: Iterable[Diagnostic]) -> None:
    """All findings on stderr, then how many errors and warnings there were."""
    listed = list(diagnostics)
    coloured = wants_colour(sys.stderr)
    for diagnostic in listed:
        echo(render(diagnostic, coloured), err=True)
    errors = sum(d.severity is Severity.ERROR for d in listed)
    warnings = sum(d.severity is Severity.WARNING for d in listed)
    counts = [
        f"{count} {what}{'' if count == 1 else 's'}"
        for count, what in ((errors, "error"), (warnings, "warning"))
        if count
    ]
    if len(listed) > 1:
        echo(" and ".join(counts), err=True)


def error(message: str) -> None:
    """One error without a place in a source file, on stderr."""
    coloured = wants_colour(sys.stderr)
    echo(render(Diagnostic(Severity.ERROR, message), coloured), err=True)


@contextmanager
def failures_as_json(command: str, wanted: bool, **fields: object) -> Iterator[None]:
    """Report what fails inside on stdout too, as the JSON object of ``command``.

    ``fields`` are keys that the command's object has besides. The exception
    goes on: stderr and the exit code are the same as without JSON.
    """
    try:
        yield
    except BrokenPipeError:
        raise
    except (RomproofError, OSError) as fault:
        if wanted:
            from romproof.report.json import diagnostics_json, dumps

            listed = diagnostics_json(findings(fault))
            echo(dumps(command, {"ok": False, **fields, "diagnostics": listed}))
        raise


@contextmanager
def failing_with(code: int) -> Iterator[None]:
    """Report what fails inside, and exit with ``code``."""
    try:
        yield
    except BrokenPipeError:
        raise
    except (RomproofError, OSError) as fault:
        import click

        tell(fault)
        click.get_current_context().exit(code)


def tell(fault: RomproofError | OSError) -> None:
    """A failure on stderr."""
    if isinstance(fault, BuildFailed):
        show_diagnostics(fault.diagnostics)
    else:
        error(message(fault))


def findings(fault: RomproofError | OSError) -> Sequence[Diagnostic]:
    """A failure as diagnostics."""
    if isinstance(fault, BuildFailed):
        return fault.diagnostics
    return [Diagnostic(Severity.ERROR, message(fault))]


def message(fault: RomproofError | OSError) -> str:
    """What a failure without a place in a source file says."""
    if isinstance(fault, OSError):
        where = f"{fault.filename}: " if fault.filename else ""
        return f"{where}{fault.strerror or fault}"
    return str(fault)


def terminal_width() -> int:
    """Columns of the terminal, or $COLUMNS, or 80."""
    import shutil

    return max(40, shutil.get_terminal_size((80, 24)).columns)


def reporter(as_json: bool) -> Reporter:
    """The form reports take on stdout."""
    if as_json:
        from romproof.cli.strict import unread_rows
        from romproof.report.json import JsonReporter

        return JsonReporter(unread_rows())
    from romproof.report.text import TextReporter

    return TextReporter(terminal_width(), wants_colour(sys.stdout))


def console() -> Console:
    """stderr, for what comes and goes."""
    from rich.console import Console

    return Console(stderr=True, no_color=not wants_colour(sys.stderr))


@contextmanager
def progress(what: str, total: int | None, every: int = 0) -> Iterator[Callable[[], None]]:
    """A progress bar on stderr while a terminal looks on; call the result per step. Where none
    does, a line each ``every`` steps says how far it is; 0: none. ``total`` None: nobody knows how
    many steps there will be, and they are only counted."""
    if (total is not None and total < 2) or not sys.stderr.isatty():
        steps = count(1)
        of_all = "" if total is None else f" of {total:,}"

        def step() -> None:
            done = next(steps)
            if every and done % every == 0 and done != total:
                echo(f"{what}: {done:,}{of_all}", err=True)

        yield step
        return
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (
        ()
        if total is not None
        else (
            SpinnerColumn(),
            TextColumn("{task.description} {task.completed:,.0f}"),
            TimeElapsedColumn(),
        )
    )
    # what goes to a file stays what goes to the file; on a terminal it appears above the bar
    shared = sys.stdout.isatty()
    with Progress(*columns, console=console(), transient=True, redirect_stdout=shared) as bar:
        task = bar.add_task(what, total=total)
        yield lambda: bar.advance(task)


@contextmanager
def counting(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """A bar on stderr for work of ``total`` steps that lasts longer than two seconds; call the
    result with the number done. There is none where the terminal shows the result meanwhile."""
    if not sys.stderr.isatty() or sys.stdout.isatty():
        yield lambda done: None
        return
    from contextlib import ExitStack

    from rich.progress import Progress

    began = time.monotonic()
    with ExitStack() as stack:
        bars: list[tuple[Progress, TaskID]] = []

        def report(done: int) -> None:
            if time.monotonic() - began < 2:
                return
            if not bars:
                bar = stack.enter_context(Progress(console=console(), transient=True))
                bars.append((bar, bar.add_task(what, total=total)))
            bar, task = bars[0]
            bar.update(task, completed=done)

        yield report


@contextmanager
def assembling(wanted: bool = True) -> Iterator[Callable[[str, int, int], None] | None]:
    """A bar for the assembler to report to; it shows when a source takes a second."""
    if not wanted or not sys.stderr.isatty():
        yield None
        return
    from rich.progress import Progress

    with Progress(console=console(), transient=True) as bar:
        tasks: dict[str, TaskID] = {}
        started: dict[str, float] = {}

        def report(name: str, done: int, known: int) -> None:
            if time.monotonic() - started.setdefault(name, time.monotonic()) < 1:
                return
            if name not in tasks:
                tasks[name] = bar.add_task(f"assembling {os.path.basename(name)}")
            bar.update(tasks[name], completed=done, total=known)

        yield report


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """A spinner on stderr for work of unknown length."""
    if not sys.stderr.isatty():
        yield
        return
    with console().status(what):
        yield
