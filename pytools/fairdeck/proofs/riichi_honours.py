"""The costs of the honours: each kind by itself, then all seven together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from itertools import combinations_with_replacement
from typing import Any

from fairdeck.riichi.shanten import MELDS, Costs, suit_costs
from fairdeck.riichi.tables import COSTS, HONOURS
from fairdeck.tiles import COPIES
from romproof import Finding, Proof, Prover, Stage, Verdict, choose

FIRST = 27
"""The kind of the first honour."""
PLACE = 3 * COSTS
"""Where their costs are among those of the suits."""
PAIR = MELDS + 1
"""Where the costs with the pair begin."""

Kinds = tuple[tuple[int, int], ...]
"""(held, melded) of some kinds."""

MELDED = (0, 3, 4)
"""Tiles of one honour that can be melded: a triplet or four."""
TYPES = tuple((held, melded) for melded in MELDED for held in range(COPIES - melded + 1))
"""What there can be of one honour: tiles in the hand, and melded ones."""

BETWEEN_6502 = """
    ;; honour_costs – what holds when a kind is to be added.
    ; in:        X suits[40]
    ; invariant: @kind: X in 27..33, all j in 30..39: suits[j] <= 14
    """

ENTRY_SM83 = """
    ;; entry – nothing is counted.
    ; in:       none
    ; out:      B C D HL
    """
KIND_SM83 = """
    ;; kind – one kind is counted.
    ; in:       B C D HL hand[34] melded[34]
    ; requires: H == &hand >> 8, L in (&hand & $FF) + 27..(&hand & $FF) + 33,
    ;           B <= 6, C <= 6, D <= 6, hand[L - (&hand & $FF)] <= 4
    ; out:      B C D HL
    ; clobbers: A E F
    """
COSTS_SM83 = """
    ;; {name} – what so many kinds cost.
    ; in:       B C D suits[40]
    ; requires: B == {b}, C == {c}, D == {d}
    ; out:      suits[40]
    ; clobbers: A BC DE HL F
    """


def proofs(own: Prover, cpu: str) -> Iterable[Proof]:
    """Of the beginning and the step at any kind; on the 6502 as stages of the whole, on the SM83 as
    pieces, with what comes out."""
    if cpu == "6502":
        stated = own.contracts["honour_costs"]
        between = own.contract(BETWEEN_6502, "honour_costs").invariants
        yield own.routine("honour_costs", replace(stated, cycles=None, invariants=between))
        yield own.simulates(stages_6502(), {"suits": "suits"})
    else:
        yield _entry_sm83(own)
        yield _kind_sm83(own)
        yield _costs_sm83(own)


def followed(cpu: str) -> Finding:
    """Whether the steps of seven kinds lead to the costs by definition, whatever they are.

    It does not matter in which order they come: each adds to what the others cost.
    """
    hands = [
        hand
        for hand in combinations_with_replacement(TYPES, HONOURS)
        if sum(melded > 0 for _, melded in hand) <= MELDS
    ]
    costs = _added if cpu == "6502" else _of_counts
    wrong = [
        hand for hand in hands if _wanted(hand, costs(hand)) != _wanted(hand, by_definition(hand))
    ]
    return Finding(
        f"these steps lead to the costs by definition for all {len(hands)} ways to hold seven "
        "kinds, of as many melds as a hand can want beside those that it has",
        Verdict.REFUTED if wrong else Verdict.PROVED,
        f"not for (held, melded) of {wrong[0]}" if wrong else "",
    )


def _wanted(kinds: Kinds, costs: Costs) -> list[int]:
    """The costs that count: a hand has four melds, called ones among them."""
    most = MELDS - sum(melded > 0 for _, melded in kinds)
    return [cost for entry, cost in enumerate(costs) if entry % PAIR <= most]


@cache
def by_definition(kinds: Kinds) -> Costs:
    """The costs of honours."""
    held = tuple(own for own, _ in kinds)
    return suit_costs(held, tuple(COPIES - melded for _, melded in kinds), False)


# ---------------------------------------------------------------- 6502


def nothing() -> list[int]:
    """The costs when nothing is held."""
    return [3 * (entry % PAIR) + 2 * (entry // PAIR) for entry in range(COSTS)]


def with_kind(costs: Any, held: Any, melded: Any) -> list[Any]:
    """The costs with a kind more. A block that there is no room for has nothing that is held."""
    triplet = choose(melded >= 2, 3, _lacking(3, held))
    pair = choose(melded >= 3, 2, _lacking(2, held))
    least = list(costs)
    for entry in range(COSTS):
        melds, is_pair = entry % PAIR, entry // PAIR
        if melds:
            least[entry] = _least(least[entry], costs[entry - 1] + triplet)
        if is_pair:
            least[entry] = _least(least[entry], costs[entry - PAIR] + pair)
    return least


def _lacking(wanted: int, held: Any) -> Any:
    return choose(held >= wanted, 0, wanted - held)


def _least(one: Any, other: Any) -> Any:
    return choose(one <= other, one, other)


def _added(kinds: Kinds) -> Costs:
    costs = nothing()
    for held, melded in kinds:
        if held:
            costs = with_kind(costs, held, melded)
    return tuple(costs)


def stages_6502() -> Mapping[str, Stage]:
    """The costs of nothing, and a kind more."""
    label = "honour_costs@kind"

    def begin(held: Any, melded: Any, suits: Any) -> Any:
        suits[PLACE : PLACE + COSTS] = nothing()
        return label, {"kind": FIRST, "held": held, "melded": melded, "suits": suits}

    def add(kind: Any, held: Any, melded: Any, suits: Any) -> Any:
        own_tiles = held[kind]
        if own_tiles != 0:
            costs = [suits[PLACE + entry] for entry in range(COSTS)]
            suits[PLACE : PLACE + COSTS] = with_kind(costs, own_tiles, melded[kind])
        if kind == FIRST + HONOURS - 1:
            return "return", {"suits": suits}
        return label, {"kind": kind + 1, "held": held, "melded": melded, "suits": suits}

    takes = {"held": "hand", "melded": "melded", "suits": "suits"}
    return {"": Stage(takes, begin), label: Stage({"kind": "x", **takes}, add)}


# ---------------------------------------------------------------- SM83


def counted(three: Any, two: Any, one: Any, held: Any, melded: Any) -> tuple[Any, Any, Any]:
    """The counts with a kind more: of those held three times or more, twice, and once alone."""
    alone = (held == 1) & (melded == 0)
    return three + (held >= 3), two + (held == 2), one + alone


def _of_counts(kinds: Kinds) -> Costs:
    """The costs of as many kinds, held three times, twice and once."""
    counts = (0, 0, 0)
    for held, melded in kinds:
        counts = counted(*counts, held, melded)
    return by_definition(_plain(*counts))


def _plain(three: int, two: int, one: int) -> Kinds:
    held = [3] * three + [2] * two + [1] * one
    return tuple(sorted((n, 0) for n in held + [0] * (HONOURS - len(held))))


def _entry_sm83(own: Prover) -> Proof:
    first = own.image.address("hand") + FIRST
    return own.piece(
        ENTRY_SM83,
        "honour_costs",
        "honour_costs.kind",
        model=lambda: (0, 0, 0, first),
        takes={},
        gives=("b", "c", "d", "hl"),
    )


def _kind_sm83(own: Prover) -> Proof:
    hand = own.image.address("hand")

    def model(three: Any, two: Any, one: Any, place: Any, held: Any, melded: Any) -> Any:
        kind = place - hand
        end = 1 if kind == FIRST + HONOURS - 1 else 0
        return end, (*counted(three, two, one, held[kind], melded[kind]), place + 1)

    ends = ("honour_costs.kind", "honour_costs.all")
    takes = {"three": "b", "two": "c", "one": "d", "place": "hl"}
    takes |= {"held": "hand", "melded": "melded"}
    return own.piece(
        KIND_SM83, "honour_costs.kind", *ends, model=model, takes=takes, gives=("b", "c", "d", "hl")
    )


def _costs_sm83(own: Prover) -> Proof:
    """What comes out for each of the counts there can be, as one proof."""
    made = [_costs_of(own, *counts) for counts in _all_counts()]
    open_ = [finding for proof in made for finding in proof.findings if not _is_proved(finding)]
    statement = f"the costs are those by definition for all {len(made)} counts there can be"
    findings = tuple(open_) or (Finding(statement, Verdict.PROVED),)
    return Proof("costs", findings, None, sum(proof.seconds for proof in made))


def _is_proved(finding: Finding) -> bool:
    return finding.verdict is Verdict.PROVED


def _costs_of(own: Prover, three: int, two: int, one: int) -> Proof:
    costs = by_definition(_plain(three, two, one))

    def model(suits: Any) -> Any:
        suits[PLACE : PLACE + COSTS] = costs
        return suits

    text = COSTS_SM83.format(name=f"costs_{three}_{two}_{one}", b=three, c=two, d=one)
    return own.piece(text, "honour_costs.all", model=model, takes={"suits": "suits"}, gives="suits")


def _all_counts() -> list[tuple[int, int, int]]:
    numbers = range(HONOURS + 1)
    return [(b, c, d) for b in numbers for c in numbers for d in numbers if b + c + d <= HONOURS]
