"""Hands on the 6502 as models of stages, each of what it asks: shanten, and on top of it tiles that
help, discards and calls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from fairdeck.proofs.riichi_hands import (
    CHIITOI,
    COMPLETES,
    DISCARD,
    JOIN,
    KOKUSHI,
    LISTS,
    NOT_HELD,
    OF_ALL,
    UKEIRE,
    WANTED,
    Machine,
    ask_kinds,
    ask_stages,
    calls_of,
    complete_of,
    normal_of,
    shanten_of,
)
from fairdeck.proofs.riichi_joins import count_missing_6502, join_6502
from fairdeck.proofs.riichi_suits import SUITS
from fairdeck.proofs.riichi_suits_6502 import ask_costs
from fairdeck.proofs.riichi_target_6502 import GIVES, WORK, WORKED
from fairdeck.proofs.stages import Next, Staged, Values, labels_of, pick, renew
from fairdeck.riichi.shanten import MELDS
from fairdeck.riichi.tables import COSTS, NUMBERS
from fairdeck.tiles import KINDS
from romproof import Asked, Image, Stage, choose, table

MACHINE = Machine("6502", GIVES, WORK, WORKED, {})
COSTED = {**GIVES, **WORK}
ASKING = MACHINE.asking
"""What is given wherever costs are asked."""
JOINS = {"x": "x", "suits": "suits", "joined": "joined"}
WANTS = {**JOINS, "melds": "melds"}
COSTS_ARE_ASKED = {"suit": "a", "hand": "hand", "melded": "melded", **COSTED}


# ---------------------------------------------------------------- what is asked


def ask_join(question: Callable[..., Values]) -> Asked:
    """The costs at a place, joined to what is joined."""

    def function(x: int, suits: Sequence[int], joined: Sequence[int]) -> Values:
        return {"joined_after": join_6502(list(joined), list(suits[x : x + COSTS]))}

    return Asked(JOIN, question, JOINS, {"joined_after": "joined"}, function)


def ask_missing(question: Callable[..., Values]) -> Asked:
    """What is missing with the costs at a place."""

    def function(x: int, suits: Sequence[int], joined: Sequence[int], melds: int) -> Values:
        other = list(suits[x : x + COSTS])
        return {"missing": count_missing_6502(list(joined), other, MELDS - melds)}

    return Asked(WANTED, question, WANTS, {"missing": "a"}, function)


# ---------------------------------------------------------------- melds and a pair


def normal_shanten() -> Staged:
    """The costs of one suit after the other, the honours first; then they are joined."""

    def question(suits: Any, **_others: Any) -> Values:
        return {"x": COSTS, "suits": suits, "joined": [suits[n] for n in range(COSTS)]}

    joined = {**ASKING, "joined": "joined"}
    joins = {
        "all": (ASKING, ask_join(question)),
        "two": (joined, ask_join(pick(JOINS, x=2 * COSTS))),
        "three": (joined, ask_missing(pick(WANTS, x=3 * COSTS))),
    }
    return normal_of(MACHINE, ask_costs(pick(COSTS_ARE_ASKED)), joins)


def shanten() -> Staged:
    """The least of all that apply."""
    return shanten_of(MACHINE, normal_shanten())


def complete() -> Staged:
    """Whether a hand is complete."""
    return complete_of(MACHINE, shanten())


LOWERS = "lowers"

NOW = {"now": "ukeire_now", **OF_ALL}


def lowers() -> Staged:
    """Whether the hand with a tile more has a lower shanten."""
    joined_at, pairs_at, orphans_at = labels_of("6502", LOWERS, "joined pairs orphans")

    def begin(**v: Any) -> Next:
        if v["normal"] != v["now"]:
            return pairs_at, {name: v[name] for name in kinds}
        return joined_at, {**{name: renew(v)[name] for name in joined if name != "slot"},
                           "slot": COSTS * v["suit"]}  # fmt: skip

    def question(slot: Any, **v: Any) -> Values:
        return pick(WANTS, x=slot)(**v)

    def of_melds(missing: Any, **v: Any) -> Next:
        return _unless(missing - 1 & 0xFF != v["now"], pairs_at, {n: v[n] for n in kinds})

    def of_pairs(found: Any, **v: Any) -> Next:
        lower = (v["chiitoi"] == v["now"]) & (found != v["now"])
        return _unless(lower, orphans_at, v)

    def of_orphans(found: Any, **v: Any) -> Next:
        lower = (v["kokushi"] == v["now"]) & (found != v["now"])
        return "return", {"lower": choose(lower, 1, 0), "suits": v["suits"]}

    contract = f"""
    ; requires:  sound_hand, ukeire_suit < {SUITS}
    ; clobbers:  A X Y N V Z, as suit_costs, as join_wanted, as {CHIITOI}, as {KOKUSHI}
    ; stack:     6
    ; invariant: {joined_at}: suit_slot == {COSTS} * ukeire_suit
    ; invariant: {pairs_at}: ukeire_suit < {SUITS}
    ; invariant: {orphans_at}: ukeire_suit < {SUITS}
    """
    kinds = {"hand": "hand", **GIVES, **NOW}
    joined = {**kinds, "melds": "melds", "joined": "joined", "slot": "suit_slot"}
    given = {**ASKING, **NOW, "joined": "joined", "suit": "ukeire_suit"}
    stages = {
        "": Stage(given, begin, ask_costs(pick(COSTS_ARE_ASKED))),
        joined_at: Stage(joined, of_melds, ask_missing(question)),
        pairs_at: Stage(kinds, of_pairs, ask_kinds(CHIITOI)),
        orphans_at: Stage(kinds, of_orphans, ask_kinds(KOKUSHI)),
    }
    return Staged(LOWERS, contract, stages, {"lower": "c", **GIVES}, WORKED)


def _unless(lower: Any, label: str, v: Values) -> Next:
    if lower:
        return "return", {"lower": 1, "suits": v["suits"]}
    return label, v


def ukeire(image: Image, fixed: bytes) -> Staged:
    """The other suits are joined, and then each kind of a suit is tried."""
    suit_at, second_at, third_at, kind_at = labels_of("6502", UKEIRE, "suit second third kind")
    rom = table(fixed)

    def of_suit(name: str, suit: Any) -> Any:
        return rom[image.address(name) + suit]

    def begin(shanten_after: Any, **v: Any) -> Next:
        here = {**renew(v), "now": shanten_after, "sum": 0, "suit": 0, "useful": [0] * KINDS}
        here |= {name: v[f"{name}_after"] for name in OF_ALL}
        return suit_at, here

    def copy(**v: Any) -> Next:
        at = of_suit("other_1", v["suit"])
        return second_at, {**v, "joined": [v["suits"][at + n] for n in range(COSTS)]}

    def second_question(suit: Any, **v: Any) -> Values:
        return pick(JOINS, x=of_suit("other_2", suit))(**v)

    def second(**v: Any) -> Next:
        return third_at, renew(v)

    def third_question(suit: Any, **v: Any) -> Values:
        return pick(JOINS, x=of_suit("other_3", suit))(**v)

    def third(**v: Any) -> Next:
        here, at = renew(v), of_suit("slot", v["suit"])
        here["kept"] = [here["suits"][at + n] for n in range(COSTS)]
        return kind_at, {**here, "x": of_suit("first_kind", v["suit"])}

    trying = pick(lowers().stages[""].takes)

    def try_tile(**v: Any) -> Values:
        v["hand"][v["x"]] += 1
        return trying(**v)

    def kind(lower_after: Any, **v: Any) -> Next:
        x, here = v["x"], v
        if v["unseen"][x] != 0:
            here = renew(v)
            if lower_after == 1:
                here["useful"][x] = v["unseen"][x]
                here["sum"] = v["sum"] + v["unseen"][x] & 0xFF
        here = {name: here[name] for name in at_kind}
        if x + 1 != of_suit("end_kind", v["suit"]):
            return kind_at, {**here, "x": x + 1}
        at = of_suit("slot", v["suit"])
        for n in range(COSTS):
            here["suits"][at + n] = v["kept"][n]
        if v["suit"] + 1 == SUITS:
            return "return", {name: here[name] for name in gives}
        return suit_at, {**{name: here[name] for name in at_suit}, "suit": v["suit"] + 1}

    contract = f"""
    ; out:       A useful[34] ukeire_now {" ".join(OF_ALL.values())} suits[40] {WORKED}
    ; invariant: {suit_at}: ukeire_suit < {SUITS}
    ; invariant: {second_at}: ukeire_suit < {SUITS}
    ; invariant: {third_at}: ukeire_suit < {SUITS}, Y == ukeire_suit
    ; invariant: {kind_at}: ukeire_suit < {SUITS}, X < {KINDS},
    ;            X - {NUMBERS} * ukeire_suit in 0..{NUMBERS - 1}
    ; decreases: {suit_at}: {SUITS} - ukeire_suit
    ; decreases: {kind_at}: {KINDS} - X
    """
    given = {**ASKING, "unseen": "unseen"}
    at_suit = {**given, **NOW, "sum": "ukeire_sum", "useful": "useful", "suit": "ukeire_suit"}
    at_join = {**at_suit, "joined": "joined"}
    at_kind = {**at_join, "kept": "ukeire_kept", "x": "x"}
    gives = {"sum": "a", "useful": "useful", **NOW, **GIVES}
    stages = {
        "": Stage(given, begin, ask_stages(MACHINE, shanten())),
        suit_at: Stage(at_suit, copy),
        second_at: Stage(at_join, second, ask_join(second_question)),
        third_at: Stage(at_join, third, ask_join(third_question)),
        kind_at: Stage(at_kind, kind, ask_stages(MACHINE, lowers(), try_tile)),
    }
    return Staged(UKEIRE, contract, stages, gives)


def best_discard(image: Image, fixed: bytes) -> Staged:
    """Each kind of the hand is given away, and stays seen; the best are marked."""
    kind_at, mark_at = f"{DISCARD}@kind", f"{DISCARD}@mark"
    of_rest = ukeire(image, fixed)
    asking = pick(of_rest.stages[""].takes)

    def begin(**v: Any) -> Next:
        return kind_at, {**v, "x": KINDS - 1, "least": NOT_HELD, "most": 0}

    def without(**v: Any) -> Values:
        x = v["x"]
        v["hand"][x] = v["hand"][x] - 1 & 0xFF
        return asking(**v)

    def kind(sum_after: Any, now_after: Any, useful_after: Any, **v: Any) -> Next:
        x, least, most = v["x"], v["least"], v["most"]
        here = v
        here["shantens"][x], here["ukeires"][x] = NOT_HELD, 0
        if v["hand"][x] != 0:
            here = renew(v)
            here["best"] = useful_after  # which has the same place
            here["shantens"][x], here["ukeires"][x] = now_after, sum_after
            lower = now_after < least
            more = (now_after == least) & (sum_after >= most)
            here["most"] = choose(lower | more, sum_after, most)
            here["least"] = choose(lower, now_after, least)
        if x != 0:
            return kind_at, {**{name: here[name] for name in at_kind}, "x": x - 1}
        return mark_at, {**{name: here[name] for name in at_mark}, "x": KINDS - 1}

    def mark(x: Any, **v: Any) -> Next:
        is_best = (v["shantens"][x] == v["least"]) & (v["ukeires"][x] == v["most"])
        v["best"][x] = choose(is_best, 1, 0)
        if x != 0:
            return mark_at, {**v, "x": x - 1}
        return "return", {name: v[name] for name in gives}

    contract = f"""
    ; in:        hand[34] melded[34] melds unseen[34] suits[40] {WORKED}
    ;   discard_shanten[34] discard_ukeire[34]
    ; out:       A discard_shanten[34] discard_ukeire[34] best[34]
    ; invariant: {kind_at}: X < {KINDS}
    ; invariant: {mark_at}: X < {KINDS}, all j in 0..33: j > X -> best[j] <= 1
    ; decreases: {kind_at}: X
    ; decreases: {mark_at}: X
    """
    results = {**LISTS, "best": "best"}
    begun = {**ASKING, "unseen": "unseen", **results}
    so_far = {"x": "x", "least": "discard_least", "most": "discard_most"}
    at_kind, at_mark = {**begun, **so_far}, {**results, **so_far}
    gives = {"least": "a", **results}
    stages = {
        "": Stage(begun, begin),
        kind_at: Stage(at_kind, kind, ask_stages(MACHINE, of_rest, without)),
        mark_at: Stage(at_mark, mark),
    }
    return Staged(DISCARD, contract, stages, gives)


def call_options() -> Staged:
    """What may be called."""
    there = {"tile": "call_kind", "bits": "call_bits"}
    holds = (
        f"X == call_kind, call_kind < {KINDS}, call_bits < {COMPLETES},\n"
        "    ;            hand[call_kind] + melded[call_kind] <= 3"
    )
    return calls_of(MACHINE, complete(), "completes", "x", there, 0, holds)
