"""Long arithmetic: the remainder of a 32-bit number."""

from __future__ import annotations

from functools import partial
from typing import Any

from fairdeck.proofs.statement import CPUS, Statement, bank
from fairdeck.wall_roms import WALL_ROMS
from romproof import Proof, ProofOptions


def statements() -> tuple[Statement, ...]:
    """All of them, for both CPUs."""
    return tuple(
        Statement(
            "arith",
            cpu,
            "modulo",
            "the remainder is that of Python's %, for each of the 2^32 dividends and each divisor "
            "from 1 to 255; the contract holds, its fewest and its most cycles included",
            partial(_modulo, cpu),
        )
        for cpu in CPUS
    )


def remainder(dividend: Any, divisor: Any) -> Any:
    """What ``modulo`` computes."""
    return dividend % divisor


def _modulo(cpu: str, options: ProofOptions) -> Proof:
    own = bank(WALL_ROMS[cpu], options)
    contract = own.routine("modulo")
    takes = {"dividend": "dividend:little", "divisor": "a"}
    equal = own.piece(own.contracts["modulo"], "modulo", model=remainder, takes=takes, gives="a")
    return Proof.join("modulo", contract, equal)
