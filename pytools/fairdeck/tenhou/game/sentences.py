"""Messages of the verifier: an English template with values, so that they can be translated.

The template is the key of a message. The command line prints English; the viewer looks the same
template up in its table of translations (``fairdeck/viewer/assets/sentences.json``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from fairdeck.tiles import name

Translate = Callable[[str], str]
"""From a template to that of another language, with the same fields in braces."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A template and the values of its fields; ``str()`` is the English text."""

    template: str
    values: tuple[tuple[str, Value], ...] = ()

    def __str__(self) -> str:
        return self.text(str)

    def text(self, translate: Translate) -> str:
        """The message in another language. Raises KeyError for a field without a value."""
        values = {field: _text(value, translate) for field, value in self.values}
        return translate(self.template).format_map(values)


@dataclass(frozen=True, slots=True)
class Listed:
    """Several values with a word between them; ``empty`` is a template that stands for none."""

    values: tuple[Value, ...]
    between: str
    empty: str


Value = int | str | Sentence | Listed
"""Strings are names and notations that are the same in all languages."""


def _text(value: Value, translate: Translate) -> str:
    if isinstance(value, Sentence):
        return value.text(translate)
    if isinstance(value, Listed):
        texts = [_text(one, translate) for one in value.values]
        return translate(value.between).join(texts) if texts else translate(value.empty)
    return str(value)


def say(template: str, /, **values: Value) -> Sentence:
    """A message. The template is a literal: a test holds the translations against all calls."""
    return Sentence(template, tuple(values.items()))


def word(text: str) -> Sentence:
    """A word of a closed list, such as the name of a call or of a yaku, to be translated."""
    return Sentence(text)


def list_values(values: Iterable[Value], between: str = ", ", empty: str = "none") -> Listed:
    """Values with ``between`` between them, both templates."""
    return Listed(tuple(values), between, empty)


def tile_text(tile: int) -> Sentence:
    """A tile, by its name and its id: copies look alike."""
    return say("{name} (tile {tile})", name=name(tile), tile=tile)


def tiles_text(tiles: Iterable[int]) -> Listed:
    """Tiles, each by its name and its id."""
    return list_values(tile_text(tile) for tile in tiles)


def seat_text(seat: int | None) -> Sentence:
    """A seat, or nobody."""
    return say("nobody") if seat is None else say("seat {seat}", seat=seat)
