"""What runs have executed, by location: the cheapest observer there is.

A test suite executes millions of instructions, so that nothing is looked up while they come: what
an instruction was, and whether it branched, is worked out once for each kind of event afterwards.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import ClassVar

from romproof.machine.board import Board
from romproof.measure.code_locations import CodeLocations
from romproof.program.image import Image

CoverageEvent = tuple[int, int, int]
"""An instruction: its location (see romproof.measure.code_locations), the program counter after it,
and its cycles."""


@dataclass(slots=True)
class EventCounter:
    """An Observer that counts events in memory without banks."""

    detached: ClassVar[bool] = True
    counts: defaultdict[CoverageEvent, int]

    def instruction(self, pc: int, byte: int, cycles: int, s: int, next_pc: int) -> None:
        """See :class:`romproof.engine.protocol.Observer`."""
        if byte >= 0:
            self.counts[pc, next_pc, cycles] += 1


@dataclass(slots=True)
class ExecutedInBanks:
    """The same where banks take turns: an event is booked to the bank that is in sight then."""

    detached: ClassVar[bool] = True
    counts: defaultdict[CoverageEvent, int]
    board: Board
    places: CodeLocations
    _now: int = field(default=0, init=False)

    def begins(self, cycle: int) -> None:
        """See Observer: the machine may have been put back, or told to show other banks."""
        self.places.coming.clear()
        self.places.switch(-1, self.board.banks())
        self.places.advance(cycle)
        self._now = cycle

    def instruction(self, pc: int, byte: int, cycles: int, s: int, next_pc: int) -> None:
        """See Observer."""
        location = pc + self.places.offsets[pc >> 8]
        self._now += cycles
        if self.places.coming:
            self.places.advance(self._now)
        if byte >= 0:
            self.counts[location, next_pc, cycles] += 1


def observer_of(
    image: Image, board: Board, counts: defaultdict[CoverageEvent, int]
) -> EventCounter | ExecutedInBanks:
    """Who counts what a program executes on a board."""
    if not board.windows:
        return EventCounter(counts)
    places = CodeLocations(image, tuple(board.windows))
    board.tell_banks(places.switch)
    return ExecutedInBanks(counts, board, places)
