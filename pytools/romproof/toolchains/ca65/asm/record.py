"""What an object file of ca65 says besides bytes: which lines made what, and in which order.

ca65 keeps a list of the lines that are being read: of a source file, of the C source that the
compiler names, and of each macro that is expanded, with one for its parameter. What is made or
named then belongs to all of them. The order of the file's tables follows from that of these events
(lineinfo.c, span.c, symentry.c and dbginfo.c of ca65 2.19): the same look-ahead, the same file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from romproof.text.span import Source
from romproof.toolchains.ca65.asm.options import ExpandedLines
from romproof.toolchains.ca65.asm.record_rows import (
    AssertionRecord,
    Closed,
    CRecord,
    FileNumbers,
    LineInfo,
    MacroLines,
    OpenLine,
    PendingFragment,
    ScopeRecord,
    array_type,
    line_and_column,
    line_key,
    spans_of,
)
from romproof.toolchains.ca65.asm.silent import LITERAL_BYTES, Nowhere, SegmentView, Silent
from romproof.toolchains.ca65.asm.symbol import Scope, SymbolEntry
from romproof.toolchains.ca65.asm.tokens import Token
from romproof.toolchains.ca65.obj.expr import Expr
from romproof.toolchains.ca65.obj.tables import (
    ASM_LINE,
    C_LINE,
    FILL,
    LITERAL,
    MACRO_LINE,
    OPTION_TIME,
    PARAMETER_LINE,
    File,
    ModuleOption,
)

if TYPE_CHECKING:
    from romproof.toolchains.ca65.asm.listing import Listing


_MAX_FILL: Final = 0xFFFF  # bytes of one piece that is reserved


class Record(Silent):
    """Is told what happens, and keeps what the object file says of it."""

    def __init__(self, debug: bool, listing: Listing | None = None) -> None:
        self.debug = debug
        self.listing = listing
        self._places: SegmentView = Nowhere()
        self.strings: dict[str, int] = {"": 0}
        self.files: list[File] = []
        self._file_numbers = FileNumbers()
        self.pieces: list[PendingFragment] = []
        self.lines: dict[int, LineInfo] = {}  # by line_key
        self._current: list[OpenLine] = []
        self._full: tuple[LineInfo, ...] | None = None
        self._source_line = self._start(0, 0, 0, ASM_LINE)
        self._c: OpenLine | None = None
        self._depth = 0
        self._lists = 0
        self.definitions: dict[SymbolEntry, tuple[LineInfo, ...]] = {}
        self.references: dict[SymbolEntry, list[LineInfo]] = {}
        self._closed: list[Closed] = []
        self.constants: set[tuple[int, int]] = set()
        self._open_data = (0, 0)
        self.scopes: list[ScopeRecord] = []
        self._scope_numbers: dict[Scope, int] = {}
        self._anonymous = 0
        self.options: list[ModuleOption] = []
        self.assertions: list[AssertionRecord] = []
        self.c_symbols: list[CRecord] = []
        self.local_names: dict[str, str] = {}

    def fill_places(self, places: SegmentView) -> None:
        self._places = places

    def intern(self, name: str) -> None:
        self.strings.setdefault(name, len(self.strings))

    def file(self, name: str, time: int, size: int) -> None:
        self.intern(name)
        self.files.append(File(name, time & 0xFFFFFFFF, size))
        self._file_numbers.by_name[name] = len(self.files)

    def open_file(self, source: Source) -> None:
        self._file_numbers.open(source)

    # -- the listing -----------------------------------------------------------------

    @property
    def has_listing(self) -> bool:
        return self.listing is not None

    @property
    def expands(self) -> bool:
        return self.listing is not None and self.listing.expands is not ExpandedLines.NONE

    def expansion(self, token: Token, level: int) -> None:
        if self.listing is not None:
            source, places = token.source, self._places
            self.listing.enter(places.current.number)
            text = source.line(token.line)
            self.listing.expand(text, source.name, level, places.pc, places.origin is None)

    def line_read(self, source: Source, number: int, depth: int) -> None:
        if self.listing is not None:
            places = self._places
            self.listing.enter(places.current.number)
            self.listing.read_to(source, number, depth, places.pc, places.origin is None)

    def statement(self) -> None:
        if self.listing is not None:
            self.listing.enter(self._places.current.number)
            self.listing.start_statement(self._places.pc, self._places.origin is None)

    def switch_listing(self, on: bool) -> bool:
        return self.listing is None or self.listing.switch(on)

    def list_bytes(self, most: int) -> None:
        if self.listing is not None:
            self.listing.most = most

    def page_length(self, lines: int) -> None:
        if self.listing is not None:
            self.listing.page = lines

    # -- lines -----------------------------------------------------------------------

    def _known(self, type: int, file: int, line: int, column: int) -> LineInfo:
        """A line as one kind of line; it begins where it was seen to begin first."""
        key = line_key(type, file, line)
        info = self.lines.get(key)
        if info is None:
            info = self.lines[key] = LineInfo(file, line, column, type)
        return info

    def _start(self, file: int, line: int, column: int, type: int) -> OpenLine:
        info = self._known(type, file, line, column)
        opened = OpenLine(info, len(self.pieces), self._places.current.number)
        self._current.append(opened)
        self._full = None
        return opened

    def _end(self, opened: OpenLine) -> None:
        if opened.start < len(self.pieces):
            self._closed.append((opened.info, opened.start, len(self.pieces), opened.segment))
        self._current.remove(opened)
        self._full = None

    def full(self) -> tuple[LineInfo, ...]:
        """All lines that are being read."""
        if self._full is None and len(self._current) == 1:
            self._source_line.info.used = True
            self._full = (self._source_line.info,)
        elif self._full is None:
            self._full = tuple([opened.info for opened in self._current])
            for info in self._full:
                info.used = True
        return self._full

    def line(self, token: Token) -> None:
        self._start_line(self._file_numbers.of(token.source), *line_and_column(token))

    def _start_line(self, file: int, line: int, column: int) -> None:
        """Another line of a source follows."""
        info = self._source_line.info
        if info.line == line and info.file == file:
            return
        self._end(self._source_line)
        self._source_line = self._start(file, line, column, ASM_LINE)
        current = self._current
        if current[0].info.type == C_LINE and len(current) > 1:
            current.insert(0, current.pop(1))

    def enter_macro(self) -> MacroLines | None:
        self._depth += 1
        return MacroLines(self._depth)

    def macro_token(self, lines: MacroLines | None, token: Token, is_parameter: bool) -> None:
        assert lines is not None
        opened = lines.parameter if is_parameter else lines.body
        if (
            opened is not None
            and token.line == opened.info.line
            and token.source is lines.source
            and opened.start == len(self.pieces)
            and self._current[-1] is opened
        ):
            opened.segment = self._places.current.number  # as in _restart
            return
        lines.source = token.source
        if is_parameter:
            kind = PARAMETER_LINE | lines.depth << 2
            lines.parameter = self._restart(lines.parameter, token, kind)
        else:
            self._end_parameter(lines)
            lines.body = self._restart(lines.body, token, MACRO_LINE | lines.depth << 2)

    def _restart(self, opened: OpenLine | None, token: Token, kind: int) -> OpenLine:
        """End a line that is read from a list of tokens, and begin that of the next token."""
        file = self._file_numbers.of(token.source)
        if opened is not None:
            info = opened.info
            same = info.line == token.line and info.file == file and info.type == kind
            if same and opened.start == len(self.pieces) and self._current[-1] is opened:
                opened.segment = self._places.current.number
                return opened  # it would end without bytes, and begin again
            self._end(opened)
        return self._start(file, token.line, token.col - 1, kind)

    def enter_list(self) -> MacroLines | None:
        self._lists += 1
        return MacroLines(0)

    def list_token(self, lines: MacroLines | None, token: Token) -> None:
        assert lines is not None
        lines.body = self._restart(lines.body, token, ASM_LINE | self._lists << 2)

    def leave_list(self, lines: MacroLines | None) -> None:
        assert lines is not None
        if lines.body is not None:
            self._end(lines.body)
            lines.body = None
        self._lists -= 1

    def _end_parameter(self, lines: MacroLines) -> None:
        if lines.parameter is not None:
            self._end(lines.parameter)
            lines.parameter = None

    def leave_macro(self, lines: MacroLines | None) -> None:
        assert lines is not None
        self._depth -= 1
        self._end_parameter(lines)
        if lines.body is not None:
            self._end(lines.body)
            lines.body = None

    def touch(self) -> None:
        self.full()

    def c_line(self, file: str | None, line: int) -> None:
        if self._c is not None:
            self._end(self._c)
            self._c = None
        if file is not None:
            self.intern(file)
            self._c = self._start(self._file_numbers.by_name.get(file, 0), line, 0, C_LINE)

    # -- symbols -----------------------------------------------------------------------

    def define(self, symbol: SymbolEntry, again: bool = False) -> None:
        before = () if again else self.definitions.get(symbol, ())
        self.definitions[symbol] = before + self.full()

    def refer(self, symbol: SymbolEntry) -> None:
        info = self._source_line.info
        info.used = True
        self.references.setdefault(symbol, []).append(info)

    def forget(self, symbol: SymbolEntry) -> None:
        self.definitions.pop(symbol, None)

    def note_size(self) -> None:
        self.intern(".size")
        self.full()

    def local_name(self, marked: str, name: str) -> None:
        self.local_names[marked] = name

    # -- bytes -------------------------------------------------------------------------

    def _piece(
        self, segment: int, offset: int, kind: int, size: int, data: bytes, expr: Expr | None = None
    ) -> None:
        piece = PendingFragment(segment, offset, kind, size, data, expr, self._full or self.full())
        self.pieces.append(piece)
        if self.listing is not None:
            self.listing.add(piece)

    def literal(self, segment: int, offset: int, data: bytes, most: int = LITERAL_BYTES) -> None:
        size = len(data)
        if 0 < size <= most and self.listing is None:
            lines = self._full or self.full()
            self.pieces.append(PendingFragment(segment, offset, LITERAL, size, data, None, lines))
            return
        for at in range(0, len(data), most):
            part = data[at : at + most]
            self._piece(segment, offset + at, LITERAL, len(part), part)

    def operand(self, segment: int, offset: int, data: bytes) -> None:
        opcode = self.pieces[-1]
        opcode.data += data
        opcode.size += len(data)

    def known(self, segment: int, offset: int) -> None:
        self.constants.add((segment, offset))

    def fill(self, segment: int, offset: int, size: int) -> None:
        for at in range(0, size, _MAX_FILL):
            part = min(_MAX_FILL, size - at)
            self._piece(segment, offset + at, FILL, part, b"")

    def value(self, segment: int, offset: int, size: int, kind: int, expr: Expr) -> None:
        self._piece(segment, offset, kind, size, b"", expr)

    # -- spans -------------------------------------------------------------------------

    def spans(self) -> list[tuple[int, int, int, str]]:
        """All spans; they are worked out now, as most objects have none."""
        made = spans_of(self._closed, self.pieces)
        self._closed = []
        return made

    def open_span(self, segment: int, offset: int) -> None:
        self._open_data = segment, offset

    def close_span(self, end: int, type: str, size: int) -> None:
        segment, start = self._open_data
        if end > start:
            kind = ""
            if self.debug:
                kind = array_type((end - start) // size, type)
                self.intern(kind)
            self._closed.append((kind, segment, start, end))

    # -- scopes ------------------------------------------------------------------------

    def anonymous(self, what: str) -> str:
        self._anonymous += 1
        return f"$anon-{what}-{self._anonymous:04X}"

    def scope(self, scope: Scope, name: str) -> None:
        self.intern(name)
        self._scope_numbers[scope] = len(self.scopes)
        self.scopes.append(ScopeRecord(scope, name))

    def scope_number(self, scope: Scope) -> int:
        """The position of a scope in the table."""
        return self._scope_numbers[scope]

    def open_scope(self, scope: Scope, segment: int) -> None:
        self.scopes[self._scope_numbers[scope]].opened = len(self.pieces), segment

    def close_scope(self, scope: Scope) -> None:
        record = self.scopes[self._scope_numbers[scope]]
        if record.opened is not None:
            start, first = record.opened
            self._closed.append((record, start, len(self.pieces), first))
            record.opened = None

    def first_size(self) -> int | None:
        """The bytes in the segment that was active first, or else in the first that has any."""
        sizes = [len(section.data) for section in self._places.sections]
        return next((size for size in sizes if size), None)

    # -- what is said besides ------------------------------------------------------------

    def option(self, type: int, text: str) -> None:
        if type == OPTION_TIME:
            self.options.append(ModuleOption(type, 0))
        else:
            self.intern(text)
            self.options.append(ModuleOption(type, text))

    def assertion(self, expr: Expr, action: int, message: str) -> None:
        self.intern(message)
        self.assertions.append(AssertionRecord(expr, action, message, self.full()))

    def c_symbol(
        self, flags: int, name: str, type: str, scope: Scope, asm_name: str, offset: int
    ) -> None:
        self.c_symbols.append(
            CRecord(flags, name, type, scope, asm_name, offset, self._source_line.info)
        )

    def finish(self) -> None:
        """The source has ended: close what is open."""
        for opened in reversed(self._current[:]):
            self._end(opened)
