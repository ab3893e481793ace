"""Attributes of a log's elements as numbers, tiles and scores."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from fairdeck.tiles import TILES

Attributes = Mapping[str, str]

_MAX = TILES
"""Numbers a list may have."""
_WITH_CHIPS = 16
"""Numbers of a result where chips are won as well; these come behind the scores."""
_NUMBER = re.compile(r"\s*-?[0-9]{1,9}\s*")
_DECIMAL = re.compile(r"\s*[+-]?[0-9]{1,7}(\.[0-9]{1,3})?\s*")


class Fault(Exception):
    """An element that cannot be read; the reader knows its place."""


def number(attributes: Attributes, name: str) -> int:
    """The one number of an attribute."""
    values = numbers(attributes, name)
    if len(values) != 1:
        raise Fault(f"'{name}' has to be one number")
    return values[0]


def optional(attributes: Attributes, name: str) -> int | None:
    """The number of an attribute that need not be there."""
    return number(attributes, name) if name in attributes else None


def numbers(attributes: Attributes, name: str, *, negative: bool = False) -> list[int]:
    """The numbers of an attribute, with commas between them."""
    words = _words(attributes, name)
    if not all(_NUMBER.fullmatch(word) for word in words):
        raise Fault(f"'{name}' has to be numbers with commas between them, not '{_start(words)}'")
    values = [int(word) for word in words]
    if not negative and any(value < 0 for value in values):
        raise Fault(f"'{name}' has a number below 0: '{_start(words)}'")
    return values


def decimals(attributes: Attributes, name: str) -> list[float]:
    """The same with decimal points."""
    words = _words(attributes, name)
    if not all(_DECIMAL.fullmatch(word) for word in words):
        raise Fault(f"'{name}' has to be numbers with commas between them, not '{_start(words)}'")
    return [float(word) for word in words]


def _words(attributes: Attributes, name: str) -> list[str]:
    text = attributes.get(name)
    if text is None:
        raise Fault(f"'{name}' is missing")
    words = text.split(",")
    if len(words) > _MAX:
        raise Fault(f"'{name}' has more than {_MAX} numbers")
    return words


def _start(words: list[str]) -> str:
    return ",".join(words)[:40]


def pairs(attributes: Attributes, name: str) -> tuple[tuple[int, int], ...]:
    """Numbers two by two; none when the attribute is not there."""
    if not attributes.get(name):
        return ()
    values = numbers(attributes, name)
    if len(values) % 2:
        raise Fault(f"'{name}' has to be pairs of numbers")
    return tuple(zip(values[::2], values[1::2], strict=True))


def seat(attributes: Attributes, name: str, players: int) -> int:
    """A seat of the game."""
    value = number(attributes, name)
    if not 0 <= value < players:
        raise Fault(f"no seat {value} in a game of {players}")
    return value


def tile(text: str | int) -> int:
    """A tile id."""
    if len(str(text)) > 3 or not 0 <= int(text) < TILES:
        raise Fault(f"there is no tile {text}: tiles are 0..{TILES - 1}")
    return int(text)


def tiles(attributes: Attributes, name: str, *, needed: bool = True) -> tuple[int, ...]:
    """Tile ids; none when the attribute is not there and not ``needed``."""
    if not needed and not attributes.get(name):
        return ()
    return tuple(tile(value) for value in numbers(attributes, name))


def scores(attributes: Attributes, name: str, players: int) -> tuple[int, ...]:
    """The scores of all seats. Three players' logs may have a fourth, which has to be 0."""
    values = numbers(attributes, name, negative=True)
    if len(values) not in (players, 4) or any(values[players:]):
        raise Fault(f"'{name}' has to be the scores of {players} players")
    return tuple(values[:players])


def read_pairs(
    attributes: Attributes, name: str, players: int
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Two numbers for each seat, told seat by seat: all first ones and all second ones."""
    values = decimals(attributes, name)
    if len(values) == _WITH_CHIPS:
        values = values[: _WITH_CHIPS // 2]
    if len(values) not in (2 * players, 8) or any(values[2 * players :]):
        raise Fault(f"'{name}' has to be two numbers for each of {players} players")
    first, second = values[: 2 * players : 2], values[1 : 2 * players : 2]
    return tuple(first), tuple(second)


def has_chips(attributes: Attributes, name: str) -> bool:
    """Whether a result tells of chips behind its scores."""
    return attributes.get(name, "").count(",") == _WITH_CHIPS - 1


def whole(values: tuple[float, ...], name: str) -> tuple[int, ...]:
    """The same as whole numbers."""
    if not all(math.isfinite(value) and value == int(value) for value in values):
        raise Fault(f"'{name}' has a score that is no whole number")
    return tuple(int(value) for value in values)
