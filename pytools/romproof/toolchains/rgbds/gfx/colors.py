"""Colours: those of pictures, packed as 0xRRGGBBAA, and those of the Game Boy Color, 15 bits.

A Game Boy colour has red in its low five bits, then green, then blue; TRANSPARENT stands for all
transparent ones, UNUSED for a place in a palette that has no colour.
"""

from __future__ import annotations

from collections.abc import Iterable

TRANSPARENT = 0x8000
UNUSED = 0xFFFF
TRANSPARENT_BELOW = 0x10
"""An alpha value below this is transparent: rgbgfx(1), "Transparency"."""
OPAQUE_FROM = 0xF0
"""An alpha value from this on is opaque."""
WHITE, BLACK = 0xFFFFFFFF, 0x000000FF
GRAYS = (WHITE, 0xAAAAAAFF, 0x555555FF, BLACK)
"""The shades of the first Game Boy, lightest first."""

_CURVE_RUNS = (
    *(11, 9, 9, 8, 7, 7, 6, 8, 6, 5, 6, 6, 5, 5, 6, 5),
    *(6, 5, 6, 5, 6, 6, 7, 6, 7, 8, 8, 9, 10, 11, 15, 32),
)
"""How many of the 256 levels of a picture come to each of the 32 on the screen, as measured by
SameBoy's "Modern - Accurate" formula, which rgbgfx -C inverts."""
_CURVE = tuple(level for level, count in enumerate(_CURVE_RUNS) for _ in range(count))


def is_transparent(rgba: int) -> bool:
    """Whether a picture's colour counts as transparent."""
    return (rgba & 0xFF) < TRANSPARENT_BELOW


def is_opaque(rgba: int) -> bool:
    """Whether a picture's colour counts as opaque."""
    return (rgba & 0xFF) >= OPAQUE_FROM


def is_gray(rgba: int) -> bool:
    """Whether red, green and blue are equal."""
    return rgba >> 24 == (rgba >> 16 & 0xFF) == (rgba >> 8 & 0xFF)


def game_boy_color(rgba: int, curve: bool) -> int:
    """What a picture's colour becomes; ``curve``: so that a Game Boy's screen looks like it."""
    if is_transparent(rgba):
        return TRANSPARENT
    red, green, blue = rgba >> 24, rgba >> 16 & 0xFF, rgba >> 8 & 0xFF
    if not curve:
        return red >> 3 | green >> 3 << 5 | blue >> 3 << 10
    mixed = ((green / 255.0) ** 2.2 * 4 - (blue / 255.0) ** 2.2) / 3
    green = int(min(max(mixed, 0.0), 1.0) ** (1 / 2.2) * 255 + 0.5)
    return _CURVE[red] | _CURVE[green] << 5 | _CURVE[blue] << 10


def picture_color(color: int) -> int:
    """The picture's colour that a Game Boy colour is shown as."""
    red, green, blue = (
        (level << 3 | level >> 2) for level in (color & 0x1F, color >> 5 & 0x1F, color >> 10 & 0x1F)
    )
    return red << 24 | green << 16 | blue << 8 | (0 if color & TRANSPARENT else 0xFF)


def rgb(red: int, green: int, blue: int) -> int:
    """An opaque colour of a picture."""
    return red << 24 | green << 16 | blue << 8 | 0xFF


def show_color(color: int) -> str:
    """How messages write a Game Boy colour."""
    if color == TRANSPARENT:
        return "transparent"
    return f"GB:{color & 0x1F:02d},{color >> 5 & 0x1F:02d},{color >> 10 & 0x1F:02d}"


def list_colors(colors: Iterable[int]) -> str:
    """How messages write several Game Boy colours."""
    return "; ".join(map(show_color, colors))
