"""Exceptions that compiled code must not lose.

A signal handler in Python, that of Ctrl-C or of a test's deadline, raises wherever the
interpreter looks at signals, and it looks where a function begins: before any ``try`` in it. When
that function was called from compiled code, ctypes has nobody to give the exception to, and hands
it to ``sys.unraisablehook``. So does Python with what is raised while it collects garbage.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from types import CodeType
from typing import Any

_main_thread = threading.main_thread()


class NothingLost:
    """While it is entered, ``keep`` gets what is raised where functions of ``called`` begin, and
    a KeyboardInterrupt that nobody else got."""

    __slots__ = ("_before", "_called", "_keep")

    def __init__(self, keep: Callable[[BaseException], Any], called: frozenset[CodeType]) -> None:
        self._keep, self._called = keep, called
        self._before: Any = None

    def __enter__(self) -> None:
        # signal handlers run in the main thread only; the hook is everybody's
        if threading.get_ident() == _main_thread.ident:
            self._before, sys.unraisablehook = sys.unraisablehook, self._handle

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            sys.unraisablehook, self._before = self._before, None

    def _handle(self, lost: Any) -> None:
        place = lost.exc_traceback
        called = place is not None and place.tb_frame.f_code in self._called
        if called or isinstance(lost.exc_value, KeyboardInterrupt):
            self._keep(lost.exc_value)
        else:
            self._before(lost)
