"""All faults that the prover is tried with."""

from __future__ import annotations

import mutants_6502
import mutants_sm83

MUTANTS = tuple(
    mutant
    for cpu in (mutants_6502, mutants_sm83)
    for rows in (cpu.TAROT, cpu.WALLS, cpu.SHA512, cpu.RIICHI)
    for mutant in rows
)
