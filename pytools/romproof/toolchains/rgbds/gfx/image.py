"""The picture that is converted: its colours checked, cut into tiles of 8 by 8 pixels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from romproof.toolchains.rgbds.gfx.colors import (
    OPAQUE_FROM,
    TRANSPARENT,
    TRANSPARENT_BELOW,
    game_boy_color,
    is_gray,
    is_opaque,
    is_transparent,
    show_color,
)
from romproof.toolchains.rgbds.gfx.options import GfxOptions, PaletteSource, Slice
from romproof.toolchains.rgbds.gfx.png_pixels import Picture
from romproof.toolchains.rgbds.gfx.report import PictureReport

SIDE = 8
"""Pixels of a tile's side."""


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile: its corner in the picture, and the Game Boy colours of its 64 pixels by rows."""

    x: int
    y: int
    pixels: Sequence[int]


@dataclass(frozen=True, slots=True)
class Image:
    """A picture in Game Boy colours.

    ``colors`` are the picture's colours in the order of the Game Boy colours they become, one
    for each. ``png_palette`` is the palette of the PNG. ``transparent``: a palette's first place is
    kept for transparent pixels.
    """

    picture: Picture
    options: GfxOptions
    table: dict[int, int]
    colors: dict[int, int]
    transparent: bool

    @property
    def opaque(self) -> list[int]:
        """The picture's opaque colours."""
        return [rgba for color, rgba in sorted(self.colors.items()) if is_opaque(rgba)]

    @property
    def most_opaque(self) -> int:
        """How many opaque colours a palette has room for."""
        return self.options.colors_per_palette - self.transparent

    @property
    def png_palette(self) -> tuple[int, ...]:
        """The palette of the PNG, as the picture's colours."""
        return self.picture.palette

    def convert(self, rgba: int) -> int:
        """The Game Boy colour that one of the picture's becomes."""
        return game_boy_color(rgba, self.options.curve)

    def gray_index(self, rgba: int) -> int:
        """The number of a gray colour in a palette of grays."""
        gray = 0xFF - (rgba >> 24)
        if self.options.palette_source is PaletteSource.DMG:
            shade = gray * 4 // 256
            index = next(i for i in range(4) if self.options.dmg_shade(i) == shade)
            return index * self.options.colors_per_palette // 4
        return gray * self.most_opaque // 256 + self.transparent

    def not_gray(self) -> str | None:
        """Why the picture is none of grays that a palette has room for; None if it is."""
        opaque = self.opaque
        if len(opaque) > self.most_opaque:
            return f"too many colors ({len(opaque)})"
        taken: set[int] = set()
        for rgba in opaque:
            if not is_gray(rgba):
                return f"a non-gray color #{rgba:08x}"
            index = self.gray_index(rgba)
            if index in taken:
                return f"a color #{rgba:08x} that reduces to the same gray shade as another one"
            taken.add(index)
        return None

    @property
    def size_in_tiles(self) -> tuple[int, int]:
        """Width and height of what is converted."""
        part = self.options.slice
        return part.width or self.picture.width // SIDE, part.height or self.picture.height // SIDE

    def tiles(self) -> list[Tile]:
        """All tiles, by rows or by columns."""
        part, stride = self.options.slice, self.picture.width
        width, height = self.size_in_tiles
        pixels = [self.table[rgba] for rgba in self.picture.pixels]
        columns = range(part.left, part.left + width * SIDE, SIDE)
        rows = range(part.top, part.top + height * SIDE, SIDE)
        if self.options.by_columns:
            corners = [(x, y) for x in columns for y in rows]
        else:
            corners = [(x, y) for y in rows for x in columns]
        return [
            Tile(
                x,
                y,
                list(
                    chain.from_iterable(
                        pixels[at : at + SIDE]
                        for at in range(y * stride + x, (y + SIDE) * stride + x, stride)
                    )
                ),
            )
            for x, y in corners
        ]


def check_image(picture: Picture, options: GfxOptions, report: PictureReport) -> Image:
    """The picture with its colours. Raises Aborted if it cannot be cut into tiles."""
    _check_size(picture, options.slice, report)
    table: dict[int, int] = {}
    colors: dict[int, int] = {}
    for rgba in dict.fromkeys(picture.pixels):
        color = table[rgba] = game_boy_color(rgba, options.curve)
        if is_transparent(rgba) == is_opaque(rgba):
            report.error(
                f"Color #{rgba:08x} is neither transparent (alpha < {TRANSPARENT_BELOW}) nor "
                f"opaque (alpha >= {OPAQUE_FROM}) (first seen at {_place(picture, rgba)})"
            )
        elif colors.setdefault(color, rgba) != rgba:
            report.warn(
                f"Colors #{rgba:08x} and #{colors[color]:08x} both reduce to the same RGB555 "
                f"color {show_color(color)} (first seen at {_place(picture, rgba)})"
            )
    transparent = TRANSPARENT in colors and not options.transparent_background
    return Image(picture, options, table, colors, transparent)


def _place(picture: Picture, rgba: int) -> str:
    y, x = divmod(picture.pixels.index(rgba), picture.width)
    return f"({x}, {y})"


def _check_size(picture: Picture, part: Slice, report: PictureReport) -> None:
    if part.width == 0 and picture.width % SIDE:
        report.fatal(f"Image width ({picture.width} pixels) is not a multiple of 8")
    if part.height == 0 and picture.height % SIDE:
        report.fatal(f"Image height ({picture.height} pixels) is not a multiple of 8")
    if part.right > picture.width or part.bottom > picture.height:
        report.error(
            f"Image slice (({part.left}, {part.top}) to ({part.right}, {part.bottom})) is outside "
            f"the image bounds ({picture.width}x{picture.height})"
        )
        if part.width % 8 == 0 and part.height % 8 == 0:
            report.note(
                f'       (Did you mean the slice "{part.left},{part.top}:{part.width // 8},'
                f'{part.height // 8}"? The width and height are in tiles, not pixels!)'
            )
        report.give_up()
