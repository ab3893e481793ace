"""What is recorded while a source is read: lines, pieces of segments, scopes, names of C, and the
spans of bytes that each line, scope and list of data has put where."""

from __future__ import annotations

from collections.abc import Sequence

from romproof.text.span import Source
from romproof.toolchains.ca65.asm.symbol import Scope, SymbolEntry
from romproof.toolchains.ca65.asm.tokens import EOF, EOL, Token
from romproof.toolchains.ca65.obj.expr import Expr


class LineInfo:
    """A line of a file, as one kind of line; what refers to it makes it ``used``. ``number`` is its
    own in the object's table."""

    __slots__ = ("column", "file", "line", "number", "spans", "type", "used")

    def __init__(self, file: int, line: int, column: int, type: int) -> None:
        self.file = file
        self.line = line
        self.column = column
        self.type = type
        self.spans: Sequence[int] = ()
        self.number: int
        self.used = False


def line_key(type: int, file: int, line: int) -> int:
    """A number for a line of a file, as one kind of line, that no other has. A source has fewer
    lines than 2^25, each of at least one byte; ``.dbg`` may say any number."""
    if line < 1 << 25:
        return (type << 24 | file) << 25 | line
    return -((line << 24 | file) << 26 | type)


class OpenLine:
    """A line that is being read: since the piece number ``start``, in segment ``segment``."""

    __slots__ = ("info", "segment", "start")

    def __init__(self, info: LineInfo, start: int, segment: int) -> None:
        self.info = info
        self.start = start
        self.segment = segment


class PendingFragment:
    """A fragment in the making: ``expr`` is what it is to hold, None for what is known."""

    __slots__ = ("data", "expr", "kind", "lines", "offset", "segment", "size")

    def __init__(
        self,
        segment: int,
        offset: int,
        kind: int,
        size: int,
        data: bytes,
        expr: Expr | None,
        lines: tuple[LineInfo, ...],
    ) -> None:
        self.segment = segment
        self.offset = offset
        self.kind = kind
        self.size = size
        self.data = data
        self.expr = expr
        self.lines = lines


class ScopeRecord:
    """A scope: its number is its position. ``opened`` is where it began to hold bytes."""

    __slots__ = (
        "name",
        "opened",
        "scope",
        "spans",
    )

    def __init__(
        self,
        scope: Scope,
        name: str,
        opened: tuple[int, int] | None = None,
    ) -> None:
        self.scope = scope
        self.name = name
        self.opened: tuple[int, int] | None = opened
        self.spans: Sequence[int] = ()


class CRecord:
    """A function or variable of C. ``symbol`` is known at the end: its name is ``asm_name``."""

    __slots__ = (
        "asm_name",
        "flags",
        "line",
        "name",
        "offset",
        "scope",
        "symbol",
        "type",
    )

    def __init__(
        self,
        flags: int,
        name: str,
        type: str,
        scope: Scope,
        asm_name: str,
        offset: int,
        line: LineInfo,
        symbol: SymbolEntry | None = None,
    ) -> None:
        self.flags = flags
        self.name = name
        self.type = type
        self.scope = scope
        self.asm_name = asm_name
        self.offset = offset
        self.line = line
        self.symbol: SymbolEntry | None = symbol


class AssertionRecord:
    """An assertion; ``action`` as the object file has it."""

    __slots__ = (
        "action",
        "expr",
        "lines",
        "message",
    )

    def __init__(
        self,
        expr: Expr,
        action: int,
        message: str,
        lines: tuple[LineInfo, ...],
    ) -> None:
        self.expr = expr
        self.action = action
        self.message = message
        self.lines = lines


class MacroLines:
    """The lines of one expansion: that of its last token, whose source is ``source``, and that of
    the parameter's."""

    __slots__ = ("body", "depth", "parameter", "source")

    def __init__(self, depth: int) -> None:
        self.depth = depth
        self.body: OpenLine | None = None
        self.parameter: OpenLine | None = None
        self.source: Source | None = None


def array_type(count: int, element: str) -> str:
    """The type of ``count`` elements of one type (cc65's common/gentype.c)."""
    raw = bytearray()
    while True:
        raw.append(count & 0xFF)
        count >>= 8
        if not count:
            break
    head = bytes((0x80 + len(raw) - 1,)) + bytes(raw)
    return head.decode("utf-8", "surrogateescape") + element


def last_line(source: Source) -> int:
    """The number of the last line that was read."""
    lines = source.lines
    return len(lines) - (lines[-1] == "")


class FileNumbers:
    """The numbers of files that were named (``by_name``: the last one of that name), and of the
    sources that are read from them: a file that is open twice has two."""

    def __init__(self) -> None:
        self.by_name: dict[str, int] = {}
        self._by_source: dict[int, int] = {}

    def open(self, source: Source) -> None:
        """A source is read from the file that was named so last."""
        self._by_source[id(source)] = self.by_name.get(source.name, 0)

    def of(self, source: Source) -> int:
        """The number of the file that a source was read from, 0 for none."""
        return self._by_source.get(id(source), self.by_name.get(source.name, 0))


def line_and_column(token: Token) -> tuple[int, int]:
    """The line that a token is in, and where that begins, as line records have it: columns are
    counted from 0."""
    if token.kind == EOF:
        return last_line(token.source), 0
    if token.kind != EOL:
        return token.line, token.col - 1
    if isinstance(token.value, int):  # behind the end of a comment
        return token.line, token.value
    text = token.source.line(token.line).rstrip()  # a comment is no token, and still a beginning
    return token.line, len(text) - len(text.lstrip())


Closed = tuple[LineInfo | ScopeRecord, int, int, int] | tuple[str, int, int, int]
"""Whose spans are to be listed, the first of its pieces, the one behind the last, and the segment
that was active; or the type of data, their segment, start and end."""
SpanNumbers = tuple[int, int, int, str]


class _Spans:
    """The spans so far, each once."""

    def __init__(self, pieces: Sequence[PendingFragment]) -> None:
        self._pieces = pieces
        self.rows: list[SpanNumbers] = []
        self._numbers: dict[tuple[int, int, int], int] = {}

    def number(self, segment: int, start: int, end: int) -> int:
        """The number of a span, which is made if it is new."""
        key = segment, start, end
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.rows)
            self.rows.append((segment, start, end - start, ""))
        return number

    def between(self, start: int, stop: int, first: int) -> list[int]:
        """The spans of what some pieces put into each segment; of segment ``first`` first."""
        if stop == start + 2 and self._pieces[start].segment == self._pieces[start + 1].segment:
            piece, last = self._pieces[start : start + 2]  # as branches are
            end = last.offset + last.size
            return [self.number(piece.segment, piece.offset, end)] if end > piece.offset else []
        starts: dict[int, int] = {}
        ends: dict[int, int] = {}
        for piece in self._pieces[start:stop]:
            starts.setdefault(piece.segment, piece.offset)
            ends[piece.segment] = piece.offset + piece.size
        order = sorted(starts, key=lambda number: (number != first, number))
        return [self.number(s, starts[s], ends[s]) for s in order if ends[s] > starts[s]]


def spans_of(closed: Sequence[Closed], pieces: Sequence[PendingFragment]) -> list[SpanNumbers]:
    """All spans, numbered in the order in which they were closed; what they belong to is told its
    numbers."""
    spans = _Spans(pieces)
    for of, start, stop, first in closed:
        if isinstance(of, str):
            number = spans.number(start, stop, first)
            if of:
                spans.rows[number] = start, stop, first - stop, of
            continue
        if stop == start + 1:  # as most lines are
            piece = pieces[start]
            at, size = piece.offset, piece.size
            numbers = [spans.number(piece.segment, at, at + size)] if size else []
        else:
            numbers = spans.between(start, stop, first)
        of.spans = (*of.spans, *numbers) if of.spans else numbers
    return spans.rows
