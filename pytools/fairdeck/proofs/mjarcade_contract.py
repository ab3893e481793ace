"""MJ Arcade's deal by its own contract: of three players and of four, from nothing but the text and
the uncertain element.

Of three players the last quarter of what is worked on is left as it was. So each routine is proved
for a number of players, of the bytes that are theirs: all of these are written before they are
read, and callers know it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from fairdeck.mjarcade.seed import LENGTH
from fairdeck.mjarcade.wall import TILES
from fairdeck.proofs import mjarcade_decode, mjarcade_key
from fairdeck.proofs.mjarcade_deal import (
    DEAL,
    DIVISION,
    DRAW,
    LOST,
    MT,
    SEED,
    SHUFFLE,
    STACK,
    draw_of,
)
from fairdeck.proofs.mt19937_seed import wherever
from fairdeck.proofs.statement import bank
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
    return Proof.joined(DEAL, *asked(own, cpu), dealt(own, cpu, DEALS[cpu]))


def asked(own: Prover, cpu: str) -> Iterator[Proof]:
    """What deals of any number of players call, callees first."""
    yield own.routine(SEED, replace(wherever(own, cpu), loops=()), exact=False)
    for name in ("modulo", "mt_next"):
        yield own.routine(name, exact=False)
    draw = own.contract(draw_of(cpu, own.image).contract, DRAW)
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
        yield own.routine(name, of_text(own, name, text), exact=False)
    shuffle = SHUFFLE[cpu]
    stated = own.contract(_shuffle(cpu, TILES[players]), shuffle)
    yield own.routine(shuffle, replace(stated, cycles=SHUFFLES[cpu][players]), exact=False)


def of_text(own: Prover, name: str, text: str) -> Contract:
    """A routine's own contract but for what some lines list and require."""
    told = own.contract(f";; {name} – of some players.{text}", name)
    stated = replace(own.contracts[name], loops=())
    return replace(stated, inputs=told.inputs, outputs=told.outputs, requires=told.requires)


def texts(cpu: str, players: int) -> Mapping[str, str]:
    """What the routines for text and key list and require, callees first."""
    size = PLAYER * players
    words, one = f"mj_words[{size}]", f"mj_players == {players}"
    at, first = ORDERED[cpu]
    place = f"{at} in {first}..{first} + {size - 2 * PLAYER}, ({at} - {first}) % {PLAYER} == 0"
    carry = mjarcade_decode.CARRY[cpu].upper()
    return {
        mjarcade_key.ORDER: f"""
    ; in:       {at} {words}
    ; requires: {place}
    ; out:      {at} {words}""",
        mjarcade_decode.DECODE: f"""
    ; in:       mj_players mj_seeds[{LENGTH * players}]
    ; requires: {one}
    ; out:      {carry} {words}""",
        mjarcade_key.KEY: f"""
    ; in:       mj_players {words} mj_uncertain[4]
    ; requires: {one}
    ; out:      mj_key[{size}] {words}""",
    }


def _shuffle(cpu: str, tiles: int) -> str:
    """Every place of so many tiles is swapped with any."""
    routine = SHUFFLE[cpu]
    at, number = (f"{routine}@swap", "mj_at") if cpu == "6502" else (f"{routine}.tile", "A")
    return f"""
    ;; {routine} – every place in turn is swapped with any place.
    ; in:        mj_tiles {MT}
    ; requires:  mj_tiles == {tiles}, mt_seeded
    ; out:       mj_wall[{tiles}] {MT}
    ; ensures:   mt_seeded
    ; clobbers:  {LOST[cpu]} mt_y[4] {DIVISION[cpu]} mj_at
    ; stack:     {STACK[cpu][routine]}
    ; invariant: {at}: mt_seeded, {number} < mj_tiles
    ; decreases: {at}: mj_tiles - {number}
    """
