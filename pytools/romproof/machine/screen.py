"""What a machine shows: a frame as numbers, as colours, as tiles and text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from types import MappingProxyType

Color = tuple[int, int, int]
"""Red, green and blue, 0 to 255."""
TILE = 8
"""Pixels of a tile, in each direction."""
_PRINTABLE = range(0x20, 0x7F)


@dataclass(frozen=True, slots=True)
class Cell:
    """A place of a tile map that is shown: its address, and the tile that it names there.

    ``bank`` is that of the tile where there are several. ``in_window`` says whether it is one of a
    window that lies over the background.
    """

    address: int
    tile: int
    bank: int = 0
    in_window: bool = False

    def __str__(self) -> str:
        what = "window" if self.in_window else "background"
        bank = f" of bank {self.bank}" if self.bank else ""
        return f"tile ${self.tile:02X}{bank} at ${self.address:04X} of the {what}"


@dataclass(frozen=True, slots=True)
class ScreenObject:
    """An object (sprite) as memory describes it: ``x`` and ``y`` are those of its upper left pixel
    on the screen and may be outside of it; ``number`` is its place in the table."""

    number: int
    x: int
    y: int
    tile: int
    attributes: int
    height: int = TILE

    def __str__(self) -> str:
        return f"object {self.number} with tile ${self.tile:02X} at ({self.x}, {self.y})"


@dataclass(frozen=True, slots=True)
class PixelOrigins:
    """What the pixels of a screen come from. ``cells`` has one for each pixel, row by row, None
    where there is none; ``owners`` the number of the object whose pixel is seen, -1 for none."""

    cells: Sequence[Cell | None]
    owners: Sequence[int]
    objects: Sequence[ScreenObject]


@dataclass(frozen=True, eq=False)
class Screen:
    """The last complete frame of a machine.

    ``indices`` are ``width`` × ``height`` bytes, row by row: on a DMG the shade, 0 (white) to 3
    (black); on a Color 4 × palette + colour, 32 more for objects; on an NES the PPU's colour, 0 to
    63, and 64 more for each further value of emphasis. ``palette`` has the colours of the indices
    on machines that have few. Where programs choose the colours there is none, and
    ``colors`` has two bytes for each pixel: five bits each of red, green and blue, the lowest
    first. Two screens are equal when their colours are.
    """

    width: int
    height: int
    indices: bytes = field(repr=False)
    palette: Sequence[Color] = field(default=(), repr=False)
    colors: bytes = field(default=b"", repr=False)
    explain: Callable[[], PixelOrigins] | None = field(default=None, repr=False)
    """Finds what the pixels come from."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Screen):
            return NotImplemented
        if self.palette == other.palette and not self.colors and not other.colors:
            return self._size == other._size and self.indices == other.indices
        return self._size == other._size and self.rgb == other.rgb

    def __hash__(self) -> int:
        return hash((self._size, self.rgb))

    @property
    def _size(self) -> tuple[int, int]:
        return self.width, self.height

    @cached_property
    def rgb(self) -> bytes:
        """Three bytes for each pixel, row by row."""
        if not self.colors:
            return _by_palette(self.indices, self.palette)
        return b"".join(map(_by_bits().__getitem__, memoryview(self.colors).cast("H")))

    def has_color(self, color: Sequence[int]) -> bool:
        """Whether the machine has a colour at all."""
        if self.palette:
            return tuple(color) in self.palette
        return all(channel & 7 == channel >> 5 for channel in color)

    def pixel(self, x: int, y: int) -> Color:
        """The colour of a pixel; (0, 0) is the upper left one. Raises IndexError outside."""
        if not (0 <= x < self.width and 0 <= y < self.height):
            raise IndexError(f"({x}, {y}): the screen has {self.width} x {self.height} pixels")
        place = 3 * (y * self.width + x)
        red, green, blue = self.rgb[place : place + 3]
        return red, green, blue

    @property
    def tiles(self) -> tuple[tuple[int, ...], ...]:
        """The number of the tile in the middle of each square of 8 × 8 pixels, row by row, of the
        background or of a window over it; -1 for none. Objects do not count."""
        return tuple(
            tuple(-1 if cell is None else cell.tile for cell in row) for row in self._squares()
        )

    @property
    def text(self) -> str:
        """The tiles as text, a line for each row, for programs whose letters are at the places
        that ASCII gives them: see ``text_by`` for others. What is no letter is a space."""
        return self.text_by(_ASCII)

    def text_by(self, charmap: Mapping[str, int]) -> str:
        """The tiles as text by a map from characters to tile numbers."""
        letters = {tile: letter for letter, tile in charmap.items()}
        rows = ("".join(letters.get(tile, " ") for tile in row).rstrip() for row in self.tiles)
        return "\n".join(rows)

    @property
    def objects(self) -> tuple[ScreenObject, ...]:
        """The objects of which at least one row and column is within the screen, by number."""
        layout = self._layout
        return tuple(
            one
            for one in layout.objects
            if -TILE < one.x < self.width and -one.height < one.y < self.height
        )

    def describe(self, x: int, y: int) -> str:
        """What a pixel comes from: the object that is seen there, or the tile."""
        layout, place = self._layout, y * self.width + x
        owner = layout.owners[place]
        if owner >= 0:
            return str(next(one for one in layout.objects if one.number == owner))
        cell = layout.cells[place]
        return "no tile" if cell is None else str(cell)

    @cached_property
    def _layout(self) -> PixelOrigins:
        if self.explain is None:
            size = self.width * self.height
            return PixelOrigins((None,) * size, (-1,) * size, ())
        return self.explain()

    def _squares(self) -> list[list[Cell | None]]:
        cells, middle = self._layout.cells, TILE // 2
        return [
            [cells[y * self.width + x] for x in range(middle, self.width, TILE)]
            for y in range(middle, self.height, TILE)
        ]


_ASCII: Mapping[str, int] = MappingProxyType({chr(code): code for code in _PRINTABLE})


def _by_palette(indices: bytes, palette: Sequence[Color]) -> bytes:
    """Three bytes for each index."""
    rgb = bytearray(3 * len(indices))
    rest = bytes(256 - len(palette))
    for channel in range(3):
        table = bytes(color[channel] for color in palette) + rest
        rgb[channel::3] = indices.translate(table)
    return bytes(rgb)


@cache
def _by_bits() -> Sequence[bytes]:
    """Red, green and blue of each colour of 15 bits: five bits become eight."""
    fives = [five << 3 | five >> 2 for five in range(32)]
    return [
        bytes((fives[value & 31], fives[value >> 5 & 31], fives[value >> 10]))
        for value in range(0x8000)
    ]
