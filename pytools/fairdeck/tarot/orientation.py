"""Which cards of a shuffled deck lie reversed, as the programs for the consoles have it."""

from __future__ import annotations

from fairdeck.tarot.draw import Generator, flip
from fairdeck.tarot.shuffle import CARDS


def orientations(generator: Generator) -> tuple[bool, ...]:
    """For each place, the first one first, whether its card is reversed.

    It is decided by the 78 flips that follow the shuffle, which ``generator`` has just ended. They
    are not used up: the next shuffle has the same flips, so that decks depend on seed and number
    alone.
    """
    reversed_cards: list[bool] = []
    for _ in range(CARDS):
        generator, bit = flip(generator)
        reversed_cards.append(bit == 1)
    return tuple(reversed_cards)
