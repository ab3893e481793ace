"""How long the first test of a run takes that calls a routine: ``python first_test.py PROJECT
[OPTION ...]``, the options being pytest's.

pytest runs the project's tests in this process. What is printed, in seconds, is the time from where
the first test asks for its fixtures to where it has its result: importing the toolkit, the
program, its contracts, the engine, and the call.
"""

from __future__ import annotations

import contextlib
import io
import sys
import time
from collections.abc import Generator
from typing import Any

import pytest


class Clock:
    """A plugin that takes the time of the first test."""

    seconds: float | None = None

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self) -> Generator[None, Any, Any]:
        """Setting up, the call, and the end of a test."""
        begun = time.perf_counter()
        outcome = yield
        if self.seconds is None:
            self.seconds = time.perf_counter() - begun
        return outcome


if __name__ == "__main__":
    clock = Clock()
    with contextlib.redirect_stdout(io.StringIO()) as told:
        code = pytest.main(["-q", "-x", "-p", "no:cacheprovider", *sys.argv[1:]], [clock])
    assert code == 0, told.getvalue()
    print(clock.seconds)
