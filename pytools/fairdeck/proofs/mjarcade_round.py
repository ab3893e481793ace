"""That a deal of MJ Arcade is the model's: what it calls by contracts, then the stages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from fairdeck.proofs import mjarcade_decode, mjarcade_key
from fairdeck.proofs.mjarcade_deal import DEAL, KEYS, deal_of, draw_of, shuffle_of
from fairdeck.proofs.mt19937_seed import seeded
from fairdeck.proofs.statement import bank
from fairdeck.wall_roms import WALL_ROMS
from romproof import Proof, ProofOptions, Prover

TEXT = {
    mjarcade_decode.DECODE: mjarcade_decode.INPUTS,
    mjarcade_key.KEY: mjarcade_key.INPUTS,
}
"""What makes a key of the players' text, and what it is given."""


def prove_deal(cpu: str, options: ProofOptions) -> Proof:
    """What the text and the key are is said by other statements: here they are asked by their
    contracts. Seeding is another one with the key in another place."""
    return Proof.joined(DEAL, *_proofs(bank(WALL_ROMS[cpu], options), cpu))


def _proofs(own: Prover, cpu: str) -> Iterator[Proof]:
    for name, text in TEXT.items():
        # what is left alone is what was there: so it is an input of the models
        inputs = own.contract(text, name).inputs
        stated = replace(own.contracts[name], inputs=inputs, loops=(), cycles=None)
        yield own.routine(name, stated, exact=False)
    yield from seeded(own, cpu, KEYS)
    for name in ("modulo", "mt_next"):
        yield own.routine(name, exact=False)
    for one in (draw_of(cpu, own.image), shuffle_of(cpu, own.image), deal_of(cpu, own.image)):
        yield own.routine(one.routine, own.contract(one.contract, one.routine), exact=False)
        yield own.simulates(one.stages, one.gives)
