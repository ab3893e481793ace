"""RGBDS objects become a ROM: sections of one name joined, placed, patched."""

from romproof.toolchains.rgbds.link.image import to_image
from romproof.toolchains.rgbds.link.linked import Linked
from romproof.toolchains.rgbds.link.linker import link
from romproof.toolchains.rgbds.link.maptext import map_text
from romproof.toolchains.rgbds.link.options import LinkOptions
from romproof.toolchains.rgbds.link.rom import rom_bytes
from romproof.toolchains.rgbds.link.symbols import sym_text

__all__ = ["LinkOptions", "Linked", "link", "map_text", "rom_bytes", "sym_text", "to_image"]
