"""Mahjong tiles: 34 kinds, four copies of each, and how they are written.

A kind is 0..33: characters (m) 1-9, circles (p) 1-9, bamboos (s) 1-9, winds east, south, west,
north, dragons white, green, red (z 1-7). A tile id is ``4 * kind + copy``. This is Tenhou's
numbering (verified on its published logs).
"""

from __future__ import annotations

from collections.abc import Iterable

KINDS = 34
COPIES = 4
TILES = KINDS * COPIES

RED_FIVES = frozenset({16, 52, 88})
"""The ids of the red fives: copy 0 of 5m, 5p and 5s."""

_SUITS = "mps"
NAMES = tuple(f"{n}{suit}" for suit in _SUITS for n in range(1, 10)) + tuple(
    f"{n}z" for n in range(1, 8)
)
"""By kind: 1m..9m, 1p..9p, 1s..9s, 1z..7z (east south west north white green red)."""

_WINDS = "🀀🀁🀂🀃"
_DRAGONS = "🀆🀅🀄"
GLYPHS = (
    tuple(chr(0x1F007 + n) for n in range(9))
    + tuple(chr(0x1F019 + n) for n in range(9))
    + tuple(chr(0x1F010 + n) for n in range(9))
    + tuple(_WINDS)
    + tuple(_DRAGONS)
)
"""By kind: the Unicode block "Mahjong Tiles". The red dragon is followed by no variation mark."""


def kind(tile: int) -> int:
    """The kind (0..33) of a tile id (0..135)."""
    return tile // COPIES


def name(tile: int, reds: bool = True) -> str:
    """``5p``; a red five is ``0p``, as in most notations, when the game has ``reds``."""
    text = NAMES[kind(tile)]
    return "0" + text[1] if reds and tile in RED_FIVES else text


def glyph(tile: int) -> str:
    """The tile as one character."""
    return GLYPHS[kind(tile)]


def hand_text(tiles: Iterable[int], reds: bool = True) -> str:
    """Tiles in order of their kinds, each suit's letter once: ``123m055p11z``."""
    text, suit = "", ""
    for tile in sorted(tiles):
        one = name(tile, reds)
        if suit and one[1] != suit:
            text += suit
        suit = one[1]
        text += one[0]
    return text + suit
