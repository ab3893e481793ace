"""Long arithmetic: the remainder of a 32-bit number."""

from __future__ import annotations

from typing import Any

from fairdeck.proofs.statement import Statement, bank, prove_whole, statements_of
from fairdeck.wall_roms import WALL_ROMS
from romproof import Proof, ProofOptions

CLAIM = (
    "the remainder is that of Python's %, for each of the 2^32 dividends and each divisor from 1 "
    "to 255; the contract holds, its fewest and its most cycles included"
)


def statements() -> tuple[Statement, ...]:
    """All of them, for both CPUs."""
    return statements_of("arith", [("modulo", CLAIM, _modulo)])


def remainder(dividend: Any, divisor: Any) -> Any:
    """What ``modulo`` computes."""
    return dividend % divisor


def _modulo(cpu: str, options: ProofOptions) -> Proof:
    takes = {"dividend": "dividend:little", "divisor": "a"}
    return prove_whole(bank(WALL_ROMS[cpu], options), "modulo", remainder, takes, "a")
