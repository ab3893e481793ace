"""Who is told of every run that tests make, whatever program or machine it is on.

What tests run is observed for coverage and for the cycles of calls without the tests knowing of it.
Runs that a check makes once more, replays and traces of failures are none of these. With no
listener a run costs what it did before: an empty list is looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from romproof.engine.protocol import Observer
from romproof.harness.calling import Requested
from romproof.harness.result import Result
from romproof.machine.board import Board
from romproof.program.image import Image


class Listener(Protocol):
    """Is told of runs."""

    def observer(self, image: Image, board: Board) -> Observer | None:
        """Who observes all runs of a program on a board from now on; None: nobody."""

    def called(self, image: Image, address: int, call: Requested, result: Result) -> None:
        """A call was made that returned, and broke nothing."""

    def unobserved(self, image: Image, what: str, count: int) -> None:
        """So many calls, made on an engine that reports no instructions: ``what`` names them."""


LISTENERS: list[Listener] = []
"""Those that are told now."""


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Tell a listener of runs for a while."""
    LISTENERS.append(listener)
    try:
        yield
    finally:
        LISTENERS.remove(listener)
