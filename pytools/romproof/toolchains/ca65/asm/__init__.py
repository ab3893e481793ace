"""The dialect of cc65's macro assembler, version 2.19.

Characters become tokens, tokens statements, statements sections and symbols.
The assembler makes one pass, as the original does: an operand's address size
is chosen from what is known when it is read. Read the modules in this order,
in which they depend on each other: tokens, lexer, messages, feed (where tokens
come from), symbol (nouns), symbol_refs, segments, study (how large and how constant an
expression is), symbols, conditions, macro, macros, expressions, parts (what
statements are given), instructions, the directives folder, finish, for_linker, quick (the
quick path through lexer and feed), assembler.

What is here is imported when it is asked for: the linker needs a table of this package, and no
assembler.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from romproof.toolchains.ca65.asm.assembler import assemble as assemble
    from romproof.toolchains.ca65.asm.assembler import assemble_source as assemble_source
    from romproof.toolchains.ca65.asm.options import Options as Options


__all__ = ["Options", "assemble", "assemble_source"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name == "Options":
        from romproof.toolchains.ca65.asm import options as home
    else:
        from romproof.toolchains.ca65.asm import assembler as home  # type: ignore[no-redef]
    return getattr(home, name)
