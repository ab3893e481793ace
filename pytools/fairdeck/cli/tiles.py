"""Tiles as text: glyphs where they can be shown, letters elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from fairdeck.tiles import RED_FIVES, glyph, hand_text, name

_ROW = 17
"""Stacks of a side of the table, two tiles each; a row has this many tiles."""


def can_show_glyphs() -> bool:
    """Whether stdout's encoding has the mahjong tiles."""
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    try:
        glyph(0).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def tile_text(tile: int, letters: bool, reds: bool = True) -> str:
    """One tile, red fives in red."""
    text = name(tile, reds) if letters else glyph(tile) + " "
    return click.style(text, fg="red") if reds and tile in RED_FIVES else text


def hand_line(tiles: Sequence[int], letters: bool) -> str:
    """A hand in order: its glyphs, and its usual short form behind them."""
    short = hand_text(tiles)
    if letters:
        return short
    return f"{''.join(tile_text(tile, False) for tile in sorted(tiles))} {short}"


def wall_rows(tiles: Sequence[int], letters: bool, reds: bool = True) -> str:
    """A wall, from index 0 on, in rows with the index of each row's first tile."""
    lines = []
    for at in range(0, len(tiles), _ROW):
        row = (tile_text(t, letters, reds) for t in tiles[at : at + _ROW])
        lines.append(f"  {at:3}  {(' ' if letters else '').join(row)}".rstrip())
    return "\n".join(lines)


letters_option = click.option(
    "--letters/--glyphs",
    "letters",
    default=None,
    help="Tiles as letters (5p) or as glyphs; without either, glyphs where they can be shown.",
)


def use_letters(wanted: bool | None) -> bool:
    """What the option says, or what the terminal needs."""
    return not can_show_glyphs() if wanted is None else wanted
