"""Counting loop iterations during symbolic execution, for the contracts that limit them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from romproof.symbolic.execute.events import DeadEnd, EventKind, Unfinished
from romproof.symbolic.execute.state import State
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.origin import count_name
from romproof.symbolic.terms.term import Term
from romproof.text.cause import Cause

COUNT_BITS = 16
"""The width of a count of iterations."""

Tell = Callable[[EventKind, State, Term, object], None]


@dataclass(frozen=True, slots=True)
class Counted:
    """A loop for which a contract limits how often the code at ``place`` is executed each time the
    loop is entered; ``body`` has the addresses of its instructions. ``bound`` is what limits
    it in the contract.

    ``edges`` is the control flow graph of the routine in which ``body`` is a loop: by the address
    of each of its instructions where it may lead.
    """

    place: int
    least: int
    most: int
    body: frozenset[int]
    bound: object
    edges: Mapping[int, frozenset[int]]


@dataclass(frozen=True, slots=True)
class Iterations:
    """Counts the iterations in each state. A call within a loop does not leave the loop."""

    loops: Collection[Counted]

    def initialise(self, state: State) -> None:
        """No iterations yet, unless the state already counts some."""
        for loop in self.loops:
            state.iterations.setdefault(loop.place, t.const(0, COUNT_BITS))

    def come_to(self, state: State, tell: Tell) -> None:
        """Count one iteration for each loop whose counted place the state has reached. Raises
        Unfinished where it is reached from within a call: that is no iteration of this loop."""
        here = [loop for loop in self.loops if loop.place == state.pc]
        if state.frames:
            if here:
                raise Unfinished(Cause.COUNTED_IN_CALL, DeadEnd.COUNTED_IN_CALL(), state.pc)
            return
        if here:  # once, however many labels the place has
            state.iterations[state.pc] = t.add(state.iterations[state.pc], t.const(1, COUNT_BITS))
        for loop in here:
            most = t.const(loop.most, COUNT_BITS)
            enough = t.not_(t.ult(most, state.iterations[loop.place]))
            tell(EventKind.LOOPS, state, enough, loop.bound)

    def go_on(self, state: State, pc: int, tell: Tell) -> None:
        """Check that loops left after ``pc`` had enough iterations; start those entered at zero.

        What the loops are was read off the control flow graph. Raises Unfinished where execution
        takes a way that the graph does not have, through a table or a pushed address: what it
        would take for loops there are none.
        """
        if state.frames:
            return
        for loop in self.loops:
            if not self._is_edge(loop, state, pc):
                raise Unfinished(Cause.OFF_FLOW_GRAPH, DeadEnd.OFF_FLOW_GRAPH(), pc)
            before, after = pc in loop.body, state.pc in loop.body
            if before and not after:
                least = t.const(loop.least, COUNT_BITS)
                enough = t.not_(t.ult(state.iterations[loop.place], least))
                tell(EventKind.LOOPS, state, enough, loop.bound)
            elif after and not before:
                state.iterations[loop.place] = t.const(0, COUNT_BITS)

    def end(self, state: State) -> None:
        """Nothing is counted after this. Raises Unfinished where a call has not come back: whether
        loops that it left had enough iterations was not checked."""
        if state.frames:
            raise Unfinished(Cause.OFF_FLOW_GRAPH, DeadEnd.NO_RETURN_OF_CALL(), state.frames[0])

    def _is_edge(self, loop: Counted, state: State, pc: int) -> bool:
        """Whether the graph has the way from ``pc``; the return at the end of a call is one."""
        if pc in loop.edges:
            frame = state.memory.layout.frame
            is_end = frame is not None and state.pc == frame.end
            return is_end or state.pc in loop.edges[pc]
        return state.pc not in loop.edges


def iterations_at(address: int, loops: Collection[Counted]) -> dict[int, Term]:
    """The counts where execution continues from an address, however it got there: unconstrained
    for the loops around it."""
    none = t.const(0, COUNT_BITS)
    return {
        loop.place: t.var(count_name(loop.place, address), COUNT_BITS)
        if address in loop.body
        else none
        for loop in loops
    }
