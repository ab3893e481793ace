"""Functions that ask about tokens, names and the assembler itself."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final, Protocol

from romproof.program.address_size import AddressSize
from romproof.support.account import not_repeatable
from romproof.toolchains.ca65.asm.feed import Feed
from romproof.toolchains.ca65.asm.macros import Macros
from romproof.toolchains.ca65.asm.mnemonics import is_mnemonic
from romproof.toolchains.ca65.asm.settings import Settings
from romproof.toolchains.ca65.asm.symbol import SymbolEntry, find_outward
from romproof.toolchains.ca65.asm.symbols import Symbols
from romproof.toolchains.ca65.asm.tokens import CHAR, IDENT, INT, LOCAL, STRING, ULABEL, Token


class FunctionInputs(Protocol):
    """What can be asked about."""

    feed: Feed
    settings: Settings
    symbols: Symbols
    macros: Macros


def _count_tokens(asm: FunctionInputs) -> int:
    feed = asm.feed
    end = feed.list_end(")")
    count = 0
    while feed.tok.kind != end and not feed.tok.ends_line:
        count += 1
        feed.next()
    if end == "}":
        feed.accept("}")
    return count


def _is_defined(asm: FunctionInputs) -> int:
    symbol = asm.symbols.parse_existing()
    return int(symbol is not None and symbol.defined)


def _is_referenced(asm: FunctionInputs) -> int:
    symbol = asm.symbols.parse_existing()
    return int(symbol is not None and symbol.referenced)


def _name(feed: Feed) -> str | None:
    name = feed.tok.text if feed.at(IDENT) else None
    if name is None:
        feed.error("Identifier expected")
    feed.next()
    return name


def _is_macro(asm: FunctionInputs) -> int:
    name = _name(asm.feed)
    return int(name is not None and asm.macros.find(name) is not None)


def _is_mnemonic(asm: FunctionInputs) -> int:
    name = _name(asm.feed)
    if name is None:
        return 0
    if "ubiquitous_idents" in asm.settings.syntax.features and asm.macros.find(name) is not None:
        return 0
    return int(is_mnemonic(name, asm.settings.cpu))


_WITH_VALUE: Final = frozenset({IDENT, LOCAL, INT, CHAR, STRING, ULABEL})


def _same(one: Token, other: Token, exactly: bool) -> bool:
    if one.kind != other.kind:
        return False
    return not exactly or one.kind not in _WITH_VALUE or one.value == other.value


def _match(feed: Feed, exactly: bool) -> int:
    end = feed.list_end(",")
    first: list[Token] = []
    while feed.tok.kind != end:
        if feed.tok.ends_line:
            feed.error("Unexpected end of line")
            return 0
        first.append(feed.tok)
        feed.next()
    feed.next()
    if end == "}":
        feed.expect(",")
    end = feed.list_end(")")
    second: list[Token] = []
    while feed.tok.kind != end:
        if feed.tok.ends_line:
            feed.error("Unexpected end of line")
            return 0
        second.append(feed.tok)
        feed.next()
    if end == "}":
        feed.next()
    return int(
        len(first) == len(second)
        and all(_same(a, b, exactly) for a, b in zip(first, second, strict=True))
    )


def _strlen(asm: FunctionInputs) -> int:
    feed = asm.feed
    if not feed.at(STRING):
        feed.error("String constant expected")
        if not feed.at(")"):
            feed.next()
        return 0
    length = len(feed.tok.text)
    feed.next()
    return length


def _find_sized(asm: FunctionInputs) -> tuple[SymbolEntry | None, int | None, str] | None:
    """Read a name: the symbol, the size of the scope of that name, and the name."""
    feed = asm.feed
    if feed.at(LOCAL):
        name = feed.tok.text
        local = asm.symbols.find_local(name, create=False)
        feed.next()
        return local, local.size if local is not None else None, name
    path = asm.symbols.parse_path()
    if path is None:
        return None
    scope, name, explicit = path
    find_scope = scope.children.get(name)
    if find_scope is None and not explicit:
        find_scope = asm.symbols.find_any_scope(scope, name)
    if find_scope is not None:
        return None if find_scope.size is None else (None, find_scope.size, name)
    symbol = asm.symbols.find(scope, name, create=False) if explicit else find_outward(scope, name)
    return symbol, symbol.size if symbol is not None else None, name


def _sizeof(asm: FunctionInputs) -> int:
    before, start = asm.feed.diagnostics.errors, asm.feed.tok
    sized = _find_sized(asm)
    if sized is not None and sized[1] is not None:
        return sized[1]
    if asm.feed.diagnostics.errors == before:
        name = sized[2] if sized is not None else start.value
        if sized is not None and sized[0] is None:
            asm.feed.error(f"Unknown symbol or scope: '{name}'", start)
        else:
            asm.feed.error(
                f"Size of '{name}' is unknown",
                start,
                help="a size is known after the scope has ended or the line of data was read",
            )
    return 0


def _addrsize(asm: FunctionInputs) -> int:
    feed, start = asm.feed, asm.feed.tok
    symbol = asm.symbols.parse_existing() if feed.at(IDENT, LOCAL, "::") else None
    if symbol is None:
        feed.error(f"Unknown symbol or scope: '{start.value}'", start)
        return 0
    if symbol.address_size is AddressSize.DEFAULT:
        feed.warning(f"Unknown address size: '{symbol.name}'")
    return int(symbol.address_size)


ABOUT: dict[str, Callable[[FunctionInputs], int]] = {
    ".addrsize": _addrsize,
    ".blank": lambda asm: int(_count_tokens(asm) == 0),
    ".defined": _is_defined,
    ".definedmacro": _is_macro,
    ".ismnemonic": _is_mnemonic,
    ".match": lambda asm: _match(asm.feed, exactly=False),
    ".referenced": _is_referenced,
    ".sizeof": _sizeof,
    ".strlen": _strlen,
    ".tcount": _count_tokens,
    ".xmatch": lambda asm: _match(asm.feed, exactly=True),
}
"""Functions with arguments that give a number at once."""


def _now() -> int:
    not_repeatable()
    return int(time.time())


PLAIN: dict[str, Callable[[FunctionInputs], int]] = {
    ".asize": lambda asm: asm.settings.bits("nm"),
    ".cpu": lambda asm: asm.settings.syntax.dialect.cpu_bits[asm.settings.cpu],
    ".isize": lambda asm: asm.settings.bits("nx"),
    ".time": lambda asm: _now(),
    ".version": lambda asm: asm.settings.syntax.dialect.version,
}
"""Words that are numbers without arguments."""
