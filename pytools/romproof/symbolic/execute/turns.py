"""How often loops turn: what contracts say of it is counted while code is executed."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from romproof.symbolic.execute.events import EventKind
from romproof.symbolic.execute.state import State
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.term import Term

COUNT_BITS = 16
"""The width of numbers of turns."""

Tell = Callable[[EventKind, State, Term, str], None]


@dataclass(frozen=True, slots=True)
class Counted:
    """A loop of which a contract says how often the code at ``place`` is executed while it is
    entered once; ``body`` has the addresses of its instructions. ``detail`` is for people."""

    place: int
    least: int
    most: int
    body: frozenset[int]
    detail: str


@dataclass(frozen=True, slots=True)
class Turns:
    """Counts in the states it is told of. Calls within a loop do not leave it."""

    loops: Collection[Counted]

    def begin(self, state: State) -> None:
        """No turns so far, unless the state says otherwise."""
        for loop in self.loops:
            state.turns.setdefault(loop.place, t.const(0, COUNT_BITS))

    def come_to(self, state: State, tell: Tell) -> None:
        """One turn more for each loop that is counted where the state is."""
        if state.frames:
            return
        here = [loop for loop in self.loops if loop.place == state.pc]
        if here:  # once, however many labels the place has
            state.turns[state.pc] = t.add(state.turns[state.pc], t.const(1, COUNT_BITS))
        for loop in here:
            most = t.const(loop.most, COUNT_BITS)
            enough = t.not_(t.ult(most, state.turns[loop.place]))
            tell(EventKind.LOOPS, state, enough, loop.detail)

    def go_on(self, state: State, pc: int, tell: Tell) -> None:
        """Loops that were left after ``pc`` must have had turns enough; those that were entered
        begin anew."""
        if state.frames:
            return
        for loop in self.loops:
            before, after = pc in loop.body, state.pc in loop.body
            if before and not after:
                least = t.const(loop.least, COUNT_BITS)
                enough = t.not_(t.ult(state.turns[loop.place], least))
                tell(EventKind.LOOPS, state, enough, loop.detail)
            elif after and not before:
                state.turns[loop.place] = t.const(0, COUNT_BITS)


def turns_at(address: int, loops: Collection[Counted]) -> dict[int, Term]:
    """The turns when execution goes on from an address, wherever it came from: of the loops around
    it anything."""
    none = t.const(0, COUNT_BITS)
    return {
        loop.place: t.var(f"turns of ${loop.place:04X} at ${address:04X}", COUNT_BITS)
        if address in loop.body
        else none
        for loop in loops
    }
