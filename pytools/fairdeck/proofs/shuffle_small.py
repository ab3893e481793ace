"""The small shuffle draws for each card and exchanges it, by routines proved before it."""

from __future__ import annotations

from dataclasses import replace

from fairdeck.proofs.tarot_bank import tarot_bank
from fairdeck.proofs.turns import exchanges
from fairdeck.tarot.targets import MOS6502, Target
from fairdeck.tarot.variants import SMALL
from romproof import Proof, ProofOptions


def prove_small(target: Target, options: ProofOptions) -> Proof:
    """The routines that it calls, its contract, and that it exchanges cards in turn."""
    own = tarot_bank(target, options, SMALL)
    callees = [own.routine(name) for name in ("next_byte", "flip", "draw", "swap")]
    # how long it takes is up to the flips
    whole = own.routine("shuffle", replace(own.contracts["shuffle"], cycles=None))
    register = "a" if target is MOS6502 else "l"  # the card whose turn it is
    return Proof.joined("shuffle", *callees, whole, facts=exchanges(own, register, more=1))
