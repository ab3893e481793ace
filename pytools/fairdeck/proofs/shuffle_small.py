"""The small shuffle is the model's: a draw for each card, and its exchange."""

from __future__ import annotations

from dataclasses import replace

from fairdeck.proofs.draws import SHUFFLED, small_stages
from fairdeck.proofs.tarot_bank import tarot_bank
from fairdeck.tarot.targets import Target
from fairdeck.tarot.variants import SMALL
from romproof import Proof, ProofOptions


def prove_small(target: Target, options: ProofOptions) -> Proof:
    """The routines that it calls, its contract, and that it does what the model does."""
    own = tarot_bank(target, options, SMALL)
    callees = [own.routine(name) for name in ("next_byte", "flip", "draw", "swap")]
    # how long it takes is up to the flips
    whole = own.routine("shuffle", replace(own.contracts["shuffle"], cycles=None))
    same = own.simulates(small_stages(target), SHUFFLED)
    return Proof.joined("shuffle", *callees, whole, same)
