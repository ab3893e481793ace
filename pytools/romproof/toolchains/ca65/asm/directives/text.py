"""Commands that change what is read: macros, repeats, files, the end."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from romproof.text.span import Span, Via
from romproof.toolchains.ca65.asm import expressions
from romproof.toolchains.ca65.asm.feed import ListFrame
from romproof.toolchains.ca65.asm.tokens import EOF, IDENT, STRING, Token, as_text

if TYPE_CHECKING:
    from romproof.toolchains.ca65.asm.assembler import Assembler

MAX_REPEATS = 1 << 20
"""Rounds of one ``.repeat``; more would fill the address space many times."""


def define(asm: Assembler) -> None:
    """``.define``; the current token is still the command (see assembler)."""
    _next_unexpanded(asm)
    asm.macros.define(is_define=True)


def undefine(asm: Assembler) -> None:
    """``.undefine``; the current token is still the command (see assembler)."""
    _next_unexpanded(asm)
    asm.macros.undefine(is_define=True)


def _next_unexpanded(asm: Assembler) -> None:
    """Read a name that may be a .define macro without expanding it."""
    asm.feed.defines_off = True
    asm.feed.next()
    asm.feed.defines_off = False


def _exitmacro(asm: Assembler) -> None:
    if asm.feed.macro_depth == 0:
        asm.error_skip("Unexpected '.EXITMACRO'", help="no macro is being expanded here")
    else:
        asm.feed.abort_macro = True


def _repeat(asm: Assembler) -> None:
    feed = asm.feed
    via = Via("in .repeat", asm.statement)
    count = expressions.constant(asm)
    if not 0 <= count <= MAX_REPEATS:
        asm.error("Range error", asm.operand, help=f"the number of repeats is 0..{MAX_REPEATS}")
        count = 0
    name = ""
    if feed.accept(","):
        if feed.at(IDENT):
            name = feed.tok.text
            feed.next()
        else:
            asm.error_skip("Identifier expected")
    feed.raw += 1
    asm.end_statement()
    tokens = _repeat_body(asm, via.span)
    if tokens is not None and count > 0 and tokens:
        feed.insert(ListFrame(tokens, count, name, via))
    feed.raw -= 1


def _repeat_body(asm: Assembler, start: Span) -> list[Token] | None:
    feed = asm.feed
    tokens: list[Token] = []
    depth = 0
    while depth or not feed.at(".endrepeat"):
        if feed.at(EOF):
            asm.error("Unexpected end of file", notes=(("the .repeat starts", start),))
            return None
        tokens.append(feed.tok)
        depth += feed.at(".repeat") - feed.at(".endrepeat")
        feed.next()
    feed.next()
    return tokens


def _include(asm: Assembler) -> None:
    feed = asm.feed
    if not feed.at(STRING):
        asm.error_skip("String constant expected")
    elif not asm.files.include(as_text(feed.tok.text), feed.tok):
        feed.skip_line()


def _macpack(asm: Assembler) -> None:
    feed = asm.feed
    if not feed.at(IDENT):
        asm.error_skip("Identifier expected")
    elif not asm.files.include_package(feed.tok.text, feed.tok):
        feed.skip_line()


COMMANDS: dict[str, Callable[[Assembler], None]] = {
    ".delmacro": lambda asm: asm.macros.undefine(is_define=False),
    ".exitmacro": _exitmacro,
    ".include": _include,
    ".macpack": _macpack,
    ".macro": lambda asm: asm.macros.define(is_define=False),
    ".repeat": _repeat,
}
