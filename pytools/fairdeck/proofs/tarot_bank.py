"""The tarot library in the variants that statements are about."""

from __future__ import annotations

from fairdeck.proofs.statement import bank, program
from fairdeck.tarot.draw import Reduction
from fairdeck.tarot.feedback import DEFAULT_FEEDBACK, Feedback
from fairdeck.tarot.library import defines
from fairdeck.tarot.targets import Target
from fairdeck.tarot.variants import FAST, Variant
from romproof import ProofOptions, Prover, Rom


def _symbols(variant: Variant, feedback: Feedback) -> tuple[tuple[str, int], ...]:
    return tuple(defines(feedback, Reduction.CORRECT, variant).items())


def tarot_program(
    target: Target, variant: Variant = FAST, feedback: Feedback = DEFAULT_FEEDBACK
) -> Rom:
    """All routines of the library. Raises BuildFailed, DataMissing."""
    return program(target.library, _symbols(variant, feedback))


def tarot_bank(
    target: Target,
    options: ProofOptions,
    variant: Variant = FAST,
    feedback: Feedback = DEFAULT_FEEDBACK,
) -> Prover:
    """A prover for them, in which nothing is proved yet. Raises BuildFailed, DataMissing."""
    return bank(target.library, options, _symbols(variant, feedback))
