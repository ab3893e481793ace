"""The uncertain element: a number that every deal and every discard makes larger."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from fairdeck.tiles import COPIES
from romproof import BadInput

_HONOURS = {
    **{letter: place for place, letter in enumerate("ESWNPFC")},
    **{f"{n}z": n - 1 for n in range(1, 8)},
}
"""Winds, then the white (P), green (F) and red (C) dragon, by their place among the honours."""
_SUIT, _SUITS = 9, "mps"
_FIRST_HONOUR = _SUIT * len(_SUITS)

_FIFTH = "is discarded a fifth time"
_HELD, _MELDS = 2, 4
"""The tiles of the caller's own that go to a called triplet, and the melds of a hand."""

START = 0
"""Its value before the first deal. Not published: an assumption."""


class BadEvent(BadInput):
    """An event that says nothing; the text says which and why."""


@dataclass(frozen=True, slots=True)
class Discarded:
    """A discard: the player's ``number``-th of the round, from 1, and the ``kind`` of tile.

    Kinds are 0..33: three suits of nine, winds, white, green, red dragon.
    """

    number: int
    kind: int


def tile_kind(tile: str) -> int:
    """The kind of a tile that is written ``5p`` (red: ``0p``), ``E S W N P F C``, ``1z``..``7z``.

    Raises BadEvent.
    """
    if tile in _HONOURS:
        return _FIRST_HONOUR + _HONOURS[tile]
    match = re.fullmatch(r"([0-9])([mps])", tile)
    if match is None:
        raise BadEvent(f"'{tile}' is not a tile: write 1m..9m, 1p..9p, 1s..9s, E S W N P F C")
    return _SUITS.index(match[2]) * _SUIT + (int(match[1]) or 5) - 1


def kind_value(kind: int) -> int:
    """What a discarded tile of a kind 0..33 counts: the number of a suit tile, 1..7 of an honour.

    Winds count 1 to 4, the white, green and red dragon 5 to 7.
    """
    return kind % _SUIT + 1 if kind < _FIRST_HONOUR else kind - _FIRST_HONOUR + 1


def tile_value(tile: str) -> int:
    """What a discarded tile counts; it is written as for ``tile_kind``. Raises BadEvent."""
    return kind_value(tile_kind(tile))


def running_value(events: Iterable[Sequence[Any]], start: int = START) -> list[int]:
    """The value after each event.

    Events are ``["deal"]``, which adds 1, and ``["discard", player, nth, tile]``, which adds
    nth times the tile's value; nth counts the player's discards of the round from 1. It runs
    on from round to round. Raises BadEvent, naming the event by its place, from 1.
    """
    value, values = start, []
    for place, event in enumerate(events, 1):
        try:
            value += _count_added(event)
        except BadEvent as fault:
            raise BadEvent(f"event {place}: {fault}") from None
        values.append(value)
    return values


def check_sequence(events: Iterable[Sequence[Any]]) -> None:
    """Raise BadEvent, naming the first event that no game can have at its place, from 1.

    Rounds begin with a deal; nobody discards twice in a row; a player's discards of a round are
    numbered 1, 2, 3 and so on. Who discards out of turn has called the tile before: that takes two
    more of its kind, which are discarded no more, and a hand has room for four calls. No kind is
    there more than four times in a round.
    """
    here: _Seen | None = None
    listed = list(events)
    order = _order(listed)
    for place, event in enumerate(listed, 1):
        try:
            discarded = read_event(event)
            if discarded is None:
                here = _Seen(order)
                continue
            if here is None:
                raise BadEvent("a discard before the first deal")
            here.take(event[1], discarded, event[3])
        except BadEvent as fault:
            raise BadEvent(f"event {place}: {fault}") from None


def _order(events: Iterable[Sequence[Any]]) -> tuple[int, ...]:
    """The players in turn: all four, or the three that discard where one never does."""
    seen = set()
    for event in events:
        try:
            if read_event(event) is not None:
                seen.add(event[1])
        except BadEvent:
            continue  # it is told at its place
    return tuple(sorted(seen)) if len(seen) == 3 else (0, 1, 2, 3)


class _Seen:
    """The discards of a round so far."""

    def __init__(self, order: Sequence[int]) -> None:
        self._order = order
        self._counts: Counter[int] = Counter()
        self._calls: Counter[int] = Counter()
        self._kinds: Counter[int] = Counter()
        self._called: set[int] = set()
        self._last: tuple[int, Discarded, str] | None = None

    def take(self, player: int, discarded: Discarded, tile: str) -> None:
        """One more. Raises BadEvent."""
        number, kind = discarded.number, discarded.kind
        if self._last is not None:
            self._turn(player, self._last)
        if number != self._counts[player] + 1:
            raise BadEvent(
                f"player {player}'s discard is called number {number} of the round; "
                f"it is number {self._counts[player] + 1}"
            )
        if self._kinds[kind] == COPIES:
            held = kind in self._called
            what = "is the fifth of its kind, with those of a call" if held else _FIFTH
            raise BadEvent(f"'{tile}' {what}; a set has four")
        self._counts[player] += 1
        self._kinds[kind] += 1
        self._last = player, discarded, tile

    def _turn(self, player: int, last: tuple[int, Discarded, str]) -> None:
        """Whether it may be a player's turn after another's discard."""
        before, discarded, tile = last
        if player == before:
            raise BadEvent(f"player {player} discards twice in a row")
        if player == self._order[(self._order.index(before) + 1) % len(self._order)]:
            return
        self._calls[player] += 1
        self._kinds[discarded.kind] += _HELD
        self._called.add(discarded.kind)
        why = f"player {player} discards after player {before}, so called '{tile}'"
        if self._calls[player] > _MELDS:
            raise BadEvent(f"{why}, and has called four tiles before: a hand has room for four")
        if self._kinds[discarded.kind] > COPIES:
            raise BadEvent(f"{why} with two more of it: a set has four")


def _count_added(event: Sequence[Any]) -> int:
    discarded = read_event(event)
    return 1 if discarded is None else discarded.number * kind_value(discarded.kind)


def read_event(event: Sequence[Any]) -> Discarded | None:
    """A discard, or None: a deal. Raises BadEvent."""
    if isinstance(event, (list, tuple)) and len(event) == 1 and event[0] == "deal":
        return None
    if isinstance(event, (list, tuple)) and len(event) == 4 and event[0] == "discard":
        _, player, nth, tile = event
        if type(player) is not int or not 0 <= player <= 3:
            raise BadEvent(f"the player is {player!r}; players are 0..3")
        if type(nth) is not int or nth < 1:
            raise BadEvent(f"the discard's number is {nth!r}; the first is 1")
        if not isinstance(tile, str):
            raise BadEvent(f"the tile is {tile!r}; write it like '5p' or 'E'")
        return Discarded(nth, tile_kind(tile))
    raise BadEvent(f'{event!r} is neither ["deal"] nor ["discard", player, nth, tile]')
