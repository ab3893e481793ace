"""The shuffles keep the deck a permutation, whatever the flips; the small one is the model's.

The fast and the balanced one are state machines; an invariant for each place says which cards have
been drawn for, and that flips do not run out. What the flips are does not matter for this.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from fairdeck.proofs.draws import SHUFFLED, small_stages, stages_of_balanced
from fairdeck.proofs.shuffle_6502 import prove_6502
from fairdeck.proofs.shuffle_fast import prove_fast
from fairdeck.proofs.shuffle_sm83 import prove_sm83
from fairdeck.proofs.stages import with_loops
from fairdeck.proofs.statement import Statement
from fairdeck.proofs.tarot_bank import tarot_bank
from fairdeck.proofs.turns import exchanges
from fairdeck.tarot.shuffle import CARDS
from fairdeck.tarot.targets import MOS6502, SM83, TARGETS, Target
from fairdeck.tarot.variants import BALANCED, SMALL
from romproof import Image, Proof, ProofOptions, Prover


def prove_small(target: Target, options: ProofOptions) -> Proof:
    """The routines that it calls, its contract, and that it does what the model does."""
    own = tarot_bank(target, options, SMALL)
    callees = [own.routine(name) for name in ("next_byte", "flip", "draw", "swap")]
    # how long it takes is up to the flips
    whole = own.routine("shuffle", replace(own.contracts["shuffle"], cycles=None))
    same = own.simulates(small_stages(target), SHUFFLED)
    return Proof.join("shuffle", *callees, whole, same)


LEFT = {MOS6502: "y", SM83: "c"}
"""The register with the number of cards left: the next to be exchanged is the last of them."""
FLIP_SIZE = 5
"""Bytes that each flip takes in the 6502's chain."""

ABOUT = {MOS6502: "; in: A Y\n", SM83: "; in: A B C D E lfsr[4]\n"}
"""What the invariants are about."""
FORESEEN = ", E == product_high[lfsr[3]]"
"""The byte that comes next is in a register of the SM83."""


def prove_balanced(target: Target, options: ProofOptions) -> Proof:
    """The contract, and that all it does to the deck is to exchange cards in turn."""
    own, whole = _contract(target, options)
    return Proof.join("shuffle", whole, facts=exchanges(own, LEFT[target]))


def prove_balanced_model(target: Target, options: ProofOptions) -> Proof:
    """The contract, and that it does what the model does."""
    own, whole = _contract(target, options, FORESEEN if target is SM83 else "")
    return Proof.join("shuffle", whole, own.simulates(stages_of_balanced(target), SHUFFLED))


def _contract(target: Target, options: ProofOptions, more: str = "") -> tuple[Prover, Proof]:
    own = tarot_bank(target, options, BALANCED)
    lines = invariants_6502(own.image) if target is MOS6502 else invariants_sm83(more)
    text = ABOUT[target] + "".join(f"; invariant: {line}\n" for line in lines)
    # how long it takes is up to the flips
    return own, own.routine("shuffle", with_loops(own, "shuffle", text, cycles=None))


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


CLAIM = (
    "every shuffle leaves the 78 cards that were there, in some order, and touches no other "
    "memory; each card is exchanged with one at its own place or before it"
)
SAME = (
    "the small variant's shuffle is the model's, draw by draw and exchange by exchange, for every "
    "state of the generator and every deck: the order of the cards and the generator after it"
)
CHANCE = "it draws for each card until the flips decide"


def statements() -> tuple[Statement, ...]:
    """All of them, for both CPUs."""
    balanced, fast = (SAME.replace("small", name) for name in ("balanced", "fast"))
    rows = (
        ("shuffle", CLAIM, {"6502": prove_6502, "sm83": prove_sm83}),
        ("shuffle-balanced", f"{CLAIM}: of the balanced variant", _of_targets(prove_balanced)),
        ("shuffle-small", SAME, _of_targets(prove_small)),
        ("shuffle-balanced-model", balanced, _of_targets(prove_balanced_model)),
        ("shuffle-fast-model", fast, {"sm83": prove_fast}),
    )
    return tuple(
        Statement("tarot", cpu, name, claim, prove, CHANCE, long=name.endswith("-model"))
        for name, claim, proofs in rows
        for cpu, prove in proofs.items()
    )


def _of_targets(
    prove: Callable[[Target, ProofOptions], Proof],
) -> Mapping[str, Callable[[ProofOptions], Proof]]:
    return {cpu: partial(prove, target) for cpu, target in TARGETS.items()}
