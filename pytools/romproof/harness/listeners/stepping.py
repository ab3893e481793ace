"""Every instruction of a program that runs on a machine, as it comes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from romproof.engine.registers import RegisterFile
from romproof.harness.replay.trace import Look, TraceStep, read_ahead
from romproof.harness.state.traced_places import TracedPlaces

if TYPE_CHECKING:
    from romproof.harness.machine import Machine
    from romproof.program.image import Image


class InstructionSteps:
    """An observer of runs that makes a TraceStep of each instruction in ``places`` and hands it to
    ``sink``: without accesses, with cycles since the machine was made. Interrupt sequences and
    cycles of a halted CPU are none.
    """

    def __init__(
        self,
        machine: Machine,
        sink: Callable[[TraceStep], None],
        look: Look | None = None,
        places: TracedPlaces | None = None,
    ) -> None:
        self._machine, self._sink, self._look = machine, sink, look
        self._board, self._engine = machine.board, machine.board.engine
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
        self._image = self._machine.in_sight
