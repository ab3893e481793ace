"""The shanten of hands on the 6502 as models of stages: each routine asks those that it is made of.

The states that costs by all targets leave are handed on from one question to the next, as they are
among the inputs of each; no result depends on them, since no model's does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from fairdeck.proofs.riichi_joins import joined_6502, wanted_6502
from fairdeck.proofs.riichi_pulls_6502 import ALIVE, STATES, Next, Values
from fairdeck.proofs.riichi_suits_6502 import SUITS, asked_costs
from fairdeck.proofs.riichi_target_6502 import GIVES, WORK, answer_of
from fairdeck.proofs.sha512_stages import Staged
from fairdeck.riichi.shanten import MELDS, chiitoi, kokushi
from fairdeck.riichi.tables import COSTS
from romproof import Asked, Stage, choose

NORMAL, SHANTEN, COMPLETE = "normal_shanten", "shanten", "complete"
CHIITOI, KOKUSHI, JOIN, WANTED = "chiitoi_shanten", "kokushi_shanten", "join", "join_wanted"
NEVER = 0x7F
"""Of a target that does not apply."""

COSTED = {**GIVES, **WORK}
HAND = {"hand": "hand", "melded": "melded", "melds": "melds"}
ASKING = {**HAND, **COSTED}
"""What is given wherever costs are asked."""
OF_ALL = {
    "normal": "shanten_normal",
    "chiitoi": "shanten_chiitoi",
    "kokushi": "shanten_kokushi",
}
JOINS = {"x": "x", "suits": "suits", "joined": "joined"}
WANTS = {**JOINS, "melds": "melds"}
COSTS_ARE_ASKED = {"suit": "a", "hand": "hand", "melded": "melded", **COSTED}
AREAS = f"suits[40] target_states[{STATES}] target_alive[{ALIVE}]"


def given_of(places: Mapping[str, str], **fixed: Any) -> Callable[..., Values]:
    """A question: what the stage has by the same names, and what is fixed."""

    def question(**v: Any) -> Values:
        return {name: fixed[name] if name in fixed else v[name] for name in places}

    return question


def renewed(v: Values) -> dict[str, Any]:
    """Values with those of an answer in their place."""
    names = [name for name in v if not name.endswith("_after")]
    return {name: v.get(f"{name}_after", v[name]) for name in names}


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


def asked_kinds(name: str) -> Asked:
    """Seven pairs, or the thirteen orphans."""
    model = {CHIITOI: chiitoi, KOKUSHI: kokushi}[name]

    def function(hand: Sequence[int]) -> Values:
        return {"found": model(tuple(hand)) & 0xFF}

    given = {"hand": "hand"}
    return Asked(name, given_of(given), given, {"found": "a"}, function)


def asked_of(one: Staged, question: Callable[..., Values] | None = None) -> Asked:
    """A routine of this module, or of one that is built alike, unless told otherwise with what the
    stage has by the same names; of the states that it leaves no more is known."""
    given = one.stages[""].takes
    steps = Asked.staged(one.routine, one.stages, one.gives, given_of(given))
    handed = WORK if "suits" in one.gives else {}

    def function(**v: Any) -> Values:
        return {**answer_of({name: v[name] for name in handed}), **steps.function(**v)}

    asking = question or given_of(given)
    return Asked(one.routine, asking, given, answer_of({**handed, **one.gives}), function)


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


# ---------------------------------------------------------------- of all targets


def shanten() -> Staged:
    """The least of all that apply; with called melds only melds and a pair do."""
    closed_at, orphans_at = f"{SHANTEN}@closed", f"{SHANTEN}@orphans"

    def begin(shanten_after: Any, **v: Any) -> Next:
        here = {**renewed(v), "normal": shanten_after}
        if here["melds"] == 0:
            return closed_at, {name: here[name] for name in closed}
        never = {"chiitoi": NEVER, "kokushi": NEVER}
        found = {"shanten": shanten_after, "suits": here["suits"]}
        return "return", {**found, "normal": shanten_after, **never}

    def pairs(found: Any, **v: Any) -> Next:
        return orphans_at, {**v, "chiitoi": found}

    def orphans(found: Any, **v: Any) -> Next:
        least, other = v["normal"] + 1 & 0xFF, _less(found, v["chiitoi"])
        least = choose(least < other, least, other)
        v |= {"kokushi": found, "shanten": least - 1 & 0xFF}
        return "return", {name: v[name] for name in gives}

    contract = f"""
    ;; {SHANTEN} – the least of all that apply, with the states of targets among the inputs.
    ; in:        hand[34] melded[34] melds {AREAS}
    ; requires:  sound_hand
    ; out:       A shanten_normal shanten_chiitoi shanten_kokushi {AREAS}
    ; clobbers:  as {SHANTEN}
    ; stack:     8
    ; invariant: {closed_at}: melds == 0
    ; invariant: {orphans_at}: melds == 0
    """
    gives = {"shanten": "a", **OF_ALL, **GIVES}
    closed = {"hand": "hand", **GIVES, "normal": "shanten_normal"}
    stages = {
        "": Stage(ASKING, begin, asked_of(normal_shanten())),
        closed_at: Stage(closed, pairs, asked_kinds(CHIITOI)),
        orphans_at: Stage({**closed, "chiitoi": "shanten_chiitoi"}, orphans, asked_kinds(KOKUSHI)),
    }
    return Staged(SHANTEN, contract, stages, gives)


def _less(kokushi: Any, chiitoi: Any) -> Any:
    """The less of two, each with one more: then complete is 0."""
    one, other = kokushi + 1 & 0xFF, chiitoi + 1 & 0xFF
    return choose(one < other, one, other)


def complete() -> Staged:
    """Whether a hand is complete."""

    def begin(shanten_after: Any, **_others: Any) -> Next:
        return "return", {"complete": choose(shanten_after == 0xFF, 1, 0)}

    contract = f"""
    ;; {COMPLETE} – whether a hand is complete, with the states of targets among the inputs.
    ; in:        hand[34] melded[34] melds {AREAS}
    ; requires:  sound_hand
    ; out:       A
    ; ensures:   A <= 1
    ; clobbers:  as {COMPLETE}
    ; stack:     10
    """
    stages = {"": Stage(ASKING, begin, asked_of(shanten()))}
    return Staged(COMPLETE, contract, stages, {"complete": "a"})
