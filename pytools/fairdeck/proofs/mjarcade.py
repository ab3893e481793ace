"""MJ Arcade's seeds out of text, and its uncertain element: what deals and discards add to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from fairdeck.mjarcade.uncertain import kind_value
from fairdeck.proofs.mjarcade_contract import prove_contract
from fairdeck.proofs.mjarcade_decode import prove_decode
from fairdeck.proofs.mjarcade_key import prove_key
from fairdeck.proofs.mjarcade_round import prove_deal
from fairdeck.proofs.statement import CPUS, Statement, bank
from fairdeck.wall_roms import WALL_ROMS
from romproof import Proof, ProofOptions

MASK = 0xFFFFFFFF
NUMBER = {"uncertain": "mj_uncertain:little"}
VALUE = {"6502": "x", "sm83": "b"}
"""The register with a tile's value."""

WHOLE = (
    (
        "mj_decode",
        "the seeds of all players are those of the model, for every text; the contract holds, "
        "its fewest and its most cycles included",
        prove_decode,
    ),
    (
        "mj_make_key",
        "the players are put in order, neighbours at a time, and their words interleaved and mixed "
        "as in the model, for all words; it ends, and the contract holds, its fewest and its most "
        "cycles included",
        prove_key,
    ),
    (
        "mj_deal",
        "the wall and the dice are the model's, for every text and every uncertain element, of "
        "three players or four: the text, the key and the seeding are what their routines give, "
        "and each place is swapped with the next output's remainder; it ends, and the contract "
        "holds but for its cycles, with what is worked on among the inputs",
        prove_deal,
    ),
    (
        "mj_deal-contract",
        "a deal of three players and one of four keep to the routine's contract, the limits of "
        "its cycles included: the wall and the dice depend on the text and the uncertain element, "
        "and on nothing else that is in memory; it ends",
        prove_contract,
    ),
)
"""What is proved in minutes: subject, claim, proof."""


def statements() -> tuple[Statement, ...]:
    """All of them, for both CPUs."""
    rows = (
        ("mj_tile_value", "what each of the 34 kinds counts is what the model says"),
        ("mj_add_deal", "a deal adds 1, modulo 2^32"),
        ("mj_add_discard", "a discard adds its number times the tile's value, modulo 2^32"),
    )
    whole = tuple(
        Statement("mjarcade", cpu, name, claim, partial(prove, cpu), long=True)
        for cpu in CPUS
        for name, claim, prove in WHOLE
    )
    return whole + tuple(
        Statement(
            "mjarcade",
            cpu,
            name,
            f"{claim}; the contract holds, its fewest and its most cycles included",
            partial(_proof, cpu, name),
        )
        for cpu in CPUS
        for name, claim in rows
    )


def _value(kind: Any) -> Any:
    return kind_value(kind)


def _deal(uncertain: Any) -> Any:
    return uncertain + 1 & MASK


def _discard(uncertain: Any, number: Any, value: Any) -> Any:
    return uncertain + number * value & MASK


def _proof(cpu: str, name: str, options: ProofOptions) -> Proof:
    models: Mapping[str, tuple[Callable[..., Any], Mapping[str, str], str]] = {
        "mj_tile_value": (_value, {"kind": "a"}, "a"),
        "mj_add_deal": (_deal, NUMBER, "mj_uncertain:little"),
        "mj_add_discard": (
            _discard,
            {**NUMBER, "number": "a", "value": VALUE[cpu]},
            "mj_uncertain:little",
        ),
    }
    model, takes, gives = models[name]
    own = bank(WALL_ROMS[cpu], options)
    contract = own.routine(name)
    equal = own.piece(own.contracts[name], name, model=model, takes=takes, gives=gives)
    return Proof.joined(name, contract, equal)
