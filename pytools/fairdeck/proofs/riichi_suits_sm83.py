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
from fairdeck.proofs.riichi_target_6502 import answer_target, costs_at
from fairdeck.proofs.riichi_target_sm83 import GIVEN, GIVES, STATES, TARGET_FROM, WORK, ask_target
from fairdeck.proofs.riichi_walk import (
    MAX_HELD,
    MAX_TILES,
    Addresses,
    TileCounts,
    Walk,
    judge_walk,
    walk,
)
from fairdeck.proofs.stages import Next, Values, name_after
from fairdeck.riichi.tables import COSTS, NUMBERS
from fairdeck.tiles import KINDS
from romproof import Asked, Finding, Image, Proof, Prover, Stage, table, word

OF_NUMBERS = 3
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


def _costs_out(own: Prover, vectors: range) -> Proof:
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


SUIT_COSTS, HONOUR_COSTS = "suit_costs", "honour_costs"
CLOSED, FOUND, SLOW = (f"{SUIT_COSTS}.{name}" for name in ("nothing_melded", "costs", "slow"))
ROM, MEMORY = 0x8000, 0x10000
"""Bytes of what is fixed, from the beginning on, and of all."""
SUITS = 4
HONOURS = SUITS - 1

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
    contract = own.contract(contract_of(own), SUIT_COSTS)
    if simulated:
        yield own.cases(contract, "A", range(SUITS), lambda suit: stages(own, suit), GIVES)
    else:
        yield own.cases(contract, "A", range(SUITS))


def contract_of(own: Prover) -> str:
    """The contract, with where the automaton's costs are."""
    last = automaton(own).last
    return CONTRACT.replace("@FIRST", str(last.start)).replace("@LAST", str(last.stop - 1))


def stages(own: Prover, suit: int) -> Mapping[str, Stage]:
    """What is done for a suit."""
    if suit == HONOURS:
        return {"": Stage(ASKING, riichi_honours.hand_on_honours, _ask_honours(own.image))}
    return {
        "": Stage(ASKING, _has_melds(own.image, suit)),
        CLOSED: Stage(PLACED, _walk_suit(own.image, own.fixed, suit)),
        FOUND: Stage(FOUND_AT, _costs(own.fixed, suit)),
        SLOW: Stage(PLACED, _by_targets, ask_target(own.image)),
    }


def every_stage(own: Prover) -> Mapping[str, Stage]:
    """The same of all suits, as one model that is run with plain numbers."""
    of = [stages(own, suit) for suit in range(SUITS)]
    first, slot = (own.image.address(name) & 0xFF for name in ("hand", "suits"))
    asked = _ask_honours(own.image)

    def begin(suit: int, **v: Any) -> Next:
        answer = asked.function(**asked.question(**v)) if suit == HONOURS else {}
        return of[suit][""].model(**v, **answer)

    def close(e: int, **v: Any) -> Next:
        return of[(e - first) // NUMBERS][CLOSED].model(e=e, **v)

    def find(c: int, **v: Any) -> Next:
        return of[(c - slot) // COSTS][FOUND].model(c=c, **v)

    return {
        "": Stage({"suit": "a", **ASKING}, begin),
        CLOSED: Stage(PLACED, close),
        FOUND: Stage(FOUND_AT, find),
        SLOW: of[0][SLOW],
    }


def ask_costs(image: Image, question: Callable[..., Values]) -> Asked:
    """The costs of a suit; the states are handed on."""
    honours = _ask_honours(image)

    def function(suit: int, hand: Any, melded: Any, melds: int, suits: Any, **work: Any) -> Values:
        if suit == HONOURS:
            after = honours.function(held=hand, melded=melded, suits=suits)["honours"]
            return name_after({"suits": after, **work})
        kinds = slice(NUMBERS * suit, NUMBERS * (suit + 1))
        known = sum(hand[kinds]) <= MAX_TILES and max(hand[kinds]) <= MAX_HELD
        # without melds nobody looks for their tiles, unless by all targets
        called = [0] * KINDS if known and melds == 0 else melded
        return answer_target(costs_at(suit, hand, called), suit, suits, work)

    return Asked(SUIT_COSTS, question, {"suit": "a", **ASKING}, name_after(GIVES | WORK), function)


def _ask_honours(image: Image) -> Asked:
    return riichi_honours.ask_honours(riichi_honours.honour_costs(image).stages)


def _by_targets(suits_after: Any, **_others: Any) -> Next:
    return "return", {"suits": suits_after}


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
