"""Who observes every run that tests make, whatever program or machine it is on.

What tests run is observed for coverage and for the cycles of calls without the tests knowing of it.
Runs that a check makes once more, replays and traces of failures are none of these. With no
listener a run costs what it did before: an empty list is looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

from romproof.engine.protocol import Observer
from romproof.harness.calling import Requested
from romproof.harness.result import Result
from romproof.machine.board import Board
from romproof.program.image import Image


@dataclass(frozen=True, slots=True)
class Run:
    """A run that begins: of a program on a board.

    ``call`` is what is called, at ``address``; None where the program itself runs. ``again``: the
    memory is as earlier runs have left it.
    """

    image: Image
    board: Board
    call: Requested | None
    address: int
    again: bool


class Listener(Protocol):
    """Is told of runs."""

    def observer(self, run: Run, known: Observer | None) -> Observer | None:
        """Who observes a run; None: nobody. ``known`` observed the last one on this board."""

    def called(self, run: Run, result: Result) -> None:
        """A call has returned, and broke nothing."""

    def unobserved(self, image: Image, what: str, count: int) -> None:
        """So many calls, made on an engine that reports no instructions: ``what`` names them."""


LISTENERS: list[Listener] = []
"""Those that observe now."""


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Tell a listener of runs for a while."""
    LISTENERS.append(listener)
    try:
        yield
    finally:
        LISTENERS.remove(listener)
