"""How often a branch may be undecided before its loop is given up."""

from __future__ import annotations

from romproof.symbolic.execute.events import DeadEnd, LongLoop
from romproof.symbolic.execute.state import State
from romproof.symbolic.terms.term import Term

MAX_ITERATIONS = 1024
"""How often one branch may be undecided before its loop is given up."""
_INSIDE, _LEAST_INSIDE = 4, 128
"""So many times as often a branch may be undecided whose two ways meet again: it leaves no loop.
At least so often."""


class Patience:
    """A branch may be undecided ``most`` times where the path that leads to it grows each time, as
    it does where a loop is left; where not ``most`` times 4, at least 128 and at most 1,024."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._leaving: dict[tuple[int, tuple[int, ...]], int] = {}
        self._all: dict[tuple[int, tuple[int, ...]], int] = {}
        self._paths: dict[tuple[int, tuple[int, ...]], tuple[Term, ...]] = {}

    def spend(self, key: tuple[int, tuple[int, ...]], state: State) -> None:
        """The branch at ``key`` (its address, and the calls under way) is undecided in a state.

        Raises LongLoop.
        """
        before, self._paths[key] = self._paths.get(key), state.path
        self._all[key] = self._all.get(key, 0) + 1
        if before != state.path:
            self._leaving[key] = self._leaving.get(key, 0) + 1
        most = max(self._most, _LEAST_INSIDE, min(_INSIDE * self._most, MAX_ITERATIONS))
        if self._leaving.get(key, 0) > self._most or self._all[key] > most:
            raise LongLoop(
                DeadEnd.UNCUT_LOOP(most=self._most),
                key[0],
                not state.frames,
                state.path,
                DeadEnd.GIVE_INVARIANT(),
            )
