"""The kinds that complete a hand, suit by suit.

Of a complete hand each suit has a multiple of three tiles, but for one that has the pair. So a
tile that completes a hand of 3k+1 tiles has to make the numbers come out, and only its suit and
that of the pair are looked at; what is known of a suit is kept.
"""

from __future__ import annotations

from functools import lru_cache

from fairdeck.riichi.hand import Counts, Hand
from fairdeck.riichi.shanten import ORPHANS
from fairdeck.tiles import COPIES, KINDS

_SUITS = ((0, 9), (9, 18), (18, 27), (27, 34))
"""First kind, and the one behind the last; of the honours there are no runs."""


def waits(hand: Hand) -> frozenset[int]:
    """The kinds that complete a hand of 3k+1 tiles; none of which it has all four already."""
    held, melded = hand.closed, hand.melded
    suits = [held[first:end] for first, end in _SUITS]
    rests = [sum(suit) % 3 for suit in suits]
    kinds = set()
    for kind in range(KINDS):
        if held[kind] + melded[kind] >= COPIES:
            continue
        own = min(kind // 9, 3)
        if _fits(rests, own) and _completes(suits, own, kind - _SUITS[own][0]):
            kinds.add(kind)
    if not hand.melds:
        kinds |= _seven_pairs(held) | _orphans(held)
    return frozenset(kinds)


def _fits(rests: list[int], own: int) -> bool:
    """Whether one more tile in suit ``own`` leaves melds everywhere, and one pair."""
    after = [(rest + (suit == own)) % 3 for suit, rest in enumerate(rests)]
    return sorted(after) == [0, 0, 0, 2]


def _completes(suits: list[Counts], own: int, place: int) -> bool:
    return all(
        _complete(_plus(suit, place) if index == own else suit, index < 3)
        for index, suit in enumerate(suits)
    )


def _plus(counts: Counts, place: int) -> Counts:
    return (*counts[:place], counts[place] + 1, *counts[place + 1 :])


def _seven_pairs(held: Counts) -> set[int]:
    """What six pairs and a single tile wait for."""
    return {held.index(1)} if held.count(2) == 6 and held.count(1) == 1 else set()


def _orphans(held: Counts) -> set[int]:
    """What thirteen terminals and honours wait for: the kind that is missing, or any of them."""
    missing = {kind for kind in ORPHANS if not held[kind]}
    if len(missing) > 1 or sum(held[kind] for kind in ORPHANS) != len(ORPHANS):
        return set()
    return missing or set(ORPHANS)


@lru_cache(maxsize=1 << 16)
def _complete(suit: Counts, runs: bool) -> bool:
    """Whether a suit is melds, with a pair when its tiles are 3k+2."""
    if sum(suit) % 3 == 2:
        pairs = (place for place, count in enumerate(suit) if count >= 2)
        return any(_melds(_less(suit, (place, place)), runs) for place in pairs)
    return _melds(suit, runs)


@lru_cache(maxsize=1 << 16)
def _melds(suit: Counts, runs: bool) -> bool:
    first = next((place for place, count in enumerate(suit) if count), None)
    if first is None:
        return True
    if suit[first] >= 3 and _melds(_less(suit, (first,) * 3), runs):
        return True
    if not runs or first > 6 or not (suit[first + 1] and suit[first + 2]):
        return False
    return _melds(_less(suit, (first, first + 1, first + 2)), runs)


def _less(suit: Counts, places: tuple[int, ...]) -> Counts:
    return tuple(count - places.count(place) for place, count in enumerate(suit))
