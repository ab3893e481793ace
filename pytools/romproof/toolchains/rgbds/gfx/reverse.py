"""Tiles, maps and palettes back to a picture (``-r``)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isqrt

from romproof.toolchains.rgbds.gfx.colors import GRAYS, picture_color
from romproof.toolchains.rgbds.gfx.convert import Outputs, Read
from romproof.toolchains.rgbds.gfx.image import SIDE
from romproof.toolchains.rgbds.gfx.options import GfxOptions, PaletteSource, Slots
from romproof.toolchains.rgbds.gfx.palette_spec import fill_palette
from romproof.toolchains.rgbds.gfx.png_chunks import MAX_PIXELS
from romproof.toolchains.rgbds.gfx.png_write import png_of_colors, png_of_grays, png_of_indices
from romproof.toolchains.rgbds.gfx.report import PictureReport
from romproof.toolchains.rgbds.gfx.tile_data import FLIPPED

_MIRROR_X, _MIRROR_Y, _BANK = 0x20, 0x40, 0x08
"""Bits of an attribute."""


@dataclass(frozen=True, slots=True)
class _Maps:
    """What is known of each place of the picture; None: there is no such file."""

    tiles: bytes | None
    attributes: bytes | None
    palettes: bytes | None


def reverse(options: GfxOptions, read: Read, report: PictureReport) -> Outputs:
    """The picture that a conversion came from, or may have. Raises Aborted."""
    if not options.tiles:
        report.fatal("Tile data must be provided when reversing an image")
    _warn_of_options(options, report)
    data = _read(options.tiles, read, report)
    size = SIDE * options.bit_depth
    if len(data) % size:
        report.fatal(f"Tile data size ({len(data)} bytes) is not a multiple of {size} bytes")
    tiles = [data[at : at + size] for at in range(0, len(data), size)]
    tilemap = _read(options.tilemap, read, report) if options.tilemap else None
    count = len(tiles) + options.trim if tilemap is None else len(tilemap)
    width = _width(count, options, report)
    palettes = _palettes(options, read, report)
    if not palettes:
        whose = f'"{options.palette_file}"' if options.palette_file else "'-c'"
        report.fatal(f"There are no palettes in {whose}; the image needs one at least")
    maps, in_first_bank = _maps(options, read, report, tilemap, len(tiles), width, palettes)
    places = _Places(options, maps, tiles, in_first_bank)
    rows = _rows(places, palettes, width, count // width, report)
    report.require_no_errors()
    return [(options.input, _png(options, palettes, rows, width, count // width))]


def _warn_of_options(options: GfxOptions, report: PictureReport) -> None:
    part = options.slice
    if options.unique and not options.tilemap:
        report.warn("Tile deduplication is enabled, but no tilemap is provided")
    if options.curve:
        report.warn("The color curve is not yet supported in reverse mode")
    if part.left or part.top or part.height:
        report.warn('"Sliced-off" pixels are ignored in reverse mode')
    if part.width and part.width != options.stride * 8:
        report.warn(
            f"Specified input slice width ({part.width}) does not match provided reversing width "
            f"({options.stride} * 8)"
        )


def _read(name: str, read: Read, report: PictureReport) -> bytes:
    try:
        return read(name)
    except OSError as fault:
        shown = "<stdin>" if name == "-" else name
        report.fatal(f'Failed to open "{shown}": {fault.strerror}')


def _width(count: int, options: GfxOptions, report: PictureReport) -> int:
    """The picture's width in tiles."""
    if count == 0:
        report.fatal("Cannot generate empty image")
    first, second = options.most_tiles
    if count > first + second:
        report.warn(f"Total number of tiles ({count}) is more than the limit of {first} + {second}")
    if count * SIDE * SIDE > MAX_PIXELS:
        report.fatal(f"The image would have {count} tiles; there can only be {MAX_PIXELS // 64}")
    width = options.stride
    if width == 0:
        # the squarest that is not upright
        least = isqrt(count - 1) + 1
        width = next(width for width in range(least, count + 1) if count % width == 0)
    if count % width:
        why = f"Total number of tiles ({count}) cannot be divided by image width ({width} tiles)"
        if options.trim == 0 and not options.tilemap:
            missing = width - count % width
            why += f'\n(To proceed anyway with this image width, try passing "-x {missing}")'
        report.fatal(why)
    return width


def _palettes(options: GfxOptions, read: Read, report: PictureReport) -> Sequence[Slots]:
    """The palettes in a file or from the command line; without them four shades of gray."""
    grays = fill_palette(list(GRAYS))
    if options.palette_file:
        return _palette_file(options, read, report)
    if options.palette_source is PaletteSource.DMG:
        return [fill_palette([GRAYS[options.dmg_shade(index)] for index in range(4)])]
    if options.palette_source is PaletteSource.EMBEDDED:
        report.warn(
            "An embedded palette was requested, but no palette file was specified; ignoring request"
        )
    if options.palette_source is PaletteSource.EXPLICIT:
        return options.palettes_given
    return [grays]


def _palette_file(options: GfxOptions, read: Read, report: PictureReport) -> Sequence[Slots]:
    data = _read(options.palette_file, read, report)
    if len(data) % 8:
        report.fatal(f"Palette data size ({len(data)}) is not a multiple of 8 bytes\n")
    palettes = []
    for at in range(0, len(data), 8):
        words = [data[i] | data[i + 1] << 8 for i in range(at, at + 8, 2)]
        palettes.append(fill_palette(list(map(picture_color, words[: options.colors_per_palette]))))
    if len(palettes) > options.most_palettes:
        report.warn(
            f"Read {len(palettes)} palettes, more than the specified limit of "
            f"{options.most_palettes}"
        )
    given = options.palettes_given
    if options.palette_source is PaletteSource.EXPLICIT and palettes != list(given):
        report.warn("Colors in the palette file do not match those specified with '-c'")
        report.note("Colors specified in the palette file:         ...versus with '-c':")
        for index in range(max(len(palettes), len(given))):
            line = _show(palettes[index]) if index < len(palettes) else " " * 44
            report.note(line + ("  " + _show(given[index]) if index < len(given) else ""))
    return palettes


def _show(palette: Slots) -> str:
    colors = ("<none>   " if color is None else f"#{color:08x}" for color in palette)
    return f"[{', '.join(colors)}]"


def _maps(
    options: GfxOptions,
    read: Read,
    report: PictureReport,
    tilemap: bytes | None,
    tile_count: int,
    width: int,
    palettes: Sequence[Slots],
) -> tuple[_Maps, int]:
    """All maps, checked, and how many of the tiles are in the first bank."""
    count = len(tilemap) if tilemap is not None else tile_count + options.trim
    attributes = palette_map = None
    in_banks = [0, 0]
    if options.attribute_map:
        attributes = _read(options.attribute_map, read, report)
        _check_length("Attribute", attributes, count, report)
        _check_palettes("Attribute", attributes, options.base_palette, 7, width, palettes, report)
        in_banks = _check_banks(options, attributes, tilemap, tile_count, width, report)
        report.require_no_errors()
    if tilemap is not None:
        _check_tiles(options, attributes, tilemap, tile_count, width, report)
        report.require_no_errors()
    if options.palette_map:
        palette_map = _read(options.palette_map, read, report)
        _check_length("Palette", palette_map, count, report)
        _check_palettes("Palette", palette_map, options.base_palette, 0xFF, width, palettes, report)
        report.require_no_errors()
    return _Maps(tilemap, attributes, palette_map), in_banks[0]


def _check_length(kind: str, data: bytes, count: int, report: PictureReport) -> None:
    if len(data) != count:
        report.fatal(
            f"{kind} map size ({len(data)} tiles) does not match image size ({count} tiles)"
        )


def _place(index: int, width: int) -> str:
    return f"({index % width}, {index // width})"


def _check_palettes(
    kind: str,
    data: bytes,
    base: int,
    mask: int,
    width: int,
    palettes: Sequence[Slots],
    report: PictureReport,
) -> None:
    """Report palettes that there are not."""
    one = len(palettes) == 1
    for index, value in enumerate(data):
        if (value - base) & mask >= len(palettes):
            report.error(
                f"{kind} map references palette #{value & mask} at {_place(index, width)}, but "
                f"there {'is' if one else 'are'} only {len(palettes)} palette{'s'[: not one]}"
            )


def _check_banks(
    options: GfxOptions,
    attributes: bytes,
    tilemap: bytes | None,
    tile_count: int,
    width: int,
    report: PictureReport,
) -> list[int]:
    """How many tiles each bank has to have; reports if there are too few or too many."""
    in_banks = [0, 0]
    for index, attribute in enumerate(attributes):
        bank = int(attribute & _BANK != 0)
        if tilemap is not None:
            number = (tilemap[index] - options.base_tiles[bank]) & 0xFF
            in_banks[bank] = max(in_banks[bank], number + 1)
        elif bank:
            report.warn(
                f"Attribute map assigns tile at {_place(index, width)} to bank 1, but no tilemap "
                "specified; ignoring the bank bit"
            )
    for bank, most in enumerate(options.most_tiles):
        if in_banks[bank] > most:
            report.error(
                f"Bank {bank} contains {in_banks[bank]} tiles, but the specified limit is {most}"
            )
    if sum(in_banks) > tile_count:
        report.fatal(
            f"The tilemap references {in_banks[0]} tiles in bank 0 and {in_banks[1]} in bank 1, "
            f"but only {tile_count} have been read in total"
        )
    return in_banks


def _check_tiles(
    options: GfxOptions,
    attributes: bytes | None,
    tilemap: bytes,
    tile_count: int,
    width: int,
    report: PictureReport,
) -> None:
    """Report tiles that there are not."""
    for index, value in enumerate(tilemap):
        bank = int(attributes is not None and attributes[index] & _BANK != 0)
        most = options.most_tiles[bank]
        limit = f"the limit for bank {bank} is {most}"
        if attributes is None:
            most = min(tile_count, most)
            limit = f"the limit is {most}"
        if (value - options.base_tiles[bank]) & 0xFF >= most:
            place = _place(index, width)
            report.error(f"Tilemap references tile #{value} at {place}, but {limit}")


@dataclass(frozen=True, slots=True)
class _Places:
    """What lies at each place of the picture."""

    options: GfxOptions
    maps: _Maps
    tiles: Sequence[bytes]
    in_first_bank: int

    def attribute(self, index: int) -> int:
        """How the tile at a place is mirrored, and its bank."""
        return 0 if self.maps.attributes is None else self.maps.attributes[index]

    def tile(self, index: int) -> bytes:
        """The tile's data; those that were trimmed are empty."""
        number = index
        if self.maps.tiles is not None:
            bank = int(self.attribute(index) & _BANK != 0)
            number = (self.maps.tiles[index] - self.options.base_tiles[bank]) & 0xFF
            number += bank * self.in_first_bank
        return self.tiles[number] if number < len(self.tiles) else bytes(2 * SIDE)

    def palette(self, index: int) -> int:
        """The palette's number."""
        base = self.options.base_palette
        if self.maps.palettes is not None:
            return (self.maps.palettes[index] - base) & 0xFF
        return 0 if self.maps.attributes is None else (self.attribute(index) - base) & 7

    def numbers(self, index: int) -> Iterator[list[int]]:
        """The rows of the tile at a place: the colour number of each pixel."""
        data, attribute, depth = self.tile(index), self.attribute(index), self.options.bit_depth
        for y in range(SIDE):
            at = (SIDE - 1 - y if attribute & _MIRROR_Y else y) * depth
            low, high = data[at], data[at + depth - 1]
            if attribute & _MIRROR_X:
                low, high = FLIPPED[low], FLIPPED[high]
            yield [low >> bit & 1 | (high >> bit & 1) << 1 for bit in range(7, -1, -1)]


def _rows(
    places: _Places, palettes: Sequence[Slots], width: int, height: int, report: PictureReport
) -> list[list[tuple[int, int]]]:
    """The rows of pixels: the colour number and the colour of each."""
    options = places.options
    rows: list[list[tuple[int, int]]] = []
    for ty in range(height):
        band: list[list[tuple[int, int]]] = [[] for _ in range(SIDE)]
        for tx in range(width):
            index = ty + tx * height if options.by_columns else ty * width + tx
            palette = palettes[places.palette(index)]
            for row, numbers in zip(band, places.numbers(index), strict=True):
                for number in numbers:
                    color = palette[number]
                    if color is None:
                        few = options.colors_per_palette
                        report.fatal(
                            f"Tile at ({tx}, {ty}) references color #{number}, but there "
                            f"{'is' if few == 1 else 'are'} only {few} color{'s'[: few != 1]} per "
                            "palette"
                        )
                    row.append((number, color))
        rows += band
    return rows


def _png(
    options: GfxOptions,
    palettes: Sequence[Slots],
    rows: list[list[tuple[int, int]]],
    width: int,
    height: int,
) -> bytes:
    """Grays without a palette file, numbers with one palette, colours with more."""
    size = width * SIDE, height * SIDE
    if not options.palette_file:
        mask = (1 << options.bit_depth) - 1
        grays = ([color >> 24 & mask for _, color in row] for row in rows)
        return png_of_grays(grays, *size, options.bit_depth)
    if len(palettes) == 1:
        known = [color for color in palettes[0] if color is not None]
        return png_of_indices(([number for number, _ in row] for row in rows), *size, known)
    return png_of_colors(([color for _, color in row] for row in rows), *size)
