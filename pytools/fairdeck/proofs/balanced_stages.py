"""The balanced shuffle as a model that goes from place to place.

It stops where a card is about to be exchanged and where a draw that has overshot takes a flip
more. In between the model's flips are taken one by one (``flip``, ``roll``): as many as the machine
takes at once. There the machine counts the flips left by a mark above the last of them. The SM83
has two places for the exchange: with the flips of one byte it comes to the first of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fairdeck.proofs.draws import GENERATOR, Next, generator, numbers
from fairdeck.tarot.draw import FLIPS_A_BYTE, Generator, Reduction, Roll, flip, roll
from fairdeck.tarot.shuffle import CARDS
from fairdeck.tarot.targets import MOS6502, SM83, Target
from romproof import Stage

DRAWN = {
    MOS6502: {"n": "y", "marked": "rng", "drawn": "a"},
    SM83: {"n": "c", "marked": "b", "drawn": "a"},
}
UNDER_WAY = {
    MOS6502: {"n": "y", "marked": "rng", "v": "a", "c": "shuffle_value"},
    SM83: {"n": "c", "marked": "b", "v": "a", "c": "d"},
}
"""Where the numbers of a draw are, with its result and without."""

PLACES = {
    MOS6502: ("shuffle::take", "shuffle::take", "shuffle::widen"),
    SM83: ("shuffle.taken", "shuffle.take", "shuffle.widen"),
}
"""Where the code is with a result, with one that took a byte more, and without."""


def balanced_stages(target: Target) -> Mapping[str, Stage]:
    """Those of its beginning, of an exchange with the draw that follows, and of a flip more."""
    at_once, later, widen = PLACES[target]

    def begin(state: Any, remainder: Any, flips_left: Any, deck: Any) -> Next:
        left = 0
        while left < FLIPS_A_BYTE and left != flips_left:
            left += 1
        # what lies above the flips left is no flip, and never comes to be one
        return draw(generator(state, remainder & (1 << left) - 1, left), CARDS, deck)

    def exchange(state: Any, marked: Any, n: Any, drawn: Any, deck: Any) -> Next:
        deck[drawn], deck[n - 1] = deck[n - 1], deck[drawn]
        before = _unmarked(state, marked)
        if n == 2:
            return "return", {**numbers(before), "deck": deck}
        return draw(before, n - 1, deck)

    def turn(state: Any, marked: Any, n: Any, v: Any, c: Any, deck: Any) -> Next:
        after, bit = flip(_unmarked(state, marked))
        return place(later, after, roll(Roll(v, c), bit, n, Reduction.CORRECT), n, deck)

    def draw(before: Generator, n: Any, deck: Any) -> Next:
        """The flips of a draw below n, until it has a result or has overshot."""
        rolled, enough, taken = Roll(), False, at_once
        while not enough:
            taken = later if before.flips_left == 0 else taken
            before, bit = flip(before)
            enough = rolled.v * 2 >= n
            rolled = roll(rolled, bit, n, Reduction.CORRECT)
        return place(taken, before, rolled, n, deck)

    def place(taken: str, after: Generator, rolled: Roll, n: Any, deck: Any) -> Next:
        marked = after.remainder | 1 << after.flips_left
        values = {"state": after.state, "marked": marked, "n": n, "deck": deck}
        if rolled.done:
            return taken, {**values, "drawn": rolled.c}
        return widen, {**values, "v": rolled.v, "c": rolled.c}

    memory = {"state": "lfsr:big", "deck": "deck"}
    stages = {"": Stage({**GENERATOR, "deck": "deck"}, begin)}
    stages |= {each: Stage({**memory, **DRAWN[target]}, exchange) for each in (at_once, later)}
    return {**stages, widen: Stage({**memory, **UNDER_WAY[target]}, turn)}


def _unmarked(state: Any, marked: Any) -> Generator:
    left = FLIPS_A_BYTE - 1
    while left and marked < 1 << left:
        left -= 1
    return generator(state, marked - (1 << left), left)
