"""Tiles as the Game Boy has them: two bytes for each row of pixels, and which are the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from romproof.toolchains.rgbds.gfx.image import SIDE

FLIPPED = tuple(int(f"{byte:08b}"[::-1], 2) for byte in range(256))
"""Every byte with its bits in reverse."""
TILE_SIZE = 16
"""Bytes of a tile of two bits a pixel."""
EMPTY_TILE = bytes(TILE_SIZE)


def tile_bytes(pixels: Sequence[int], numbers: Mapping[int, int]) -> bytes:
    """A tile of two bits a pixel; ``numbers`` has the number of each colour."""
    data = bytearray()
    for at in range(0, SIDE * SIDE, SIDE):
        low = high = 0
        for color in pixels[at : at + SIDE]:
            number = numbers[color]
            low = low << 1 | number & 1
            high = high << 1 | number >> 1
        data.append(low)
        data.append(high)
    return bytes(data)


def mirror_x(tile: bytes) -> bytes:
    """Left and right exchanged."""
    return bytes(FLIPPED[byte] for byte in tile)


def mirror_y(tile: bytes) -> bytes:
    """Top and bottom exchanged."""
    return b"".join(tile[at : at + 2] for at in range(len(tile) - 2, -1, -2))


def of_depth(tile: bytes, bit_depth: int) -> bytes:
    """A tile as it is written: with one bit a pixel, only the low ones."""
    return tile if bit_depth == 2 else tile[::2]


@dataclass(frozen=True, slots=True)
class Match:
    """A tile among the unique ones: its number, whether it is new, how it has to be mirrored."""

    number: int
    new: bool = False
    x: bool = False
    y: bool = False


@dataclass(slots=True)
class UniqueTiles:
    """Tiles that are all different, also when they are mirrored as is allowed."""

    mirror_x: bool
    mirror_y: bool
    tiles: list[bytes] = field(default_factory=list)
    _known: dict[bytes, Match] = field(default_factory=dict)

    def add(self, tile: bytes) -> Match:
        """Where a tile is; a new one gets the next number."""
        match = self._known.get(tile)
        if match is not None:
            return match
        number = len(self.tiles)
        self.tiles.append(tile)
        # the later ones do not replace the earlier: exact goes before X, X before Y, Y before both
        self._known[tile] = Match(number)
        if self.mirror_x:
            self._known.setdefault(mirror_x(tile), Match(number, x=True))
        if self.mirror_y:
            upside_down = mirror_y(tile)
            self._known.setdefault(upside_down, Match(number, y=True))
            if self.mirror_x:
                self._known.setdefault(mirror_x(upside_down), Match(number, x=True, y=True))
        return Match(number, new=True)
