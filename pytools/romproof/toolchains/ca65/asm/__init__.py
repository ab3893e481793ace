"""The dialect of cc65's macro assembler, version 2.19.

Characters become tokens, tokens statements, statements sections and symbols.
The assembler makes one pass, as the original does: an operand's address size
is chosen from what is known when it is read. Read the modules in this order,
in which they depend on each other: tokens, lexer, messages, feed (where tokens
come from), symbol (nouns), segments, study (how large and how constant an
expression is), symbols, conditions, macros, expressions, parts (what
statements are given), instructions, the directives folder, finish, assembler.
"""

from romproof.toolchains.ca65.asm.assembler import assemble, assemble_source
from romproof.toolchains.ca65.asm.options import Options

__all__ = ["Options", "assemble", "assemble_source"]
