"""Commands that change what is read: macros, repeats, files, the end."""

from __future__ import annotations

from collections.abc import Callable

from romproof.text.span import Span, Via
from romproof.toolchains.ca65.asm.assembly import Assembly
from romproof.toolchains.ca65.asm.feed import Feed, ListFrame
from romproof.toolchains.ca65.asm.tokens import EOF, IDENT, STRING, Token, as_text

MAX_REPEATS = 1 << 20
"""Rounds of one ``.repeat``; more would fill the address space many times."""


def define(asm: Assembly) -> None:
    """``.define``; the current token is still the command (see assembler)."""
    _next_unexpanded(asm.feed)
    asm.macros.define(is_define=True)


def undefine(asm: Assembly) -> None:
    """``.undefine``; the current token is still the command (see assembler)."""
    _next_unexpanded(asm.feed)
    asm.macros.undefine(is_define=True)


def _next_unexpanded(feed: Feed) -> None:
    """Read a name that may be a .define macro without expanding it."""
    feed.defines_off = True
    feed.next()
    feed.defines_off = False


def _exitmacro(asm: Assembly) -> None:
    if asm.feed.macro_depth == 0:
        asm.feed.error_skip("Unexpected '.EXITMACRO'", help="no macro is being expanded here")
    else:
        asm.feed.abort_macro = True


def _repeat(asm: Assembly) -> None:
    feed = asm.feed
    via = Via("in .repeat", feed.statement)
    count = asm.expressions.constant()
    if not 0 <= count <= MAX_REPEATS:
        feed.error("Range error", feed.operand, help=f"the number of repeats is 0..{MAX_REPEATS}")
        count = 0
    name = ""
    if feed.accept(","):
        if feed.at(IDENT):
            name = feed.tok.text
            feed.next()
        else:
            feed.error_skip("Identifier expected")
    feed.raw += 1
    feed.end_statement()
    tokens = _repeat_body(feed, via.span)
    if tokens is not None and count > 0 and tokens:
        feed.insert(ListFrame(tokens, count, name, via))
    feed.raw -= 1


def _repeat_body(feed: Feed, start: Span) -> list[Token] | None:
    tokens: list[Token] = []
    depth = 0
    while depth or not feed.at(".endrepeat"):
        if feed.at(EOF):
            feed.error("Unexpected end of file", notes=(("the .repeat starts", start),))
            return None
        tokens.append(feed.tok)
        depth += feed.at(".repeat") - feed.at(".endrepeat")
        feed.next()
    feed.next()
    return tokens


def _include(asm: Assembly) -> None:
    feed = asm.feed
    if not feed.at(STRING):
        feed.error_skip("String constant expected")
    elif not asm.files.include(as_text(feed.tok.text), feed.tok):
        feed.skip_line()


def _macpack(asm: Assembly) -> None:
    feed = asm.feed
    if not feed.at(IDENT):
        feed.error_skip("Identifier expected")
    elif feed.tok.text.lower() == "cpu" and asm.options.dialect.cpu_symbols:
        feed.warning("'.macpack cpu' is no longer required")
        feed.next()
    elif not asm.files.include_package(feed.tok.text, feed.tok):
        feed.skip_line()


COMMANDS: dict[str, Callable[[Assembly], None]] = {
    ".delmacro": lambda asm: asm.macros.undefine(is_define=False),
    ".exitmacro": _exitmacro,
    ".include": _include,
    ".macpack": _macpack,
    ".macro": lambda asm: asm.macros.define(is_define=False),
    ".repeat": _repeat,
}
