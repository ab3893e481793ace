"""The costs of any suit on the SM83: the honours' by their own routine, others by the automaton,
and those that it does not know by all targets.

The automaton's steps are pieces of their own; of the whole each suit is a case. That the words
which the automaton's steps lead to are those of the costs by definition is followed in the ROM
(``riichi_walk``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from fairdeck.proofs import riichi_honours, riichi_target_sm83
from fairdeck.proofs.riichi_suits import (
    HONOUR_COSTS,
    HONOURS,
    SUIT_COSTS,
    SUITS,
    ask_suit,
    by_targets,
    prove_suits,
)
from fairdeck.proofs.riichi_target_sm83 import GIVEN, STATES, TARGET_FROM, WORK, ask_target
from fairdeck.proofs.riichi_walk import (
    MAX_HELD,
    MAX_TILES,
    Addresses,
    TileCounts,
    Walk,
    judge_walk,
    walk,
)
from fairdeck.proofs.stages import Next, Step, Values
from fairdeck.riichi.tables import COSTS, NUMBERS
from romproof import Asked, Finding, Image, Proof, Prover, Stage, table, word

OF_NUMBERS = 3
"""Those with numbers."""

CLOSED, FOUND, SLOW = (f"{SUIT_COSTS}.{name}" for name in ("nothing_melded", "costs", "slow"))


def automaton_proofs(own: Prover) -> Iterable[Proof]:
    """Of the way into the automaton, the steps at the nine numbers, and the way out."""
    walk = automaton(own)
    yield _entry(own)
    for suit in range(OF_NUMBERS):
        yield _tiles(own, suit)
    yield _decide(own)
    for number in range(NUMBERS):
        for suit in range(OF_NUMBERS):
            yield _number(own, number, suit, walk.rows)
    yield _costs_out(own, walk.last)


def check_rows(own: Prover) -> Finding:
    """Whether the rows lead to the right costs."""
    walk = automaton(own)
    return judge_walk(walk, walk.rows)


def automaton(own: Prover) -> Walk:
    """Where the automaton's rows lead, and where they are."""

    def out(costs: Addresses, counts: TileCounts) -> Addresses:
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

    takes = {"suit": "a", "called": "melded", "melds": "melds"}
    lines = "; in: A hand[34] melded[34] melds\n; out: A BC DE HL"
    step = Step("entry", SUIT_COSTS, (CLOSED, SLOW), model, takes, ("c", "de"),
                "A <= 2, melds <= 4", "F", lines=lines)  # fmt: skip
    return step.prove(own)


def _tiles(own: Prover, suit: int) -> Proof:
    def model(held: Any) -> Any:
        return sum(held[NUMBERS * suit : NUMBERS * suit + NUMBERS])

    first = f"D == &hand >> 8, E == (&hand & $FF) + {NUMBERS * suit}"
    requires, takes = f"{first}, all j in 0..33: hand[j] <= 4", {"held": "hand"}
    ends = (f"{SUIT_COSTS}.tiles_counted",)
    step = Step("tiles", CLOSED, ends, model, takes, ["a"], requires, "HL F", read="DE")
    return step.prove(own)


def _decide(own: Prover) -> Proof:
    root = own.image.address("automaton_root")

    def model(tiles: Any, before: Any, first: Any, hl: Any) -> Any:
        return (1, (before, hl)) if tiles > MAX_TILES else (0, (first, root))

    begin, ends = f"{SUIT_COSTS}.tiles_counted", (f"{SUIT_COSTS}.number_0", SLOW)
    takes = {"tiles": "a", "before": "b", "first": "e", "hl": "hl"}
    step = Step("decide", begin, ends, model, takes, ("b", "hl"), clobbers="F", read="C D")
    return step.prove(own)


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
    requires = (
        f"D == &hand >> 8, E == (&hand & $FF) + {kind}, hand[{kind}] <= 4, "
        f"{_among(rows)}, L % 8 == 0"
    )
    to = f"{SUIT_COSTS}.number_{number + 1}" if number + 1 < NUMBERS else FOUND
    takes = {"row": "hl", "place": "de", "held": "hand"}
    name, ends = f"number_{number}", (to, f"{SUIT_COSTS}.four")
    begin = f"{SUIT_COSTS}.{name}"
    return Step(name, begin, ends, model, takes, ("hl", "e"), requires, "A F").prove(own)


def _among(rows: range) -> str:
    """That HL is one of these addresses."""
    first, last = rows.start, rows.stop - 1
    return f"H in {first} >> 8..{last} >> 8, H * 256 + L in {first}..{last}"


def _costs_out(own: Prover, vectors: range) -> Proof:
    image = own.image
    low = image.address("suits") & 0xFF
    rom = table(own.fixed[: vectors.stop + COSTS])

    def model(vector: Any, slot: Any, suits: Any) -> Any:
        for entry in range(COSTS):
            suits[slot - low + entry] = rom[vector + entry]
        return suits

    requires = f"{_among(vectors)}, C in (&suits & $FF)..(&suits & $FF) + 20"
    takes = {"vector": "hl", "slot": "c", "suits": "suits"}
    return Step("costs", FOUND, (), model, takes, ["suits"], requires, "A HL C F").prove(own)


ROM, MEMORY = 0x8000, 0x10000
"""Bytes of what is fixed, from the beginning on, and of all."""
ASKING = {**GIVEN, "melds": "melds"}
PLACED = {**GIVEN, "c": "c", "e": "e"}
FOUND_AT = {"suits": "suits", "at": "hl", "c": "c"}
PLACES = f"C == (&suits & $FF) + {COSTS} * old A, E == (&hand & $FF) + {NUMBERS} * old A"

CONTRACT = f"""
    ;; {SUIT_COSTS} – missing tiles of a suit, with what is worked on among the inputs.
    ; in:        A hand[34] melded[34] melds suits[40] target_states[{STATES}]
    ; requires:  A < {SUITS}, melds <= MELDS, sound_tiles
    ; out:       suits[40] target_states[{STATES}]
    ; clobbers:  as {HONOUR_COSTS}, as {TARGET_FROM}
    ; stack:     18
    ; invariant: {CLOSED}: {PLACES}, D == &hand >> 8
    ; invariant: {FOUND}: {PLACES.split(",")[0]}, H in @FIRST >> 8..@LAST >> 8, HL in @FIRST..@LAST
    ; invariant: {SLOW}: {PLACES}
    """


def proofs(own: Prover, simulated: bool = True) -> Iterator[Proof]:
    """What is asked, by contracts; then each suit. If not ``simulated``, its contract only."""
    yield from riichi_target_sm83.proofs(own, simulated=False)
    yield from riichi_honours.proofs_sm83(own, simulated=False)
    last = automaton(own).last  # where the automaton's costs are
    text = CONTRACT.replace("@FIRST", str(last.start)).replace("@LAST", str(last.stop - 1))
    yield prove_suits(own, text, lambda suit: stages(own, suit), simulated)


def stages(own: Prover, suit: int) -> Mapping[str, Stage]:
    """What is done for a suit."""
    if suit == HONOURS:
        return {"": Stage(ASKING, riichi_honours.hand_on_honours, _ask_honours(own.image))}
    return {
        "": Stage(ASKING, _has_melds(own.image, suit)),
        CLOSED: Stage(PLACED, _walk_suit(own.image, own.fixed, suit)),
        FOUND: Stage(FOUND_AT, _costs(own.fixed, suit)),
        SLOW: Stage(PLACED, by_targets, ask_target(own.image)),
    }


def ask_costs(image: Image, question: Callable[..., Values]) -> Asked:
    """The costs of a suit; the states are handed on."""
    return ask_suit(_ask_honours(image), ASKING, WORK, question)


def _ask_honours(image: Image) -> Asked:
    return riichi_honours.ask_honours(riichi_honours.honour_costs(image).stages)


def _has_melds(image: Image, suit: int) -> Any:
    """Suits with melded tiles go the other way."""
    place = {"c": (image.address("suits") & 0xFF) + COSTS * suit}
    place |= {"e": (image.address("hand") & 0xFF) + NUMBERS * suit}

    def begin(melds: Any, melded: Any, **v: Any) -> Next:
        called: Any = 0
        for kind in range(NUMBERS * suit, NUMBERS * (suit + 1)):
            called |= melded[kind]
        label = CLOSED if (melds == 0) | (called == 0) else SLOW
        return label, {**v, "melded": melded, **place}

    return begin


def _walk_suit(image: Image, fixed: bytes, suit: int) -> Any:
    """From row to row by the counts of the numbers, unless it is a suit for the other way."""
    rom = _rom(fixed)
    root = image.address("automaton_root")

    def walk(hand: Any, suits: Any, **v: Any) -> Next:
        tiles: Any = 0
        known: Any = True
        high, low = root >> 8, root & 0xFF
        for kind in range(NUMBERS * suit, NUMBERS * (suit + 1)):
            tiles += hand[kind]
            known = known & (hand[kind] <= MAX_HELD)
            at = word([low | 2 * hand[kind], high], "little")
            low, high = rom[at], rom[at + 1]
        if not known & (tiles <= MAX_TILES):
            return SLOW, {"hand": hand, "suits": suits, **v}
        return FOUND, {"at": word([low, high], "little"), "suits": suits, "c": v["c"]}

    return walk


def _rom(fixed: bytes) -> Any:
    """What is read as code reads it: at any address of 16 bits, with nothing beyond the ROM."""
    return table(fixed[:ROM].ljust(MEMORY, b"\0"))


def _costs(fixed: bytes, suit: int) -> Any:
    """The costs that the last row leads to."""
    rom = _rom(fixed)

    def costs(at: Any, suits: Any, **_place: Any) -> Next:
        for entry in range(COSTS):
            suits[COSTS * suit + entry] = rom[at + entry]
        return "return", {"suits": suits}

    return costs
