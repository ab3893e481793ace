"""The frame that every command line runs in: streams, warnings, and what failures come to."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from io import TextIOWrapper
from typing import TextIO

from romproof.cli import output
from romproof.cli.echo import echo
from romproof.cli.output import error, tell
from romproof.support.ctrl_c import INTERRUPTED
from romproof.text.errors import BadInput, RomproofError, RomproofWarning

_USAGE = 2


def guard(call: Callable[[], object]) -> int:
    """As :func:`run_and_report`; warnings of programs are shown as lines, too."""

    def call_with_warnings() -> object:
        import warnings

        with warnings.catch_warnings():
            warnings.simplefilter("default", RomproofWarning)
            warnings.showwarning = _show_warning
            return call()

    return run_and_report(call_with_warnings)


def run_and_report(call: Callable[[], object]) -> int:
    """What ``call`` gives as an exit code; whatever it raises is told on stderr, and gives one."""
    output.colour = None  # what an earlier command line in this process asked for
    for stream in ("stdout", "stderr"):
        if getattr(sys, stream) is None:  # it was closed before we began
            setattr(sys, stream, open(os.devnull, "w"))  # noqa: SIM115  # open until the end
        there = getattr(sys, stream)
        if isinstance(there, TextIOWrapper) and there.errors == "strict":
            there.reconfigure(errors="replace")  # neither a terminal nor a name without UTF-8
    try:
        code = call()
        sys.stdout.flush()
    except KeyboardInterrupt:
        echo("interrupted", err=True)
        return INTERRUPTED
    except BrokenPipeError:
        # the reader of our output has closed the pipe: there is nobody left to write to
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except BadInput as fault:
        tell(fault)
        return _USAGE
    except (RomproofError, OSError) as fault:
        tell(fault)
        return 1
    except MemoryError:
        error("out of memory")
        return 1
    except Exception as fault:
        if os.environ.get("ROMPROOF_TRACEBACK"):
            raise
        error(
            f"internal fault: {type(fault).__name__}: {fault}\n   help: this is a bug in "
            f"romproof; set ROMPROOF_TRACEBACK=1 for a traceback"
        )
        return 1
    return code if isinstance(code, int) else 0


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """A warning of a program's code as a line on stderr; others as Python shows them."""
    if issubclass(category, RomproofWarning):
        from romproof.text.diagnostic import Diagnostic, Severity, render

        text = render(Diagnostic(Severity.WARNING, str(message)), output.wants_colour(sys.stderr))
        place = "" if filename.startswith("$") else f"{filename}:{lineno}: "
        echo(f"{place}{text}", err=True)
        return
    import warnings

    echo(warnings.formatwarning(message, category, filename, lineno, line), err=True, nl=False)
