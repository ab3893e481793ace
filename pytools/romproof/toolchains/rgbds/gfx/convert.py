"""A picture to tiles, maps and palettes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from romproof.toolchains.rgbds.gfx.color_sets import (
    BACKGROUND,
    ColorSets,
    Palettes,
    check_count,
    color_sets,
    given_palettes,
    make_palettes,
    palette_bytes,
)
from romproof.toolchains.rgbds.gfx.image import Image, Tile, check_image
from romproof.toolchains.rgbds.gfx.options import GfxOptions, PaletteSource
from romproof.toolchains.rgbds.gfx.png_pixels import read_png
from romproof.toolchains.rgbds.gfx.report import PictureReport
from romproof.toolchains.rgbds.gfx.tile_data import (
    EMPTY_TILE,
    UniqueTiles,
    of_depth,
    tile_bytes,
)

Outputs = list[tuple[str, bytes]]
"""Files to write: paths and contents."""
Read = Callable[[str], bytes]
"""Gives the contents of a file, or of standard input for "-". Raises OSError."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """A place of the maps: tile's number modulo 256, bank, how it is mirrored, palette."""

    tile: int
    bank: int
    x: bool
    y: bool
    palette: int


def convert_palettes(options: GfxOptions, report: PictureReport) -> Outputs:
    """Only the palettes that were given, without a picture. Raises Aborted."""
    palettes = given_palettes(options.palettes_given, options)
    check_count(palettes, options, report)
    return [(options.palette_file, palette_bytes(palettes, options))]


def convert(options: GfxOptions, read: Read, report: PictureReport) -> Outputs:
    """All files that the options ask for. Raises Aborted; there is then nothing to write."""
    name = "<stdin>" if options.input == "-" else options.input
    try:
        data = read(options.input)
    except OSError as fault:
        report.fatal(f'Failed to open input image ("{name}"): {fault.strerror}')
    image = check_image(read_png(data, name, report), options, report)
    if options.palette_source is PaletteSource.DMG:
        _check_dmg(image, report)
    tiles = image.tiles()
    sets = color_sets(image, tiles, report)
    palettes = make_palettes(image, sets, report)
    if options.unique:
        kept, entries = _unique(image, tiles, sets, palettes, read, report)
    else:
        kept, entries = _plain(image, tiles, sets, palettes, report)
    outputs: Outputs = []
    if options.palette_file:
        outputs.append((options.palette_file, palette_bytes(palettes.palettes, options)))
    if options.tiles:
        outputs.append((options.tiles, _tile_file(kept, options, report)))
    if options.tilemap:
        outputs.append((options.tilemap, bytes(entry.tile for entry in entries)))
    if options.attribute_map:
        outputs.append((options.attribute_map, bytes(map(_attribute, entries))))
    if options.palette_map:
        outputs.append((options.palette_map, bytes(entry.palette for entry in entries)))
    report.require_no_errors()
    return outputs


def _check_dmg(image: Image, report: PictureReport) -> None:
    start = "Image is not compatible with a DMG palette specification: it contains"
    if image.transparent:
        report.fatal(f"{start} transparent pixels")
    why = image.not_gray()
    if why is not None:
        report.fatal(f"{start} {why}")


def _plain(
    image: Image,
    tiles: Sequence[Tile],
    sets: ColorSets,
    palettes: Palettes,
    report: PictureReport,
) -> tuple[list[bytes | None], list[_Entry]]:
    """The tiles (None for background) and entries without looking for the same ones."""
    options = image.options
    _check_tiles(sum(number != BACKGROUND for number in sets.of_tile), options, report)
    if options.input_tiles:
        report.fatal("Input tilesets are not supported without '-u'")
    data: list[bytes | None] = []
    entries: list[_Entry] = []
    tile_number = bank = 0
    for number, palette in zip(sets.of_tile, palettes.of_tile, strict=True):
        background = number == BACKGROUND
        shown = ((0 if background else tile_number) + options.base_tiles[bank]) & 0xFF
        palette_number = (palette + options.base_palette) & 0xFF
        entries.append(_Entry(shown, bank, False, False, palette_number))
        if background:
            continue
        tile_number += 1
        if tile_number >= options.most_tiles[bank] and bank == 0:
            bank, tile_number = 1, 0
    if options.tiles:
        data = _data(tiles, sets, palettes)
    return data, entries


def _data(tiles: Sequence[Tile], sets: ColorSets, palettes: Palettes) -> list[bytes | None]:
    """The data of all tiles that are not background."""
    numbers = [palettes.numbers(palette) for palette in range(len(palettes.palettes))]
    return [
        None if number == BACKGROUND else tile_bytes(tile.pixels, numbers[palette])
        for tile, number, palette in zip(tiles, sets.of_tile, palettes.of_tile, strict=True)
    ]


def _unique(
    image: Image,
    tiles: Sequence[Tile],
    sets: ColorSets,
    palettes: Palettes,
    read: Read,
    report: PictureReport,
) -> tuple[list[bytes | None], list[_Entry]]:
    """The tiles that are different, and the entries."""
    options = image.options
    unique = UniqueTiles(options.mirror_x, options.mirror_y)
    if options.input_tiles:
        _add_input_tiles(unique, options, read, report)
    entries = []
    data = _data(tiles, sets, palettes)
    for tile, bits, palette in zip(tiles, data, palettes.of_tile, strict=True):
        palette_number = (palette + options.base_palette) & 0xFF
        if bits is None:
            entries.append(_Entry(0, 0, False, False, palette_number))
            continue
        match = unique.add(bits)
        if match.new and options.input_tiles and not options.tiles:
            report.error(
                f"Tile at ({tile.x}, {tile.y}) is not within the input tileset, and '-o' was not "
                "given"
            )
        bank = int(match.number >= options.most_tiles[0])
        number = match.number - bank * options.most_tiles[0] + options.base_tiles[bank]
        entries.append(_Entry(number & 0xFF, bank, match.x, match.y, palette_number))
    _check_tiles(len(unique.tiles), options, report)
    return list(unique.tiles), entries


def _add_input_tiles(
    unique: UniqueTiles, options: GfxOptions, read: Read, report: PictureReport
) -> None:
    name, size = options.input_tiles, 8 * options.bit_depth
    try:
        data = read(name)
    except OSError as fault:
        report.fatal(f'Failed to open "{name}": {fault.strerror}')
    for at in range(0, len(data), size):
        tile = data[at : at + size]
        if len(tile) < size:
            report.fatal(
                f'"{name}" does not contain a multiple of {size} bytes; is it actually tile data?'
            )
        if size == 8:
            tile = bytes(byte for low in tile for byte in (low, 0))
        match = unique.add(tile)
        if not match.new:
            report.error(
                f"The input tileset's tile #{match.number} was deduplicated; please check that "
                "your deduplication flags ('-u', '-m') are consistent with what was used to "
                "generate the input tileset"
            )


def _check_tiles(count: int, options: GfxOptions, report: PictureReport) -> None:
    first, second = options.most_tiles
    if count > first + second:
        report.fatal(f"Image contains {count} tiles, exceeding the limit of {first} + {second}")


def _tile_file(tiles: Sequence[bytes | None], options: GfxOptions, report: PictureReport) -> bytes:
    """The tiles but the last ``trim``; it warns if those are not empty."""
    count = max(0, len(tiles) - options.trim)
    if any(tile not in (None, EMPTY_TILE) for tile in tiles[count:]):
        report.warning("trim-nonempty", "Trimming a nonempty tile (configure with '-x/--trim-end')")
    return b"".join(of_depth(tile, options.bit_depth) for tile in tiles[:count] if tile is not None)


def _attribute(entry: _Entry) -> int:
    return entry.palette & 7 | entry.bank << 3 | entry.x << 5 | entry.y << 6
