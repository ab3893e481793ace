"""The cost of all that tests run, of every program: the listener of ``--romproof-profile``."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from romproof.engine.executed import ExecutedBatch
from romproof.engine.instruments import Watchpoint
from romproof.engine.protocol import Observer
from romproof.harness.calls.listening import ObservedRun, count_text, name_of
from romproof.harness.listeners.profiling import access_point, places_on
from romproof.machine.board import Board
from romproof.machine.memory import part_in_memory
from romproof.measure.merging import merge_by_title
from romproof.measure.profile import Profiler
from romproof.measure.recorded import RecordedProfile, record_profile
from romproof.measure.waits import find_waits
from romproof.program.image import Image

WHAT = "a test run"


@dataclass(slots=True)
class _OnBoard:
    """Tells a profiler of runs on one board: it may have been on another one meanwhile."""

    detached = True
    profiler: Profiler
    board: Board

    def begins(self, cycle: int) -> None:
        """See Observer."""
        self.profiler.watch(self.board)
        self.profiler.begins(cycle)

    def instruction(self, pc: int, byte: int, cycles: int, s: int, next_pc: int) -> None:
        """See Observer."""
        self.profiler.instruction(pc, byte, cycles, s, next_pc)

    def executed(self, executed: ExecutedBatch) -> bool:
        """See Observer."""
        return self.profiler.executed(executed)

    def stub(self, pc: int, cycles: int, s: int, next_pc: int) -> None:
        """See Observer."""
        self.profiler.stub(pc, cycles, s, next_pc)


@dataclass(eq=False)
class Profiled:
    """A Listener (romproof.harness.calls.listening) with a profiler for each program.

    ``accesses``: reads and writes are counted, too.
    """

    accesses: bool = False
    _profilers: dict[tuple[int, str, tuple[str, ...]], Profiler] = field(default_factory=dict)
    _images: list[Image] = field(default_factory=list)
    """So that no other image gets the identity of one of them."""
    _points: dict[int, tuple[Board, Watchpoint]] = field(default_factory=dict)
    _unmapped: bool = False
    _unobserved: Counter[tuple[str, str]] = field(default_factory=Counter)

    def observer(self, run: ObservedRun, known: Observer | None) -> Observer | None:
        """See Listener."""
        if known is not None:
            return known
        image, board = run.image, run.board
        left_out = tuple(board.left_out)
        key = id(image), board.name, left_out
        if key not in self._profilers:
            self._images.append(image)
            places = places_on(board, image, part_in_memory(image, left_out))
            self._profilers[key] = Profiler(places)
        return _OnBoard(self._profilers[key], board)

    def points(self, run: ObservedRun) -> tuple[Watchpoint, ...]:
        """See Listener."""
        board = run.board
        if not self.accesses:
            return ()
        if board.engine.name == "py65":
            self._unmapped = True
            return ()
        key = id(run.image), board.name, tuple(board.left_out)
        known = self._points.get(id(board))
        if known is None or known[0] is not board:
            point = access_point(self._profilers[key], board.peek)
            known = self._points[id(board)] = (board, point)
        return (known[1],)

    def on_call(self, run: ObservedRun, cycles: int) -> None:
        """See Listener."""

    def on_unobserved(self, what: str, count: int, of: str) -> None:
        """See Listener."""
        self._unobserved[what, of] += count

    def notes(self) -> list[str]:
        """What was executed and is not in the profiles."""
        notes = [
            f"{what}: {count_text(count, of)} not profiled"
            for (what, of), count in self._unobserved.items()
        ]
        if self._unmapped:
            notes.append("the engine py65 records no accesses, so the memory map leaves them out")
        return notes

    def programs(self) -> tuple[RecordedProfile, ...]:
        """What was executed so far."""
        records: list[RecordedProfile] = []
        for image, profiler in zip(self._images, self._profilers.values(), strict=True):
            profile = profiler.profile()
            if profile.cycles:
                runs, places, board = profiler.executions, profiler.places, profiler.board
                waits = () if board is None else find_waits(profile, places, board)
                title = name_of(image)
                records.append(record_profile(title, WHAT, runs, profile, places, waits))
        return merge_by_title(records)
