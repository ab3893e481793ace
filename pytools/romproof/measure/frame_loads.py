"""How full the frames of a program are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from romproof.measure.calls import HALT, Ledger
from romproof.measure.code_locations import CodeLocations
from romproof.measure.wait_loops import WaitLoops
from romproof.measure.waits import find_loop

FULL = 0.99
"""From here on a frame counts as full."""


@dataclass(frozen=True, slots=True)
class FrameLoad:
    """``cycles`` from one vertical blank to the next; in ``waiting`` of them the program waited."""

    cycles: int
    waiting: int

    @property
    def share(self) -> float:
        """How full the frame is, 0.0 to 1.0: the part in which the program did not wait."""
        return 1 - self.waiting / self.cycles if self.cycles else 0.0

    @property
    def is_full(self) -> bool:
        """Whether it is nearly full or the program was late: a loop that waits takes a few cycles
        even where the awaited has come long ago."""
        return self.share >= FULL


@dataclass
class FrameLoads:
    """Adds up what a profiler has counted from one vertical blank to the next.

    ``machine`` is the name of the board.
    """

    ledger: Ledger
    places: CodeLocations
    machine: str
    frames: list[FrameLoad] = field(default_factory=list)
    _loops: WaitLoops = field(init=False)
    _waiting: set[int] = field(default_factory=set)
    _seen: set[int] = field(default_factory=set)
    _last: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        self._loops = WaitLoops(self.places)

    def begin_frame(self) -> None:
        """Vertical blank begins: a frame has ended, unless it is the first."""
        now = self.ledger.now, self._waited()
        if self._last is not None:
            self.frames.append(FrameLoad(now[0] - self._last[0], now[1] - self._last[1]))
        self._last = now

    def _waited(self) -> int:
        """The cycles so far in which the program waited."""
        self.ledger.add_up()
        spent = spent_of(self.ledger)
        for location in spent.keys() - self._seen:
            self._seen.add(location)
            if find_loop(self._loops, location, self.machine) is not None:
                self._waiting.add(location)
        rested = self.ledger.costs.get(HALT)
        halted = 0 if rested is None else rested.exclusive
        return halted + sum(spent[location] for location in self._waiting)


def spent_of(ledger: Ledger) -> Mapping[int, int]:
    """The cycles that instructions took themselves so far, by location."""
    spent: dict[int, int] = {}
    for cost in ledger.costs.values():
        for location, cycles in cost.spent.items():
            spent[location] = spent.get(location, 0) + cycles
    return spent
