"""Object files of cc65 2.19, written. The order of the tables is the one ca65 writes them in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from romproof.toolchains.ca65.obj.expr import BinaryOp, UnaryOp
from romproof.toolchains.ca65.obj.tables import (
    C_AUTO,
    C_REGISTER,
    C_STORAGE,
    DEBUG_FLAG,
    FILL,
    HEADER_SIZE,
    LIST_NAMES,
    LITERAL,
    OBJECT_MAGIC,
    OBJECT_VERSION,
    SCOPE_HAS_LABEL,
    SCOPE_HAS_SIZE,
    Export,
    Import,
    ObjectFile,
    Packed,
    Rows,
    Segment,
    bytes_of,
)

if TYPE_CHECKING:
    from romproof.toolchains.ca65.obj.rows import CSymbol, FragmentRow, ScopeRow, SpanRow, SymbolRow
    from romproof.toolchains.ca65.obj.tables import AssertionRow

T = TypeVar("T")
LITERAL_NODE: Final = 0x81
IMPORT_NODE: Final = 0x82
SECTION_NODE: Final = 0x83
NULL_NODE: Final = b"\0"
BINARY_CODES: Final = {op: number for number, op in enumerate(
    (
        BinaryOp.ADD, BinaryOp.SUB, BinaryOp.MUL, BinaryOp.DIV, BinaryOp.MOD, BinaryOp.OR,
        BinaryOp.XOR, BinaryOp.AND, BinaryOp.SHL, BinaryOp.SHR, BinaryOp.EQ, BinaryOp.NE,
        BinaryOp.LT, BinaryOp.GT, BinaryOp.LE, BinaryOp.GE, BinaryOp.BOOL_AND, BinaryOp.BOOL_OR,
        BinaryOp.BOOL_XOR, BinaryOp.MAX, BinaryOp.MIN,
    ),
    1,
)}  # fmt: skip
UNARY_CODES: Final = {
    UnaryOp.NEGATE: 0x41,
    UnaryOp.COMPLEMENT: 0x42,
    UnaryOp.SWAP: 0x43,
    UnaryOp.NOT: 0x44,
    UnaryOp.BANK: 0x45,
    UnaryOp.BYTE0: 0x48,
    UnaryOp.BYTE1: 0x49,
    UnaryOp.BYTE2: 0x4A,
    UnaryOp.BYTE3: 0x4B,
    UnaryOp.WORD0: 0x4C,
    UnaryOp.WORD1: 0x4D,
    UnaryOp.FAR: 0x4E,
    UnaryOp.DWORD: 0x4F,
    UnaryOp.NEAR: 0x50,
}


class _Variable(dict[int, bytes]):
    """Numbers as they are written, each worked out once: an object has tens of thousands."""

    def __missing__(self, value: int) -> bytes:
        if 0x80 <= value < 0x4000:  # as most are
            raw = self[value] = bytes((value & 0x7F | 0x80, value >> 7))
            return raw
        data, rest = bytearray(), value
        while rest >= 0x80:
            data.append(rest & 0x7F | 0x80)
            rest >>= 7
        data.append(rest)
        raw = bytes(data)
        if len(self) < _MAX_NUMBERS:
            self[value] = raw
        return raw


_MAX_NUMBERS: Final = 1 << 16
_VARIABLE: Final = _Variable()


def variable(value: int) -> bytes:
    """A number from 0 on in as few bytes as possible: seven bits in each, the low ones first."""
    return _VARIABLE[value]


def number32(value: int) -> bytes:
    """The low 32 bits of a number."""
    return (value & 0xFFFFFFFF).to_bytes(4, "little")


def literal_node(value: int) -> bytes:
    """An expression that is a number."""
    return bytes((LITERAL_NODE,)) + number32(value)


def section_node(section: int, offset: int) -> bytes:
    """An expression that is a place in a section of the module."""
    node = bytes((SECTION_NODE,)) + variable(section)
    if not offset:
        return node
    return bytes((BINARY_CODES[BinaryOp.ADD],)) + node + literal_node(offset)


class LineRow(Protocol):
    """A line of the table, or what an assembler has of it."""

    @property
    def line(self) -> int:
        """Its number in the file."""

    @property
    def column(self) -> int:
        """Where it begins."""

    @property
    def file(self) -> int:
        """The number of the file."""

    @property
    def type(self) -> int:
        """What kind of line it is."""

    @property
    def spans(self) -> Sequence[int]:
        """What it has put where."""


def fragment_row(kind: int, size: int, data: bytes, lines: bytes) -> bytes:
    """A fragment; ``lines`` as they are written."""
    if kind == LITERAL:
        return b"\0" + _VARIABLE[size] + data + lines
    if kind == FILL:
        return bytes((FILL,)) + _VARIABLE[size] + lines
    return bytes((kind + size,)) + data + lines


def line_rows(rows: Iterable[LineRow]) -> Rows:
    """The table of lines as it is written."""
    known, count = _VARIABLE, 0
    written: list[int] = []  # bytes
    for row in rows:
        count += 1
        line, column, file, type, spans = row.line, row.column, row.file, row.type, row.spans
        if not spans and line < 0x4000 and column < 0x80 and file < 0x80 > type:
            # nearly all of them, most with a number that no other has
            if line < 0x80:
                written.extend((line, column, file, type, 0))
            else:
                written.extend((line & 0x7F | 0x80, line >> 7, column, file, type, 0))
            continue
        head = known[line] + known[column] + known[file] + known[type] + known[len(spans)]
        written.extend(head + b"".join(map(known.__getitem__, spans)) if spans else head)
    return count, bytes(written)


def span_rows(rows: Iterable[tuple[int, int, int, int]]) -> Rows:
    """The table of spans as it is written: segment, start, size, and the number of the type's
    name."""
    known = _VARIABLE
    written = [known[a] + known[b] + known[c] + known[d] for a, b, c, d in rows]
    return len(written), b"".join(written)


def encode_object(tables: ObjectFile, packed: Packed | None = None) -> bytes:
    """The contents of the file; equal tables give equal bytes. ``packed`` has those that are
    written already."""
    return _Encoder(tables, packed).data()


class _Encoder:
    def __init__(self, tables: ObjectFile, packed: Packed | None) -> None:
        self._tables = tables
        self._packed = packed
        self._fragments = iter(packed.fragments if packed is not None else ())
        self._strings = {text: number for number, text in enumerate(tables.strings)}
        self._lists: dict[tuple[int, ...], bytes] = {}

    def data(self) -> bytes:
        """Header and tables."""
        tables, packed = self._tables, self._packed
        parts: dict[str, bytes] = {
            "options": self._list(tables.options, lambda o: bytes((o.type,)) + variable(
                o.value if isinstance(o.value, int) else self._string(o.value))),
            "files": self._list(tables.files, lambda f: variable(self._string(f.name))
                                + number32(f.time) + variable(f.size)),
            "segments": self._list(tables.segments, self._segment),
            "imports": self._list(tables.imports, self._import),
            "exports": self._list(tables.exports, self._export),
            "symbols": self._list(tables.symbols, self._symbol)
            + self._list(tables.c_symbols, self._c_symbol),
            "scopes": self._list(tables.scopes, self._scope),
            "lines": _rows(packed.lines if packed else line_rows(tables.lines)),
        }  # fmt: skip
        last = {
            "assertions": self._list(tables.assertions, self._assertion),
            "spans": _rows(packed.spans if packed else span_rows(map(self._span, tables.spans))),
        }
        # once everything has asked for its names
        parts["strings"] = self._list(list(self._strings), self._pool_number)
        parts |= last
        offset, where, body = HEADER_SIZE, {}, []
        for name, part in parts.items():
            where[name] = offset, len(part)
            offset += len(part)
            body.append(part)
        flags = DEBUG_FLAG if tables.debug else 0
        header = OBJECT_MAGIC + OBJECT_VERSION.to_bytes(2, "little")
        header += flags.to_bytes(2, "little")
        header += b"".join(n.to_bytes(4, "little") for name in LIST_NAMES for n in where[name])
        return header + b"".join(body)

    def _list(self, rows: Sequence[T], encode: Callable[[T], bytes]) -> bytes:
        return variable(len(rows)) + b"".join(map(encode, rows))

    def _string(self, text: str) -> int:
        return self._strings.setdefault(text, len(self._strings))

    def _pool_number(self, text: str) -> bytes:
        raw = text.encode() if text.isascii() else bytes_of(text)
        return variable(len(raw)) + raw

    def _numbers(self, numbers: tuple[int, ...]) -> bytes:
        known = self._lists.get(numbers)
        if known is None:
            known = variable(len(numbers)) + b"".join(map(_VARIABLE.__getitem__, numbers))
            self._lists[numbers] = known
        return known

    def _segment(self, segment: Segment) -> bytes:
        head = (self._string(segment.name), segment.flags, segment.size, segment.alignment)
        data = b"".join(map(variable, head)) + bytes((segment.address_size,))
        written = next(self._fragments, None)
        if written is None:
            data += self._list(segment.fragments, self._fragment)
        else:
            data += _rows(written)
        return number32(len(data)) + data

    def _fragment(self, fragment: FragmentRow) -> bytes:
        lines = self._numbers(fragment.lines)
        return fragment_row(fragment.kind, fragment.size, fragment.data, lines)

    def _import(self, row: Import) -> bytes:
        head = bytes((row.address_size,)) + variable(self._string(row.name))
        return head + self._numbers(row.definitions) + self._numbers(row.references)

    def _value(self, value: bytes | int) -> bytes:
        return number32(value) if isinstance(value, int) else value

    def _export(self, row: Export) -> bytes:
        data = variable(row.flags) + bytes((row.address_size, *row.condes))
        data += variable(self._string(row.name)) + self._value(row.value)
        if row.size is not None:
            data += variable(row.size)
        return data + self._numbers(row.definitions) + self._numbers(row.references)

    def _symbol(self, row: SymbolRow) -> bytes:
        data = variable(row.flags) + bytes((row.address_size,)) + variable(row.owner)
        data += variable(self._string(row.name)) + self._value(row.value)
        for number in (row.size, row.imported, row.exported):
            if number is not None:
                data += variable(number)
        return data + self._numbers(row.definitions) + self._numbers(row.references)

    def _c_symbol(self, row: CSymbol) -> bytes:
        data = variable(row.flags) + variable(self._string(row.name))
        if row.symbol is not None:
            data += variable(row.symbol)
        if row.flags & C_STORAGE in (C_AUTO, C_REGISTER):
            data += variable(row.offset & 0xFFFFFFFFFFFFFFFF)
        return data + variable(self._string(row.type)) + variable(row.scope)

    def _assertion(self, row: AssertionRow) -> bytes:
        head = row.expression + variable(row.action) + variable(self._string(row.message))
        return head + self._numbers(row.lines)

    def _scope(self, row: ScopeRow) -> bytes:
        flags = SCOPE_HAS_SIZE * (row.size is not None) | SCOPE_HAS_LABEL * (row.label is not None)
        head = [row.parent, row.level, flags, row.type, self._string(row.name)]
        head += [number for number in (row.size, row.label) if number is not None]
        return b"".join(map(variable, head)) + self._numbers(row.spans)

    def _span(self, row: SpanRow) -> tuple[int, int, int, int]:
        return row.segment, row.start, row.size, self._string(row.type)


def _rows(rows: Rows) -> bytes:
    """A table whose rows are written."""
    return variable(rows[0]) + rows[1]
