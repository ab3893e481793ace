"""The fast shuffle of the SM83 as a model that goes from place to place.

Where the program is says how many flips a draw takes at first, how many are left in the current
byte and, modulo the copies of its code, how many cards. A stage takes flips one by one, of the
stream that the model's generator is (``stream.py``), and does with them what the model does
(``roll``), until the machine comes to its next place.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fairdeck.proofs.draws import GENERATOR, Next, generator, numbers
from fairdeck.proofs.shuffle_groups import FLIPS_A_BYTE, GROUPS
from fairdeck.proofs.stream import Stream, generator_of, meant_by, stream_of
from fairdeck.tarot.draw import Reduction, Roll, roll
from fairdeck.tarot.shuffle import CARDS
from romproof import Image, Stage

TAKEN = {"stream": "shuffle_stream", "at": "c", "n": "l", "deck": "deck"}
"""Where the machine has what a draw is made with; with the card that is next to be exchanged."""
UNDER_WAY = {**TAKEN, "c": "b", "twice": "e"}
"""The same of a draw that has overshot: its number, and twice its range."""
A_BYTE = 8


def fast_stages(image: Image) -> Mapping[str, Stage]:
    """Those of its beginning, and of each of its places."""
    copies = {k: image.symbol(f"COPIES_{k}").value for k in GROUPS} | {1: 1}
    low = image.address("shuffle_stream") & 0xFF

    def begin(state: Any, remainder: Any, flips_left: Any, deck: Any) -> Next:
        left = 0
        while left < A_BYTE and left != flips_left:
            left += 1
        before = stream_of(generator(state, remainder, left))
        return next_draw(max(GROUPS), CARDS % copies[7], before, CARDS, deck)

    def next_draw(k: int, copy: int, before: Stream, n: Any, deck: Any) -> Next:
        place = f"shuffle.draw{k}_{before.left % A_BYTE}_{copy}"
        return place, {**before.values, "n": n, "deck": deck}

    def rolled(k: int, copy: int, after: Stream, made: Roll, n: Any, deck: Any) -> Next:
        """Where it goes on: with the exchange and the next draw, or with another flip."""
        if not made.done:
            place, values = next_draw(k, copy, after, n, deck)
            return place.replace("draw", "flip"), {**values, "v": made.v, "c": made.c}
        deck[made.c], deck[n - 1] = deck[n - 1], deck[made.c]
        if k == 1:
            return "return", {**numbers(generator_of(after)), "deck": deck}
        if n - 1 == 1 << k - 1:
            return next_draw(k - 1, 0, after, n - 1, deck)
        return next_draw(k, (copy - 1) % copies[k], after, n - 1, deck)

    def first_try(k: int, flips: int, copy: int) -> Stage:
        def draw(n: Any, deck: Any, **under_way: Any) -> Next:
            after = _stream(flips, **under_way)
            made = Roll()
            for _ in range(k):
                after, bit = after.flip()
                made = roll(made, bit, n, Reduction.CORRECT)
            if not made.done:  # one more is taken at once
                after, bit = after.flip()
                made = roll(made, bit, n, Reduction.CORRECT)
            return rolled(k, copy, after, made, n, deck)

        def means(stream: Any, at: Any) -> Mapping[str, Any]:
            return meant_by(stream, at - low, flips, begun=k < max(GROUPS))

        return Stage(TAKEN, draw, means=means)

    def another(k: int, flips: int, copy: int) -> Stage:
        def turn(v: Any, c: Any, n: Any, deck: Any, **under_way: Any) -> Next:
            after, bit = _stream(flips, **under_way).flip()
            return rolled(k, copy, after, roll(Roll(v, c), bit, n, Reduction.CORRECT), n, deck)

        def means(stream: Any, at: Any, twice: Any) -> Mapping[str, Any]:
            return {**meant_by(stream, at - low, flips, begun=k < max(GROUPS)), "v": twice >> 1}

        return Stage(UNDER_WAY, turn, means=means)

    stages = {"": Stage({**GENERATOR, "deck": "deck"}, begin)}
    for k in (*GROUPS, 1):
        for copy in range(copies[k]):
            for flips in FLIPS_A_BYTE:
                stages[f"shuffle.draw{k}_{flips}_{copy}"] = first_try(k, flips, copy)
                if k > 1:
                    stages[f"shuffle.flip{k}_{flips}_{copy}"] = another(k, flips, copy)
    return stages


def _stream(
    places: int, flips: Any, left: Any, byte1: Any, byte2: Any, byte3: Any, byte4: Any
) -> Stream:
    """A stream in a place where ``places`` flips are left, or all of a byte."""
    known = A_BYTE if left == A_BYTE else places
    return Stream(flips, known, (byte1, byte2, byte3, byte4))
