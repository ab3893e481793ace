"""Shanten of many riichi hands, against PyPI's mahjong."""

from __future__ import annotations

from importlib.util import find_spec

import amount
import numpy as np
from rows import Row, best

from fairdeck.riichi.batch import shanten_batch
from fairdeck.tiles import COPIES, KINDS

MANY, FEW = amount.of(500_000), amount.of(2_000)
"""Hands for ours and for the peer, which is slower; times are for one."""
_TILES = 13


def shanten() -> list[Row]:
    """The least shanten of a random hand of 13 tiles."""
    hands = _random_hands(MANY)
    shanten_batch(hands[:1])  # the tables, made or read once
    ours, peer = "tables, numpy", "mahjong: not installed"
    if find_spec("mahjong") is None:
        (taken,) = best(lambda: shanten_batch(hands))
        return [Row("shanten of a hand", ours, peer, taken / MANY)]
    from mahjong.shanten import Shanten

    other, few = Shanten(), hands[:FEW].tolist()
    theirs = [other.calculate_shanten(hand) for hand in few]
    assert shanten_batch(hands[:FEW]).min(axis=1).tolist() == theirs
    mine, their = best(
        lambda: shanten_batch(hands), lambda: [other.calculate_shanten(hand) for hand in few]
    )
    return [Row("shanten of a hand", ours, "mahjong", mine / MANY, their / FEW)]


def _random_hands(count: int) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
    wall = np.repeat(np.arange(KINDS), COPIES)
    random = np.random.default_rng(1)
    drawn = wall[random.random((count, len(wall))).argpartition(_TILES, axis=1)[:, :_TILES]]
    hands = np.zeros((count, KINDS), dtype=np.uint8)
    np.add.at(hands, (np.arange(count)[:, None], drawn), 1)
    return hands
