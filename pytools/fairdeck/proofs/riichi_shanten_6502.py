"""The shanten of hands on the 6502 as models of stages, each of what it asks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from fairdeck.proofs.riichi_hands import (
    JOIN,
    NORMAL,
    WANTED,
    Machine,
    Next,
    Values,
    complete_of,
    given_of,
    renewed,
    shanten_of,
)
from fairdeck.proofs.riichi_joins import joined_6502, wanted_6502
from fairdeck.proofs.riichi_pulls_6502 import ALIVE, STATES
from fairdeck.proofs.riichi_suits_6502 import SUITS, asked_costs
from fairdeck.proofs.riichi_target_6502 import GIVES, WORK
from fairdeck.proofs.sha512_stages import Staged
from fairdeck.riichi.shanten import MELDS
from fairdeck.riichi.tables import COSTS
from romproof import Asked, Stage

AREAS = f"suits[40] target_states[{STATES}] target_alive[{ALIVE}]"
MACHINE = Machine("@", AREAS, GIVES, WORK, {}, 6)
COSTED = {**GIVES, **WORK}
ASKING = MACHINE.asking
"""What is given wherever costs are asked."""
JOINS = {"x": "x", "suits": "suits", "joined": "joined"}
WANTS = {**JOINS, "melds": "melds"}
COSTS_ARE_ASKED = {"suit": "a", "hand": "hand", "melded": "melded", **COSTED}


# ---------------------------------------------------------------- what is asked


def asked_join(question: Callable[..., Values]) -> Asked:
    """The costs at a place, joined to what is joined."""

    def function(x: int, suits: Sequence[int], joined: Sequence[int]) -> Values:
        return {"joined_after": joined_6502(list(joined), list(suits[x : x + COSTS]))}

    return Asked(JOIN, question, JOINS, {"joined_after": "joined"}, function)


def asked_wanted(question: Callable[..., Values]) -> Asked:
    """What is missing with the costs at a place."""

    def function(x: int, suits: Sequence[int], joined: Sequence[int], melds: int) -> Values:
        other = list(suits[x : x + COSTS])
        return {"missing": wanted_6502(list(joined), other, MELDS - melds)}

    return Asked(WANTED, question, WANTS, {"missing": "a"}, function)


# ---------------------------------------------------------------- melds and a pair


def normal_shanten() -> Staged:
    """The costs of one suit after the other, the honours first; then they are joined."""
    suit_at, all_at, two_at, three_at = (
        f"{NORMAL}@{name}" for name in ("suit", "all", "two", "three")
    )

    def begin(**v: Any) -> Next:
        return suit_at, {**v, "suit": SUITS - 1}

    def costs(**v: Any) -> Next:
        here = renewed(v)
        suit = here.pop("suit")
        if suit == 0:
            return all_at, here
        return suit_at, {**here, "suit": suit - 1}

    def question(suits: Any, **_others: Any) -> Values:
        return {"x": COSTS, "suits": suits, "joined": [suits[n] for n in range(COSTS)]}

    def first(joined_after: Any, **v: Any) -> Next:
        return two_at, {**v, "joined": joined_after}

    def second(**v: Any) -> Next:
        return three_at, renewed(v)

    def last(missing: Any, suits: Any, **_others: Any) -> Next:
        return "return", {"shanten": missing - 1 & 0xFF, "suits": suits}

    contract = f"""
    ;; {NORMAL} – of four melds and a pair, with the states of targets among the inputs.
    ; in:        hand[34] melded[34] melds {AREAS}
    ; requires:  sound_hand
    ; out:       A {AREAS}
    ; clobbers:  as {NORMAL}
    ; stack:     6
    ; invariant: {suit_at}: A < {SUITS}
    ; invariant: {all_at}: melds <= MELDS
    ; invariant: {two_at}: melds <= MELDS
    ; invariant: {three_at}: melds <= MELDS
    ; decreases: {suit_at}: A
    """
    joined = {**ASKING, "joined": "joined"}
    of_suit = {"suit": "a", **ASKING}
    stages = {
        "": Stage(ASKING, begin),
        suit_at: Stage(of_suit, costs, asked_costs(given_of(COSTS_ARE_ASKED))),
        all_at: Stage(ASKING, first, asked_join(question)),
        two_at: Stage(joined, second, asked_join(given_of(JOINS, x=2 * COSTS))),
        three_at: Stage(joined, last, asked_wanted(given_of(WANTS, x=3 * COSTS))),
    }
    return Staged(NORMAL, contract, stages, {"shanten": "a", **GIVES})


def shanten() -> Staged:
    """The least of all that apply."""
    return shanten_of(MACHINE, normal_shanten())


def complete() -> Staged:
    """Whether a hand is complete."""
    return complete_of(MACHINE, shanten())
