"""Hands on the SM83 as models of stages, each of what it asks: shanten, and on top of it tiles that
help, discards and calls.

``join`` and ``join_wanted`` are asked by addresses. That they are least sums is said by statements
of their own, for all places of costs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
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
    without_list,
)
from fairdeck.proofs.riichi_joins import count_missing_sm83, join_sm83
from fairdeck.proofs.riichi_suits import SUITS
from fairdeck.proofs.riichi_suits_sm83 import ASKING as COSTS_ARE_ASKED
from fairdeck.proofs.riichi_suits_sm83 import ask_costs
from fairdeck.proofs.riichi_target_sm83 import WORKED
from fairdeck.proofs.stages import Next, Staged, Values, labels_of, pick, renew
from fairdeck.riichi.shanten import MELDS
from fairdeck.riichi.tables import COSTS, NUMBERS
from fairdeck.tiles import KINDS
from romproof import Asked, Image, Stage, choose, table

JOINED = {name: name for name in ("join_01", "join_23", "join_rest")}
COSTED = {"suits": "suits", "join_01": "join_01", "join_23": "join_23"}
MACHINE = Machine("sm83", COSTED, {"states": "target_states"}, WORKED, {"join_rest": "join_rest"})
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


def ask_join(image: Image, question: Callable[..., Values]) -> Asked:
    """The costs at two places, joined to a third."""

    def function(hl: int, de: int, c: int, **areas: Any) -> Values:
        found = join_sm83(_costs_at(image, hl, areas), _costs_at(image, de, areas))
        (name,) = (name for name in JOINED if image.address(name) & 0xFF == c)
        return {f"{each}_after": found if each == name else areas[each] for each in JOINED}

    return Asked(
        JOIN, question, JOINS, {f"{n}_after": place for n, place in JOINED.items()}, function
    )


def ask_missing(image: Image, question: Callable[..., Values]) -> Asked:
    """What is missing with the costs at two places together."""

    def function(hl: int, de: int, melds: int, **areas: Any) -> Values:
        one, other = _costs_at(image, hl, areas), _costs_at(image, de, areas)
        return {"missing": count_missing_sm83(one, other, MELDS - melds)}

    return Asked(WANTED, question, WANTS, {"missing": "a"}, function)


# ---------------------------------------------------------------- melds and a pair


def normal_shanten(image: Image) -> Staged:
    """The costs of one suit after the other, the honours first; then they are joined."""
    suits, one, other = (image.address(name) for name in ("suits", "join_01", "join_23"))

    def join_costs(place: int, to: int) -> Asked:
        at = suits + place
        return ask_join(image, pick(JOINS, hl=at, de=at + COSTS, c=to & 0xFF))

    places = {**PLACES, "melds": "melds"}
    joins = {
        "pairs": (places, join_costs(0, one)),
        "second": (places, join_costs(2 * COSTS, other)),
        "wanted": (places, ask_missing(image, pick(WANTS, hl=one, de=other))),
    }
    of_costs = pick({"suit": "a", **COSTS_ARE_ASKED})
    return normal_of(MACHINE, ask_costs(image, of_costs), joins)


def shanten(image: Image) -> Staged:
    """The least of all that apply."""
    return shanten_of(MACHINE, normal_shanten(image))


def complete(image: Image) -> Staged:
    """Whether a hand is complete."""
    return complete_of(MACHINE, shanten(image), {**OF_ALL, **COSTED})


FEWER = "fewer"

NOW = {"missing_now": "ukeire_missing", **OF_ALL}
UKEIRE_ASKING = {**MACHINE.asking, "unseen": "unseen"}
MARKS = [f"best_{kind}" for kind in range(KINDS)]
TRIED = {"suits": "suits"}
"""What a tile that is tried changes."""


def fewer(image: Image) -> Staged:
    """Whether fewer tiles are missing to the hand with a tile more."""
    joined_at, pairs_at, orphans_at = labels_of("sm83", FEWER, "joined chiitoi kokushi")
    suits = image.address("suits")

    def begin(**v: Any) -> Next:
        if v["normal"] != v["missing_now"] - 1 & 0xFF:
            return pairs_at, {name: v[name] for name in kinds}
        return joined_at, {name: renew(v)[name] for name in joined}

    def costs(suit: Any, **v: Any) -> Values:
        return {"suit": suit, **{name: v[name] for name in COSTS_ARE_ASKED}}

    def question(suit: Any, **v: Any) -> Values:
        rest, place = image.address("join_rest"), suits + COSTS * suit
        return pick(WANTS, hl=rest, de=place)(**v)

    def of_melds(missing: Any, **v: Any) -> Next:
        return _unless(missing < v["missing_now"], pairs_at, {n: v[n] for n in kinds})

    def of_pairs(found: Any, **v: Any) -> Next:
        tried = v["chiitoi"] == v["missing_now"] - 1 & 0xFF
        return _unless(tried & (found + 1 & 0xFF < v["missing_now"]), orphans_at, v)

    def of_orphans(found: Any, **v: Any) -> Next:
        tried = v["kokushi"] == v["missing_now"] - 1 & 0xFF
        lower = tried & (found + 1 & 0xFF < v["missing_now"])
        return "return", {"lower": choose(lower, 1, 0), "suits": v["suits"]}

    contract = f"""
    ; requires:  sound_hand, ukeire_suit < {SUITS}
    ; clobbers:  A BC DE HL ZF NF HF, as suit_costs
    ; stack:     20
    ; invariant: {joined_at}: ukeire_suit < {SUITS}, melds <= MELDS
    ; invariant: {pairs_at}: melds <= MELDS
    ; invariant: {orphans_at}: melds <= MELDS
    """
    kinds = {"hand": "hand", **NOW, **TRIED}
    joined = {**kinds, **PLACES, "melds": "melds", "suit": "ukeire_suit"}
    given = {**MACHINE.asking, **NOW, "suit": "ukeire_suit"}
    stages = {
        "": Stage(given, begin, ask_costs(image, costs)),
        joined_at: Stage(joined, of_melds, ask_missing(image, question)),
        pairs_at: Stage(kinds, of_pairs, ask_kinds(CHIITOI)),
        orphans_at: Stage(kinds, of_orphans, ask_kinds(KOKUSHI)),
    }
    return Staged(FEWER, contract, stages, {"lower": "cf", **TRIED}, WORKED)


def _unless(lower: Any, label: str, v: Values) -> Next:
    if lower:
        return "return", {"lower": 1, "suits": v["suits"]}
    return label, v


def ukeire(image: Image, fixed: bytes) -> Staged:
    """The other suits are joined, and then each kind of a suit is tried."""
    suit_at, kind_at, next_at = labels_of("sm83", UKEIRE, "suit kind next_suit")
    rom, others = table(fixed), image.address("others")
    page, rest = image.address("suits") & 0xFF00, image.address("join_rest") & 0xFF

    def begin(shanten_after: Any, **v: Any) -> Next:
        here = {**renew(v), "missing_now": shanten_after + 1 & 0xFF}
        here |= {name: v[f"{name}_after"] for name in OF_ALL}
        return suit_at, {**here, "sum": 0, "kind": 0, "suit": 0}

    def question(suit: Any, **v: Any) -> Values:
        hl, de = (page + rom[others + 2 * suit + n] for n in (0, 1))
        return pick(JOINS, hl=hl, de=de, c=rest)(**v)

    def join(**v: Any) -> Next:
        return kind_at, renew(v)

    trying = fewer(image)
    asking = pick(trying.stages[""].takes)

    def try_tile(**v: Any) -> Values:
        v["hand"][v["kind"]] += 1
        return asking(**v)

    def kind(lower_after: Any, **v: Any) -> Next:
        here, number, helps = v, v["kind"], 0
        if v["unseen"][number] != 0:
            here = renew(v)
            if lower_after == 1:
                helps = v["unseen"][number]
                here["sum"] = v["sum"] + helps & 0xFF
        here = {name: here[name] for name in at_kind}
        here["useful"][number] = helps
        here["kind"] = number + 1
        if number + 1 == KINDS:
            return "return", {name: here[name] for name in gives}
        if number + 1 == NUMBERS * (v["suit"] + 1):
            return next_at, here
        return kind_at, here

    def costs(suit: Any, **v: Any) -> Values:
        return {"suit": suit, **{name: v[name] for name in COSTS_ARE_ASKED}}

    def next_suit(**v: Any) -> Next:
        return suit_at, {**renew(v), "suit": v["suit"] + 1}

    of_suit = f"ukeire_suit < {SUITS}, melds <= MELDS"
    contract = f"""
    ; in:        hand[34] melded[34] melds unseen[34] suits[40] join_01[10] join_23[10]
    ;   join_rest[10] {WORKED}
    ; invariant: {suit_at}: A < {SUITS}, ukeire_kind == {NUMBERS} * A, melds <= MELDS
    ; invariant: {kind_at}: {of_suit}, ukeire_kind < {KINDS},
    ;            ukeire_kind - {NUMBERS} * ukeire_suit in 0..{NUMBERS - 1}
    ; invariant: {next_at}: {of_suit}, ukeire_suit < {SUITS - 1},
    ;            ukeire_kind == {NUMBERS} * ukeire_suit + {NUMBERS}
    ; decreases: {suit_at}: {KINDS} - ukeire_kind
    ; decreases: {kind_at}: {KINDS} - ukeire_kind
    ; decreases: {next_at}: {KINDS} - ukeire_kind
    """
    given = {**UKEIRE_ASKING, "useful": "useful"}
    at_next = {**given, **NOW, "sum": "ukeire_count", "kind": "ukeire_kind", "suit": "ukeire_suit"}
    at_kind = at_next
    at_suit = {**at_next, "suit": "a"}
    gives = {"sum": "a", "useful": "useful", **NOW, **COSTED, "join_rest": "join_rest"}
    stages = {
        "": Stage(given, begin, ask_stages(MACHINE, shanten(image))),
        suit_at: Stage(at_suit, join, ask_join(image, question)),
        kind_at: Stage(at_kind, kind, ask_stages(MACHINE, trying, try_tile)),
        next_at: Stage(at_next, next_suit, ask_costs(image, costs)),
    }
    return Staged(UKEIRE, contract, stages, gives, WORKED)


def best_discard(image: Image, fixed: bytes) -> Staged:
    """Each kind of the hand is given away, and stays seen; the best are marked."""
    kind_at, most_at, mark_at = labels_of("sm83", DISCARD, "kind most mark")
    lows = {name: image.address(place) & 0xFF for name, place in LISTS.items()}

    def begin(**v: Any) -> Next:
        return kind_at, {**v, "kind": 0, "least": 0xFF}

    def without(**v: Any) -> Values:
        kind = v["kind"]
        v["hand"][kind] = v["hand"][kind] - 1 & 0xFF
        return {name: v[name] for name in UKEIRE_ASKING}

    def kind(sum_after: Any, missing_now_after: Any, **v: Any) -> Next:
        number, here = v["kind"], v
        shanten_after, tiles = NOT_HELD, 0
        if v["hand"][number] != 0:
            here = renew(v)
            shanten_after, tiles = missing_now_after - 1 & 0xFF, sum_after
            least = v["least"]
            here["least"] = choose(missing_now_after < least, missing_now_after, least)
        here["shantens"][number], here["ukeires"][number] = shanten_after, tiles
        if number + 1 != KINDS:
            return kind_at, {**{name: here[name] for name in at_kind}, "kind": number + 1}
        lists = {name: here[name] for name in LISTS}
        begun = {"least": here["least"] - 1 & 0xFF, "most": 0}
        return most_at, {**lists, **begun, "e": lows["shantens"], "l": lows["ukeires"]}

    def most(e: Any, **v: Any) -> Next:
        number = e - lows["shantens"]
        tiles = v["ukeires"][number]
        more = (v["shantens"][number] == v["least"]) & (tiles >= v["most"])
        here = {**v, "most": choose(more, tiles, v["most"]), "l": v["l"] + 1}
        if number + 1 != KINDS:
            return most_at, {**here, "e": e + 1}
        return mark_at, {**here, "e": lows["shantens"], **dict.fromkeys(MARKS, 0)}

    def mark(e: Any, **v: Any) -> Next:
        number = e - lows["shantens"]
        is_best = (v["shantens"][number] == v["least"]) & (v["ukeires"][number] == v["most"])
        marked = choose(is_best, 1, 0)
        so_far = {name: choose(number == kind, marked, v[name]) for kind, name in enumerate(MARKS)}
        if number + 1 != KINDS:
            return mark_at, {**v, **so_far, "e": e + 1, "l": v["l"] + 1}
        lists = {name: v[name] for name in ("least", *LISTS)}
        return "return", {**lists, "best": [*so_far.values()]}

    def marks(e: Any, best: Any) -> Values:
        """Only the kinds so far are marked: before it the list was of something else."""
        number = e - lows["shantens"]
        so_far = {name: choose(kind < number, best[kind], 0) for kind, name in enumerate(MARKS)}
        return {"e": e, **so_far}

    first, pages = "&discard_shanten & $FF", "D == &best >> 8, H == &best >> 8"
    contract = f"""
    ; invariant: {kind_at}: discard_kind < {KINDS}, melds <= MELDS
    ; invariant: {most_at}: {pages}, E in {first}..({first}) + 33,
    ;            L == E + &discard_ukeire - &discard_shanten
    ; invariant: {mark_at}: {pages}, E in {first}..({first}) + 33,
    ;            L == E + &best - &discard_shanten,
    ;            all j in 0..33: j < E - ({first}) -> best[j] <= 1
    ; decreases: {kind_at}: {KINDS} - discard_kind
    ; decreases: {most_at}: ({first}) + {KINDS} - E
    ; decreases: {mark_at}: ({first}) + {KINDS} - E
    """
    begun = {**UKEIRE_ASKING, **LISTS}
    at_kind = {**begun, "kind": "discard_kind", "least": "discard_lowest"}
    at_most = {**LISTS, "least": "c", "most": "b", "e": "e", "l": "l"}
    gives = {"least": "a", **LISTS, "best": "best"}
    stages = {
        "": Stage(begun, begin),
        kind_at: Stage(at_kind, kind, _ask_ukeire(image, fixed, without)),
        most_at: Stage(at_most, most),
        mark_at: Stage({**at_most, "best": "best"}, mark, means=marks),
    }
    return Staged(DISCARD, contract, stages, gives)


def _ask_ukeire(image: Image, fixed: bytes, question: Callable[..., Values]) -> Asked:
    """How many tiles help a hand. Which ones they are is not asked: the marks take their place."""
    whole = without_list(ask_stages(MACHINE, ukeire(image, fixed), question))

    def function(**v: Any) -> Values:
        return whole.function(**v, useful=[0] * KINDS)

    return replace(whole, given=UKEIRE_ASKING, function=function)


def call_options(image: Image) -> Staged:
    """What may be called."""
    first = image.address("hand") & 0xFF
    holds = (
        "H == &hand >> 8, L in (&hand & $FF)..(&hand & $FF) + 33,\n"
        f"    ;            D < {COMPLETES}, "
        "hand[L - (&hand & $FF)] + melded[L - (&hand & $FF)] <= 3"
    )
    there = {"tile": "l", "bits": "d"}
    return calls_of(MACHINE, complete(image), "no_chii", "b", there, first, holds)
