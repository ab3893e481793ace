"""Which tiles bring a hand on, and what to discard."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fairdeck.riichi.hand import BadHand, Counts, Hand, add_tiles
from fairdeck.riichi.shanten import shanten
from fairdeck.tiles import COPIES, KINDS, NAMES

_NOTHING: Counts = (0,) * KINDS


@dataclass(frozen=True, slots=True)
class Ukeire:
    """``tiles``: how many are left of each kind that lowers the shanten.

    ``unseen`` are all tiles that the player does not see.
    """

    tiles: Mapping[int, int]
    unseen: int

    @property
    def count(self) -> int:
        """How many tiles help."""
        return sum(self.tiles.values())

    @property
    def share(self) -> float:
        """The share of the unseen tiles that helps, 0..1."""
        return self.count / self.unseen if self.unseen else 0.0


@dataclass(frozen=True, slots=True)
class Discard:
    """What a hand is after a discard of ``kind``."""

    kind: int
    shanten: int
    ukeire: Ukeire


def unseen_tiles(hand: Hand, visible: Counts = _NOTHING) -> Counts:
    """How many of each kind the player does not see. Raises BadHand when more are seen than are.

    ``visible`` are tiles on the table, other than the player's own melds.
    """
    rests = []
    for kind, seen in enumerate(zip(hand.closed, hand.melded, visible, strict=True)):
        rest = COPIES - sum(seen)
        if rest < 0:
            raise BadHand(f"{sum(seen)} of {NAMES[kind]} are seen; a set has four")
        rests.append(rest)
    return tuple(rests)


def ukeire(hand: Hand, visible: Counts = _NOTHING) -> Ukeire:
    """The tiles that lower the shanten of a hand of 3k+1 tiles."""
    rest = unseen_tiles(hand, visible)
    now = shanten(hand).best
    tiles = {
        kind: count
        for kind, count in enumerate(rest)
        if count and hand.closed[kind] < COPIES and shanten(hand.plus(kind)).best < now
    }
    return Ukeire(tiles, sum(rest))


def discards(hand: Hand, visible: Counts = _NOTHING) -> list[Discard]:
    """Every discard of a hand of 3k+2 tiles, in the order of the tiles.

    The discarded tile lies on the table then and stays seen: it is none of those that are left.
    """
    choices = []
    for kind, count in enumerate(hand.closed):
        if count:
            rest, seen = hand.minus(kind), add_tiles(visible, kind, 1)
            choices.append(Discard(kind, shanten(rest).best, ukeire(rest, seen)))
    return choices


def best(options: list[Discard]) -> list[Discard]:
    """The lowest shanten, and of those the most helpful tiles; all that are equal."""
    lowest = min(one.shanten for one in options)
    lowest_ones = [one for one in options if one.shanten == lowest]
    most = max(one.ukeire.count for one in lowest_ones)
    return [one for one in lowest_ones if one.ukeire.count == most]


def riichi_discards(hand: Hand, visible: Counts = _NOTHING) -> dict[int, Ukeire]:
    """Discards after which a closed hand may declare riichi, with what it then waits for."""
    if not hand.is_closed:
        return {}
    return {one.kind: one.ukeire for one in discards(hand, visible) if one.shanten == 0}
