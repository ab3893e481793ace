"""The balanced shuffle of the 6502 as a model that goes from place to place.

It stops where a card is about to be exchanged and where a draw that has overshot takes a flip
more. In between the model's flips are taken one by one (``flip``, ``roll``): as many as the machine
takes at once. There the machine counts the flips left by a mark above the last of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fairdeck.proofs.draws import GENERATOR, Next, generator, numbers
from fairdeck.tarot.draw import FLIPS_A_BYTE, Generator, Reduction, Roll, flip, roll
from fairdeck.tarot.shuffle import CARDS
from romproof import Stage

TAKE, WIDEN = "shuffle::take", "shuffle::widen"
_PLACE = {"state": "lfsr:big", "marked": "rng", "deck": "deck", "n": "y"}


def balanced_stages() -> Mapping[str, Stage]:
    """Those of its beginning, of an exchange with the draw that follows, and of a flip more."""
    return {
        "": Stage({**GENERATOR, "deck": "deck"}, _begin),
        TAKE: Stage({**_PLACE, "drawn": "a"}, _take),
        WIDEN: Stage({**_PLACE, "v": "a", "c": "shuffle_value"}, _widen),
    }


def _begin(state: Any, remainder: Any, flips_left: Any, deck: Any) -> Next:
    left = 0
    while left < FLIPS_A_BYTE and left != flips_left:
        left += 1
    # what lies above the flips left is no flip, and never comes to be one
    return _draw(generator(state, remainder & (1 << left) - 1, left), CARDS, deck)


def _take(state: Any, marked: Any, n: Any, drawn: Any, deck: Any) -> Next:
    deck[drawn], deck[n - 1] = deck[n - 1], deck[drawn]
    before = _unmarked(state, marked)
    if n == 2:
        return "return", {**numbers(before), "deck": deck}
    return _draw(before, n - 1, deck)


def _widen(state: Any, marked: Any, n: Any, v: Any, c: Any, deck: Any) -> Next:
    after, bit = flip(_unmarked(state, marked))
    return _place(after, roll(Roll(v, c), bit, n, Reduction.CORRECT), n, deck)


def _draw(before: Generator, n: Any, deck: Any) -> Next:
    """The flips of a draw below n, until it has a result or has overshot."""
    rolled, enough = Roll(), False
    while not enough:
        before, bit = flip(before)
        enough = rolled.v * 2 >= n
        rolled = roll(rolled, bit, n, Reduction.CORRECT)
    return _place(before, rolled, n, deck)


def _place(after: Generator, rolled: Roll, n: Any, deck: Any) -> Next:
    values = {"state": after.state, "marked": after.remainder | 1 << after.flips_left, "n": n}
    if rolled.done:
        return TAKE, {**values, "deck": deck, "drawn": rolled.c}
    return WIDEN, {**values, "deck": deck, "v": rolled.v, "c": rolled.c}


def _unmarked(state: Any, marked: Any) -> Generator:
    left = FLIPS_A_BYTE - 1
    while left and marked < 1 << left:
        left -= 1
    return generator(state, marked - (1 << left), left)
