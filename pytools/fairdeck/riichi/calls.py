"""What may be called: a discard of another player's, and kans on one's own turn."""

from __future__ import annotations

from dataclasses import dataclass

from fairdeck.riichi.hand import BadHand, Hand, Meld, MeldKind, add_tiles, is_run
from fairdeck.riichi.shanten import shanten
from fairdeck.riichi.shapes import is_complete
from fairdeck.tiles import COPIES, KINDS, NAMES

DISCARDERS = ("left", "across", "right")
"""Who discarded, as seen from the hand; only from the left may be chii called."""


@dataclass(frozen=True, slots=True)
class Option:
    """A call with the tiles ``use`` of the hand.

    ``shanten_after`` is the least after the call and a discard (of a kan: before its draw);
    ``without_swap`` the same if neither the called tile nor, of a run, its other end may be
    discarded. A kan has none.
    """

    call: str
    use: tuple[int, ...]
    shanten_after: int
    without_swap: int | None


@dataclass(frozen=True, slots=True)
class Calls:
    """What a hand can do with a discard."""

    can_pon: bool
    can_kan: bool
    chii: tuple[tuple[int, int], ...]
    completes_hand: bool
    shanten_before: int
    options: tuple[Option, ...]


def calls(hand: Hand, tile: int, discarder: str) -> Calls:
    """The calls of a hand of 3k+1 tiles on a discard. Raises BadHand.

    Whether the player has declared riichi, and so may not call, is not known here.
    """
    if discarder not in DISCARDERS:
        raise BadHand(f"the discarder is {', '.join(DISCARDERS[:-1])} or right, not '{discarder}'")
    own = hand.closed[tile]
    if own + hand.melded[tile] >= COPIES:
        raise BadHand(f"the discard would be the fifth {NAMES[tile]}; a set has four")
    runs = _runs_with(hand, tile) if discarder == "left" else ()
    options: list[Option] = []
    if own >= 2:
        options.append(_make_call(hand, "pon", (tile, tile), tile))
    if own == 3:
        options.append(_kan(hand, tile))
    options += [_make_call(hand, "chii", use, tile) for use in runs]
    return Calls(
        own >= 2,
        own == 3,
        runs,
        is_complete(hand.plus(tile)),
        shanten(hand).best,
        tuple(options),
    )


def _runs_with(hand: Hand, tile: int) -> tuple[tuple[int, int], ...]:
    """The pairs of tiles in the hand that make a run with ``tile``."""
    pairs = []
    for first in range(tile - 2, tile + 1):
        if first < 0 or not is_run(first):
            continue
        low, high = (kind for kind in range(first, first + 3) if kind != tile)
        if hand.closed[low] and hand.closed[high]:
            pairs.append((low, high))
    return tuple(pairs)


def _make_call(hand: Hand, call: str, use: tuple[int, ...], tile: int) -> Option:
    closed = hand
    for kind in use:
        closed = closed.minus(kind)
    kind_of = MeldKind.PON if call == "pon" else MeldKind.CHI
    meld = Meld(kind_of, tuple(sorted((*use, tile))))
    after = Hand(closed.closed, (*hand.melds, meld))
    barred = {tile}
    if call == "chii":
        if tile == meld.tiles[0] and is_run(tile + 1):
            barred.add(tile + 3)
        elif tile == meld.tiles[2] and tile % 9 >= 3:
            barred.add(tile - 3)
    results = {kind: shanten(after.minus(kind)).best for kind in range(KINDS) if after.closed[kind]}
    allowed = [value for kind, value in results.items() if kind not in barred]
    return Option(call, use, min(results.values()), min(allowed) if allowed else None)


def _kan(hand: Hand, tile: int) -> Option:
    closed = add_tiles(hand.closed, tile, -3)
    after = Hand(closed, (*hand.melds, Meld(MeldKind.OPEN_KAN, (tile,) * 4)))
    return Option("kan", (tile,) * 3, shanten(after).best, None)


@dataclass(frozen=True, slots=True)
class OwnKans:
    """Kans a player may declare with the tiles in the hand, the drawn one included."""

    closed: tuple[int, ...]
    added: tuple[int, ...]


def own_kans(hand: Hand) -> OwnKans:
    """The kans of a hand of 3k+2 tiles on its own turn."""
    pons = {meld.tiles[0] for meld in hand.melds if meld.kind is MeldKind.PON}
    return OwnKans(
        tuple(kind for kind, count in enumerate(hand.closed) if count == COPIES),
        tuple(kind for kind in sorted(pons) if hand.closed[kind]),
    )
