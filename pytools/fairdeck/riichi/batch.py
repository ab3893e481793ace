"""Many hands at once, from arrays to arrays: for simulations of millions of hands.

The results are those of fairdeck.riichi.shanten; hands have no melds.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from fairdeck.riichi.shanten import MELDS, ORPHANS
from fairdeck.riichi.tables import BASE, COSTS, HONOURS, NUMBERS, CostTable, suit_table
from fairdeck.tiles import COPIES, KINDS

Hands = npt.NDArray[Any]
"""Shape (n, 34), how many of each kind; any integer type."""
Shanten = npt.NDArray[np.int8]

_STARTS = (0, 9, 18, 27)
_SIZES = (NUMBERS, NUMBERS, NUMBERS, HONOURS)
_CHUNK = 1 << 17
"""Hands that are worked on at once: what they need stays in the processor's cache."""


def shanten_batch(hands: Hands) -> Shanten:
    """Shape (n, 3), int8: normal, seven pairs, orphans. The least is the hand's shanten."""
    counts = np.empty((len(hands), 3), dtype=np.int8)
    for start in range(0, len(hands), _CHUNK):
        part = np.ascontiguousarray(hands[start : start + _CHUNK], dtype=np.uint8)
        costs = [_suit_costs(part, suit) for suit in range(4)]
        counts[start : start + _CHUNK, 0] = _complete(costs) - 1
        counts[start : start + _CHUNK, 1:] = _special(part)
    return counts


def ukeire_batch(hands: Hands) -> npt.NDArray[np.int16]:
    """Shape (n, 34), int16: how many are left of each kind that lowers the shanten, else 0.

    For hands of 13 tiles. Only the suit that a tile touches is looked up again.
    """
    counts = np.ascontiguousarray(hands, dtype=np.uint8)
    costs = [_suit_costs(counts, suit) for suit in range(4)]
    now = np.minimum(_complete(costs) - 1, _special(counts).min(axis=1))
    unseen = np.zeros((len(counts), KINDS), dtype=np.int16)
    for kind in range(KINDS):
        free = counts[:, kind] < COPIES
        more = counts.copy()
        more[:, kind] += free
        suit = min(kind // 9, 3)
        changed = [*costs[:suit], _suit_costs(more, suit), *costs[suit + 1 :]]
        then = np.minimum(_complete(changed) - 1, _special(more).min(axis=1))
        helps = free & (then < now)
        unseen[:, kind] = np.where(helps, COPIES - counts[:, kind].astype(np.int16), 0)
    return unseen


def _suit_costs(counts: npt.NDArray[np.uint8], suit: int) -> CostTable:
    """Shape (n, 10): the costs of one suit of every hand."""
    size = _SIZES[suit]
    weights = BASE ** np.arange(size - 1, -1, -1, dtype=np.int32)
    tiles = counts[:, _STARTS[suit] : _STARTS[suit] + size]
    costs: CostTable = suit_table(size)[tiles.astype(np.int32) @ weights]
    return costs


def _complete(costs: list[CostTable]) -> npt.NDArray[np.int8]:
    """The cost of four melds and a pair, shared out among four suits."""
    one, other = _join_tables(costs[0], costs[1]), _join_tables(costs[2], costs[3])
    best = np.full(len(one), 99, dtype=np.uint8)
    for pair in (0, 1):
        for melds in range(MELDS + 1):
            total = one[:, 5 * pair + melds] + other[:, 5 * (1 - pair) + MELDS - melds]
            np.minimum(best, total, out=best)
    return best.astype(np.int8)


def _join_tables(one: CostTable, other: CostTable) -> CostTable:
    total = np.full((len(one), COSTS), 99, dtype=np.uint8)
    for pair in (0, 1):
        for melds in range(MELDS + 1):
            column = total[:, 5 * pair + melds]
            for p in range(pair + 1):
                for m in range(melds + 1):
                    sum_ = one[:, 5 * p + m] + other[:, 5 * (pair - p) + melds - m]
                    np.minimum(column, sum_, out=column)
    return total


def _special(counts: npt.NDArray[np.uint8]) -> npt.NDArray[np.int8]:
    """Shape (n, 2): seven pairs and orphans."""
    pairs = (counts >= 2).sum(axis=1, dtype=np.int8)
    kinds = (counts >= 1).sum(axis=1, dtype=np.int8)
    held = counts[:, list(ORPHANS)]
    orphans = 13 - (held >= 1).sum(axis=1, dtype=np.int8) - (held >= 2).any(axis=1)
    return np.stack((6 - pairs + np.maximum(0, 7 - kinds), orphans), axis=1).astype(np.int8)
