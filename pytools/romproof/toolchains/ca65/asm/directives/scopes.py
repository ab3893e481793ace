"""Scopes: ``.proc`` and ``.scope``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from romproof.toolchains.ca65.asm.tokens import IDENT

if TYPE_CHECKING:
    from romproof.toolchains.ca65.asm.assembler import Assembler


def _proc(asm: Assembler) -> None:
    feed = asm.feed
    if not feed.at(IDENT):
        asm.warning("Unnamed .PROCs are deprecated, please use .SCOPE")
        asm.symbols.enter(None, "scope", asm.segments.current.address_size)
        return
    symbol = asm.symbols.own(feed.tok.text)
    feed.next()
    size = asm.optional_address_size()
    asm.define(symbol, asm.segments.here(), address_size=size, is_label=True)
    asm.symbols.enter(symbol.name, "scope", size, label=symbol)


def _endproc(asm: Assembler) -> None:
    current = asm.symbols.current
    if current.kind != "scope" or current.label is None:
        asm.error_skip("No open .PROC")
    else:
        asm.symbols.leave()


def _scope(asm: Assembler) -> None:
    feed = asm.feed
    name = None
    if feed.at(IDENT):
        name = feed.tok.text
        feed.next()
    asm.symbols.enter(name, "scope", asm.optional_address_size())


def _endscope(asm: Assembler) -> None:
    current = asm.symbols.current
    if current.kind != "scope" or current.label is not None:
        asm.error_skip("No open .SCOPE")
    else:
        asm.symbols.leave()


COMMANDS: dict[str, Callable[[Assembler], None]] = {
    ".endproc": _endproc,
    ".endscope": _endscope,
    ".proc": _proc,
    ".scope": _scope,
}
