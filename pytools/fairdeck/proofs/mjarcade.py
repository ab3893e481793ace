"""MJ Arcade: seeds out of text, deals, and what deals and discards add to its uncertain element."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from fairdeck.mjarcade.seed import LENGTH
from fairdeck.mjarcade.uncertain import kind_value
from fairdeck.mjarcade.wall import TILES
from fairdeck.proofs import mjarcade_key
from fairdeck.proofs.mjarcade_deal import (
    DEAL,
    DRAW,
    KEYS,
    MT,
    SEED,
    deal_of,
    draw_of,
    shuffle_of,
)
from fairdeck.proofs.mjarcade_key import prove_decode, prove_key
from fairdeck.proofs.mt19937_seed import seeding_contracts, wherever
from fairdeck.proofs.stages import with_inputs
from fairdeck.proofs.statement import Row, Statement, bank, prove_whole, statements_of
from fairdeck.wall_roms import WALL_ROMS
from romproof import Contract, Proof, ProofOptions, Prover

PLAYERS = (3, 4)
DRAWS = {"6502": (1049, 1225), "sm83": (542, 643)}
"""The fewest and the most cycles that a draw may take."""
SHUFFLES = {
    "6502": {3: (120647, 139655), 4: (151928, 176000)},
    "sm83": {3: (63839, 74747), 4: (80387, 94123)},
}
"""The same of as many draws as so many players have tiles."""
DEALS = {
    "6502": {3: (65, 673412), 4: (65, 709756)},
    "sm83": {3: (57, 510458), 4: (57, 529833)},
}
"""The same of a deal."""
PLAYER = mjarcade_key.BYTES
ORDERED = {"6502": ("X", "0"), "sm83": ("HL", "&mj_words")}
"""Where the place of a player is that is put in order, and the first place."""


def prove_contract(cpu: str, options: ProofOptions) -> Proof:
    """The routine's own contract; its limits of cycles are those of 138 draws and of all else,
    which no call is known to reach."""
    own = bank(WALL_ROMS[cpu], replace(options, loose=True))
    return Proof.join(DEAL, *list_questions(own, cpu), dealt(own, cpu, DEALS[cpu]))


def list_questions(own: Prover, cpu: str) -> Iterator[Proof]:
    """What deals of any number of players call, callees first."""
    yield own.routine(SEED, replace(wherever(own, cpu), loops=()), exact=False)
    for name in ("modulo", "mt_next"):
        yield own.routine(name, exact=False)
    draw = draw_of(cpu, own.image).contract(own)
    yield own.routine(DRAW, replace(draw, cycles=DRAWS[cpu]), exact=False)


def dealt(own: Prover, cpu: str, limits: Mapping[int, tuple[int, int]]) -> Proof:
    """A deal of three players and one of four, with limits of the cycles of each."""
    return own.cases(
        replace(own.contracts[DEAL], loops=()),
        "mj_players",
        PLAYERS,
        callees=lambda players: of_players(own, cpu, players),
        limits=limits.__getitem__,
    )


def of_players(own: Prover, cpu: str, players: int) -> Iterator[Proof]:
    """What a deal calls, for so many players."""
    for name, text in texts(cpu, players).items():
        yield own.routine(name, of_text(own, own.contracts[name], text), exact=False)
    tiles, shuffle = TILES[players], shuffle_of(cpu, own.image)
    text = f"""
    ; in:       mj_tiles {MT}
    ; requires: mj_tiles == {tiles}, mt_seeded
    ; out:      mj_wall[{tiles}] {MT}"""
    stated = of_text(own, shuffle.contract(own), text)
    cycles = SHUFFLES[cpu][players]
    yield own.routine(shuffle.routine, replace(stated, cycles=cycles), exact=False)


def of_text(own: Prover, stated: Contract, text: str) -> Contract:
    """A contract but for what some lines list and require."""
    told = own.contract(f";; {stated.name} – of some players.{text}", stated.name)
    inputs, outputs = told.inputs, told.outputs
    return replace(stated, loops=(), inputs=inputs, outputs=outputs, requires=told.requires)


def texts(cpu: str, players: int) -> Mapping[str, str]:
    """What the routines for text and key list and require, callees first."""
    size = PLAYER * players
    words, one = f"mj_words[{size}]", f"mj_players == {players}"
    at, first = ORDERED[cpu]
    place = f"{at} in {first}..{first} + {size - 2 * PLAYER}, ({at} - {first}) % {PLAYER} == 0"
    carry = mjarcade_key.CARRY[cpu].upper()
    return {
        mjarcade_key.ORDER: f"""
    ; in:       {at} {words}
    ; requires: {place}
    ; out:      {at} {words}""",
        mjarcade_key.DECODE: f"""
    ; in:       mj_players mj_seeds[{LENGTH * players}]
    ; requires: {one}
    ; out:      {carry} {words}""",
        mjarcade_key.KEY: f"""
    ; in:       mj_players {words} mj_uncertain[4]
    ; requires: {one}
    ; out:      mj_key[{size}] {words}""",
    }


def prove_deal(cpu: str, options: ProofOptions) -> Proof:
    """What the text and the key are is said by other statements: here they are asked by their
    contracts. Seeding is another one with the key in another place."""
    return Proof.join(DEAL, *_proofs(bank(WALL_ROMS[cpu], options), cpu))


def _proofs(own: Prover, cpu: str) -> Iterator[Proof]:
    given = {mjarcade_key.DECODE: mjarcade_key.TEXT, mjarcade_key.KEY: mjarcade_key.GIVEN}
    for name, takes in given.items():
        stated = with_inputs(own, name, takes, loops=(), cycles=None)
        yield own.routine(name, stated, exact=False)
    yield from seeding_contracts(own, cpu, KEYS)
    for name in ("modulo", "mt_next"):
        yield own.routine(name, exact=False)
    for one in (draw_of(cpu, own.image), shuffle_of(cpu, own.image), deal_of(cpu, own.image)):
        yield from one.prove(own)


MASK = 0xFFFFFFFF
WHOLE: tuple[Row, ...] = (
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
        "three players or four: their routines give the text, the key and the seeding, and each "
        "place is swapped with the next output's remainder; it ends, and the contract holds "
        "except for its cycles, with the working memory among the inputs",
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
ROUTINES = {
    "mj_tile_value": "the value of each of the 34 kinds is the model's",
    "mj_add_deal": "a deal adds 1, modulo 2^32",
    "mj_add_discard": "a discard adds its number times the tile's value, modulo 2^32",
}


def statements() -> tuple[Statement, ...]:
    """All of them, for both CPUs."""
    whole = statements_of("mjarcade", WHOLE, [subject for subject, *_ in WHOLE])
    held = "; the contract holds, its fewest and its most cycles included"
    rows = [(name, claim + held, partial(_proof, name)) for name, claim in ROUTINES.items()]
    return whole + statements_of("mjarcade", rows)


def _deal(uncertain: Any) -> Any:
    return uncertain + 1 & MASK


def _discard(uncertain: Any, number: Any, value: Any) -> Any:
    return uncertain + number * value & MASK


def _proof(name: str, cpu: str, options: ProofOptions) -> Proof:
    place = "mj_uncertain:little"
    number = {"uncertain": place}
    discarded = {**number, "number": "a", "value": "x" if cpu == "6502" else "b"}
    models: Mapping[str, tuple[Callable[..., Any], Mapping[str, str], str]] = {
        "mj_tile_value": (kind_value, {"kind": "a"}, "a"),
        "mj_add_deal": (_deal, number, place),
        "mj_add_discard": (_discard, discarded, place),
    }
    return prove_whole(bank(WALL_ROMS[cpu], options), name, *models[name])
