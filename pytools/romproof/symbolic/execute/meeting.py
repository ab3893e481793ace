"""States that meet at one place, until it is their turn to become one.

Those that parted last become one first: of ``bcc skip / lda x / adc y / bcc skip / inc h / skip:``
h is chosen by the second branch, and that by the first, as where the code says ``adc #0``. One
after the other as they come they would be chosen by what both branches say together. The order
decides what terms look like, and nothing else.
"""

from __future__ import annotations

from romproof.symbolic.execute.state import State

MAX_APART = 8
"""States that wait at one place as they are; with more, two of them become one at once."""


class Meeting:
    """The states that have come to a place, at least one."""

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
