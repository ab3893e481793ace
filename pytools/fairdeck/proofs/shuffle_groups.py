"""The groups of cards that the fast shuffles draw for in the same way, on both CPUs."""

from __future__ import annotations

from dataclasses import replace

from fairdeck.tarot.shuffle import CARDS
from romproof import Contract

GROUPS = range(7, 1, -1)
"""How many flips a draw takes at first: those of cards 77 to 64 seven, ... 3 and 2 two."""
COARSE = 4
"""In groups of more flips a byte is counted for each draw, in the others the flips are."""
FLIPS_A_BYTE = range(8)
"""How many flips can be left in the current byte."""


def cards_of(k: int) -> int:
    """Cards in the group of k flips."""
    return CARDS - 64 if k == 7 else 1 << (k - 1)


def flips_after(k: int) -> int:
    """Flips that the cards after the group of k take, without overshoots; k is 4 at most."""
    return sum(j * cards_of(j) for j in range(1, k))


def without_dependences(contract: Contract) -> Contract:
    """A contract that does not say what its results depend on.

    What the invariants say of the stream is that it does not run out, not which of its bytes were
    written before they are read: too little to show that nothing else plays a part.
    """
    return replace(contract, places=tuple(each for each in contract.places if each[0] != "in"))
