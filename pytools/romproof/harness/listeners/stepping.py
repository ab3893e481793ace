"""Every instruction of a program that runs on a machine, as it comes."""

from __future__ import annotations

from collections.abc import Callable

from romproof.engine.registers import RegisterFile
from romproof.harness.replay.trace import Look, TraceStep, read_ahead
from romproof.harness.state.traced_places import TracedPlaces
from romproof.machine.board import Board
from romproof.program.image import Image


class InstructionSteps:
    """An observer of runs that makes a TraceStep of each instruction in ``places`` and hands it to
    ``sink``: without accesses, with cycles since the machine was made. Interrupt sequences and
    cycles of a halted CPU are none. ``in_sight`` gives the part of the program that is in sight.
    """

    def __init__(
        self,
        board: Board,
        in_sight: Callable[[], Image],
        sink: Callable[[TraceStep], None],
        look: Look | None = None,
        places: TracedPlaces | None = None,
    ) -> None:
        self._board, self._engine, self._in_sight = board, board.engine, in_sight
        self._sink, self._look = sink, look
        self._places = places or TracedPlaces()
        self._before: RegisterFile | None = None
        self._data, self._note = b"", ""
        self._image: Image | None = None

    def begins(self, cycle: int) -> None:
        """See Observer."""
        self._prepare()

    def instruction(self, pc: int, byte: int, cycles: int, s: int, next_pc: int) -> None:
        """See Observer."""
        before, engine = self._before, self._engine
        if before is not None and byte >= 0:
            cycle, after = engine.cycles - cycles, engine.registers.copy()
            self._sink(
                TraceStep(pc, self._data, cycle, cycles, before, after, (), self._note, self._image)
            )
        self._prepare()

    def _prepare(self) -> None:
        """What is to be known of the next instruction before it is executed."""
        engine = self._engine
        pc: int = engine.registers.pc
        if not self._places.has(pc, self._board):
            self._before = None
            return
        self._before = engine.registers.copy()
        self._data = read_ahead(engine, pc)
        self._note = self._look(engine) if self._look is not None else ""
        self._image = self._in_sight()
