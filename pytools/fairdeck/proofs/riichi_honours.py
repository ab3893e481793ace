"""The costs of the honours: each kind by itself, then all seven together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
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


def proofs(own: Prover) -> Iterable[Proof]:
    """Of the 6502: the contract, and a kind at a stage."""
    stated = own.contracts["honour_costs"]
    between = own.contract(BETWEEN_6502, "honour_costs").invariants
    yield own.routine("honour_costs", replace(stated, cycles=None, invariants=between))
    yield own.simulates(stages_6502(), {"suits": "suits"})


def prove_contract(own: Prover) -> Proof:
    """Of the 6502: all that the source says, both ends of its cycles included."""
    return own.routine("honour_costs")


def followed(costs: Callable[[Kinds], Sequence[int]]) -> Finding:
    """Whether the ``costs`` that the steps of seven kinds lead to are those by definition, whatever
    they are.

    It does not matter in which order they come: each adds to what the others cost.
    """
    hands = [
        hand
        for hand in combinations_with_replacement(TYPES, HONOURS)
        if sum(melded > 0 for _, melded in hand) <= MELDS
    ]
    wrong = [
        hand for hand in hands if _wanted(hand, costs(hand)) != _wanted(hand, by_definition(hand))
    ]
    return Finding(
        f"these steps lead to the costs by definition for all {len(hands)} ways to hold seven "
        "kinds, of as many melds as a hand can want beside those that it has",
        Verdict.REFUTED if wrong else Verdict.PROVED,
        f"not for (held, melded) of {wrong[0]}" if wrong else "",
    )


def _wanted(kinds: Kinds, costs: Sequence[int]) -> list[int]:
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


def added(kinds: Kinds) -> Costs:
    """The costs of some kinds, one after the other."""
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
