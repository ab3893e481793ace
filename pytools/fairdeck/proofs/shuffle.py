"""The fast shuffles keep the deck a permutation, whatever the flips.

The code is a state machine with hundreds of places; an invariant for each says which cards have
been drawn for, and that the stream of flips does not run out. What is in the stream does not
matter for this.
"""

from __future__ import annotations

from fairdeck.proofs.shuffle_6502 import prove_6502
from fairdeck.proofs.shuffle_sm83 import prove_sm83
from fairdeck.proofs.statement import Statement

CLAIM = (
    "every shuffle leaves the 78 cards that were there, in some order, and touches no other "
    "memory; each card is exchanged with one at its own place or before it"
)
CHANCE = "it draws for each card until the flips decide"


def statements() -> tuple[Statement, ...]:
    """All of them, for both CPUs."""
    return (
        Statement("tarot", "6502", "shuffle", CLAIM, prove_6502, CHANCE),
        Statement("tarot", "sm83", "shuffle", CLAIM, prove_sm83, CHANCE),
    )
