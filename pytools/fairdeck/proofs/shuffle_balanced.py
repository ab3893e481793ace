"""The balanced shuffles keep the deck a permutation, whatever the flips.

The invariants are about two places: where a card is about to be exchanged with the one drawn for
it, and where a draw that has overshot takes one more flip. What they say of the flips is that the
mark above them is there: so rng is never 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from fairdeck.proofs.balanced_stages import balanced_stages
from fairdeck.proofs.draws import SHUFFLED
from fairdeck.proofs.tarot_bank import tarot_bank
from fairdeck.proofs.turns import exchanges
from fairdeck.tarot.shuffle import CARDS
from fairdeck.tarot.targets import MOS6502, SM83, Target
from fairdeck.tarot.variants import BALANCED
from romproof import Image, Proof, ProofOptions, Prover

LEFT = {MOS6502: "y", SM83: "c"}
"""The register with the number of cards left: the next to be exchanged is the last of them."""
FLIP_SIZE = 5
"""Bytes that each flip takes in the 6502's chain."""

ABOUT = {
    MOS6502: """
    ;; shuffle – the registers that its invariants are about.
    ; in: A Y
    """,
    SM83: """
    ;; shuffle – the registers that its invariants are about.
    ; in: A B C D E lfsr[4]
    """,
}
FORESEEN = ", E == product_high[lfsr[3]]"
"""The byte that comes next is in a register of the SM83."""


def prove_balanced(target: Target, options: ProofOptions) -> Proof:
    """The contract, and that all it does to the deck is to exchange cards in turn."""
    own, whole = _contract(target, options)
    return Proof.joined("shuffle", whole, facts=exchanges(own, LEFT[target]))


def prove_balanced_model(target: Target, options: ProofOptions) -> Proof:
    """The contract, and that it does what the model does."""
    own, whole = _contract(target, options, FORESEEN if target is SM83 else "")
    return Proof.joined("shuffle", whole, own.simulates(balanced_stages(target), SHUFFLED))


def _contract(target: Target, options: ProofOptions, more: str = "") -> tuple[Prover, Proof]:
    own = tarot_bank(target, options, BALANCED)
    lines = invariants_6502(own.image) if target is MOS6502 else invariants_sm83(more)
    text = "".join(f"    ; invariant: {line}\n" for line in lines)
    stated = own.contract(ABOUT[target].rstrip(" ") + text, "shuffle").invariants
    # how long it takes is up to the flips
    whole = own.routine(
        "shuffle", replace(own.contracts["shuffle"], invariants=stated, cycles=None)
    )
    return own, whole


def invariants_6502(image: Image) -> Iterator[str]:
    """One for each place, as contracts write them."""
    chain = image.address("shuffle::chain")
    groups = []
    for k in range(1, 8):
        entry = chain + FLIP_SIZE * (7 - k)
        groups.append(
            f"shuffle_power == {1 << k} and shuffle_half == {1 << k - 1} "
            f"and shuffle_chain == {entry} and Y in {(1 << k - 1) + 1}..{min(1 << k, CARDS)}"
        )
    always = f"shuffle_cards == Y, rng != 0, {' or '.join(groups)}"
    yield f"take: A < Y, {always}"
    yield f"widen: shuffle_value < A, A < Y, {always}"


def invariants_sm83(more: str) -> Iterator[str]:
    """The same for the other CPU, and ``more`` that holds in all places."""
    always = f"B != 0, C in 2..{CARDS}{more}"
    yield f".taken: A < C, {always}"
    yield f".take: A < C, {always}"
    yield f".widen: D < A, A < C, {always}"
