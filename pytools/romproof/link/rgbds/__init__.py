"""RGBDS objects become a ROM: sections of one name joined, placed, patched."""

from romproof.link.rgbds.image import to_image
from romproof.link.rgbds.linked import Linked
from romproof.link.rgbds.linker import link
from romproof.link.rgbds.maptext import map_text
from romproof.link.rgbds.options import LinkOptions
from romproof.link.rgbds.rom import rom_bytes
from romproof.link.rgbds.symbols import sym_text

__all__ = ["LinkOptions", "Linked", "link", "map_text", "rom_bytes", "sym_text", "to_image"]
