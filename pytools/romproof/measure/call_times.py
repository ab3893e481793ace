"""How long each call took that a run made inside: an observer for all routines and handlers.

A call is over when the stack pointer is above the level at which its routine was entered, and
execution goes on behind the call; one that ends elsewhere (its return address was pulled) is not
counted. A routine that is entered by a jump belongs to its caller. Cycles are those from the first
instruction to the return, as ``cycles:`` of contracts has them; of a handler without the interrupt
sequence, interrupts in between included.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar

from romproof.isa.abi import abi_of
from romproof.isa.flow import Flow
from romproof.isa.transfers import Transfers, transfers
from romproof.machine.board import Board
from romproof.measure.code_locations import CodeLocations

_MAX_OPEN = 1024
"""Open calls that are remembered; the oldest of a program that never returns are forgotten."""


@dataclass(slots=True)
class CallTimes:
    """An Observer that tells ``done`` of each call that has ended: location and cycles."""

    detached: ClassVar[bool] = True
    board: Board
    places: CodeLocations
    done: Callable[[int, int], object]
    _table: Transfers = field(init=False)
    _open: list[tuple[int, int, int, int]] = field(default_factory=list, init=False)
    _now: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self._table = transfers(abi_of(self.places.image.cpu).cpu)
        if self.places.windows:
            self.board.tell_banks(self.places.switch)

    def restart(self) -> None:
        """Another run begins: what was open has ended without a return."""
        self._open.clear()

    def begins(self, cycle: int) -> None:
        """See Observer."""
        if self.places.windows:
            self.places.coming.clear()
            self.places.switch(-1, self.board.banks())
            self.places.advance(cycle)
        self._now = cycle

    def instruction(self, pc: int, byte: int, cycles: int, s: int, next_pc: int) -> None:
        """See Observer."""
        self._now += cycles
        if self.places.coming:
            self.places.advance(self._now)
        calls = self._open
        while calls and s > calls[-1][2]:
            location, back, _, start = calls.pop()
            if next_pc == back:
                self.done(location, self._now - start)
        if byte < 0:
            if next_pc == pc:  # a cycle of a halted CPU, or a call of a built-in routine
                return
            back = pc
        elif self._table.flows[byte] is Flow.CALL and self._table.untaken[byte] != cycles:
            back = (pc + self._table.sizes[byte]) & 0xFFFF
        else:
            return
        calls.append((next_pc + self.places.offsets[next_pc >> 8], back, s, self._now))
        if len(calls) > _MAX_OPEN:
            del calls[0]
