"""MJ Arcade's seeds out of text, as a model of stages: a group of characters at a time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from fairdeck.mjarcade.seed import ALPHABET, LENGTH
from fairdeck.proofs.statement import bank
from fairdeck.wall_roms import WALL_ROMS
from romproof import Finding, Proof, ProofOptions, Stage, Verdict, table

DECODE = "mj_decode"
PLAYERS, BYTES, GROUPS = 4, 20, 7
"""At most so many players; a player's bytes and groups, the last of which has three characters."""
UNKNOWN = 0x40
_VALUES = table(
    bytes(ALPHABET.index(chr(code)) if chr(code) in ALPHABET else UNKNOWN for code in range(256))
)

PLACE = {"6502": f"{DECODE}@group", "sm83": f"{DECODE}.group"}
CARRY = {"6502": "c", "sm83": "cf"}
LEAST = {"6502": 0, "sm83": 1}
"""What mj_from is in the last group."""

INPUTS = f"""
    ;; {DECODE} – with what may stay as it was.
    ; in:  mj_players mj_seeds[108] mj_words[80]
    ; out: mj_words[80]
    """

_ALL = {"players": "mj_players", "seeds": "mj_seeds", "words": "mj_words"}
Next = tuple[str, Mapping[str, Any]]


def decode_stages(cpu: str) -> Mapping[str, Stage]:
    """A group of four characters makes three bytes, the last of a player two."""
    place, least = PLACE[cpu], LEAST[cpu]

    def begin(players: Any, seeds: Any, words: Any) -> Next:
        here = {"players": players, "seeds": seeds, "words": words}
        return place, {**here, "at": players, "left": least + GROUPS - 1}

    def group(players: Any, seeds: Any, words: Any, at: Any, left: Any) -> Next:
        done, number = players - at, least + GROUPS - 1 - left
        text, to = LENGTH * done + 4 * number, BYTES * done + 3 * number
        one = _VALUES[seeds[text]]
        if one == UNKNOWN:
            return "return", {"bad": 1, "words": words}
        two = _VALUES[seeds[text + 1]]
        if two == UNKNOWN:
            return "return", {"bad": 1, "words": words}
        words[to] = one << 2 | two >> 4
        three = _VALUES[seeds[text + 2]]
        if three == UNKNOWN:
            return "return", {"bad": 1, "words": words}
        words[to + 1] = (two & 15) << 4 | three >> 2
        if left == least:
            if at == 1:
                return "return", {"bad": 0, "words": words}
            here = {"players": players, "seeds": seeds, "words": words}
            return place, {**here, "at": at - 1, "left": least + GROUPS - 1}
        four = _VALUES[seeds[text + 3]]
        if four == UNKNOWN:
            return "return", {"bad": 1, "words": words}
        words[to + 2] = (three & 3) << 6 | four
        here = {"players": players, "seeds": seeds, "words": words}
        return place, {**here, "at": at, "left": left - 1}

    return {
        "": Stage(_ALL, begin),
        place: Stage({**_ALL, "at": "mj_at", "left": "mj_from"}, group),
    }


def gives(cpu: str) -> Mapping[str, str]:
    """Where the results are."""
    return {"bad": CARRY[cpu], "words": "mj_words"}


def prove_decode(cpu: str, options: ProofOptions) -> Proof:
    """The contract; that its most is reached; and the model."""
    own = bank(WALL_ROMS[cpu], replace(options, loose=True))
    stated = own.contracts[DECODE]
    whole = own.routine(DECODE)
    # what is left alone is what was there: so it is an input of the model
    inputs = own.contract(INPUTS, DECODE).inputs
    own.routine(DECODE, replace(stated, inputs=inputs))
    model = own.simulates(decode_stages(cpu), gives(cpu))
    return Proof.joined(DECODE, whole, model, facts=[_ends(cpu)])


def _ends(cpu: str) -> Finding:
    """Both ends of the claim, by a text without and one with a character that is not allowed."""
    rom = bank(WALL_ROMS[cpu], ProofOptions()).rom
    claim = rom.contracts[DECODE].cycles
    taken = tuple(
        rom.call(DECODE, mem={"mj_players": bytes([PLAYERS]), "mj_seeds": text * 108}).cycles
        for text in (b"!", b"0")
    )
    verdict = Verdict.PROVED if taken == claim else Verdict.REFUTED
    return Finding("each end of its cycles is reached", verdict, f"{taken[0]} and {taken[1]}")
