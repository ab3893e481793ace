"""The shanten of hands on the SM83 as models of stages: each routine asks those that it is made of.

``join`` and ``join_wanted`` are asked by addresses. That they are least sums is said by statements
of their own, for all places of costs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fairdeck.proofs.riichi_hands import (
    JOIN,
    NORMAL,
    OF_ALL,
    WANTED,
    Machine,
    Next,
    Values,
    complete_of,
    given_of,
    renewed,
    shanten_of,
)
from fairdeck.proofs.riichi_joins import joined_sm83, wanted_sm83
from fairdeck.proofs.riichi_suits_sm83 import ASKING as COSTS_ARE_ASKED
from fairdeck.proofs.riichi_suits_sm83 import SUITS, asked_costs
from fairdeck.proofs.riichi_ways_sm83 import STATES
from fairdeck.proofs.sha512_stages import Staged
from fairdeck.riichi.shanten import MELDS
from fairdeck.riichi.tables import COSTS
from romproof import Asked, Image, Stage

JOINED = {name: name for name in ("join_01", "join_23", "join_rest")}
COSTED = {"suits": "suits", "join_01": "join_01", "join_23": "join_23"}
MACHINE = Machine(
    ".",
    f"suits[40] join_01[10] join_23[10] target_states[{STATES}]",
    COSTED,
    {"states": "target_states"},
    {"join_rest": "join_rest"},
    22,
)
PLACES = {"suits": "suits", **JOINED}
JOINS = {"hl": "hl", "de": "de", "c": "c", **PLACES}
WANTS = {"hl": "hl", "de": "de", "melds": "melds", **PLACES}
JOIN_CONTRACT = f"""
    ;; {JOIN} – the costs of two suits together; what C does not mean stays.
    ; in:       HL DE C suits[40] join_01[10] join_23[10] join_rest[10]
    ; requires: place_of_costs(HL), place_of_costs(DE), C != L, C != E,
    ;           C in &join_01 & $FF..&join_rest & $FF, (C - (&join_01 & $FF)) % {COSTS} == 0
    ; out:      join_01[10] join_23[10] join_rest[10]
    ; ensures:  old C == &join_rest & $FF or all j in 0..9: join_rest[j] == old join_rest[j]
    ; clobbers: A BC DE HL F
    ; stack:    0
    """


# ---------------------------------------------------------------- what is asked


def _costs_at(image: Image, address: int, areas: Values) -> list[int]:
    """The ten costs at an address."""
    for name, area in areas.items():
        first = image.address(name)
        if first <= address < first + len(area):
            return list(area[address - first : address - first + COSTS])
    raise AssertionError(f"no costs are at {address:04X}")


def asked_join(image: Image, question: Callable[..., Values]) -> Asked:
    """The costs at two places, joined to a third."""

    def function(hl: int, de: int, c: int, **areas: Any) -> Values:
        found = joined_sm83(_costs_at(image, hl, areas), _costs_at(image, de, areas))
        (name,) = (name for name in JOINED if image.address(name) & 0xFF == c)
        return {f"{each}_after": found if each == name else areas[each] for each in JOINED}

    return Asked(
        JOIN, question, JOINS, {f"{n}_after": place for n, place in JOINED.items()}, function
    )


def asked_wanted(image: Image, question: Callable[..., Values]) -> Asked:
    """What is missing with the costs at two places together."""

    def function(hl: int, de: int, melds: int, **areas: Any) -> Values:
        one, other = _costs_at(image, hl, areas), _costs_at(image, de, areas)
        return {"missing": wanted_sm83(one, other, MELDS - melds)}

    return Asked(WANTED, question, WANTS, {"missing": "a"}, function)


# ---------------------------------------------------------------- melds and a pair


def normal_shanten(image: Image) -> Staged:
    """The costs of one suit after the other, the honours first; then they are joined."""
    suit_at, pairs_at, second_at, wanted_at = (
        f"{NORMAL}.{name}" for name in ("suit", "pairs", "second", "wanted")
    )
    suits = image.address("suits")
    first_two, other_two = image.address("join_01"), image.address("join_23")

    def begin(**v: Any) -> Next:
        return suit_at, {**v, "suit": SUITS - 1}

    def costs(**v: Any) -> Next:
        here = renewed(v)
        suit = here.pop("suit")
        if suit == 0:
            return pairs_at, {name: here[name] for name in joining}
        return suit_at, {**here, "suit": suit - 1}

    def joined(place: int, to: int) -> Callable[..., Values]:
        return given_of(JOINS, hl=suits + place, de=suits + place + COSTS, c=to & 0xFF)

    def first(**v: Any) -> Next:
        return second_at, renewed(v)

    def second(**v: Any) -> Next:
        return wanted_at, renewed(v)

    def last(missing: Any, **v: Any) -> Next:
        return "return", {"shanten": missing - 1 & 0xFF, **{name: v[name] for name in COSTED}}

    contract = f"""
    ;; {NORMAL} – of four melds and a pair, with what is worked on among the inputs.
    ; in:        hand[34] melded[34] melds {MACHINE.given}
    ; requires:  sound_hand
    ; out:       A {MACHINE.areas}
    ; clobbers:  as {NORMAL}
    ; stack:     22
    ; invariant: {suit_at}: A < {SUITS}
    ; invariant: {pairs_at}: melds <= MELDS
    ; invariant: {second_at}: melds <= MELDS
    ; invariant: {wanted_at}: melds <= MELDS
    ; decreases: {suit_at}: A
    """
    asking = MACHINE.asking
    joining = {**PLACES, "melds": "melds"}
    of_suit, of_costs = {"suit": "a", **asking}, {"suit": "a", **COSTS_ARE_ASKED}
    stages = {
        "": Stage(asking, begin),
        suit_at: Stage(of_suit, costs, asked_costs(image, given_of(of_costs))),
        pairs_at: Stage(joining, first, asked_join(image, joined(0, first_two))),
        second_at: Stage(joining, second, asked_join(image, joined(2 * COSTS, other_two))),
        wanted_at: Stage(
            joining, last, asked_wanted(image, given_of(WANTS, hl=first_two, de=other_two))
        ),
    }
    return Staged(NORMAL, contract, stages, {"shanten": "a", **COSTED})


def shanten(image: Image) -> Staged:
    """The least of all that apply."""
    return shanten_of(MACHINE, normal_shanten(image))


def complete(image: Image) -> Staged:
    """Whether a hand is complete."""
    return complete_of(MACHINE, shanten(image), {**OF_ALL, **COSTED})
