"""What lies where at Tenhou's tables: tile numbers, the deal, the dead wall.

A wall is an array; tiles are dealt and drawn from its highest index down, and its first
fourteen (of three players: eighteen) places are the dead wall.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

DEALT = 13
"""Tiles each player is dealt."""
_BLOCKS = (4, 4, 4, 1)


@dataclass(frozen=True, slots=True)
class Pairs:
    """Which tile of each pair of the dead wall lies on top.

    ``dora`` and ``ura`` are 1 or 0: the place in the pair of the open indicators and of those
    beneath. ``rinshan`` is the order in which the replacement tiles of a pair are drawn.
    """

    dora: int = 1
    ura: int = 0
    rinshan: tuple[int, int] = (1, 0)


FLIPPED_PAIRS = Pairs(dora=0, ura=1, rinshan=(0, 1))
"""The other way up, as in the logs of 2009."""


@dataclass(frozen=True, slots=True)
class Table:
    """A game for ``players``: ``tiles`` in the wall, the first ``rinshan`` replace kans.

    ``indicators`` is the index of the pair with the first dora indicator. ``draws`` is how many
    tiles are drawn in a round that ends without a win, replacements included.
    """

    players: int
    tiles: int
    rinshan: int
    indicators: int
    draws: int

    def logged(self, tile: int) -> int:
        """The id a tile of the wall has in logs (0..135).

        Three players lack 2m to 8m: their kinds are 1m, 9m, then circles, bamboos, honours.
        """
        if self.players == 4 or tile < 4:
            return tile
        return tile + 28

    def hands(self, wall: Sequence[int], dealer: int = 0) -> tuple[tuple[int, ...], ...]:
        """The dealt tiles by seat, thirteen each in the order they are dealt, the dealer first."""
        hands: list[list[int]] = [[] for _ in range(self.players)]
        at = self.tiles
        for size in _BLOCKS:
            for turn in range(self.players):
                hands[(dealer + turn) % self.players] += reversed(wall[at - size : at])
                at -= size
        return tuple(tuple(hand) for hand in hands)

    @property
    def first_draw(self) -> int:
        """The index of the first tile drawn after the deal; the next ones are below it."""
        return self.tiles - self.players * DEALT - 1

    def dora(self, number: int, pairs: Pairs) -> int:
        """The index of the ``number``-th dora indicator, from 0."""
        return self.indicators + 2 * number + pairs.dora

    def ura(self, number: int, pairs: Pairs) -> int:
        """The index of the tile beneath the ``number``-th dora indicator."""
        return self.indicators + 2 * number + pairs.ura

    def replacement(self, number: int, pairs: Pairs) -> int:
        """The index of the ``number``-th tile drawn from the dead wall, from 0."""
        return number // 2 * 2 + pairs.rinshan[number % 2]


FOUR = Table(players=4, tiles=136, rinshan=4, indicators=4, draws=70)
THREE = Table(players=3, tiles=108, rinshan=8, indicators=8, draws=55)
TABLES = {4: FOUR, 3: THREE}
"""By number of players."""
