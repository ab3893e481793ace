"""Tenhou's walls and dice: a round is the model's, word by word of its digests."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from fairdeck.proofs.statement import CPUS, Statement, bank
from fairdeck.proofs.tenhou_stages import (
    HASH,
    LONG,
    LOST,
    ROUND,
    hash_contract,
    hashed_of,
    round_of,
    used_of,
)
from fairdeck.wall_roms import WALL_ROMS
from romproof import Proof, ProofOptions

KEEPING = 30
"""Terms of a value that contracts of hashing need."""
HASHING = ("rounds", "mix", "load", "schedule", "block")
"""What a message of 128 bytes is hashed by, callees first."""


def statements() -> tuple[Statement, ...]:
    """All of them, for both CPUs."""
    claim = (
        "a round's wall and dice are those that the published code makes of 288 outputs of the "
        "generator, nine times 32 of them hashed, for every state of the generator, 136 tiles or "
        "108; it ends, and the contract holds but for its cycles, with wall, dice and outputs "
        "among the inputs, as what is left alone is what was there"
    )
    return tuple(
        Statement("tenhou", cpu, ROUND, claim, partial(prove_round, cpu), long=True) for cpu in CPUS
    )


def prove_round(cpu: str, options: ProofOptions) -> Proof:
    """Hashing by its contracts; then 32 outputs, the use of a word, and the round."""
    own = bank(WALL_ROMS[cpu], options)
    contracts = own.under(replace(options, keeping=KEEPING))
    proofs = [contracts.routine(f"sha512_{name}") for name in HASHING]
    proofs.append(contracts.routine(HASH, own.contract(hash_contract(cpu), HASH), exact=False))
    proofs += [own.routine(name, exact=False) for name in ("modulo", "mt_next")]
    for one in (hashed_of(cpu, own.image), used_of(cpu)):
        contract = own.contract(one.contract, one.routine)
        proofs.append(own.routine(one.routine, contract, exact=False))
        proofs.append(own.simulates(one.stages, one.gives))
    whole = round_of(cpu, own.image)
    loops = own.contract(at_loops(cpu, whole.contract), ROUND)
    stated = replace(
        own.contracts[ROUND],
        inputs=loops.inputs,  # of three players some of the wall is left alone
        invariants=loops.invariants,
        decreases=loops.decreases,
        loops=(),
        cycles=None,
    )
    proofs += [own.routine(ROUND, stated), own.simulates(whole.stages, whole.gives)]
    return Proof.joined(ROUND, *proofs)


def at_loops(cpu: str, lines: str) -> str:
    """Invariants as a contract of their own, with what they speak of."""
    return f"""
    ;; {ROUND} – at its loops.
    ; in:        mt_this[2] mt_ahead[2] mt_state[2500] tenhou_tiles tenhou_wall[{LONG}]
    ;   tenhou_dice[2] tenhou_output[128]
    ; out:       tenhou_dice[2]
    ; clobbers:  {LOST[cpu]} tenhou_at tenhou_chunk{lines}"""
