"""Pictures to the tiles, maps and palettes of a Game Boy, and back, as RGBDS's rgbgfx does."""

from romproof.toolchains.rgbds.gfx.convert import Outputs, Read, convert, convert_palettes
from romproof.toolchains.rgbds.gfx.options import GfxOptions, PaletteSource, Slice, Slots
from romproof.toolchains.rgbds.gfx.palette_files import FORMATS, read_palettes
from romproof.toolchains.rgbds.gfx.palette_spec import (
    DMG_DEFAULT,
    background_color,
    dmg_register,
    inline_palettes,
)
from romproof.toolchains.rgbds.gfx.report import WARNINGS, Aborted, PictureReport
from romproof.toolchains.rgbds.gfx.reverse import reverse

__all__ = [
    "DMG_DEFAULT",
    "FORMATS",
    "WARNINGS",
    "Aborted",
    "GfxOptions",
    "Outputs",
    "PaletteSource",
    "PictureReport",
    "Read",
    "Slice",
    "Slots",
    "background_color",
    "convert",
    "convert_palettes",
    "dmg_register",
    "inline_palettes",
    "read_palettes",
    "reverse",
]
