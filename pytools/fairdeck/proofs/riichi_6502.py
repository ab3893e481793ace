"""The costs of a suit on the 6502, by the automaton."""

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

ENTRY = """
    ;; entry – where the suit is.
    ; in:       A
    ; requires: A <= 2
    ; out:      X zp suit_slot suit_next suit_tiles suit_row[2]
    ; clobbers: A N V Z C suit
    """
NUMBER = """
    ;; number – one number is taken in.
    ; in:       X Y zp hand[34] melded[34] suit_tiles suit_row[2] suit_next
    ; requires: X <= 26, suit_next <= 26, suit_tiles <= 10, hand[X] <= 4,
    ;           suit_row in {first}..{last}
    ; out:      X Y suit_tiles suit_row[2]
    ; clobbers: A N V Z C
    """
COSTS_OUT = """
    ;; costs – of the suit, by the row of its last number.
    ; in:       Y zp suit_slot suit_row[2] suits[40]
    ; requires: Y <= 3, suit_slot <= 20, suit_row in {first}..{last}
    ; out:      suits[40]
    ; clobbers: A X Y N V Z C
    """


def proofs(own: Prover) -> Iterable[Proof]:
    """Of the way into the automaton, the step at a number, and the way out."""
    walk = _walk(own)
    yield _entry(own)
    yield _number(own, range(walk.rows.start, walk.last.stop))
    yield _costs(own, walk.last)


def followed(own: Prover) -> Finding:
    """Whether the rows lead to the right costs."""
    walk = _walk(own)
    return judged(walk, range(walk.rows.start, walk.last.stop))


def _walk(own: Prover) -> Walk:
    rom, image = own.fixed, own.image
    planes = np.array([image.address(f"cost_plane_{entry}") for entry in range(COSTS)])

    def out(rows: Addresses, counts: Steps) -> Addresses:
        which = np.frombuffer(rom, np.uint8)[rows + counts[NUMBERS - 1]]
        places: Addresses = planes[:, None] + which
        return places

    return walk(own, NUMBERS - 1, out)


def _entry(own: Prover) -> Proof:
    root = own.image.address("automaton_root")

    def model(suit: Any) -> Any:
        first = NUMBERS * suit
        return first, COSTS * suit, first + NUMBERS - 1, 0, root

    gives = ("x", "suit_slot", "suit_next", "suit_tiles", "suit_row:little")
    return own.piece(
        ENTRY, "suit_costs", "suit_costs@number", model=model, takes={"suit": "a"}, gives=gives
    )


def _number(own: Prover, rows: range) -> Proof:
    """It goes on to the next number, to the costs, or to another way than the automaton."""
    rom = table(own.fixed[rows.start : rows.stop + 8])

    def model(
        place: Any, before: Any, held: Any, called: Any, tiles: Any, row: Any, last: Any
    ) -> Any:
        count = held[place]
        if called[place] != 0 or count > MAX_HELD:
            return 2, (place, before, tiles, row)
        if tiles + count > MAX_TILES:
            return 2, (place, count, tiles, row)
        if place == last:
            return 1, (place, count, tiles + count, row)
        at = row - rows.start + 2 * count
        following = word([rom[at], rom[at + 1]], "little")
        return 0, (place + 1, 2 * count + 1, tiles + count, following)

    takes = {
        "place": "x",
        "before": "y",
        "held": "hand",
        "called": "melded",
        "tiles": "suit_tiles",
        "row": "suit_row:little",
        "last": "suit_next",
    }
    ends = [f"suit_costs@{where}" for where in ("number", "last", "other")]
    text = NUMBER.format(first=rows.start, last=rows.stop - 1)
    return own.piece(
        text,
        "suit_costs@number",
        *ends,
        model=model,
        takes=takes,
        gives=("x", "y", "suit_tiles", "suit_row:little"),
    )


def _costs(own: Prover, rows: range) -> Proof:
    rom, image = own.fixed, own.image
    which = table(rom[rows.start : rows.stop + MAX_HELD])
    starts = [image.address(f"cost_plane_{entry}") for entry in range(COSTS)]
    planes = [table(rom[start : start + 256]) for start in starts]

    def model(count: Any, slot: Any, row: Any, suits: Any) -> Any:
        vector = which[row - rows.start + count]
        for entry, plane in enumerate(planes):
            suits[slot + entry] = plane[vector]
        return suits

    takes = {"count": "y", "slot": "suit_slot", "row": "suit_row:little", "suits": "suits"}
    text = COSTS_OUT.format(first=rows.start, last=rows.stop - 1)
    return own.piece(text, "suit_costs@last", model=model, takes=takes, gives="suits")
