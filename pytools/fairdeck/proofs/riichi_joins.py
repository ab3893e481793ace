"""Seven different pairs, the costs of suits together, and the kans of a hand.

The kinds and the pairs of a hand are counted, a kind at a stage. Costs are added as bytes, whatever
they are; those of suits are far less than 64 (a hand lacks fourteen tiles at most), and of these it
is the sum and the least by definition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from fairdeck.proofs.stages import Step
from fairdeck.riichi.shanten import MELDS
from fairdeck.riichi.tables import COSTS
from fairdeck.tiles import COPIES, KINDS
from romproof import Image, Proof, Prover, Stage, choose

CHIITOI = "chiitoi_shanten"

PAIRS = {
    "6502": """
        ;; chiitoi_shanten – of seven different pairs.
        ; in:        hand[34]
        ; out:       A
        ; invariant: @kind: X <= 33, shanten_pairs <= 33 - X, shanten_kinds <= 33 - X
        ; decreases: @kind: X
        ; clobbers:  X N V Z C shanten_pairs shanten_kinds
        ; stack:     0
        """,
    "sm83": """
        ;; chiitoi_shanten – for seven different pairs.
        ; in:        hand[34]
        ; out:       A
        ; invariant: .kind: HL in &hand..&hand + 33, B <= HL - &hand, C <= HL - &hand
        ; decreases: .kind: &hand + 34 - HL
        ; clobbers:  BC HL F
        ; stack:     0
        """,
}
"""The routine's own with its loop, and for bytes of any kind in place of tiles."""

COUNTED = {
    "6502": {"pairs": "shanten_pairs", "kinds": "shanten_kinds", "place": "x"},
    "sm83": {"pairs": "b", "kinds": "c", "place": "hl"},
}


def count_kind(pairs: Any, kinds: Any, held: Any) -> tuple[Any, Any]:
    """The counts with one kind more, of which ``held`` are in the hand."""
    return pairs + (held >= 2), kinds + (held >= 1)


def missing(pairs: Any, kinds: Any) -> Any:
    """The shanten of a hand with so many pairs and kinds."""
    return 6 - pairs + max(0, 7 - kinds)


def pair_stages(cpu: str, image: Image) -> Mapping[str, Stage]:
    """The beginning, and a kind: the 6502 counts from the last to the first, the SM83 upwards."""
    label = f"{CHIITOI}{'@' if cpu == '6502' else '.'}kind"
    hand = image.address("hand")
    first, last, on = (KINDS - 1, 0, -1) if cpu == "6502" else (hand, hand + KINDS - 1, 1)

    def begin(held: Any) -> Any:
        return label, {"pairs": 0, "kinds": 0, "place": first, "held": held}

    def kind(pairs: Any, kinds: Any, place: Any, held: Any) -> Any:
        pairs, kinds = count_kind(pairs, kinds, held[place if cpu == "6502" else place - hand])
        if place == last:
            return "return", {"shanten": missing(pairs, kinds) & 0xFF}
        return label, {"pairs": pairs, "kinds": kinds, "place": place + on, "held": held}

    takes = {**COUNTED[cpu], "held": "hand"}
    return {"": Stage({"held": "hand"}, begin), label: Stage(takes, kind)}


def prove_pairs(own: Prover, cpu: str) -> Proof:
    """That the contract holds, and that the model does the same."""
    contract = own.routine(CHIITOI, own.contract(PAIRS[cpu], CHIITOI))
    return Proof.join(
        CHIITOI, contract, own.simulates(pair_stages(cpu, own.image), {"shanten": "a"})
    )


PAIR = MELDS + 1
"""Where the costs with the pair begin."""
FAR = 0x80
"""More than any cost, to begin with on the SM83."""

Costs = Sequence[Any]
Pairs = Sequence[tuple[int, int]]
"""Entries of two suits that are added."""


def join_6502(one: Costs, other: Costs) -> list[Any]:
    """The costs of two suits together; that of nothing stays, as it is 0."""
    without = [
        _least(_sums(one, other, [(m, melds - m) for m in range(melds + 1)]))
        for melds in range(1, MELDS + 1)
    ]
    return [
        one[0],
        *without,
        *(count_missing_6502(one, other, melds) for melds in range(MELDS + 1)),
    ]


def count_missing_6502(one: Costs, other: Costs, melds: int) -> Any:
    """What is missing to so many melds and the pair, which either of two suits has."""
    pairs: list[tuple[int, int]] = []
    for m in range(melds + 1):
        pairs += [(PAIR + m, melds - m), (m, PAIR + melds - m)]
    return _least(_sums(one, other, pairs))


def join_sm83(one: Costs, other: Costs) -> list[Any]:
    """The costs of two suits together, in the order in which pointers go to and fro."""
    without: list[Any] = []
    pair: list[Any] = []
    for melds in range(MELDS + 1):
        ways = [(m, melds - m) for m in range(melds + 1)]
        ways = ways if melds % 2 == 0 else ways[::-1]
        without.append(_least([FAR, *_sums(one, other, ways)]))
        there = [(m, PAIR + n) for m, n in ways]
        here = [(PAIR + m, n) for m, n in ways]
        pair.append(_least([FAR, *_sums(one, other, there + here)]))
    return without + pair


def count_missing_sm83(one: Costs, other: Costs, melds: int) -> Any:
    """What is missing to so many melds and the pair."""
    there = [(m, PAIR + melds - m) for m in range(melds + 1)]
    here = [(PAIR + m, melds - m) for m in range(melds + 1)]
    return _least([FAR, *_sums(one, other, there + here)])


def _sums(one: Costs, other: Costs, pairs: Pairs) -> list[Any]:
    return [one[m] + other[n] & 0xFF for m, n in pairs]


def _least(sums: Sequence[Any]) -> Any:
    least = sums[0]
    for each in sums[1:]:
        least = choose(each < least, each, least)
    return least


def kans(held: Sequence[Any], pons: Sequence[Any]) -> list[Any]:
    """What own_kans has of each kind: 1 of a closed kan, 2 of one that a pon becomes, else 0."""
    return [
        choose(held[k] == COPIES, 1, choose(held[k] == 0, 0, 2 * pons[k])) for k in range(KINDS)
    ]


def join(own: Prover, cpu: str) -> Proof:
    """That ``join`` is what is said of it here; of the SM83 for each place of the costs."""
    if cpu == "sm83":
        return Proof.join("join", *(_join_at(own, *at) for at in _places(own)))

    def model(place: Any, one: Any, suits: Any) -> Any:
        return join_6502(one, _at(suits, place))

    takes = {"place": "x", "one": "joined", "suits": "suits"}
    return own.piece(own.contracts["join"], "join", model=model, takes=takes, gives="joined")


def _places(own: Prover) -> Iterator[tuple[int, int, int]]:
    """Where two suits' costs may be, and those of both together."""
    first, answers, end = (own.image.address(n) for n in ("suits", "join_01", "target_own"))
    costs = range(first, end, COSTS)
    for to in range(answers, end, COSTS):
        yield from ((one, other, to) for one in costs for other in costs if to not in (one, other))


def _join_at(own: Prover, one: int, other: int, to: int) -> Proof:
    first = own.image.address("suits")

    def model(costs: Any) -> Any:
        found = join_sm83(_at(costs, one - first), _at(costs, other - first))
        costs[to - first : to - first + COSTS] = found
        return costs

    places, lost = f"HL == {one}, DE == {other}, C == {to & 0xFF}", "A BC DE HL F"
    listed = "; in: HL DE C suits[70]\n; out: suits[70]"  # all costs as one area
    takes = {"costs": "suits"}
    return Step("join", "join", (), model, takes, ["suits"], places, lost, lines=listed).prove(own)


def join_wanted(own: Prover, cpu: str) -> Proof:
    """That ``join_wanted`` is what is said of it here."""
    first = own.image.address("suits")

    def model_6502(place: Any, one: Any, suits: Any, melds: Any) -> Any:
        return _for_melds(count_missing_6502, one, _at(suits, place), melds)

    def model_sm83(hl: Any, de: Any, costs: Any, melds: Any) -> Any:
        return _for_melds(count_missing_sm83, _at(costs, hl - first), _at(costs, de - first), melds)

    if cpu == "6502":
        contract = own.contracts["join_wanted"]
        takes = {"place": "x", "one": "joined", "suits": "suits", "melds": "melds"}
        return own.piece(contract, "join_wanted", model=model_6502, takes=takes, gives="a")
    takes = {"hl": "hl", "de": "de", "costs": "suits", "melds": "melds"}
    places, listed = (
        "place_of_costs(HL), place_of_costs(DE), melds <= MELDS",
        "HL DE melds suits[70]",
    )
    step = Step("join_wanted", "join_wanted", (), model_sm83, takes, ["a"], places,
                "BC DE HL F", lines=f"; in: {listed}")  # fmt: skip
    return step.prove(own)


def _for_melds(
    wanted: Callable[[Costs, Costs, int], Any], one: Costs, other: Costs, called: Any
) -> Any:
    """What is wanted beside so many called melds."""
    found = wanted(one, other, MELDS)
    for melds in range(MELDS):
        found = choose(called == MELDS - melds, wanted(one, other, melds), found)
    return found


def _at(costs: Any, place: Any) -> list[Any]:
    return [costs[place + entry] for entry in range(COSTS)]
