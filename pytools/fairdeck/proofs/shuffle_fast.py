"""The fast shuffle of the SM83 is the model's, flip by flip.

Where the program is says how many flips a draw takes at first, how many are left in the current
byte and, modulo the copies of its code, how many cards. A stage takes flips one by one, of the
stream that the model's generator is (``stream.py``), and does with them what the model does
(``roll``), until the machine comes to its next place.

The contract is that of ``shuffle_sm83.py``, with what a model needs besides: of a draw under way
that its number is below its range, and where the byte under way may be none of the stream. That
each byte of the stream is made of those before it is shown with the stages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from fairdeck.proofs.draws import GENERATOR, SHUFFLED, generator, numbers
from fairdeck.proofs.shuffle_groups import FLIPS_A_BYTE, GROUPS
from fairdeck.proofs.shuffle_sm83 import StreamRoom, invariants, keeping_stream, prove_lemmas
from fairdeck.proofs.stages import Next
from fairdeck.proofs.stream import (
    BEGUN,
    FIRST,
    Stream,
    bytes_in_turn,
    generator_of,
    stream_contents,
    stream_of,
)
from fairdeck.proofs.tarot_bank import tarot_bank
from fairdeck.tarot.draw import Reduction, Roll, roll
from fairdeck.tarot.shuffle import CARDS
from fairdeck.tarot.targets import SM83
from romproof import Image, Proof, ProofOptions, Prover, Stage

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
            return stream_contents(stream, at - low, flips, begun=k < max(GROUPS))

        return Stage(TAKEN, draw, means=means)

    def another(k: int, flips: int, copy: int) -> Stage:
        def turn(v: Any, c: Any, n: Any, deck: Any, **under_way: Any) -> Next:
            after, bit = _stream(flips, **under_way).flip()
            return rolled(k, copy, after, roll(Roll(v, c), bit, n, Reduction.CORRECT), n, deck)

        def means(stream: Any, at: Any, twice: Any) -> Mapping[str, Any]:
            return {
                **stream_contents(stream, at - low, flips, begun=k < max(GROUPS)),
                "v": twice >> 1,
            }

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


MAKE_STREAM = """
    ;; make_stream – all bytes of the stream, from the first four.
    ; in:       B C E L
    ; out:      shuffle_stream+5[62]
    ; ensures:  {turn}
    ; clobbers: A BC DE HL F
    ; stack:    0
    """

RESTREAM = """
    ;; restream – make the stream anew.
    ; ghost:    begun = C
    ; in:       C hram shuffle_stream+1[66]
    ; requires: C in {first}..{last}
    ; out:      C shuffle_stream[67]
    ; ensures:  C == {first}, {begun}, {turn}, {kept}
    ; clobbers: A F
    ; stack:    8
    """

ROLLED = "E % 2 == 0, 2 * B < E, E < 2 * L"
"""Of a draw under way: its number is below its range, which is below the number of results."""


def prove_fast(options: ProofOptions) -> Proof:
    """What makes the stream, the contract, and that it does what the model does."""
    own = tarot_bank(SM83, options)
    proofs = prove_contract(own)
    same = own.simulates(fast_stages(own.image), SHUFFLED, always_holds(own), under_way(own))
    return Proof.join("shuffle", *proofs, same)


def prove_contract(own: Prover) -> tuple[Proof, ...]:
    """What makes the stream, and the contract with all that the model needs."""
    lemmas = prove_stream(own)
    return *lemmas, own.routine("shuffle", keeping_stream(own, "B C D E H L", _places(own.image)))


def always_holds(own: Prover) -> str:
    """In all places: each byte of the stream is made of those before it."""
    return bytes_in_turn(_last(own))


def under_way(own: Prover) -> Callable[[Any], Any]:
    """Of which byte a stage needs that."""
    low = own.image.address("shuffle_stream") & 0xFF
    return lambda at: at - low


def _places(image: Image) -> Iterator[str]:
    """The invariants; and that a first byte which is not of the stream is used up in group 7."""
    first = StreamRoom(image).first
    for line in invariants(image):
        place = line.partition(":")[0]
        k, flips = int(place[-5]), int(place[-3])
        begun = f"C != {first} or {BEGUN}"
        if k == max(GROUPS):
            # a first try and the flip after it take all of a byte, or more
            begun += f" or L == {CARDS}" if "draw" in place or not flips else ""
            if "draw" in place and flips <= 1:
                begun += f" or L == {CARDS - 1}"
            if "draw" in place and not flips:  # a whole byte is under way at the beginning only
                begun += f", C != {first - 1} or L == {CARDS}"
        yield f"{line}, {begun}{f', {ROLLED}' * ('flip' in place)}"


def _last(own: Prover) -> int:
    return own.image.symbol("STREAM_LAST").value


def prove_stream(own: Prover) -> tuple[Proof, Proof]:
    """What makes the stream, and makes it anew; then they are lemmas."""
    stream, last = StreamRoom(own.image), _last(own)
    begins = bytes_in_turn(last, ("old E", "old L", "old B", "old C"))
    turn = bytes_in_turn(last)
    # one by one: of a long condition on all of them a caller would know little
    kept = ", ".join(
        f"{FIRST.format(n)} == old {FIRST.format(f'begun - {stream.first} + {n}')}"
        for n in range(1, 5)
    )
    text = RESTREAM.format(first=stream.first, last=stream.last, turn=turn, begun=BEGUN, kept=kept)
    return prove_lemmas(own, MAKE_STREAM.format(turn=begins), text)
