"""The end of a source: resolve names, check what is left, make an object for a file."""

from __future__ import annotations

from typing import Final

from romproof.program.address_size import AddressSize
from romproof.toolchains.ca65.asm.address_sizes import size_name
from romproof.toolchains.ca65.asm.assembly import Assembly
from romproof.toolchains.ca65.asm.feed import Feed
from romproof.toolchains.ca65.asm.macro import LOCAL_MARK
from romproof.toolchains.ca65.asm.object_tables import TooLarge, object_tables
from romproof.toolchains.ca65.asm.record import Record
from romproof.toolchains.ca65.asm.segments import (
    SectionBuilder,
    range_help,
)
from romproof.toolchains.ca65.asm.symbol import Scope, SymbolEntry
from romproof.toolchains.ca65.asm.symbol_refs import SymbolRef, definition_of
from romproof.toolchains.ca65.asm.symbols import warn_if_larger
from romproof.toolchains.ca65.obj.cpus import cpu_for
from romproof.toolchains.ca65.obj.expr import Binary, Expr, Literal, SectionOffset, Unary
from romproof.toolchains.ca65.obj.object import Action, Assertion, Fixup, Object
from romproof.toolchains.ca65.obj.tables import C_AUTO, C_IS_SYMBOL, C_STORAGE, ObjectFile, Packed

_UNKNOWN: Final = AddressSize.DEFAULT


def resolve(asm: Assembly) -> None:
    """Check everything that had to wait for the end."""
    _check_open(asm)
    asm.unnamed.finish()
    for symbol in asm.symbols.all:
        _resolve_symbol(asm, symbol)
    asm.evaluator.resolved = True
    for symbol in asm.symbols.all:
        _check_symbol(asm, symbol)
    _end_record(asm)


def object_for_file(asm: Assembly) -> Object:
    """An object that has nothing but the tables of its file. All is checked as for any other: what
    the linker would be given is not made where that cannot find a fault."""
    finished = asm.evaluator.finish
    for builder in asm.segments.sections:
        for fixup in builder.fixups:
            if is_left(asm, builder, fixup) and not _is_simple(fixup.expr):
                finished(fixup.expr)
    assertions(asm)
    named = [s for s in asm.symbols.all if s.stand_in is None and s.expr is not None]
    others = [s for s in named if type(s.expr) is not Literal]  # not most of them
    for symbol in [*(s for s in others if s.is_export), *others]:
        if symbol.expr is not None and not _is_simple(symbol.expr):
            finished(symbol.expr)
    made, packed = tables(asm)
    name, cpu = asm.feed.sources[0].name, cpu_for(asm.settings.used)
    return Object(name, cpu, (), (), (), (), (), (), (), (), tables=made, packed=packed)


def _is_simple(expr: Expr) -> bool:
    """Whether a value is a number, a place or an import, with one number after the other added or
    the like, or a part of that."""
    while isinstance(expr, (Unary, Binary)):
        if isinstance(expr, Unary):
            expr = expr.operand
        elif isinstance(expr.right, Literal):
            expr = expr.left
        else:
            return False
    if isinstance(expr, SymbolRef):
        return isinstance(definition_of(expr.symbol), (Literal, SectionOffset, type(None)))
    return isinstance(expr, (Literal, SectionOffset))


def tables(asm: Assembly) -> tuple[ObjectFile | None, Packed | None]:
    """What the object file has; None where none is wanted, or after an error."""
    record = asm.feed.record
    if not isinstance(record, Record) or asm.feed.diagnostics.errors:
        return None, None
    try:
        return object_tables(asm, record, asm.options.only_file)
    except TooLarge:
        asm.feed.error("An expression has too many parts for an object file", help="split it up")
        return None, None


def _end_record(asm: Assembly) -> None:
    """Close what the record has open: the names of C, the file's scope, the last lines."""
    record = asm.feed.record
    if not isinstance(record, Record):
        return
    for row in record.c_symbols:
        if row.flags & C_STORAGE == C_AUTO and row.flags & C_IS_SYMBOL:
            continue
        if not row.flags & C_IS_SYMBOL:
            row.symbol = row.scope.label
        else:
            row.symbol = _visible(row.scope, row.asm_name)
            if row.symbol is None:
                asm.feed.error(f"Assembler symbol '{row.asm_name}' not found")
    root = asm.symbols.root
    record.close_scope(root)
    root.size = record.first_size()
    if root.size is not None:
        record.note_size()
    record.finish()


def _visible(scope: Scope | None, name: str) -> SymbolEntry | None:
    while scope is not None:
        symbol = scope.symbols.get(name)
        if symbol is not None and symbol.stand_in is None:
            return symbol
        scope = scope.parent
    return None


def _check_open(asm: Assembly) -> None:
    asm.conditions.close_file(asm.feed.files[0])
    scope = asm.symbols.current
    while scope.parent is not None:
        word = ".endproc" if scope.label is not None else ".endscope"
        notes = (("the scope starts", scope.span),) if scope.span is not None else ()
        asm.feed.error("Local scope was not closed", help=f"add the missing {word}", notes=notes)
        scope = scope.parent
    asm.symbols.current = asm.symbols.root
    end = asm.feed.span()
    if asm.segments.pushed_count:
        asm.feed.warning("Segment stack is not empty", end)
    if asm.settings.pushed_cpus:
        asm.feed.warning("CPU stack is not empty", end)


# -- symbols -------------------------------------------------------------------


def _resolve_symbol(asm: Assembly, symbol: SymbolEntry) -> None:
    """Decide what a symbol without definition is: outer symbol, import, or error."""
    if symbol.is_global:
        symbol.is_global = False
        symbol.is_import = True
    if symbol.defined or symbol.is_import or not symbol.referenced:
        return
    outer = None if symbol.fixed else _outer(symbol)
    if outer is not None:
        _stand_in(asm.feed, symbol, outer)
    elif symbol.is_export:
        asm.feed.error_at_span(
            f"Exported symbol '{symbol.name}' was never defined",
            symbol.used_at,
            asm.symbols.suggest_name(symbol),
        )
    elif asm.settings.autoimport:
        symbol.is_import = True
        symbol.address_size = asm.segments.code_size
        symbol.span = symbol.used_at
        asm.feed.record.define(symbol)
    else:
        asm.feed.error_at_span(
            f"Symbol '{symbol.name.partition(LOCAL_MARK)[0]}' is undefined",
            symbol.used_at,
            asm.symbols.suggest_name(symbol) or "define it, or .import it from another file",
        )


def _outer(symbol: SymbolEntry) -> SymbolEntry | None:
    scope = symbol.scope.parent if symbol.scope is not None else None
    while scope is not None:
        outer = scope.symbols.get(symbol.name)
        if outer is not None and (outer.defined or outer.is_import or outer.is_global):
            return outer
        scope = scope.parent
    return None


def _stand_in(feed: Feed, symbol: SymbolEntry, outer: SymbolEntry) -> None:
    symbol.stand_in = outer
    if symbol.is_export:
        if outer.is_import or outer.is_global:
            feed.error_at_span(f"Symbol '{symbol.name}' is already an import", symbol.used_at)
        elif not outer.is_export:
            outer.is_export = True
            outer.export_size = symbol.export_size or outer.address_size
            warn_if_larger(feed, outer)
        symbol.is_export = False
    outer.referenced = True
    outer.used_at = outer.used_at or symbol.used_at


def _check_symbol(asm: Assembly, symbol: SymbolEntry) -> None:
    if symbol.stand_in is not None:
        return
    if symbol.expr is not None and symbol.address_size is _UNKNOWN:
        symbol.address_size = asm.evaluator.study(symbol.expr).size
        if symbol.is_export:
            symbol.export_size = symbol.export_size or symbol.address_size
            warn_if_larger(asm.feed, symbol)
    if symbol.guessed_at is not None and symbol.address_size is AddressSize.ZEROPAGE:
        asm.feed.warning(
            f"Didn't use {size_name(symbol.address_size)} addressing for '{symbol.name}'",
            symbol.guessed_at,
            help="define it before its use, or write the operand with 'z:'",
        )


# -- sections ------------------------------------------------------------------


def is_left(asm: Assembly, builder: SectionBuilder, fixup: Fixup) -> bool:
    """Fill a fixup whose value is known by now; gives whether it is left to the linker."""
    size = fixup.size
    value, address_size = asm.evaluator.known(fixup.expr)
    if value is not None:
        asm.feed.record.known(builder.number, fixup.offset)
        low, high = (-(1 << 8 * size - 1), (1 << 8 * size - 1) - 1)
        if not fixup.signed:
            low, high = 0, (1 << 8 * size) - 1
        if not low <= value <= high:
            asm.feed.error_at_span(
                f"Range error ({value} not in [{low}..{high}])",
                fixup.span,
                _branch_help(value) if fixup.signed else range_help(value, size),
            )
        raw = value & ((1 << 8 * size) - 1)
        builder.data[fixup.offset : fixup.offset + size] = raw.to_bytes(size, "little")
        return False
    if address_size > size and size < 4 and not asm.options.relax_checks:
        asm.feed.error_at_span("Range error", fixup.span, _size_help(fixup))
        return False
    return True


def _branch_help(distance: int) -> str:
    return (
        f"the target is {abs(distance)} bytes away and a branch reaches -128..127: "
        "branch around a jmp, or use a long branch macro (.macpack longbranch)"
    )


def _size_help(fixup: Fixup) -> str:
    if fixup.signed:
        return "the target is in another segment or file: a branch cannot be checked there, use jmp"
    if fixup.size == 1:
        return "an address does not fit one byte: use '<' or '>', or declare it zeropage"
    return "the address is larger than the bytes it is put into"


# -- the object's tables -----------------------------------------------------------


def assertions(asm: Assembly) -> list[Assertion]:
    """What only the linker can decide; what is known to fail is reported."""
    left = []
    for assertion, late in asm.assertions.all:
        value = None if late else asm.evaluator.constant_value(assertion.expr)
        if value is None:
            expr: Expr = asm.evaluator.finish(assertion.expr)
            left.append(Assertion(expr, assertion.action, assertion.message, assertion.span))
        elif value == 0 and assertion.action is Action.ERROR:
            asm.feed.error_at_span(assertion.message, assertion.span)
        elif value == 0:
            asm.feed.warning(assertion.message, assertion.span)
    return left
