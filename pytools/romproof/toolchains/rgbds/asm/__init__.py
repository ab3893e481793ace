"""The RGBDS dialect: rgbasm's language, as its page rgbasm(5) describes version 1.0.

Read the modules in this order, in which they depend on each other: report, model (nouns), context
and contexts (what is being read), sections, symbols, expressions, assembly (all that a source
fills), reader (characters), lexer, tokens, values, functions, operand_parser, instructions, the
directives folder, parser, assembler (the stages).
"""

from romproof.toolchains.rgbds.asm.assembler import Assembled, assemble, assemble_source
from romproof.toolchains.rgbds.asm.options import MissingInclude, RgbdsOptions

__all__ = ["Assembled", "MissingInclude", "RgbdsOptions", "assemble", "assemble_source"]
