"""The settings of rgbgfx."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

Slots = tuple[int | None, int | None, int | None, int | None]
"""The four places of a palette that was given: colours of a picture, None for a gap."""


class PaletteSource(Enum):
    """Where palettes come from (``-c``)."""

    AUTOMATIC = "auto"
    EXPLICIT = "#..."
    EMBEDDED = "embedded"
    DMG = "dmg"


@dataclass(frozen=True, slots=True)
class Slice:
    """The part of a picture that is converted: corner in pixels, size in tiles; 0: all of it."""

    left: int = 0
    top: int = 0
    width: int = 0
    height: int = 0

    @property
    def right(self) -> int:
        """The first column of pixels behind it."""
        return self.left + self.width * 8

    @property
    def bottom(self) -> int:
        """The first row of pixels below it."""
        return self.top + self.height * 8


@dataclass(frozen=True, slots=True)
class GfxOptions:
    """The settings for one picture; in brackets rgbgfx's option. Paths are "" where none is given.

    ``colors_per_palette`` (-s) is 1 to 4. ``palettes_given`` are the palettes of an explicit
    ``palette_source`` (-c), ``dmg`` its register value for DMG: two bits for each colour number.
    ``background`` (-B) is a picture's colour. ``base_tiles`` (-b) and ``most_tiles`` (-N) are for
    bank 0 and 1. ``stride`` (-r) is in tiles; 0 chooses one.
    """

    input: str = ""
    tiles: str = ""  # -o
    tilemap: str = ""  # -t
    attribute_map: str = ""  # -a
    palette_file: str = ""  # -p
    palette_map: str = ""  # -q
    input_tiles: str = ""  # -i
    palette_source: PaletteSource = PaletteSource.AUTOMATIC
    palettes_given: tuple[Slots, ...] = ()
    dmg: int = 0
    background: int | None = None
    base_tiles: tuple[int, int] = (0, 0)
    most_tiles: tuple[int, int] = (0xFFFF, 0)
    base_palette: int = 0  # -l
    most_palettes: int = 8  # -n
    colors_per_palette: int = 4
    bit_depth: int = 2  # -d
    curve: bool = False  # -C
    unique: bool = False  # -u
    mirror_x: bool = False  # -X
    mirror_y: bool = False  # -Y
    by_columns: bool = False  # -Z
    trim: int = 0  # -x
    slice: Slice = Slice()  # -L
    stride: int = 0

    @property
    def transparent_background(self) -> bool:
        """Whether ``-B transparent`` was given."""
        return self.background is not None and self.background & 0xFF == 0

    @property
    def most_colors(self) -> int:
        """How many colours all palettes have room for."""
        return self.colors_per_palette * self.most_palettes

    def dmg_shade(self, index: int) -> int:
        """The shade that a colour number has in the register value, 0 the lightest."""
        return self.dmg >> 2 * index & 3
