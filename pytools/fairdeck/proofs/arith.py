"""Long arithmetic: the remainder of a 32-bit number."""

from __future__ import annotations

from functools import partial
from typing import Any

from fairdeck.proofs.statement import CPUS, Statement, bank, together
from fairdeck.wall_roms import WALL_ROMS
from romproof.prover.piece import Piece, prove_piece
from romproof.prover.results import RoutineProof
from romproof.prover.routine import Options


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


def _modulo(cpu: str, options: Options) -> RoutineProof:
    own = bank(WALL_ROMS[cpu], options)
    contract = own.program.rom.contracts["modulo"]
    kept, _ = own.prove(contract)
    takes = {"dividend": "dividend:little", "divisor": "a"}
    equal = prove_piece(own, Piece(contract, "modulo"), remainder, takes, "a")
    return together("modulo", kept, equal)
