"""Which of the pending states is executed next, and how those that meet become one.

Next is the one in the innermost call, and there the one at the lowest address; states that meet at
one address are merged into one. So a loop of eight iterations with a branch in each is executed
eight times, not 256. Two things would let what is left of one iteration meet the next one:

- a loop that goes on by a jump to one of several places: what lies behind that jump belongs to the
  same iteration, not to what follows the loop. From then on states that have jumped back less often
  come first;
- a loop with several jumps back to its head: a state at the head waits until no other one is in
  the loop, in the same call.

Both orders, that of execution and that of merging, decide what terms look like and how large they
become, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from romproof.symbolic.execute.state import State
from romproof.symbolic.terms.term import Term

MAX_APART = 8
"""States that wait at one place as they are; with more, two of them become one at once."""


class Meeting:
    """The states that have come to a place, at least one, until it is their turn to become one.

    Those that parted last become one first: of ``bcc skip / lda x / adc y / bcc skip / inc h /
    skip:`` h is chosen by the second branch, and that by the first, as where the code says ``adc
    #0``. One after the other as they come they would be chosen by what both branches say together.
    """

    __slots__ = ("_states",)

    def __init__(self, state: State) -> None:
        self._states = [state]

    @property
    def turns(self) -> int:
        """How often they jumped back at most."""
        return max(state.turns for state in self._states)

    def add(self, state: State) -> None:
        """One more state comes."""
        self._states.append(state)
        if len(self._states) > MAX_APART:
            self._merge_closest()

    def merge_states(self) -> State:
        """All of them as one state."""
        while len(self._states) > 1:
            self._merge_closest()
        return self._states[0]

    def _merge_closest(self) -> None:
        """The two that have the longest way in common become one; of several the first."""
        states = self._states
        pairs = [(one, other) for other in range(len(states)) for one in range(other)]
        one, other = max(pairs, key=lambda pair: _count_shared(states[pair[0]], states[pair[1]]))
        states[one].merge(states.pop(other))


def _count_shared(one: State, other: State) -> int:
    """How many conditions two states have in common from the beginning."""
    count = 0
    for mine, theirs in zip(one.path, other.path, strict=False):
        if mine is not theirs:
            break
        count += 1
    return count


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
