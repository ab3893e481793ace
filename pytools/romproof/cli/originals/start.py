"""The tools as processes of their own: click is imported for their help only."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from romproof.cli.guard import run_and_report
from romproof.cli.originals.command import load_tool
from romproof.cli.originals.options import HelpWanted
from romproof.support.ctrl_c import INTERRUPTED, end_now, take_over


def start(words: Sequence[str]) -> NoReturn:
    """Carry out the tool ``words[0]`` with the other words, and exit.

    Nothing that it makes is thrown away before it ends, so nobody looks for what could be, and
    the process ends as it is: to take a large source's objects apart is a tenth of the time.
    """
    take_over()
    gc.disable()
    code = run_and_report(lambda: _run(words))
    if code == INTERRUPTED:
        end_now(report=True)
    if _is_watched():
        sys.exit(code)
    sys.stderr.flush()  # told has written what was for stdout
    os._exit(code)


def _is_watched() -> bool:
    """Whether somebody wants to be told of the end: a profiler, a debugger, a measurement."""
    callbacks: int = atexit._ncallbacks()
    return bool(callbacks) or sys.gettrace() is not None or sys.getprofile() is not None


def _run(words: Sequence[str]) -> int:
    try:
        return load_tool(words[0]).carry_out(words[1:])
    except HelpWanted:
        from romproof.cli.entry import run

        return run(words)
