"""The RGBDS dialect: rgbasm's language, as its page rgbasm(5) describes version 1.0."""

from romproof.toolchains.rgbds.asm.assembler import Assembled, assemble, assemble_source
from romproof.toolchains.rgbds.asm.options import MissingInclude, RgbdsOptions

__all__ = ["Assembled", "MissingInclude", "RgbdsOptions", "assemble", "assemble_source"]
