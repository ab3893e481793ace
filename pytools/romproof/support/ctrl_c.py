"""How a process of ours ends at Ctrl-C: soon, with one line, whatever it is doing.

Python raises KeyboardInterrupt when it comes by, which compiled code can put off for as long as it
likes; and what is raised in a callback of the interpreter's own is lost. So a thread is told of
the signal as well, and ends the process when nothing else does.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from contextlib import suppress
from importlib import import_module
from threading import Thread
from types import FrameType
from typing import Any, NoReturn

INTERRUPTED = 130
_PATIENCE = 0.3
"""Seconds in which KeyboardInterrupt must have been raised."""
_SOON = 0.02
_SHOW_CURSOR = "\x1b[?25h"


class _Interrupts:
    """What is known of the signals that came."""

    def __init__(self) -> None:
        self.raised = False
        self._before = sys.unraisablehook

    def handle(self, number: int, frame: FrameType | None) -> None:
        """The signal, when Python sees to it."""
        if self.raised:
            end_now(report=False)
        self.raised = True
        raise KeyboardInterrupt

    def lost(self, what: Any) -> None:
        """An exception that came where nobody could take it: let the signal come again."""
        if not isinstance(what.exc_value, KeyboardInterrupt):
            self._before(what)
            return
        self.raised = False
        # not from here: where this was called from, it would be lost once more
        Thread(target=_interrupt_soon, daemon=True).start()

    def watch(self, pipe: int) -> None:
        """In a thread: signals as they come, even while compiled code runs."""
        while data := os.read(pipe, 1):
            if data[0] != signal.SIGINT:
                continue
            end = time.monotonic() + _PATIENCE
            while not self.raised and time.monotonic() < end:
                time.sleep(0.02)
            if not self.raised:
                end_now(report=False)


def _interrupt_soon() -> None:
    time.sleep(_SOON)
    os.kill(os.getpid(), signal.SIGINT)


def take_over() -> None:
    """From now on Ctrl-C ends this process: it is the only thing the process is for.

    Nothing changes when the signal is ignored, or seen to by somebody else.
    """
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        return
    interrupts = _Interrupts()
    signal.signal(signal.SIGINT, interrupts.handle)
    sys.unraisablehook = interrupts.lost
    if os.name == "posix":  # elsewhere it would take a socket
        pipe, wakeup = os.pipe()
        os.set_blocking(wakeup, False)
        signal.set_wakeup_fd(wakeup, warn_on_full_buffer=False)
        Thread(target=interrupts.watch, args=(pipe,), daemon=True).start()


def carry_out(module: str) -> None:
    """The function ``main`` of a module, as a command of its own.

    Ctrl-C is seen to before the module and all that it needs are imported, which takes a moment.
    """
    take_over()
    try:
        main = import_module(module).main
    except KeyboardInterrupt:
        end_now(report=False)
    main()


def end_now(report: bool) -> NoReturn:
    """Exit without waiting for what still is at work: other processes, a compiler.

    ``wakeup``: whoever waits has read that this is an interrupt.
    """
    with suppress(BaseException):
        _end_children()
        if not report:
            if sys.stderr.isatty():
                os.write(2, f"{_SHOW_CURSOR}\n".encode())
            os.write(2, b"interrupted\n")
    with suppress(BaseException):
        if report:
            sys.stdout.flush()
    os._exit(INTERRUPTED)


def _end_children() -> None:
    multiprocessing = sys.modules.get("multiprocessing")
    if multiprocessing is not None:
        for child in multiprocessing.active_children():
            child.kill()
