"""The sets of colours that tiles have, and the palettes that are made from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from romproof.toolchains.rgbds.gfx.colors import (
    TRANSPARENT,
    UNUSED,
    game_boy_color,
    is_opaque,
    is_transparent,
    list_colors,
)
from romproof.toolchains.rgbds.gfx.image import Image, Tile
from romproof.toolchains.rgbds.gfx.options import GfxOptions, PaletteSource, Slots
from romproof.toolchains.rgbds.gfx.packing import Colors, pack
from romproof.toolchains.rgbds.gfx.palette_spec import fill_palette
from romproof.toolchains.rgbds.gfx.report import PictureReport

_PLACES = 4
CLEAR, BACKGROUND = -1, -2
"""In place of the number of a set: the tile has no opaque pixel; it is all background."""

Palette = list[int]
"""Four places with Game Boy colours, or UNUSED."""


@dataclass(frozen=True, slots=True)
class ColorSets:
    """The sets, and the number of the set that each tile's colours are in."""

    sets: list[Colors]
    of_tile: list[int]


@dataclass(frozen=True, slots=True)
class Palettes:
    """The palettes, and the palette's number for each tile."""

    palettes: list[Palette]
    of_tile: list[int]
    transparent: bool

    def numbers(self, palette: int) -> dict[int, int]:
        """The number that a pixel of a colour has with a palette."""
        start = int(self.transparent)
        numbers: dict[int, int] = {}
        for number, color in enumerate(self.palettes[palette][start:], start):
            numbers.setdefault(color, number)
        numbers[TRANSPARENT] = 0
        return numbers


def color_sets(image: Image, tiles: Sequence[Tile], report: PictureReport) -> ColorSets:
    """The sets of all tiles, none of them within another. Raises Aborted."""
    sets: list[Colors] = []
    of_tile: list[int] = []
    options = image.options
    background = None
    if options.background is not None:
        background = image.convert(options.background)
    for tile in tiles:
        colors = set(tile.pixels)
        if image.transparent:
            colors.discard(TRANSPARENT)
        if len(colors) > image.most_opaque:
            report.fatal(
                f"Tile at ({tile.x}, {tile.y}) has {len(colors)} colors, more than "
                f"{image.most_opaque}"
            )
        if not colors:
            of_tile.append(CLEAR)
        elif colors == {background}:
            of_tile.append(BACKGROUND)
        elif background in colors:
            report.fatal(
                f"Tile ({tile.x}, {tile.y}) contains the background color "
                f"(#{options.background:08x})"
            )
        else:
            _insert(sets, of_tile, tuple(sorted(colors)))
    if not sets:
        report.fatal("Image does not contain any colors")
    return ColorSets(sets, of_tile)


def _insert(sets: list[Colors], of_tile: list[int], colors: Colors) -> None:
    """Note a tile's colours: in a set that has them all, or in place of sets that they include."""
    mine = frozenset(colors)
    for number, other in enumerate(sets):
        if mine.issubset(other):
            of_tile.append(number)
            return
        if mine.issuperset(other):
            sets[number] = colors
            later = number + 1
            while later < len(sets):
                if mine > frozenset(sets[later]):
                    for at, known in enumerate(of_tile):
                        if known == later:
                            of_tile[at] = number
                        elif known > later:
                            of_tile[at] = known - 1
                    del sets[later]
                else:
                    later += 1
            of_tile.append(number)
            return
    of_tile.append(len(sets))
    sets.append(colors)


def make_palettes(image: Image, sets: ColorSets, report: PictureReport) -> Palettes:
    """The palettes as the options say. Raises Aborted if not all colours fit."""
    options = image.options
    if options.palette_source in (PaletteSource.AUTOMATIC, PaletteSource.DMG):
        of_set, palettes = _pack(image, sets.sets, report)
    else:
        given = options.palettes_given
        if options.palette_source is PaletteSource.EMBEDDED:
            given = (_embedded_palette(image, report),)
        palettes = given_palettes(given, options)
        of_set = _fit(sets.sets, palettes, image.transparent, report)
    check_count(palettes, options, report)
    # a tile without opaque pixels has the palette of the first set
    of_tile = [of_set[max(number, 0)] for number in sets.of_tile]
    return Palettes(palettes, of_tile, image.transparent)


def check_count(palettes: Sequence[Palette], options: GfxOptions, report: PictureReport) -> None:
    """Raise Aborted if there are too many palettes."""
    if len(palettes) > options.most_palettes:
        report.fatal(
            f"Generated {len(palettes)} palettes, over the maximum of {options.most_palettes}"
        )


def palette_bytes(palettes: Sequence[Palette], options: GfxOptions) -> bytes:
    """The palettes as a file; places without a colour are $FFFF."""
    return b"".join(
        color.to_bytes(2, "little")
        for palette in palettes
        for color in palette[: options.colors_per_palette]
    )


def given_palettes(given: Sequence[Slots], options: GfxOptions) -> list[Palette]:
    """Palettes that the command line or a file says, in Game Boy colours."""
    palettes = []
    for slots in given:
        palette = [UNUSED] * _PLACES
        for place, rgba in enumerate(slots[: options.colors_per_palette]):
            if rgba is not None and is_opaque(rgba):
                palette[place] = game_boy_color(rgba, options.curve)
        palettes.append(palette)
    return palettes


def _embedded_palette(image: Image, report: PictureReport) -> Slots:
    """As much of the PNG's palette as a palette has room for."""
    if not image.png_palette:
        report.fatal('"-c embedded" was given, but the PNG does not have an embedded palette')
    first = image.png_palette[: image.most_opaque]
    return fill_palette(list(first))


def _in_use(palette: Palette, transparent: bool) -> list[int]:
    """The colours from the first opaque place to the last that has one, gaps included."""
    end = max((i + 1 for i, color in enumerate(palette) if color != UNUSED), default=0)
    return palette[int(transparent) : end]


def _fit(
    sets: Sequence[Colors], palettes: Sequence[Palette], transparent: bool, report: PictureReport
) -> list[int]:
    """The first palette that has all colours of a set, for each set."""
    usable = [_in_use(palette, transparent) for palette in palettes]
    of_set = []
    bad = False
    for colors in sets:
        number = next((i for i, have in enumerate(usable) if set(colors).issubset(have)), None)
        if number is None:
            report.error(f"Failed to fit tile colors [{list_colors(colors)}] in specified palettes")
            bad = True
        of_set.append(number or 0)
    if bad:
        were = " was" if len(palettes) == 1 else "s were"
        report.note(f"note: The following palette{were} specified:")
        for have in usable:
            report.note(f"      - [{list_colors(have)}]")
        report.give_up()
    return of_set


def _pack(
    image: Image, sets: Sequence[Colors], report: PictureReport
) -> tuple[list[int], list[Palette]]:
    """Palettes made from the sets, each with its colours in the order rgbgfx(1) says."""
    of_set, count = pack(sets, image.most_opaque)
    colors: list[dict[int, None]] = [{} for _ in range(count)]
    for number, members in zip(of_set, sets, strict=True):
        colors[number].update(dict.fromkeys(members))
    if image.options.palette_source is PaletteSource.DMG:
        return of_set, [_by_gray(image)]
    if image.png_palette:
        report.warning(
            "embedded",
            "Sorting palette colors by PNG's embedded PLTE chunk without '-c/--colors embedded'",
        )
        known = [image.convert(rgba) for rgba in image.png_palette if not is_transparent(rgba)]
        order = {color: place for place, color in reversed(list(enumerate(known)))}
        ordered = [sorted(some, key=lambda color: order.get(color, len(known))) for some in colors]
    elif image.not_gray() is None:
        return of_set, [_by_gray(image)]
    else:
        ordered = [sorted(some, key=_luminance, reverse=True) for some in colors]
    reserved = [TRANSPARENT] if image.transparent else []
    return of_set, [(reserved + some + [UNUSED] * _PLACES)[:_PLACES] for some in ordered]


def _by_gray(image: Image) -> Palette:
    palette = [TRANSPARENT] * _PLACES
    for rgba in image.opaque:
        palette[image.gray_index(rgba)] = image.table[rgba]
    return palette


def _luminance(color: int) -> int:
    red, green, blue = color & 0x1F, color >> 5 & 0x1F, color >> 10 & 0x1F
    return 2126 * red + 7152 * green + 722 * blue
