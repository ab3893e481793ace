"""The tables of the object file, made of what was recorded while the source was read.

Imports, exports and symbols are numbered from the newest to the oldest, lines in the order of a
hash table: so ca65 2.19 has them (symtab.c, lineinfo.c).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from romproof.toolchains.ca65.asm.assembly import Assembly
from romproof.toolchains.ca65.asm.record import Record
from romproof.toolchains.ca65.asm.record_rows import CRecord, LineInfo, PendingFragment
from romproof.toolchains.ca65.asm.segments import SectionBuilder
from romproof.toolchains.ca65.asm.symbol import Scope, SymbolEntry
from romproof.toolchains.ca65.asm.symbol_refs import SymbolRef, UnnamedRef, definition_of
from romproof.toolchains.ca65.obj import tables as raw
from romproof.toolchains.ca65.obj.encode import (
    BINARY_CODES,
    IMPORT_NODE,
    NULL_NODE,
    UNARY_CODES,
    fragment_row,
    line_rows,
    literal_node,
    section_node,
    span_rows,
    variable,
)
from romproof.toolchains.ca65.obj.expr import Binary, Expr, Imported, Literal, SectionOffset, Unary

if TYPE_CHECKING:
    from romproof.toolchains.ca65.obj import rows as row_of


_SLOTS: Final = 1051
"""Of the hash table of lines (lineinfo.c)."""
_SCOPE_TYPES: Final = {
    "file": raw.FILE_SCOPE,
    "scope": raw.SCOPE_SCOPE,
    "struct": raw.STRUCT_SCOPE,
    "enum": raw.ENUM_SCOPE,
}
_MAX_NODES: Final = 1 << 16
"""In one expression: variables share their values, and a file does not."""


class TooLarge(Exception):
    """An expression has so many parts that no object should have it."""


def object_tables(
    asm: Assembly, record: Record, pack: bool
) -> tuple[raw.ObjectFile, raw.Packed | None]:
    """The tables, of which ``pack`` has the large ones written; everything is resolved and checked
    already. Raises TooLarge."""
    return _Maker(asm, record).tables(pack)


def hash_slot(type: int, file: int, line: int) -> int:
    """Where ca65 keeps a line: Robert Jenkins' hash of integers, in 32 bits (hashfunc.c)."""
    mask = 0xFFFFFFFF
    v = (type << 21 ^ file << 14 ^ line) & mask
    v = (v + 0x7ED55D16 + (v << 12)) & mask
    v = v ^ 0xC761C23C ^ v >> 19
    v = (v + 0x165667B1 + (v << 5)) & mask
    v = ((v + 0xD3A2646C) ^ v << 9) & mask
    v = (v + 0xFD7046C5 + (v << 3)) & mask
    v = v ^ 0xB55A4F09 ^ v >> 16
    return v % _SLOTS


class _Maker:
    def __init__(self, asm: Assembly, record: Record) -> None:
        self._parts = asm
        self._record = record
        self._imports: dict[SymbolEntry, int] = {}
        self._exports: dict[SymbolEntry, int] = {}
        self._debug: dict[SymbolEntry, int] = {}
        self._nodes = 0
        self._pieces: dict[int, list[PendingFragment]] = {}

    def tables(self, pack: bool) -> tuple[raw.ObjectFile, raw.Packed | None]:
        """Everything."""
        record, debug = self._record, self._record.debug
        self._collect()
        newest = self._parts.symbols.all[::-1]
        self._number(newest)
        spans = record.spans() if debug else []
        lines = self._lines()
        for piece in record.pieces:
            self._pieces.setdefault(piece.segment, []).append(piece)
        sections = self._parts.segments.sections
        if pack:
            packed = raw.Packed(
                tuple(map(self._pack_fragments, sections)),
                line_rows(lines),
                span_rows((a, b, c, record.strings[kind]) for a, b, c, kind in spans),
            )
            return self._small(self._segments([()] * len(sections)), (), ()), packed
        from romproof.toolchains.ca65.obj import rows as row_of

        fragments = [tuple(map(self._fragment, self._of(s))) for s in sections]
        rows = tuple(
            row_of.LineRow(
                info.line,
                info.column,
                info.file,
                info.type,
                tuple(info.spans),
            )
            for info in lines
        )
        places = tuple(row_of.SpanRow(*row) for row in spans)
        return self._small(self._segments(fragments), rows, places), None

    def _small(
        self,
        segments: tuple[raw.Segment, ...],
        lines: tuple[row_of.LineRow, ...],
        spans: tuple[row_of.SpanRow, ...],
    ) -> raw.ObjectFile:
        """All tables, of which these are made already."""
        record, debug = self._record, self._record.debug
        imports = tuple(map(self._import, self._imports))
        exports = tuple(map(self._export, self._exports))
        symbols = tuple(map(self._symbol, self._debug)) if debug else ()
        c_symbols = tuple(map(self._c_symbol, record.c_symbols)) if debug else ()
        scopes = self._scopes() if debug else ()
        assertions = self._assertions()
        return raw.ObjectFile(
            debug=debug,
            options=tuple(record.options),
            files=tuple(record.files),
            segments=segments,
            imports=imports,
            exports=exports,
            symbols=symbols,
            c_symbols=c_symbols,
            lines=lines,
            strings=tuple(map(self._name, record.strings)),
            assertions=assertions,
            scopes=scopes,
            spans=spans,
        )

    def _assertions(self) -> tuple[raw.AssertionRow, ...]:
        return tuple(
            raw.AssertionRow(
                self._encode_expr(row.expr), row.action, row.message, self._line_list(row.lines)
            )
            for row in self._record.assertions
        )

    # -- numbers -----------------------------------------------------------------------

    def _collect(self) -> None:
        """Give what was said of symbols that turned out to mean outer ones to those."""
        references = self._record.references
        for symbol in reversed(self._parts.symbols.all):
            outer = symbol.stand_in
            if outer is not None and symbol in references:
                references.setdefault(outer, []).extend(references.pop(symbol))

    def _number(self, newest: Iterable[SymbolEntry]) -> None:
        for symbol in newest:
            if symbol.stand_in is not None:
                continue
            imported = symbol.is_import and (symbol.referenced or symbol.forced)
            if imported:
                self._imports[symbol] = len(self._imports)
            if symbol.is_export and symbol.expr is not None:
                self._exports[symbol] = len(self._exports)
            if symbol.expr is not None or (symbol.is_import and symbol.referenced):
                self._debug[symbol] = len(self._debug)

    def _lines(self) -> list[LineInfo]:
        """The lines that anything refers to, in the order of the hash table, numbered."""
        slots: list[list[LineInfo]] = [[] for _ in range(_SLOTS)]
        for info in self._record.lines.values():
            if info.used or info.spans:
                slots[hash_slot(info.type, info.file, info.line)].append(info)
        infos = [info for slot in slots for info in reversed(slot)]
        for number, info in enumerate(infos):
            info.number = number
            info.file = max(0, info.file - 1)  # as the object numbers them
        return infos

    def _line_list(self, lines: Iterable[LineInfo]) -> tuple[int, ...]:
        return tuple([info.number for info in lines])

    def _name(self, name: str) -> str:
        return self._record.local_names.get(name, name)

    # -- expressions -------------------------------------------------------------------

    def _encode_expr(self, expr: Expr) -> bytes:
        parts: list[bytes] = []
        self._encode(expr, parts)
        return b"".join(parts)

    def _encode(self, expr: Expr, parts: list[bytes]) -> None:
        self._nodes += 1
        if self._nodes > _MAX_NODES:
            raise TooLarge
        match expr:
            case Literal(value):
                parts.append(literal_node(value))
            case SectionOffset(section, offset):
                parts.append(section_node(section, offset))
            case SymbolRef(symbol):
                self._encode_symbol(symbol, parts)
            case UnnamedRef(index):
                self._encode(self._parts.unnamed.resolve(index) or Literal(0), parts)
            case Unary(op, operand):
                parts.append(bytes((UNARY_CODES[op],)))
                self._encode(operand, parts)
                parts.append(NULL_NODE)
            case Binary(op, left, right):
                parts.append(bytes((BINARY_CODES[op],)))
                self._encode(left, parts)
                self._encode(right, parts)
            case Imported():
                raise TypeError("imports are symbols before the object is made")

    def _encode_symbol(self, symbol: SymbolEntry, parts: list[bytes]) -> None:
        symbol = symbol.stand_in or symbol
        if symbol in self._imports:
            parts.append(bytes((IMPORT_NODE,)) + variable(self._imports[symbol]))
        else:
            self._encode(definition_of(symbol) or Literal(0), parts)

    def _value(self, expr: Expr | None) -> bytes | int:
        """A symbol's value: a number if it is one."""
        if expr is None:
            return NULL_NODE
        self._nodes = 0
        known = self._parts.evaluator.constant_value(expr)
        return self._encode_expr(expr) if known is None else known

    # -- tables ------------------------------------------------------------------------

    def _segments(
        self, fragments: Sequence[tuple[row_of.FragmentRow, ...]]
    ) -> tuple[raw.Segment, ...]:
        return tuple(
            raw.Segment(s.name, 0, len(s.data), s.alignment, s.address_size, rows)
            for s, rows in zip(self._parts.segments.sections, fragments, strict=True)
        )

    def _of(self, section: SectionBuilder) -> list[PendingFragment]:
        """The pieces of a section, whose data are known now or are expressions as they are
        written."""
        pieces = self._pieces.get(section.number, [])
        constants = self._record.constants
        for piece in pieces:
            expr = piece.expr
            if expr is not None:
                self._nodes = 0
                if (section.number, piece.offset) in constants:
                    piece.kind, piece.expr = raw.LITERAL, None
                    piece.data = bytes(section.data[piece.offset : piece.offset + piece.size])
                else:
                    piece.data = self._encode_expr(expr)
        return pieces

    def _fragment(self, piece: PendingFragment) -> row_of.FragmentRow:
        from romproof.toolchains.ca65.obj import rows as row_of

        return row_of.FragmentRow(piece.kind, piece.size, piece.data, self._line_list(piece.lines))

    # -- the large ones as they are written ----------------------------------------------

    def _pack_fragments(self, section: SectionBuilder) -> raw.Rows:
        pieces = self._of(section)
        rows = []
        for piece in pieces:
            lines = piece.lines
            if len(lines) == 1:
                written = b"\1" + variable(lines[0].number)
            else:
                written = variable(len(lines)) + b"".join([variable(line.number) for line in lines])
            rows.append(fragment_row(piece.kind, piece.size, piece.data, written))
        return len(rows), b"".join(rows)

    def _places(self, symbol: SymbolEntry) -> tuple[tuple[int, ...], tuple[int, ...]]:
        return (
            self._line_list(self._record.definitions.get(symbol, ())),
            self._line_list(self._record.references.get(symbol, ())),
        )

    def _import(self, symbol: SymbolEntry) -> raw.Import:
        return raw.Import(self._name(symbol.name), symbol.address_size, *self._places(symbol))

    def _flags(self, symbol: SymbolEntry, value: bytes | int) -> int:
        flags = raw.IS_EXPRESSION if isinstance(value, bytes) else 0
        flags |= raw.IS_LABEL if symbol.is_label else 0
        flags |= raw.IS_CHEAP_LOCAL if symbol.parent is not None else 0
        flags |= raw.IS_EXPORT if symbol.is_export else 0
        flags |= raw.IS_IMPORT if symbol.is_import else 0
        return flags | (raw.HAS_SIZE if symbol.size is not None else 0)

    def _export(self, symbol: SymbolEntry) -> raw.Export:
        condes = symbol.condes or {}
        value = self._value(symbol.expr)
        return raw.Export(
            self._name(symbol.name),
            self._flags(symbol, value) | len(condes),
            symbol.export_size,
            tuple(type << 5 | priority - 1 for type, priority in sorted(condes.items())),
            value,
            symbol.size,
            *self._places(symbol),
        )

    def _symbol(self, symbol: SymbolEntry) -> row_of.SymbolRow:
        from romproof.toolchains.ca65.obj import rows as row_of

        value = self._value(symbol.expr)
        if symbol.parent is not None:
            owner = self._debug.get(symbol.parent, raw.NO_OWNER)
        else:
            owner = self._record.scope_number(symbol.scope) if symbol.scope is not None else 0
        return row_of.SymbolRow(
            self._name(symbol.name),
            self._flags(symbol, value),
            symbol.address_size,
            owner,
            value,
            symbol.size,
            self._imports.get(symbol) if symbol.is_import else None,
            self._exports.get(symbol) if symbol.is_export else None,
            *self._places(symbol),
        )

    def _c_symbol(self, row: CRecord) -> row_of.CSymbol:
        from romproof.toolchains.ca65.obj import rows as row_of

        number = self._debug.get(row.symbol) if row.symbol is not None else None
        flags = row.flags | (raw.C_HAS_SYMBOL if number is not None else 0)
        scope = self._record.scope_number(row.scope)
        return row_of.CSymbol(row.name, flags, number, row.offset, row.type, scope)

    def _scopes(self) -> tuple[row_of.ScopeRow, ...]:
        from romproof.toolchains.ca65.obj import rows as row_of

        rows = []
        for record in self._record.scopes:
            scope = record.scope
            parent = self._record.scope_number(scope.parent) if scope.parent is not None else 0
            rows.append(
                row_of.ScopeRow(
                    self._name(record.name),
                    parent,
                    _level(scope),
                    _SCOPE_TYPES[scope.kind or "scope"],  # one that was named, and never came
                    scope.size,
                    self._debug[scope.label] if scope.label is not None else None,
                    tuple(record.spans),
                )
            )
        return tuple(rows)


def _level(scope: Scope) -> int:
    level = 0
    while scope.parent is not None:
        scope = scope.parent
        level += 1
    return level
