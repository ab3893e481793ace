"""Object files of cc65 2.19, read: nothing in them is trusted.

Expressions stay encoded, and only their form is checked here.
"""

from __future__ import annotations

from _operator import add, gt  # the other one is in Python around it
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from romproof.toolchains.ca65.obj import bulk
from romproof.toolchains.ca65.obj.late import Late
from romproof.toolchains.ca65.obj.reader import ByteReader, Damaged, skip_expression
from romproof.toolchains.ca65.obj.rows import (
    CSymbol,
    FragmentRow,
    LineRow,
    ScopeRow,
    SpanRow,
    SymbolRow,
)
from romproof.toolchains.ca65.obj.tables import (
    C_AUTO,
    C_HAS_SYMBOL,
    C_REGISTER,
    C_STORAGE,
    CONDES_COUNT,
    DEBUG_FLAG,
    EXPRESSION,
    FILL,
    HAS_SIZE,
    HEADER_SIZE,
    IS_CHEAP_LOCAL,
    IS_EXPORT,
    IS_EXPRESSION,
    IS_IMPORT,
    LIST_NAMES,
    LITERAL,
    NO_OWNER,
    OBJECT_MAGIC,
    OBJECT_VERSION,
    OPTION_TIME,
    SCOPE_HAS_LABEL,
    SCOPE_HAS_SIZE,
    SIGNED,
    AssertionRow,
    BadObjectFile,
    Export,
    File,
    Globals,
    Import,
    ModuleOption,
    ObjectFile,
    Segment,
)

T = TypeVar("T")
MAX_SECTION: Final = 1 << 24
"""Bytes of one module in a segment: no CPU of cc65 addresses more."""
_ADDRESS_SIZES: Final = range(1, 5)


def report_damage(name: str, why: object) -> BadObjectFile:
    """What is said about a file that began well."""
    return BadObjectFile(f"{name}: damaged object file ({why}): assemble it again")


def decode_object(data: bytes, name: str) -> ObjectFile:
    """All tables of the object in the contents of a file called ``name``.

    Raises BadObjectFile when ``data`` is something else, of another version or damaged.
    """
    if not data.startswith(OBJECT_MAGIC):
        raise BadObjectFile(f"{name}: this is not an object file of ca65")
    version = int.from_bytes(data[4:6], "little")
    if len(data) >= 6 and version != OBJECT_VERSION:
        raise BadObjectFile(
            f"{name}: object of version {version:#x}, not {OBJECT_VERSION:#x}, which is that of "
            "cc65 2.19: assemble it again"
        )
    try:
        return _Decoder(data).tables()
    except Damaged as fault:
        raise report_damage(name, fault) from None


def globals_of(data: bytes) -> Globals:
    """What is needed to choose among the members of a library. Raises Damaged."""
    return _Decoder(data).globals()


class _Decoder:
    def __init__(self, data: bytes) -> None:
        if len(data) < HEADER_SIZE:
            raise Damaged("the file is cut off")
        self._data = data
        numbers = [int.from_bytes(data[at : at + 4], "little") for at in range(8, HEADER_SIZE, 4)]
        places = zip(numbers[::2], numbers[1::2], strict=True)
        self._where = dict(zip(LIST_NAMES, places, strict=True))
        self._flags = int.from_bytes(data[6:8], "little")
        self._strings = self._table("strings", self._pool_text)
        self._counts: dict[str, int] = {}
        self._r = ByteReader(b"")

    def globals(self) -> Globals:
        """What it shares with others."""
        self._count_rows()
        imports = self._table("imports", self._import)
        exports = self._table("exports", self._export)
        return Globals(exports, imports, self._table("files", self._file), self._strings)

    def _count_rows(self) -> None:
        for table in LIST_NAMES:
            self._counts[table] = ByteReader(self._part(table)).variable()

    def tables(self) -> ObjectFile:
        """Everything."""
        self._count_rows()
        self._lists = bulk.Lists(self._counts["lines"], "number in lines")
        options = self._table("options", self._option)
        files = self._table("files", self._file)
        if not files:
            raise Damaged("it has no source file")
        lines = self._lines()
        imports = self._table("imports", self._import)
        exports = self._table("exports", self._export)
        self._r = ByteReader(self._part("symbols"))
        symbols = self._r.rows(self._symbol)
        c_symbols = self._r.rows(self._c_symbol)
        self._check_owners(symbols)
        segments = self._table("segments", self._segment)
        scopes = self._table("scopes", self._scope)
        spans = self._spans([segment.size for segment in segments])
        return ObjectFile(
            bool(self._flags & DEBUG_FLAG), options, files, segments, imports, exports, symbols,
            c_symbols, lines, self._strings, self._table("assertions", self._assertion), scopes,
            spans,
        )  # fmt: skip

    def _part(self, table: str) -> bytes:
        offset, size = self._where[table]
        if offset < HEADER_SIZE or offset + size > len(self._data):
            raise Damaged(f"its {table} are outside of the file")
        return self._data[offset : offset + size]

    def _table(self, table: str, read: Callable[[], T]) -> tuple[T, ...]:
        self._r = ByteReader(self._part(table))
        return self._r.rows(read)

    def _pool_text(self) -> str:
        return self._r.text()

    def _string(self) -> str:
        return self._strings[self._r.below(len(self._strings), "text")]

    def _name(self) -> str:
        """A name that messages may show."""
        name = self._string()
        if not name.isprintable():
            raise Damaged(f"an invalid name: {name!a}")
        return name

    def _numbers(self, table: str) -> tuple[int, ...]:
        return self._r.numbers(self._counts[table], f"number in {table}")

    def _option(self) -> ModuleOption:
        kind = self._r.byte()
        return ModuleOption(kind, self._string() if kind < OPTION_TIME else self._r.variable())

    def _file(self) -> File:
        return File(self._string(), self._r.long(), self._r.variable())

    def _address_size(self) -> int:
        size = self._r.byte()
        if size not in _ADDRESS_SIZES:
            raise Damaged(f"an address size of {size}")
        return size

    def _expression(self) -> bytes:
        start = self._r.at
        skip_expression(self._r, self._counts)
        return self._r.data[start : self._r.at]

    def _segment(self) -> Segment:
        size = self._r.long()
        end = self._r.at + size
        name, flags = self._name(), self._r.variable()
        size, alignment, address = self._r.variable(), self._r.variable(), self._address_size()
        if size > MAX_SECTION or not 0 < alignment <= 0x10000:
            raise Damaged(f"segment '{name}' cannot have this size or alignment")
        count = self._r.variable()
        if end > len(self._r.data):
            raise Damaged("the file is cut off")
        fragments, contents = bulk.fragments(
            self._r.data, self._r.at, end, self._counts, self._lists, self._fragment_at
        )
        self._r.at = end
        if len(fragments) != count or len(contents.data) != size:
            raise Damaged(f"segment '{name}' does not have the size in its header")
        return Segment(name, flags, size, alignment, address, fragments, contents)

    def _fragment_at(self, at: int) -> tuple[FragmentRow, int]:
        self._r.at = at
        return self._fragment(), self._r.at

    def _fragment(self) -> FragmentRow:
        kind = self._r.byte()
        size = self._r.variable() if kind in (LITERAL, FILL) else kind & 7
        if size > MAX_SECTION:
            raise Damaged("a fragment of impossible size")
        if kind == LITERAL:
            return FragmentRow(kind, size, self._r.read_bytes(size), self._numbers("lines"))
        if kind == FILL:
            return FragmentRow(kind, size, b"", self._numbers("lines"))
        if kind - size not in (EXPRESSION, SIGNED) or not 1 <= size <= 4:
            raise Damaged(f"a fragment of unknown type {kind:#x}")
        return FragmentRow(kind - size, size, self._expression(), self._numbers("lines"))

    def _import(self) -> Import:
        size = self._address_size()
        return Import(self._name(), size, self._numbers("lines"), self._numbers("lines"))

    def _value(self, flags: int) -> bytes | int:
        return self._expression() if flags & IS_EXPRESSION else self._r.long()

    def _export(self) -> Export:
        flags, address = self._r.variable(), self._address_size()
        condes = tuple(self._r.read_bytes(flags & CONDES_COUNT))
        if any(entry >> 5 > 6 for entry in condes):
            raise Damaged("a table of constructors of unknown type")
        name, value = self._name(), self._value(flags)
        size = self._r.variable() if flags & HAS_SIZE else None
        lines = self._numbers("lines"), self._numbers("lines")
        return Export(name, flags, address, condes, value, size, *lines)

    def _symbol(self) -> SymbolRow:
        flags, address, owner = self._r.variable(), self._r.byte(), self._r.variable()
        name, value = self._name(), self._value(flags)
        size = self._r.variable() if flags & HAS_SIZE else None
        imported = self._r.below(self._counts["imports"], "import") if flags & IS_IMPORT else None
        exported = self._r.below(self._counts["exports"], "export") if flags & IS_EXPORT else None
        lines = self._numbers("lines"), self._numbers("lines")
        return SymbolRow(name, flags, address, owner, value, size, imported, exported, *lines)

    def _check_owners(self, symbols: Sequence[SymbolRow]) -> None:
        for row in symbols:
            local = row.flags & IS_CHEAP_LOCAL
            if local and row.owner == NO_OWNER:
                continue
            if row.owner >= (len(symbols) if local else self._counts["scopes"]):
                raise Damaged(f"symbol '{row.name}' belongs to nothing")

    def _c_symbol(self) -> CSymbol:
        flags, name = self._r.variable(), self._string()
        symbol = None
        if flags & C_HAS_SYMBOL:
            symbol = self._r.below(self._counts["symbols"], "symbol")
        offset = 0
        if flags & C_STORAGE in (C_AUTO, C_REGISTER):
            offset = (self._r.variable() + (1 << 31)) % (1 << 32) - (1 << 31)
        kind = self._string()
        return CSymbol(name, flags, symbol, offset, kind, self._r.below(
            self._counts["scopes"], "scope"))  # fmt: skip

    def _lines(self) -> Sequence[LineRow]:
        """The table of lines: all of it are numbers, and there are many."""
        reader = ByteReader(self._part("lines"))
        count = reader.variable()
        files, spans = self._counts["files"], self._counts["spans"]
        lines = bulk.lines(reader.data, reader.at, files, spans)
        if len(lines) != count:
            raise Damaged(f"{len(lines)} lines, not {count}")
        return lines

    def _spans(self, segments: Sequence[int]) -> Sequence[SpanRow]:
        """The table of spans, likewise; ``segments`` are the sizes of all."""
        count, numbers = self._numbers_of("spans")
        if 4 * count > len(numbers):
            raise Damaged("the file is cut off")
        of, kinds = numbers[0 : 4 * count : 4], numbers[3 : 4 * count : 4]
        if count and max(of) >= len(segments):
            raise Damaged(f"segment {max(of)} of {len(segments)}")
        if count and max(kinds) >= len(self._strings):
            raise Damaged(f"text {max(kinds)} of {len(self._strings)}")
        starts, sizes = numbers[1 : 4 * count : 4], numbers[2 : 4 * count : 4]
        ends, most = map(add, starts, sizes), map(segments.__getitem__, of)
        if any(map(gt, ends, most)):
            raise Damaged("a span outside of its segment")
        name = self._strings.__getitem__
        return Late(lambda: tuple(map(SpanRow, of, starts, sizes, map(name, kinds))))

    def _numbers_of(self, table: str) -> tuple[int, list[int]]:
        """How many rows a table has, and all numbers in them. Raises Damaged."""
        reader = ByteReader(self._part(table))
        count = reader.variable()
        if count > len(reader.data) - reader.at:  # a row has a byte at least
            raise Damaged("a list that is longer than the file")
        return count, reader.all_numbers()

    def _assertion(self) -> AssertionRow:
        expression = self._expression()
        action = self._r.below(4, "action")
        return AssertionRow(expression, action, self._string(), self._numbers("lines"))

    def _scope(self) -> ScopeRow:
        parent = self._r.below(self._counts["scopes"], "scope")
        level, flags, kind, name = (
            self._r.variable(), self._r.variable(), self._r.variable(), self._string(),
        )  # fmt: skip
        if kind > 4:
            raise Damaged(f"a scope of unknown type {kind}")
        size = self._r.variable() if flags & SCOPE_HAS_SIZE else None
        label = None
        if flags & SCOPE_HAS_LABEL:
            label = self._r.below(self._counts["symbols"], "symbol")
        return ScopeRow(name, parent, level, kind, size, label, self._numbers("spans"))
