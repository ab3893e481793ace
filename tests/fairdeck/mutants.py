"""All faults that the prover is tried with."""

from __future__ import annotations

import mutants_6502
import mutants_sm83

MUTANTS = (
    *mutants_6502.TAROT,
    *mutants_6502.WALLS,
    *mutants_sm83.TAROT,
    *mutants_sm83.WALLS,
)
