"""Imports and exports, and the tables of constructors (``.condes``)."""

from __future__ import annotations

from collections.abc import Callable

from romproof.program.address_size import AddressSize
from romproof.text.span import Span
from romproof.toolchains.ca65.asm.address_sizes import optional_address_size
from romproof.toolchains.ca65.asm.assembly import Assembly
from romproof.toolchains.ca65.asm.feed import Feed
from romproof.toolchains.ca65.asm.symbol import SymbolEntry
from romproof.toolchains.ca65.asm.symbols import warn_if_larger
from romproof.toolchains.ca65.asm.tokens import IDENT

_CONDES = {"constructor": 0, "destructor": 1, "interruptor": 2}
DEFAULT_PRIORITY = 7


def _mismatch(feed: Feed, symbol: SymbolEntry) -> None:
    feed.error(f"Address size mismatch for symbol '{symbol.name}'")


def export(asm: Assembly, symbol: SymbolEntry, size: AddressSize) -> None:
    """Carry out ``.export``."""
    if symbol.is_import:
        asm.feed.error(f"Symbol '{symbol.name}' is already an import")
        return
    if symbol.is_variable:
        asm.feed.error(
            f"Var symbol '{symbol.name}' cannot be exported", help="use '=' to define it"
        )
        return
    if symbol.is_global:
        if size != symbol.export_size:
            _mismatch(asm.feed, symbol)
        symbol.is_global = False
        asm.feed.record.forget(symbol)
    if symbol.is_export and not symbol.defined and symbol.export_size != size:
        _mismatch(asm.feed, symbol)
    symbol.export_size = size
    _check_export(asm.feed, symbol)
    symbol.is_export = symbol.referenced = True
    asm.feed.record.refer(symbol)
    symbol.used_at = symbol.used_at or asm.feed.statement


def _check_export(feed: Feed, symbol: SymbolEntry) -> None:
    if symbol.defined:
        if symbol.export_size is AddressSize.DEFAULT:
            symbol.export_size = symbol.address_size
        else:
            warn_if_larger(feed, symbol, feed.statement)


def import_(asm: Assembly, symbol: SymbolEntry, size: AddressSize, forced: bool = False) -> None:
    """Carry out ``.import`` and ``.forceimport``."""
    if symbol.defined:
        asm.feed.error(f"Symbol '{symbol.name}' is already defined", notes=_place(symbol))
        return
    if symbol.is_export:
        asm.feed.error(f"Cannot import exported symbol '{symbol.name}'")
        return
    size = size or asm.segments.current.address_size
    if symbol.is_import and forced != symbol.forced:
        asm.feed.error(f"Redeclaration mismatch for symbol '{symbol.name}'")
    if (symbol.is_import or symbol.is_global) and size != symbol.address_size:
        _mismatch(asm.feed, symbol)
    symbol.is_global = False
    symbol.is_import = True
    symbol.forced = symbol.forced or forced
    symbol.address_size = size
    asm.feed.record.define(symbol)
    symbol.at = asm.feed.began


def global_(asm: Assembly, symbol: SymbolEntry, size: AddressSize) -> None:
    """Carry out ``.global``: an export if defined here, else an import."""
    if symbol.is_variable:
        asm.feed.error(f"Var symbol '{symbol.name}' cannot be made global")
    elif symbol.is_import:
        if (size or asm.segments.current.address_size) != symbol.address_size:
            _mismatch(asm.feed, symbol)
    elif symbol.is_export:
        if (not symbol.defined or size is not AddressSize.DEFAULT) and size != symbol.export_size:
            _mismatch(asm.feed, symbol)
    elif symbol.is_global:
        if size != symbol.export_size:
            _mismatch(asm.feed, symbol)
    elif symbol.defined:
        symbol.export_size = size
        _check_export(asm.feed, symbol)
        symbol.is_export = True
    else:
        # not known yet which of the two: keep a size for each
        symbol.address_size = size or asm.segments.current.address_size
        symbol.export_size = size
        symbol.is_global = True
        asm.feed.record.define(symbol)
        symbol.at = asm.feed.began


def _place(symbol: SymbolEntry) -> tuple[tuple[str, Span], ...]:
    return (("the definition is", symbol.span),) if symbol.span is not None else ()


def _export_assigned(asm: Assembly, symbol: SymbolEntry, size: AddressSize) -> None:
    """``.export name = value`` also defines the symbol."""
    if asm.feed.at("=", ":="):
        is_label = asm.feed.at(":=")
        asm.feed.next()
        asm.symbols.define(symbol, asm.expressions.expression(), is_label=is_label)
    export(asm, symbol, size)


def _names(
    carry_out: Callable[[Assembly, SymbolEntry, AddressSize], None],
    default: AddressSize = AddressSize.DEFAULT,
) -> Callable[[Assembly], None]:
    """A directive that takes a list of names, each with an optional size."""

    def command(asm: Assembly) -> None:
        feed = asm.feed
        while True:
            if not feed.at(IDENT):
                feed.error_skip("Identifier expected")
                return
            symbol = asm.symbols.find_or_create(feed.tok.text)
            feed.next()
            carry_out(asm, symbol, optional_address_size(asm.feed, asm.settings.cpu) or default)
            if not feed.accept(","):
                return

    return command


def _condes_name(feed: Feed) -> str | None:
    if not feed.at(IDENT):
        feed.error_skip("Identifier expected")
        return None
    name = feed.tok.text
    feed.next()
    return name


def _condes(asm: Assembly) -> None:
    name = _condes_name(asm.feed)
    if name is None:
        return
    feed = asm.feed
    feed.expect(",")
    if feed.at(IDENT):
        table = _CONDES.get(feed.tok.text.lower(), -1)
        feed.next()
        if table < 0:
            feed.error_skip("Syntax error", help="one of " + ", ".join(_CONDES))
            return
    else:
        table = asm.expressions.constant()
        if not 0 <= table <= 6:
            feed.error_skip("Range error", feed.operand, help="table types are 0..6")
            return
    _add_condes(asm, name, table)


def _condes_of_type(table: int) -> Callable[[Assembly], None]:
    def command(asm: Assembly) -> None:
        name = _condes_name(asm.feed)
        if name is not None:
            _add_condes(asm, name, table)

    return command


def _add_condes(asm: Assembly, name: str, table: int) -> None:
    symbol = asm.symbols.find_or_create(name)
    priority = DEFAULT_PRIORITY
    if asm.feed.accept(","):
        priority = asm.expressions.constant()
        if not 1 <= priority <= 32:
            asm.feed.error("Range error", asm.feed.operand, help="priorities are 1..32")
            return
    if symbol.is_import:
        asm.feed.error(f"Symbol '{name}' is already an import")
        return
    if symbol.is_variable:
        asm.feed.error(f"Var symbol '{name}' cannot be exported")
        return
    if (symbol.is_export or symbol.is_global) and symbol.export_size is not AddressSize.DEFAULT:
        _mismatch(asm.feed, symbol)
    symbol.is_global = False
    symbol.export_size = symbol.address_size if symbol.defined else AddressSize.DEFAULT
    if symbol.condes is None:
        symbol.condes = {}
    if symbol.condes.setdefault(table, priority) != priority:
        asm.feed.error(f"Redeclaration mismatch for symbol '{name}'")
    symbol.is_export = symbol.referenced = True
    asm.feed.record.refer(symbol)
    symbol.used_at = symbol.used_at or asm.feed.statement


def _refer_to(asm: Assembly) -> None:
    """``.referto``: a symbol counts as used."""
    begun = asm.feed.span()
    symbol = asm.symbols.parse()
    symbol.referenced = True
    asm.feed.record.refer(symbol)
    symbol.used_at = symbol.used_at or begun


COMMANDS: dict[str, Callable[[Assembly], None]] = {
    ".condes": _condes,
    ".constructor": _condes_of_type(_CONDES["constructor"]),
    ".destructor": _condes_of_type(_CONDES["destructor"]),
    ".export": _names(_export_assigned),
    ".exportzp": _names(_export_assigned, AddressSize.ZEROPAGE),
    ".forceimport": _names(lambda asm, symbol, size: import_(asm, symbol, size, forced=True)),
    ".global": _names(global_),
    ".globalzp": _names(global_, AddressSize.ZEROPAGE),
    ".import": _names(import_),
    ".importzp": _names(import_, AddressSize.ZEROPAGE),
    ".interruptor": _condes_of_type(_CONDES["interruptor"]),
    ".referto": _refer_to,
}
