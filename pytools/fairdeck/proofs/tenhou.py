"""Tenhou's walls and dice: a round is the model's, word by word of its digests."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from fairdeck.proofs.statement import CPUS, Statement, bank
from fairdeck.proofs.tenhou_contract import hashing, prove_contract
from fairdeck.proofs.tenhou_stages import (
    LONG,
    LOST,
    ROUND,
    hashed_of,
    round_of,
    used_of,
)
from fairdeck.wall_roms import WALL_ROMS
from romproof import Proof, ProofOptions


def statements() -> tuple[Statement, ...]:
    """All of them, for both CPUs."""
    claim = (
        "a round's wall and dice are those that the published code makes of 288 outputs of the "
        "generator, nine times 32 of them hashed, for every state of the generator, 136 tiles or "
        "108; it ends, and the contract holds but for its cycles, with wall, dice and outputs "
        "among the inputs, as what is left alone is what was there"
    )
    by_contract = (
        "a round of three players and one of four keep to the routine's contract, the limits of "
        "its cycles included: wall and dice depend on the generator and the number of tiles, and "
        "on nothing else that is in memory; it ends"
    )
    rows = ((ROUND, claim, prove_round), (f"{ROUND}-contract", by_contract, prove_contract))
    return tuple(
        Statement("tenhou", cpu, subject, told, partial(prove, cpu), long=True)
        for cpu in CPUS
        for subject, told, prove in rows
    )


def prove_round(cpu: str, options: ProofOptions) -> Proof:
    """Hashing by its contracts; then 32 outputs, the use of a word, and the round."""
    own = bank(WALL_ROMS[cpu], options)
    proofs = [*hashing(own, cpu, options)]
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
