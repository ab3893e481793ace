"""Seeding MT19937 as a model that goes from place to place: a word of the state at a time.

The steps with the key and without are routines of their own, proved first, each of two stages: the
product, and what is added. The routine that seeds is asked for neither: its stages ask these.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from fairdeck.proofs.mt19937_model import SIZE, WORD, WORDS
from fairdeck.proofs.mt19937_stages import (
    KEY_STEP,
    LAST_STEP,
    LOCAL,
    SEED,
    SEEDED,
    WALLS_KEY,
    Keys,
    key_stages,
    last_stages,
    seed_stages,
)
from fairdeck.proofs.statement import bank
from fairdeck.wall_roms import WALL_ROMS
from romproof import Contract, Proof, ProofOptions, Prover

LAST = WORDS - 1
_THIS = f"mt_i in 0..{LAST}, mt_this == &mt_state + {WORD} * mt_i"
_AT = f"mt_j < mt_key_length, mt_key_at == mt_key + {WORD} * mt_j"

CONTRACTS = {
    "mix_key": f"""
    ;; mix_key – one step with the key.
    ; in:        mt_x[4] mt_this[2] mt_i[2] mt_j[2] mt_key_at[2] mt_key[2] mt_key_length[2]
    ;   mt_state[2500] #
    ; requires:  #:, {_THIS}, {_AT}
    ; out:       mt_x[4] mt_state[2500] mt_j[2] mt_key_at[2]
    ; ensures:   {_AT}
    ; invariant: %mix: {_THIS}, {_AT}
    ; clobbers:  $
    """,
    "mix_last": f"""
    ;; mix_last – one step without the key.
    ; in:        mt_x[4] mt_this[2] mt_i[2] mt_state[2500]
    ; requires:  {_THIS}
    ; out:       mt_x[4] mt_state[2500]
    ; invariant: %mix: {_THIS}
    ; clobbers:  $
    """,
    # of the state's words each is written before it is read: the model shows that
    SEED: f"""
    ;; {SEED} – make the state from a key.
    ; in:        mt_key[2] mt_key_length[2] # mt_state[2500]
    ; requires:  #:
    ; out:       mt_state[2500] mt_this[2] mt_ahead[2]
    ; ensures:   mt_seeded
    ; invariant: %start: {_THIS}
    ; invariant: %number: {_THIS}, mt_i >= 1
    ; invariant: %key: {_THIS}, {_AT}
    ; invariant: %last_key: {_THIS}, {_AT}, mt_i == 0
    ; invariant: %last: {_THIS}, mt_i >= 1
    ; invariant: %round: {_THIS}, mt_i == 0
    ; decreases: %start: {WORDS} - mt_i
    ; decreases: %number: {WORDS} - mt_i
    ; decreases: %key: {WORDS} - mt_i
    ; decreases: %last: {WORDS} - mt_i
    ; clobbers:  $ mt_x[4] mt_i[2] mt_j[2] mt_key_at[2]
    """,
}
"""With the CPU's mark of labels for %, what both destroy for $, and the key's memory for #: what is
required of the key is #:."""

LOST = {"6502": "A X Y N V Z C mt_y[4]", "sm83": "A BC DE HL F"}


LOOPS = f"""
    ;; {SEED} – at its loops.
    ; in:        mt_key[2] mt_key_length[2] key
    ; pointer:   mt_key -> key[{WORD} * mt_key_length <= {SIZE}]
    ; out:       mt_state[2500]
    ; clobbers:  mt_i[2] mt_j[2] mt_key_at[2] mt_this[2]
    ; invariant: %start: {_THIS}
    ; invariant: %key: {_THIS}, {_AT}
    ; invariant: %last: {_THIS}, mt_i >= 1
    ; decreases: %start: {WORDS} - mt_i
    ; decreases: %key: {WORDS} - mt_i
    ; decreases: %last: {WORDS} - mt_i
    """
"""What holds at the loops, wherever the key is."""


def prove_seeding(cpu: str, options: ProofOptions) -> Proof:
    """The routine's own contract, both steps, and then the whole."""
    own = bank(WALL_ROMS[cpu], options)
    contract = own.routine(SEED, wherever(own, cpu), exact=False)
    return Proof.joined(SEED, contract, *seeded(own, cpu))


def wherever(own: Prover, cpu: str) -> Contract:
    """The routine's own contract, with what holds at its loops."""
    at_loops = own.contract(LOOPS.replace("%", LOCAL[cpu]), SEED)
    return replace(
        own.contracts[SEED], invariants=at_loops.invariants, decreases=at_loops.decreases
    )


def seeded(own: Prover, cpu: str, keys: Keys = WALLS_KEY) -> Iterator[Proof]:
    """Both steps, and then the whole, with keys that stand in a part of memory."""
    for name, stages, gives in (
        ("mix_last", last_stages(cpu), LAST_STEP),
        ("mix_key", key_stages(cpu, own.image, keys), KEY_STEP),
        (SEED, seed_stages(cpu, own.image, keys), SEEDED),
    ):
        contract = own.contract(contract_of(cpu, name, keys), name)
        yield own.routine(name, contract, exact=False)
        yield own.simulates(stages, gives)


def contract_of(cpu: str, name: str, keys: Keys = WALLS_KEY) -> str:
    """The contract of one of the three, on one CPU."""
    end = f"&{keys.name} + {keys.size}"
    required = (
        f"mt_key_length in 1..{keys.size // WORD}, mt_key in &{keys.name}..{end}, "
        f"mt_key + {WORD} * mt_key_length <= {end}"
    )
    text = CONTRACTS[name].replace("#:", required).replace("#", f"{keys.name}[{keys.size}]")
    return text.replace("%", LOCAL[cpu]).replace("$", LOST[cpu])
