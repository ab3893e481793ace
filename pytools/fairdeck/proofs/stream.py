"""The fast shuffles' stream of flips, as a generator of its own, and what it is of the model's.

Bytes of the stream are those that the generator brings, each with its bits in reverse order: so the
first flip is the highest bit. The model's state is the four bytes that come next, by a linear
function that can be undone; after them each byte is made of the ones four and three before it. What
is left of the byte under way need not be of that state: a shuffle begins with the flips that are
left, and these may be of another byte.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fairdeck.tarot.draw import FLIPS_A_BYTE, Generator
from fairdeck.tarot.feedback import DEFAULT_FEEDBACK, next_byte

BITS = range(8)


def mirror_bits(byte: Any) -> Any:
    """A byte with its bits in reverse order."""
    found = 0
    for bit in BITS:
        found |= (byte >> bit & 1) << (7 - bit)
    return found


def _product(one: int, other: int) -> int:
    """Without carries: of polynomials over GF(2)."""
    found = 0
    for bit in BITS:
        found ^= (one >> bit & 1) * other << bit
    return found


def _inverse(of: int) -> int:
    """Modulo x^8, of a byte that is odd: its seventh power, as the eighth is 1."""
    found = 1
    for _ in range(7):
        found = _product(found, of) & 0xFF
    return found


MIRRORED_FEEDBACK = mirror_bits(DEFAULT_FEEDBACK.mask)
_BACK = _inverse(MIRRORED_FEEDBACK)


def _by_bits(columns: tuple[int, ...]) -> Any:
    """The linear function of a byte that has these values at 1, 2, 4, ... 128."""

    def value(byte: Any) -> Any:
        found = 0
        for bit in BITS:
            found ^= (byte >> bit & 1) * columns[bit]
        return found

    return value


unproduct = _by_bits(tuple(_BACK << bit & 0xFF for bit in BITS))
"""The byte of which the lower half of its product with the feedback is the byte given."""
next_by_4 = _by_bits(tuple(MIRRORED_FEEDBACK << bit & 0xFF for bit in BITS))
next_by_3 = _by_bits(
    tuple(
        _product(_product(_BACK << bit & 0xFF, MIRRORED_FEEDBACK) >> 8, MIRRORED_FEEDBACK) & 0xFF
        for bit in BITS
    )
)
"""What a byte of the stream does to those four and three later: their sum is the byte there."""


@dataclass(frozen=True)
class Stream:
    """A generator: the ``flips`` of the byte under way, of which so many are ``left``, the next one
    the highest, and the four bytes ``ahead``."""

    flips: Any
    left: Any
    ahead: tuple[Any, Any, Any, Any]

    def flip(self) -> tuple[Stream, Any]:
        """One flip, and what is left."""
        here = self
        if here.left == 0:
            one, two, three, four = here.ahead
            here = Stream(one, FLIPS_A_BYTE, (two, three, four, next_by_4(one) ^ next_by_3(two)))
        left = here.left - 1
        return Stream(here.flips & (1 << left) - 1, left, here.ahead), here.flips >> left & 1

    @property
    def values(self) -> Mapping[str, Any]:
        """Its numbers by their names."""
        ahead = {f"byte{n}": each for n, each in enumerate(self.ahead, 1)}
        return {"flips": self.flips, "left": self.left, **ahead}


def stream_of(generator: Generator) -> Stream:
    """The stream of a model's generator, which has as many flips left as a number says."""
    left, state = generator.flips_left, generator.state
    flips = mirror_bits(generator.remainder) >> (FLIPS_A_BYTE - left) & (1 << left) - 1
    ahead: list[Any] = []
    for _ in range(4):
        state, byte = next_byte(state, generator.feedback)
        ahead.append(mirror_bits(byte))
    one, two, three, four = ahead
    return Stream(flips, left, (one, two, three, four))


def generator_of(stream: Stream) -> Generator:
    """The model's generator that a stream is of."""
    one, two, three, four = stream.ahead
    # the byte under way is that of which the fourth one from it is made
    under_way = mirror_bits(unproduct(four ^ next_by_3(one)))
    three, two, one = (mirror_bits(unproduct(each)) for each in (three, two, one))
    state = under_way << 24 | three << 16 | two << 8 | one
    remainder = mirror_bits(stream.flips) >> (FLIPS_A_BYTE - stream.left)
    return Generator(state, DEFAULT_FEEDBACK, remainder, stream.left)


def stream_contents(stream: Any, at: Any, flips: int, *, begun: bool = True) -> Mapping[str, Any]:
    """What there is with byte ``at`` of the stream under way and ``flips`` of it left. If the first
    byte need not have ``begun`` the stream nothing is made of it; with byte 0 under way all eight
    flips of byte 1 are left."""
    some = (1 << flips) - 1
    if not begun and at <= 1:
        one, two, three, four = (stream[place] for place in (2, 3, 4, 5))
        if at == 0:
            return Stream(stream[1], FLIPS_A_BYTE, (one, two, three, four)).values
        return Stream(stream[1] & some, flips, (one, two, three, four)).values
    one, two, three = (stream[at + after] for after in (1, 2, 3))
    four = next_by_4(stream[at]) ^ next_by_3(one)
    return Stream(stream[at] & some, flips, (one, two, three, four)).values


BEGUN = "shuffle_stream[5] == next_by_4[shuffle_stream[1]] ^ next_by_3[shuffle_stream[2]]"
"""As contracts write it: the first byte of the stream is that of which the others were made."""
FIRST = "shuffle_stream[{}]"
"""A byte of those that a stream is made of, as contracts write it."""


def bytes_in_turn(last: int, begun: Sequence[str] = ()) -> str:
    """As contracts write it: each byte of the stream from the sixth to the ``last`` is made of the
    two that are four and three before it. ``begun`` are the first four, where they are not in the
    stream yet; then it is said of the fifth, too."""
    byte = {n: FIRST.format(n) for n in range(1, 9)}
    before = {**byte, **dict(enumerate(begun, 1))}
    made = [
        f"{byte[n + 4]} == next_by_4[{before[n]}] ^ next_by_3[{before[n + 1]}]"
        for n in range(1 if begun else 2, 5)
    ]
    this, one, two = (FIRST.format(f"j + {n}" if n else "j") for n in (4, 0, 1))
    others = f"all j in 5..{last - 4}: {this} == next_by_4[{one}] ^ next_by_3[{two}]"
    return ", ".join([*made, others])
