"""A board with the routines that Python stands in for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from romproof.engine.protocol import Engine, Observer, Stop
from romproof.harness.state.tape import TapePlayer
from romproof.isa.abi import Abi
from romproof.machine.board import Board, InBank
from romproof.machine.flat import SavedFlat


@dataclass(frozen=True, slots=True)
class Stub:
    """What happens when the program counter comes to an address, in place of the code there.

    ``home`` says in which bank, None in whatever is in sight. ``act`` is called
    there; it returns False when it has set the program counter itself, otherwise the CPU
    returns to the caller. ``cycles`` is how long all of that takes, ``name`` what is there.
    """

    act: Callable[[], bool]
    cycles: int
    home: InBank | None = None
    name: str = ""


Homes = Mapping[int, Collection[InBank]]
"""Of addresses those of whose banks are meant; of one that is not named, all."""


NOWHERE: Homes = MappingProxyType({})
"""No place is in one bank only."""


@dataclass(slots=True)
class StubbedBoard:
    """A board, and stubs by their addresses. It runs as the board does, and stubs are carried out
    on the way: an address of ``until`` is looked at first. Where ``homes`` names the address, a run
    ends there with one of these banks in sight only. ``player`` answers for what the test
    has added, where a run is repeated. ``stubbed`` is what the stub is called that was carried out
    last."""

    board: Board
    abi: Abi
    stubs: Mapping[int, Sequence[Stub]] = field(default_factory=dict)
    player: TapePlayer | None = None
    homes: Homes = field(default_factory=lambda: NOWHERE)
    stubbed: str = ""

    @property
    def engine(self) -> Engine:
        """What executes."""
        return self.board.engine

    @property
    def registers(self) -> Any:
        """The registers of the CPU now."""
        return self.board.engine.registers

    @property
    def cycles(self) -> int:
        """The cycles of the machine so far."""
        return self.board.engine.cycles

    @property
    def memory(self) -> bytes | bytearray:
        """The byte that the CPU sees at each address now."""
        space = self.board.space
        return space.store if space.flat else view(self.board)

    @property
    def pages(self) -> tuple[int, ...]:
        """Which memory each page of 256 bytes shows, see romproof.contract.nouns.state.State."""
        space = self.board.space
        return () if space.flat else tuple(space.read_pages)

    def run(self, until: Collection[int], limit: int, observer: Observer | None = None) -> Stop:
        """As Board.run(). A routine that is called and has a stub executes no instruction."""
        if not self.stubs and not self.homes:
            if observer is not None:
                tell_begin(observer, self.engine.cycles)
            return self.board.run(until, limit, observer)
        engine, stops = self.engine, {*until, *self.stubs}
        end = engine.cycles + limit
        while True:
            performed = self._perform(observer)
            if performed and self.is_at(until):
                return Stop.REACHED
            if performed and engine.cycles >= end:
                return Stop.LIMIT
            if performed:
                continue
            tell_begin(observer, engine.cycles)
            stop = self.board.run(stops, end - engine.cycles, observer)
            if stop is not Stop.REACHED or self.is_at(until):
                return stop
            if engine.cycles >= end:
                return Stop.LIMIT

    def is_at(self, places: Collection[int], homes_of: Homes | None = None) -> bool:
        """Whether execution is at one of some places, in the bank that is meant: as ``homes_of``
        says, or ``homes``."""
        pc = self.engine.registers.pc
        if pc not in places:
            return False
        homes = (self.homes if homes_of is None else homes_of).get(pc, ())
        return not homes or any(home.is_shown(self.board) for home in homes)

    def _perform(self, observer: Observer | None) -> bool:
        """Carry out the stub at the program counter; False when there is none in sight."""
        engine, board = self.engine, self.board
        at = engine.registers.pc
        here = (s for s in self.stubs.get(at, ()) if s.home is None or s.home.is_shown(board))
        stub = next(here, None)
        if stub is None:
            return False
        self.stubbed = stub.name
        tell_begin(observer, engine.cycles)
        if stub.act():
            self._return()
        engine.cycles += stub.cycles
        tell_stub(
            observer, at, stub.cycles, self.abi.stack_of(engine.registers), engine.registers.pc
        )
        if board.space.clocked:
            board.space.advance(engine.cycles)
        return True

    def _return(self) -> None:
        """As the instruction does that ends a routine."""
        abi, registers = self.abi, self.engine.registers
        pointer = abi.stack_pointer.attribute
        s = abi.get(registers, pointer)
        pushed = [self.board.peek(at & 0xFFFF) for at in _return_slots(abi, s)]
        abi.set(
            registers, "pc", (int.from_bytes(bytes(pushed), "little") + abi.return_bias) & 0xFFFF
        )
        abi.set(registers, pointer, (s + abi.return_size) & abi.stack_mask)


def tell_begin(observer: Observer | None, cycle: int) -> None:
    """Tell an observer that wants to know it in which cycle execution goes on."""
    begins = getattr(observer, "begins", None)
    if begins is not None:
        begins(cycle)


def tell_stub(observer: Observer | None, pc: int, cycles: int, s: int, next_pc: int) -> None:
    """Tell an observer that wants to know it what stood in for a routine."""
    stub = getattr(observer, "stub", None)
    if stub is not None:
        stub(pc, cycles, s, next_pc)


def _return_slots(abi: Abi, s: int) -> list[int]:
    """The addresses of a return address while the stack pointer is ``s``."""
    return [abi.stack_base + ((s + i) & abi.stack_mask) for i in range(abi.return_size)]


def save_and_view(board: Board) -> tuple[Any, bytes]:
    """The state of a board now, and the ``view`` of it."""
    saved = board.save()
    if isinstance(saved, SavedFlat):  # all of its memory is in sight
        return saved, saved.memory
    return saved, view(board)


def view(board: Board) -> bytes:
    """What stands at each address as the CPU sees it now; of devices, what is in memory there.

    RAM that repeats, on the NES or as the Game Boy's echo, is at its first addresses only and 0 at
    the others: a variable that changes is one change.
    """
    return board.space.read_once()
