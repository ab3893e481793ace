"""Which of the pending states is executed next.

The one in the innermost call, and there the one at the lowest address; states that meet at one
address are merged into one. So a loop of eight iterations with a branch in each is executed eight
times, not 256. Two things would let what is left of one iteration meet the next one:

- a loop that goes on by a jump to one of several places: what lies behind that jump belongs to the
  same iteration, not to what follows the loop. From then on states that have jumped back less often
  come first;
- a loop with several jumps back to its head: a state at the head waits until no other one is in
  the loop, in the same call.

The order decides how large terms become, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from romproof.symbolic.execute.meeting import Meeting
from romproof.symbolic.terms.term import Term

StateKey = tuple[tuple[int, ...], int, Term]
"""Of a pending state: the calls under way, where it is, and its stack pointer."""


class Order:
    """The order of execution. ``loop_at`` gives the addresses of the loop whose head is at an
    address, none where it is no head; it is asked about places that were jumped back to."""

    def __init__(self, loop_at: Callable[[int], Collection[int]] = lambda head: ()) -> None:
        self._loop_at = loop_at
        self._loops: dict[int, Collection[int]] = {}
        self._in_turn = False

    def jumps_back(self, to: int) -> None:
        """A state has jumped back."""
        if to not in self._loops:
            self._loops[to] = self._loop_at(to)

    def takes_turns(self) -> None:
        """A loop goes on by a jump to one of several places."""
        self._in_turn = True

    def next(self, waiting: Mapping[StateKey, Meeting]) -> StateKey:
        """Which of some states is next."""

        def rank(key: StateKey) -> tuple[int, int, int]:
            frames, pc, _ = key
            return -len(frames), waiting[key].turns if self._in_turn else 0, pc

        first = min(waiting, key=rank)
        if not self._waits(first, waiting):
            return first
        return min([key for key in waiting if not self._waits(key, waiting)] or waiting, key=rank)

    def _waits(self, key: StateKey, waiting: Mapping[StateKey, Meeting]) -> bool:
        """Whether a state is at the head of a loop in which others are."""
        frames, pc, _ = key
        loop = self._loops.get(pc, ())
        return bool(loop) and any(
            each[1] in loop and each[1] != pc and each[0] == frames for each in waiting
        )
