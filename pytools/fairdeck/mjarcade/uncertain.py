"""The uncertain element: a number that every deal and every discard makes larger."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from romproof import BadInput

_HONOURS = {
    **dict(zip("ESWN", range(1, 5), strict=True)),
    **dict(zip("PFC", range(5, 8), strict=True)),
    **{f"{n}z": n for n in range(1, 8)},
}
"""Winds 1 to 4; white (P), green (F), red (C) dragon 5 to 7."""

START = 0
"""Its value before the first deal. Not published: an assumption."""


class BadEvent(BadInput):
    """An event that says nothing; the text says which and why."""


def tile_value(tile: str) -> int:
    """What a discarded tile counts: the number of a suit tile, 1 to 7 of an honour.

    Tiles are written ``5p`` (red: ``0p``), ``E S W N P F C`` or ``1z``..``7z``. Raises BadEvent.
    """
    if tile in _HONOURS:
        return _HONOURS[tile]
    match = re.fullmatch(r"([0-9])[mps]", tile)
    if match is None:
        raise BadEvent(f"'{tile}' is no tile: write 1m..9m, 1p..9p, 1s..9s, E S W N P F C")
    return int(match[1]) or 5


def running_value(events: Iterable[Sequence[Any]], start: int = START) -> list[int]:
    """The value after each event.

    Events are ``["deal"]``, which adds 1, and ``["discard", player, nth, tile]``, which adds
    nth times the tile's value; nth counts the player's discards of the round from 1. It runs
    on from round to round. Raises BadEvent, naming the event by its place, from 1.
    """
    value, values = start, []
    for place, event in enumerate(events, 1):
        try:
            value += _added(event)
        except BadEvent as fault:
            raise BadEvent(f"event {place}: {fault}") from None
        values.append(value)
    return values


def _added(event: Sequence[Any]) -> int:
    if isinstance(event, (list, tuple)) and len(event) == 1 and event[0] == "deal":
        return 1
    if isinstance(event, (list, tuple)) and len(event) == 4 and event[0] == "discard":
        _, player, nth, tile = event
        if type(player) is not int or not 0 <= player <= 3:
            raise BadEvent(f"the player is {player!r}; players are 0..3")
        if type(nth) is not int or nth < 1:
            raise BadEvent(f"the discard's number is {nth!r}; the first is 1")
        if not isinstance(tile, str):
            raise BadEvent(f"the tile is {tile!r}; write it like '5p' or 'E'")
        return nth * tile_value(tile)
    raise BadEvent(f'{event!r} is neither ["deal"] nor ["discard", player, nth, tile]')
