"""Tenhou's round by its own contract: of three players and of four, from nothing but the generator
and the number of tiles.

Of three players the last places of the wall are left alone. So the round is proved for a number of
tiles, of the places that are theirs: all of these are written before a swap reads them. Outputs are
gathered where nothing has to be known of what was there, as all are written before they are hashed.
What a word is used for is executed where it is: so dice are seen to be as they were until they are
thrown.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from fairdeck.proofs.statement import bank
from fairdeck.proofs.tenhou_stages import (
    DIGEST,
    HASH,
    HASHED,
    LONG,
    LOST,
    OUTPUTS,
    ROUND,
    SHORT,
    WORD,
    counted_outputs,
    hash_contract,
    round_of,
)
from fairdeck.wall_roms import WALL_ROMS
from romproof import Contract, Proof, ProofOptions, Prover

KEEPING = 30
"""Terms of a value that contracts of hashing need."""
HASHING = ("rounds", "mix", "load", "schedule", "block")
"""What a message of 128 bytes is hashed by, callees first."""
GENERATOR = "mt_this[2] mt_ahead[2] mt_state[2500]"
HASH_CYCLES = {"6502": (244486, 246661), "sm83": (213800, 215496)}
"""The fewest and the most that hashing 32 outputs may take."""


def prove_contract(cpu: str, options: ProofOptions) -> Proof:
    """The routine's own contract; its limits of cycles are those of 288 outputs and as many
    remainders as there may be, which no call is known to reach."""
    loose = replace(options, loose=True)
    return Proof.joined(ROUND, *proofs(bank(WALL_ROMS[cpu], loose), cpu, loose))


def proofs(own: Prover, cpu: str, options: ProofOptions) -> Iterator[Proof]:
    """The same step by step, callees first."""
    yield from hashing(own, cpu, options)
    yield own.routine(HASHED, own.contract(hashed(cpu), HASHED), exact=False)
    whole = stated(own, cpu)
    yield own.cases(
        whole,
        "tenhou_tiles",
        (LONG, SHORT),
        lists=lambda tiles: replace(whole, outputs=own.contract(given(tiles), ROUND).outputs),
    )


def hashing(own: Prover, cpu: str, options: ProofOptions) -> Iterator[Proof]:
    """What a round asks besides its own code, callees first: hashing, outputs and remainders."""
    contracts = own.under(replace(options, keeping=KEEPING))
    for name in HASHING:
        yield contracts.routine(f"sha512_{name}")
    contract = hash_contract(cpu, own.contracts[HASH].cycles if options.loose else None)
    yield contracts.routine(HASH, own.contract(contract, HASH), exact=False)
    for name in ("modulo", "mt_next"):
        yield own.routine(name, exact=False)


def stated(own: Prover, cpu: str) -> Contract:
    """The routine's own contract, with what holds at its loops."""
    lines = f"""
    ;; {ROUND} – at its loops.
    ; in:        {GENERATOR} tenhou_tiles
    ; out:       tenhou_dice[2]
    ; clobbers:  {LOST[cpu]} tenhou_at tenhou_chunk{round_of(cpu, own.image).contract}"""
    loops = own.contract(lines, ROUND)
    return replace(
        own.contracts[ROUND], invariants=loops.invariants, decreases=loops.decreases, loops=()
    )


def given(tiles: int) -> str:
    """What is given back of so many tiles."""
    return f"""
    ;; {ROUND} – of so many tiles.
    ; out:       tenhou_wall[{tiles}] tenhou_dice[2] {GENERATOR}
    """


def hashed(cpu: str) -> str:
    """The next outputs, hashed."""
    output_at, hash_at, place = counted_outputs(cpu)
    least, most = HASH_CYCLES[cpu]
    return f"""
    ;; {HASHED} – hash the generator's next 32 outputs.
    ; in:        {GENERATOR}
    ; requires:  mt_seeded
    ; out:       {GENERATOR} sha512_digest[{DIGEST}]
    ; ensures:   mt_seeded
    ; clobbers:  tenhou_output[{OUTPUTS}] tenhou_word sha512_message[2] mt_y[4], as {HASH}
    ; stack:     {4 if cpu == "6502" else 6}
    ; cycles:    {least}..{most}
    ; invariant: {output_at}: mt_seeded, {place} in 0..{OUTPUTS - WORD}, {place} % {WORD} == 0
    ; invariant: {hash_at}: mt_seeded
    ; decreases: {output_at}: {OUTPUTS} - {place}
    """
