"""The costs of a suit on the SM83, by the automaton."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from fairdeck.proofs.riichi_walk import (
    MAX_HELD,
    MAX_TILES,
    Addresses,
    Steps,
    Walk,
    judged,
    walk,
)
from fairdeck.riichi.tables import COSTS, NUMBERS
from romproof import Finding, Proof, Prover, table, word

SUITS = 3
"""Those with numbers."""

ENTRY = """
    ;; entry – where the suit is, and whether tiles of it are melded.
    ; in:       A hand[34] melded[34] melds
    ; requires: A <= 2, melds <= 4
    ; out:      A BC DE HL
    ; clobbers: F
    """
TILES = """
    ;; tiles – of the suit.
    ; in:       DE hand[34]
    ; requires: D == &hand >> 8, E == (&hand & $FF) + {first}, all j in 0..33: hand[j] <= 4
    ; out:      A
    ; clobbers: HL F
    """
DECIDE = """
    ;; decide – whether the automaton knows suits with so many tiles.
    ; in:       A BC DE HL
    ; out:      B HL
    ; clobbers: F
    """
NUMBER = """
    ;; number_{number} – one number is taken in.
    ; in:       HL DE hand[34]
    ; requires: D == &hand >> 8, E == (&hand & $FF) + {kind}, hand[{kind}] <= 4,
    ;           H in {first} >> 8..{last} >> 8, H * 256 + L in {first}..{last}, L % 8 == 0
    ; out:      HL E
    ; clobbers: A F
    """
COSTS_OUT = """
    ;; costs – of the suit, from where the last row leads.
    ; in:       HL C suits[40]
    ; requires: H in {first} >> 8..{last} >> 8, H * 256 + L in {first}..{last},
    ;           C in (&suits & $FF)..(&suits & $FF) + 20
    ; out:      suits[40]
    ; clobbers: A HL C F
    """


def proofs(own: Prover) -> Iterable[Proof]:
    """Of the way into the automaton, the steps at the nine numbers, and the way out."""
    walk = automaton(own)
    yield _entry(own)
    for suit in range(SUITS):
        yield _tiles(own, suit)
    yield _decide(own)
    for number in range(NUMBERS):
        for suit in range(SUITS):
            yield _number(own, number, suit, walk.rows)
    yield _costs(own, walk.last)


def followed(own: Prover) -> Finding:
    """Whether the rows lead to the right costs."""
    walk = automaton(own)
    return judged(walk, walk.rows)


def automaton(own: Prover) -> Walk:
    """Where the automaton's rows lead, and where they are."""

    def out(costs: Addresses, counts: Steps) -> Addresses:
        return costs + np.arange(COSTS)[:, None]

    return walk(own, NUMBERS, out)


def _entry(own: Prover) -> Proof:
    """It goes on to count the tiles, or to another way than the automaton."""
    hand, suits = (own.image.address(name) for name in ("hand", "suits"))

    def model(suit: Any, called: Any, melds: Any) -> Any:
        places = (suits & 0xFF) + COSTS * suit, hand + NUMBERS * suit
        if melds == 0:
            return 0, places
        tiles = [called[NUMBERS * suit + number] for number in range(NUMBERS)]
        melded = 0
        for count in tiles:
            melded |= count
        return (1, places) if melded != 0 else (0, places)

    ends = [f"suit_costs.{where}" for where in ("nothing_melded", "slow")]
    takes = {"suit": "a", "called": "melded", "melds": "melds"}
    return own.piece(ENTRY, "suit_costs", *ends, model=model, takes=takes, gives=("c", "de"))


def _tiles(own: Prover, suit: int) -> Proof:
    def model(held: Any) -> Any:
        return sum(held[NUMBERS * suit : NUMBERS * suit + NUMBERS])

    text = TILES.format(first=NUMBERS * suit)
    return own.piece(
        text,
        "suit_costs.nothing_melded",
        "suit_costs.tiles_counted",
        model=model,
        takes={"held": "hand"},
        gives="a",
    )


def _decide(own: Prover) -> Proof:
    root = own.image.address("automaton_root")

    def model(tiles: Any, before: Any, first: Any, hl: Any) -> Any:
        return (1, (before, hl)) if tiles > MAX_TILES else (0, (first, root))

    ends = [f"suit_costs.{where}" for where in ("number_0", "slow")]
    takes = {"tiles": "a", "before": "b", "first": "e", "hl": "hl"}
    return own.piece(
        DECIDE, "suit_costs.tiles_counted", *ends, model=model, takes=takes, gives=("b", "hl")
    )


def _number(own: Prover, number: int, suit: int, rows: range) -> Proof:
    """It goes on to the next number of a suit or the costs, or to another way than the automaton.

    Of each suit by itself: wherever the hand lies, the address of what is held is a number then.
    """
    image = own.image
    hand = image.address("hand")
    rom = table(own.fixed[: rows.stop + 8])

    def model(row: Any, place: Any, held: Any) -> Any:
        count = held[place - hand]
        following = place + 1 & 0xFF
        if count > MAX_HELD:
            return 1, (row, following)
        at = row + 2 * count
        return 0, (word([rom[at], rom[at + 1]], "little"), following)

    kind = NUMBERS * suit + number
    text = NUMBER.format(number=number, kind=kind, first=rows.start, last=rows.stop - 1)
    to = f"number_{number + 1}" if number + 1 < NUMBERS else "costs"
    ends = [f"suit_costs.{where}" for where in (to, "four")]
    takes = {"row": "hl", "place": "de", "held": "hand"}
    return own.piece(
        text, f"suit_costs.number_{number}", *ends, model=model, takes=takes, gives=("hl", "e")
    )


def _costs(own: Prover, vectors: range) -> Proof:
    image = own.image
    low = image.address("suits") & 0xFF
    rom = table(own.fixed[: vectors.stop + COSTS])

    def model(vector: Any, slot: Any, suits: Any) -> Any:
        for entry in range(COSTS):
            suits[slot - low + entry] = rom[vector + entry]
        return suits

    text = COSTS_OUT.format(first=vectors.start, last=vectors.stop - 1)
    takes = {"vector": "hl", "slot": "c", "suits": "suits"}
    return own.piece(text, "suit_costs.costs", model=model, takes=takes, gives="suits")
