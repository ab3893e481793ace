"""The ways to take a complete hand apart into melds and a pair."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fairdeck.riichi.hand import Counts, Hand, MeldKind, add_tiles, is_run
from fairdeck.riichi.shanten import MELDS, chiitoi, kokushi
from fairdeck.tiles import KINDS


@dataclass(frozen=True, slots=True)
class Group:
    """A meld: a run from ``kind``, or three or four of it.

    ``is_open`` says that a tile of it came from another player; a meld that a win by discard
    completes counts as open where it is a triplet.
    """

    kind: int
    is_run: bool = False
    is_kan: bool = False
    is_open: bool = False

    @property
    def tiles(self) -> tuple[int, ...]:
        """The kinds in it, one for each tile."""
        if self.is_run:
            return (self.kind, self.kind + 1, self.kind + 2)
        return (self.kind,) * (4 if self.is_kan else 3)


@dataclass(frozen=True, slots=True)
class Shape:
    """Four melds and a pair; ``waits_in`` is what the winning tile completes, None: the pair."""

    groups: tuple[Group, ...]
    pair: int
    waits_in: Group | None


def is_complete(hand: Hand) -> bool:
    """Whether a hand of 3k+2 tiles is complete in any form."""
    if not hand.melds and (chiitoi(hand.closed) == -1 or kokushi(hand.closed) == -1):
        return True
    return any(True for _ in _parts(hand.closed, MELDS - len(hand.melds)))


def _parts(counts: Counts, melds: int) -> Iterator[tuple[tuple[Group, ...], int]]:
    """All sets of ``melds`` closed melds and a pair that are just these tiles."""
    if sum(counts) != 3 * melds + 2:
        return
    for pair in range(KINDS):
        if counts[pair] >= 2:
            for groups in _melds(add_tiles(counts, pair, -2), 0):
                yield groups, pair


def _melds(counts: Counts, start: int) -> Iterator[tuple[Group, ...]]:
    kind = next((k for k in range(start, KINDS) if counts[k]), None)
    if kind is None:
        yield ()
        return
    if counts[kind] >= 3:
        for rest in _melds(add_tiles(counts, kind, -3), kind):
            yield (Group(kind), *rest)
    if is_run(kind) and counts[kind + 1] and counts[kind + 2]:
        less = add_tiles(add_tiles(add_tiles(counts, kind, -1), kind + 1, -1), kind + 2, -1)
        for rest in _melds(less, kind):
            yield (Group(kind, is_run=True), *rest)


def shapes(hand: Hand, win: int, tsumo: bool) -> Iterator[Shape]:
    """Every way to read a complete hand, and every group in it that ``win`` may complete.

    ``hand`` includes the winning tile. Each way is given once.
    """
    called = tuple(
        Group(m.tiles[0], m.kind is MeldKind.CHI, m.kind.is_kan, m.is_open) for m in hand.melds
    )
    seen = set()
    for groups, pair in _parts(hand.closed, MELDS - len(called)):
        if pair == win:
            yield Shape((*groups, *called), pair, None)
        for index, group in enumerate(groups):
            if win not in group.tiles:
                continue
            done = Group(group.kind, group.is_run, is_open=not (tsumo or group.is_run))
            key = (tuple(sorted((g.kind, g.is_run) for g in groups)), pair, done)
            if key in seen:
                continue
            seen.add(key)
            others = (*groups[:index], *groups[index + 1 :])
            yield Shape((done, *others, *called), pair, done)
