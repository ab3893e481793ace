"""How full the frames of a program are."""

from __future__ import annotations

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
    _waits: dict[int, set[int]] = field(default_factory=dict)
    _seen: dict[int, int] = field(default_factory=dict)
    """By the location of a routine: those of its instructions that wait, and how many were seen."""
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
        waited = 0
        for routine, cost in self.ledger.costs.items():
            if routine == HALT:
                waited += cost.exclusive
            if len(cost.spent) != self._seen.get(routine):
                self._seen[routine] = len(cost.spent)
                found = (find_loop(self._loops, at, self.machine) for at in cost.spent)
                self._waits[routine] = {
                    at for at, loop in zip(cost.spent, found, strict=True) if loop is not None
                }
            waited += sum(cost.spent[at] for at in self._waits[routine])
        return waited
