"""Scopes: ``.proc`` and ``.scope``."""

from __future__ import annotations

from collections.abc import Callable

from romproof.toolchains.ca65.asm.address_sizes import optional_address_size
from romproof.toolchains.ca65.asm.assembly import Assembly
from romproof.toolchains.ca65.asm.tokens import IDENT


def _proc(asm: Assembly) -> None:
    feed = asm.feed
    if not feed.at(IDENT):
        feed.warning("Unnamed .PROCs are deprecated, please use .SCOPE")
        size = asm.segments.current.address_size
        asm.symbols.enter(None, "scope", size, unnamed_proc=True)
        return
    symbol = asm.symbols.find_or_create(feed.tok.text)
    feed.next()
    size = optional_address_size(asm.feed, asm.settings.cpu)
    asm.symbols.define(symbol, asm.segments.here(), address_size=size, is_label=True)
    asm.symbols.enter(symbol.name, "scope", size, label=symbol)


def _endproc(asm: Assembly) -> None:
    current = asm.symbols.current
    if current.kind != "scope" or current.label is None:
        asm.feed.error_skip("No open .PROC")
    else:
        asm.symbols.leave()


def _scope(asm: Assembly) -> None:
    feed = asm.feed
    name = None
    if feed.at(IDENT):
        name = feed.tok.text
        feed.next()
    asm.symbols.enter(name, "scope", optional_address_size(asm.feed, asm.settings.cpu))


def _endscope(asm: Assembly) -> None:
    current = asm.symbols.current
    if current.kind != "scope" or current.label is not None:
        asm.feed.error_skip("No open .SCOPE")
    else:
        asm.symbols.leave()


COMMANDS: dict[str, Callable[[Assembly], None]] = {
    ".endproc": _endproc,
    ".endscope": _endscope,
    ".proc": _proc,
    ".scope": _scope,
}
