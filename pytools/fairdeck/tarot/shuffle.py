"""The shuffle: Fisher and Yates's exchange, from the end of the deck down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fairdeck.tarot.draw import Generator, Reduction, draw

CARDS = 78

SORTED = tuple(range(CARDS))
"""The deck as it is set up once; later shuffles go on from where the last ended."""


@dataclass(frozen=True, slots=True)
class Shuffle:
    """One shuffle: the deck and the generator after it.

    ``indices`` are the numbers drawn, for the last place of the deck first;
    ``flips`` counts the coin flips they cost.
    """

    deck: tuple[int, ...]
    indices: tuple[int, ...]
    flips: int
    generator: Generator


def shuffle(
    generator: Generator,
    deck: Sequence[int] = SORTED,
    reduction: Reduction = Reduction.CORRECT,
) -> Shuffle:
    """Exchange each place a, from the last down to 1, with a place drawn from 0..a.

    A place may be exchanged with itself. Cards are never lost or made.
    """
    cards = list(deck)
    indices: list[int] = []
    flips = 0
    for place in range(len(cards) - 1, 0, -1):
        drawn = draw(generator, place + 1, reduction)
        generator = drawn.generator
        flips += drawn.flips
        indices.append(drawn.value)
        cards[place], cards[drawn.value] = cards[drawn.value], cards[place]
    return Shuffle(tuple(cards), tuple(indices), flips, generator)


def shuffles(
    generator: Generator,
    count: int,
    deck: Sequence[int] = SORTED,
    reduction: Reduction = Reduction.CORRECT,
) -> tuple[Shuffle, ...]:
    """``count`` shuffles in a row; each goes on from the deck and generator of the last."""
    done: list[Shuffle] = []
    for _ in range(count):
        last = shuffle(generator, deck, reduction)
        generator, deck = last.generator, last.deck
        done.append(last)
    return tuple(done)
