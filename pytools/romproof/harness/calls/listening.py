"""Who observes every run that tests make, whatever program or machine it is on.

What tests run is observed for coverage and for the cycles of calls without the tests knowing of it.
Runs that a check makes once more, replays and traces of failures are none of these. With no
listener a run costs what it did before: an empty list is looked at.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

from romproof.engine.instruments import Watchpoint
from romproof.engine.protocol import Observer
from romproof.harness.calls.calling import CallRequest
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
    call: CallRequest | None
    address: int
    again: bool


class Listener(Protocol):
    """Is told of runs."""

    def observer(self, run: Run, known: Observer | None) -> Observer | None:
        """Who observes a run; None: nobody. ``known`` observed the last one on this board."""

    def points(self, run: Run) -> tuple[Watchpoint, ...]:
        """Who is told of accesses in a run, which takes several times as long then."""

    def called(self, run: Run, cycles: int) -> None:
        """A call has returned, after so many cycles, and broke nothing."""

    def unobserved(self, what: str, count: int, of: str) -> None:
        """So many calls or runs (``of`` is the word for one) were made and not observed; ``what``
        names them."""


LISTENERS: list[Listener] = []
"""Those that observe now."""


def unobserved(what: str, count: int, of: str = "call") -> None:
    """Tell all listeners of what they were not told."""
    for listener in LISTENERS:
        listener.unobserved(what, count, of)


def counted(count: int, of: str) -> str:
    """``1 call was``, ``4,000 calls were``."""
    return f"{count:,} {of} was" if count == 1 else f"{count:,} {of}s were"


def name_of(image: Image) -> str:
    """How messages call a program."""
    if image.files:
        return os.path.basename(image.files[0].name)
    return image.sources[0].name if image.sources else "a program"


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Tell a listener of runs for a while."""
    LISTENERS.append(listener)
    try:
        yield
    finally:
        LISTENERS.remove(listener)
