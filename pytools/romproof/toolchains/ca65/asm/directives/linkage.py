"""Imports and exports, and the tables of constructors (``.condes``)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from romproof.program.address_size import AddressSize
from romproof.text.span import Span
from romproof.toolchains.ca65.asm import expressions
from romproof.toolchains.ca65.asm.symbols import Symbol
from romproof.toolchains.ca65.asm.tokens import IDENT

if TYPE_CHECKING:
    from romproof.toolchains.ca65.asm.assembler import Assembler

_CONDES = {"constructor": 0, "destructor": 1, "interruptor": 2}
DEFAULT_PRIORITY = 7


def _mismatch(asm: Assembler, symbol: Symbol) -> None:
    asm.error(f"Address size mismatch for symbol '{symbol.name}'")


def warn_if_larger(asm: Assembler, symbol: Symbol, span: Span | None = None) -> None:
    """Warn about an export that promises less than the symbol is.

    ``span`` is where to warn, by default at the symbol's definition.
    """
    if symbol.address_size > symbol.export_size:
        asm.warning(
            f"Symbol '{symbol.name}' is {size_name(symbol.address_size)} "
            f"but exported {size_name(symbol.export_size)}",
            span or symbol.span,
        )


def size_name(size: AddressSize) -> str:
    """The size as messages call it."""
    return "long" if size is AddressSize.LONG else size.name.lower()


def export(asm: Assembler, symbol: Symbol, size: AddressSize) -> None:
    """Carry out ``.export``."""
    if symbol.is_import:
        asm.error(f"Symbol '{symbol.name}' is already an import")
        return
    if symbol.is_variable:
        asm.error(f"Var symbol '{symbol.name}' cannot be exported", help="use '=' to define it")
        return
    if symbol.is_global:
        if size != symbol.export_size:
            _mismatch(asm, symbol)
        symbol.is_global = False
    if symbol.is_export and not symbol.defined and symbol.export_size != size:
        _mismatch(asm, symbol)
    symbol.export_size = size
    _check_export(asm, symbol)
    symbol.is_export = symbol.referenced = True
    symbol.used_at = symbol.used_at or asm.statement


def _check_export(asm: Assembler, symbol: Symbol) -> None:
    if symbol.defined:
        if symbol.export_size is AddressSize.DEFAULT:
            symbol.export_size = symbol.address_size
        else:
            warn_if_larger(asm, symbol, asm.statement)


def import_(asm: Assembler, symbol: Symbol, size: AddressSize, forced: bool = False) -> None:
    """Carry out ``.import`` and ``.forceimport``."""
    if symbol.defined:
        asm.error(f"Symbol '{symbol.name}' is already defined", notes=_place(symbol))
        return
    if symbol.is_export:
        asm.error(f"Cannot import exported symbol '{symbol.name}'")
        return
    size = size or asm.segments.current.address_size
    if symbol.is_import and forced != symbol.forced:
        asm.error(f"Redeclaration mismatch for symbol '{symbol.name}'")
    if (symbol.is_import or symbol.is_global) and size != symbol.address_size:
        _mismatch(asm, symbol)
    symbol.is_global = False
    symbol.is_import = True
    symbol.forced = symbol.forced or forced
    symbol.address_size = size
    symbol.span = asm.statement


def global_(asm: Assembler, symbol: Symbol, size: AddressSize) -> None:
    """Carry out ``.global``: an export if defined here, else an import."""
    if symbol.is_variable:
        asm.error(f"Var symbol '{symbol.name}' cannot be made global")
    elif symbol.is_import:
        if (size or asm.segments.current.address_size) != symbol.address_size:
            _mismatch(asm, symbol)
    elif symbol.is_export:
        if (not symbol.defined or size is not AddressSize.DEFAULT) and size != symbol.export_size:
            _mismatch(asm, symbol)
    elif symbol.is_global:
        if size != symbol.export_size:
            _mismatch(asm, symbol)
    elif symbol.defined:
        symbol.export_size = size
        _check_export(asm, symbol)
        symbol.is_export = True
    else:
        # not known yet which of the two: keep a size for each
        symbol.address_size = size or asm.segments.current.address_size
        symbol.export_size = size
        symbol.is_global = True
        symbol.span = asm.statement


def _place(symbol: Symbol) -> tuple[tuple[str, Span], ...]:
    return (("the definition is", symbol.span),) if symbol.span is not None else ()


def _export_assigned(asm: Assembler, symbol: Symbol, size: AddressSize) -> None:
    """``.export name = value`` defines the symbol on the way."""
    if asm.feed.at("=", ":="):
        is_label = asm.feed.at(":=")
        asm.feed.next()
        asm.define(symbol, expressions.expression(asm), is_label=is_label)
    export(asm, symbol, size)


def _names(
    carry_out: Callable[[Assembler, Symbol, AddressSize], None],
    default: AddressSize = AddressSize.DEFAULT,
) -> Callable[[Assembler], None]:
    """A directive that takes a list of names, each with an optional size."""

    def command(asm: Assembler) -> None:
        feed = asm.feed
        while True:
            if not feed.at(IDENT):
                asm.error_skip("Identifier expected")
                return
            symbol = asm.symbols.own(feed.tok.text)
            feed.next()
            carry_out(asm, symbol, asm.optional_address_size() or default)
            if not feed.accept(","):
                return

    return command


def _condes_name(asm: Assembler) -> str | None:
    if not asm.feed.at(IDENT):
        asm.error_skip("Identifier expected")
        return None
    name = asm.feed.tok.text
    asm.feed.next()
    return name


def _condes(asm: Assembler) -> None:
    name = _condes_name(asm)
    if name is None:
        return
    feed = asm.feed
    feed.expect(",")
    if feed.at(IDENT):
        table = _CONDES.get(feed.tok.text.lower(), -1)
        feed.next()
        if table < 0:
            asm.error_skip("Syntax error", help="one of " + ", ".join(_CONDES))
            return
    else:
        table = expressions.constant(asm)
        if not 0 <= table <= 6:
            asm.error_skip("Range error", asm.operand, help="table types are 0..6")
            return
    _add_condes(asm, name, table)


def _typed_condes(table: int) -> Callable[[Assembler], None]:
    def command(asm: Assembler) -> None:
        name = _condes_name(asm)
        if name is not None:
            _add_condes(asm, name, table)

    return command


def _add_condes(asm: Assembler, name: str, table: int) -> None:
    symbol = asm.symbols.own(name)
    priority = DEFAULT_PRIORITY
    if asm.feed.accept(","):
        priority = expressions.constant(asm)
        if not 1 <= priority <= 32:
            asm.error("Range error", asm.operand, help="priorities are 1..32")
            return
    if symbol.is_import:
        asm.error(f"Symbol '{name}' is already an import")
        return
    if symbol.is_variable:
        asm.error(f"Var symbol '{name}' cannot be exported")
        return
    if (symbol.is_export or symbol.is_global) and symbol.export_size is not AddressSize.DEFAULT:
        _mismatch(asm, symbol)
    symbol.is_global = False
    symbol.export_size = symbol.address_size if symbol.defined else AddressSize.DEFAULT
    if symbol.condes.setdefault(table, priority) != priority:
        asm.error(f"Redeclaration mismatch for symbol '{name}'")
    symbol.is_export = symbol.referenced = True
    symbol.used_at = symbol.used_at or asm.statement


COMMANDS: dict[str, Callable[[Assembler], None]] = {
    ".condes": _condes,
    ".constructor": _typed_condes(_CONDES["constructor"]),
    ".destructor": _typed_condes(_CONDES["destructor"]),
    ".export": _names(_export_assigned),
    ".exportzp": _names(_export_assigned, AddressSize.ZEROPAGE),
    ".forceimport": _names(lambda asm, symbol, size: import_(asm, symbol, size, forced=True)),
    ".global": _names(global_),
    ".globalzp": _names(global_, AddressSize.ZEROPAGE),
    ".import": _names(import_),
    ".importzp": _names(import_, AddressSize.ZEROPAGE),
    ".interruptor": _typed_condes(_CONDES["interruptor"]),
}
