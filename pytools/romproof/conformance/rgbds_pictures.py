"""Random pictures for rgbgfx: what the random bits in RGBDS's test/gfx/seed*.bin stand for.

A picture has ten colours in two groups of five; a tile has up to four colours of one group, so
that eight palettes are enough, and may be another one mirrored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

_SIDE = 8
_LEAST_TILES = 3


@dataclass(slots=True)
class _Bits:
    """Random bits, the low ones of each byte first."""

    data: bytes
    at: int = 0

    def read_bits(self, count: int) -> int:
        """The next ``count`` bits. Raises EOFError behind the last."""
        if self.at + count > 8 * len(self.data):
            raise EOFError("the file of random bits is too short for a picture")
        value = 0
        for place in range(count):
            byte, bit = divmod(self.at, 8)
            value |= (self.data[byte] >> bit & 1) << place
            self.at += 1
        return value


_Pixels = list[list[int]]


@dataclass(frozen=True, slots=True)
class RandomPicture:
    """A picture: size in tiles, and the 15-bit colours by rows; bit 15 is transparent."""

    width: int
    height: int
    rows: list[list[int]] = field(default_factory=list)


def random_picture(seed: bytes) -> RandomPicture:
    """The first picture that a file of random bits stands for. Raises EOFError."""
    bits = _Bits(seed)
    width, height = (bits.read_bits(3) + _LEAST_TILES for _ in range(2))
    subsets: list[int] = []
    tiles: list[_Pixels] = []
    for _ in range(width * height):
        subset = 0
        while not 0 < subset <= 29:
            subset = bits.read_bits(5)
        subsets.append(2 * subset + bits.read_bits(1))
        tiles.append(_tile(bits, [(s >> 1).bit_count() for s in subsets], tiles))
    palettes = _palettes(bits)
    rows = [[0] * (width * _SIDE) for _ in range(height * _SIDE)]
    for number, (subset, tile) in enumerate(zip(subsets, tiles, strict=True)):
        top, left = (_SIDE * part for part in divmod(number, width))
        for y, line in enumerate(tile):
            for x, index in enumerate(line):
                rows[top + y][left + x] = palettes[subset][index]
    return RandomPicture(width, height, rows)


def _tile(bits: _Bits, counts: Sequence[int], tiles: Sequence[_Pixels]) -> _Pixels:
    """The next tile: new, or one that has as many colours; the last of ``counts`` is its own."""
    count = counts[-1]
    if count < 2:
        return [[0] * _SIDE for _ in range(_SIDE)]
    same = [tile for tile, other in zip(tiles, counts, strict=False) if other == count]
    if same:
        chosen = bits.read_bits(8)
        if chosen < len(same):
            across, down = bits.read_bits(1) * 7, bits.read_bits(1) * 7
            source = same[chosen]
            sides = range(_SIDE)
            return [[source[y ^ down][x ^ across] for x in sides] for y in sides]
    return [[_index(bits, count) for _ in range(_SIDE)] for _ in range(_SIDE)]


def _index(bits: _Bits, count: int) -> int:
    if count == 2:
        return bits.read_bits(1)
    while (value := bits.read_bits(2)) >= count:
        pass
    return value


def _palettes(bits: _Bits) -> list[list[int]]:
    """The colours of all subsets; the low bit of a subset's number is its group."""
    colors = [bits.read_bits(15) for _ in range(10)]
    if bits.read_bits(2) == 0:
        colors[0] |= 0x8000
        colors[5] |= 0x8000
    return [
        [colors[5 * (subset & 1) + index] for index in range(5) if subset & 2 << index]
        for subset in range(60)
    ]
