"""How many tiles a hand is from being one tile from complete: its shanten.

By the definition: the fewest tiles that are missing to a complete hand, less one; -1 is complete.
A complete hand is four melds and a pair (called melds count as done), seven different pairs, or
the thirteen orphans with one of them twice. No target has more than four of a kind, those in the
melds included.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache

from fairdeck.riichi.hand import Counts, Hand
from fairdeck.tiles import COPIES

MELDS = 4
"""Melds of a complete hand."""
ORPHANS = (0, 8, 9, 17, 18, 26, 27, 28, 29, 30, 31, 32, 33)
"""The kinds of the thirteen orphans: terminals and honours."""
_SUITS = ((0, 9, True), (9, 18, True), (18, 27, True), (27, 34, False))
"""First kind, the one behind the last, and whether it has runs."""

Costs = tuple[int, ...]
"""Missing tiles by ``5 * pair + melds``: the targets are 0..4 melds without or with a pair."""

_FAR = 99
_ALONE = ((0, 0), (0, 1), (1, 0))
"""Triplets and pairs a number can be in besides its runs; both are five tiles."""


@dataclass(frozen=True, slots=True)
class Shanten:
    """By kind of target; ``chiitoi`` and ``kokushi`` are None for hands with melds."""

    normal: int
    chiitoi: int | None
    kokushi: int | None

    @property
    def best(self) -> int:
        """The least of them."""
        return min(v for v in (self.normal, self.chiitoi, self.kokushi) if v is not None)


def shanten(hand: Hand) -> Shanten:
    """The shanten of a hand of 3k+1 or 3k+2 tiles."""
    if hand.melds:
        return Shanten(normal(hand), None, None)
    return Shanten(normal(hand), chiitoi(hand.closed), kokushi(hand.closed))


def normal(hand: Hand) -> int:
    """For melds and a pair: the least over all ways to share them out among the suits."""
    melded = hand.melded
    wanted = MELDS - len(hand.melds)
    total: Costs = (0, *([_FAR] * 9))
    for first, end, runs in _SUITS:
        room = tuple(COPIES - n for n in melded[first:end])
        total = join_costs(total, suit_costs(hand.closed[first:end], room, runs))
    return total[5 + wanted] - 1


def chiitoi(counts: Counts) -> int:
    """For seven different pairs."""
    pairs = sum(n >= 2 for n in counts)
    kinds = sum(n >= 1 for n in counts)
    return 6 - pairs + max(0, 7 - kinds)


def kokushi(counts: Counts) -> int:
    """For the thirteen orphans."""
    held = [counts[kind] for kind in ORPHANS]
    return 13 - sum(n >= 1 for n in held) - any(n >= 2 for n in held)


@lru_cache(maxsize=1 << 16)
def join_costs(one: Costs, other: Costs) -> Costs:
    """The costs of two suits together."""
    total = [_FAR] * 10
    for pair in (0, 1):
        for melds in range(MELDS + 1):
            total[5 * pair + melds] = min(
                one[5 * p + m] + other[5 * (pair - p) + melds - m]
                for p in range(pair + 1)
                for m in range(melds + 1)
            )
    return tuple(total)


_State = tuple[int, int, int, int]
"""Runs that began at the last number and at the one before it; melds and pairs so far."""


@cache
def _steps(state: _State, most: int, longest: int) -> tuple[tuple[_State, int], ...]:
    """What a number can add to the targets: the state after it, and how many of it they have.

    At most ``longest`` runs may begin here, and no target has more than ``most`` of a number.
    """
    last, before, melds, pair = state
    carried = last + before
    steps = []
    for run in range(min(longest, most - carried, MELDS - melds) + 1):
        for triplet, twin in _ALONE:
            target = run + carried + 3 * triplet + 2 * twin
            following = (run, last, melds + run + triplet, pair + twin)
            if target <= most and following[2] <= MELDS and following[3] <= 1:
                steps.append((following, target))
    return tuple(steps)


@cache
def suit_costs(held: Counts, room: Counts, runs: bool) -> Costs:
    """The fewest missing tiles of one suit for every number of melds and pairs.

    ``held`` are the tiles of each number, ``room`` the most a target may have of each. Numbers
    are gone through in order; what matters of the numbers before is how many runs began at the
    last one and at the one before it.
    """
    states: dict[_State, int] = {(0, 0, 0, 0): 0}
    for place, (own, most) in enumerate(zip(held, room, strict=True)):
        longest = MELDS if runs and place + 2 < len(held) else 0
        after: dict[_State, int] = {}
        for state, cost in states.items():
            for following, target in _steps(state, most, longest):
                missing = cost + target - own if target > own else cost
                if missing < after.get(following, _FAR):
                    after[following] = missing
        states = after
    costs = [_FAR] * 10
    for (last, before, melds, pair), cost in states.items():
        if last == before == 0:
            costs[5 * pair + melds] = min(costs[5 * pair + melds], cost)
    return tuple(costs)
