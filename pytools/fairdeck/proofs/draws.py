"""The draw, and the small and the balanced shuffle, as models that go from place to place.

One stage of a draw is one flip of the model's (``roll``); one of the small shuffle is the model's
draw, asked of ``draw``, and its exchange. Run from the beginning they do what ``fairdeck.tarot``
does.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fairdeck.proofs.stages import Next, Values, name_after, pick, renew
from fairdeck.tarot.draw import FLIPS_A_BYTE, Generator, Reduction, Roll, draw, flip, roll
from fairdeck.tarot.feedback import DEFAULT_FEEDBACK
from fairdeck.tarot.shuffle import CARDS
from fairdeck.tarot.targets import MOS6502, SM83, Target
from romproof import Asked, Stage

GENERATOR = {"state": "lfsr:big", "remainder": "rng", "flips_left": "flips_left"}

DRAWN = {**GENERATOR, "result": "a"}
SHUFFLED = {**GENERATOR, "deck": "deck"}
"""What is left in the end, and where."""

UNDER_WAY = {
    MOS6502: {"v": "draw_range", "c": "draw_value", "highest": "draw_highest"},
    SM83: {"v": "e", "c": "d", "highest": "b"},
}
"""Where a draw's numbers are while it is under way."""


def generator(state: Any, remainder: Any, flips_left: Any) -> Generator:
    """The model's generator, of the numbers that are in memory."""
    return Generator(state, DEFAULT_FEEDBACK, remainder, flips_left)


def numbers(of: Generator) -> dict[str, Any]:
    """The other way round."""
    return {"state": of.state, "remainder": of.remainder, "flips_left": of.flips_left}


def draw_stages(target: Target) -> Mapping[str, Stage]:
    """Those of ``draw``: its beginning, and a flip at a time."""
    widen = "draw@widen" if target is MOS6502 else "draw.widen"

    def begin(highest: Any, state: Any, remainder: Any, flips_left: Any) -> Next:
        left = numbers(generator(state, remainder, flips_left))
        if highest == 0:
            # a draw from a single number needs no flip; the model has none
            return "return", {**left, "result": 0}
        return widen, {**left, "v": Roll().v, "c": Roll().c, "highest": highest}

    def turn(state: Any, remainder: Any, flips_left: Any, v: Any, c: Any, highest: Any) -> Next:
        after, bit = flip(generator(state, remainder, flips_left))
        rolled = roll(Roll(v, c), bit, highest + 1, Reduction.CORRECT)
        if rolled.done:
            return "return", {**numbers(after), "result": rolled.c}
        return widen, {**numbers(after), "v": rolled.v, "c": rolled.c, "highest": highest}

    return {
        "": Stage({"highest": "a", **GENERATOR}, begin),
        widen: Stage({**GENERATOR, **UNDER_WAY[target]}, turn),
    }


def small_stages(target: Target) -> Mapping[str, Stage]:
    """Those of the small ``shuffle``: a card at a time, from the last to the second."""
    card_at, card_in = ("shuffle@card", "a") if target is MOS6502 else ("shuffle.card", "l")

    def begin(state: Any, remainder: Any, flips_left: Any, deck: Any) -> Next:
        left = numbers(generator(state, remainder, flips_left))
        return card_at, {**left, "deck": deck, "card": CARDS - 1}

    def question(card: Any, **v: Any) -> Values:
        return pick({"highest": "a", **GENERATOR}, highest=card)(**v)

    def exchange(deck: Any, card: Any, drawn: Any, **v: Any) -> Next:
        deck[drawn], deck[card] = deck[card], deck[drawn]
        left = {**renew(v, GENERATOR), "deck": deck}
        return ("return", left) if card == 1 else (card_at, {**left, "card": card - 1})

    answer = {"drawn": "a", **name_after(GENERATOR)}
    asked = Asked("draw", question, {"highest": "a", **GENERATOR}, answer, _draw_below)
    return {
        "": Stage({**GENERATOR, "deck": "deck"}, begin),
        card_at: Stage({**GENERATOR, "deck": "deck", "card": card_in}, exchange, asked),
    }


def _draw_below(highest: int, **state: int) -> Values:
    done = draw(generator(**state), highest + 1)
    return {"drawn": done.value, **name_after(numbers(done.generator))}


BALANCED_DRAWN = {
    MOS6502: {"n": "y", "marked": "rng", "drawn": "a"},
    SM83: {"n": "c", "marked": "b", "drawn": "a"},
}
BALANCED_UNDER_WAY = {
    MOS6502: {"n": "y", "marked": "rng", "v": "a", "c": "shuffle_value"},
    SM83: {"n": "c", "marked": "b", "v": "a", "c": "d"},
}
"""Where the numbers of a draw are, with its result and without."""

PLACES = {
    MOS6502: ("shuffle::take", "shuffle::take", "shuffle::widen"),
    SM83: ("shuffle.taken", "shuffle.take", "shuffle.widen"),
}
"""Where the code is with a result, with one that took a byte more, and without."""


def stages_of_balanced(target: Target) -> Mapping[str, Stage]:
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
        before = _unmark_states(state, marked)
        if n == 2:
            return "return", {**numbers(before), "deck": deck}
        return draw(before, n - 1, deck)

    def turn(state: Any, marked: Any, n: Any, v: Any, c: Any, deck: Any) -> Next:
        after, bit = flip(_unmark_states(state, marked))
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
    stages |= {
        each: Stage({**memory, **BALANCED_DRAWN[target]}, exchange) for each in (at_once, later)
    }
    return {**stages, widen: Stage({**memory, **BALANCED_UNDER_WAY[target]}, turn)}


def _unmark_states(state: Any, marked: Any) -> Generator:
    left = FLIPS_A_BYTE - 1
    while left and marked < 1 << left:
        left -= 1
    return generator(state, marked - (1 << left), left)
