"""What ld65's debug information means: segments, lines, symbols and scopes.

Positions are kept as in the file, segment and offset; where these are in memory is for the
image's layout to say. Spans and lines, of which a program has a hundred thousand, are tuples.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from romproof.formats.dbg_records import DbgRecord, Records, Row, read_records
from romproof.text.span import Source

MACRO_BODY, MACRO_PARAMETER, C_LINE = 2, 3, 1
"""Types of lines other than an assembler's own (common/lidefs.h)."""
_MAX_SIZE = 1 << 24
_SIGN = 1 << 31


@dataclass(frozen=True, slots=True)
class DbgSegment:
    """A segment: where the program has it, and where it is in ``output`` (None: in no file)."""

    name: str
    start: int
    size: int
    is_zeropage: bool
    is_read_only: bool
    output: str | None
    offset: int


class DbgSpan(NamedTuple):
    """``size`` bytes from an offset of a segment; ``is_data`` says that their type is known."""

    segment: int
    start: int
    size: int
    is_data: bool


@dataclass(frozen=True, slots=True)
class DbgFile:
    """A source: its name as the assembler had it, and its size in bytes."""

    name: str
    size: int


class DbgLine(NamedTuple):
    """A line of a source, the first is 1, and the spans that it made; ``depth`` of macros."""

    file: int
    line: int
    type: int
    depth: int
    spans: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DbgScope:
    """A scope: ``kind`` is "" for a whole module; ``symbol`` is that of a procedure."""

    name: str
    module: str
    kind: str
    parent: int | None
    symbol: int | None
    spans: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DbgSymbol:
    """A symbol that its module defines; ``qualified`` has the names of its scopes before it.

    ``is_inner`` says that it is a cheap local, or in a procedure.
    """

    qualified: str
    module: str
    value: int
    is_label: bool
    is_zeropage: bool
    is_exported: bool
    size: int | None
    segment: int | None
    definition: int | None
    is_inner: bool


@dataclass(frozen=True)
class DebugInfo:
    """All of it, by the numbers of the file."""

    name: str
    segments: Mapping[int, DbgSegment]
    spans: Mapping[int, DbgSpan]
    files: Mapping[int, DbgFile]
    lines: Mapping[int, DbgLine]
    scopes: Mapping[int, DbgScope]
    symbols: Mapping[int, DbgSymbol]

    @property
    def has_symbols(self) -> bool:
        """Whether anything was assembled with -g."""
        return bool(self.symbols or self.scopes or self.spans)


def read_debug_info(source: Source) -> DebugInfo:
    """The debug information in a file. Raises BadSymbols."""
    records = read_records(source)
    of_kind = records.of_kind
    segments = {number: _segment(r) for number, r in of_kind("seg").items()}
    spans = {
        number: _span(r, records, segments)
        if isinstance(r, DbgRecord)
        else _span_of_row(r, records, segments)
        for number, r in records.many["span"].items()
    }
    files = {
        number: DbgFile(r.text("name"), r.number("size", 0))
        for number, r in of_kind("file").items()
    }
    lines = {
        number: _line(r, records) if isinstance(r, DbgRecord) else _line_of_row(r, records)
        for number, r in records.many["line"].items()
    }
    modules = {number: r.text("name") for number, r in of_kind("mod").items()}
    scopes = {number: _scope(r, records, modules) for number, r in of_kind("scope").items()}
    return DebugInfo(source.name, segments, spans, files, lines, scopes, _symbols(records, scopes))


def _segment(record: DbgRecord) -> DbgSegment:
    start, size = record.number("start"), record.number("size")
    if start + size > _MAX_SIZE:
        raise record.fault("this segment is larger than any memory")
    return DbgSegment(
        record.text("name"),
        start,
        size,
        record.text("addrsize") == "zeropage",
        record.text("type") == "ro",
        record.text("oname") if "oname" in record.values else None,
        record.number("ooffs", 0),
    )


def _span(record: DbgRecord, records: Records, segments: Mapping[int, DbgSegment]) -> DbgSpan:
    number = record.number("seg")
    segment = records.get("seg", number, record)
    start, size = record.number("start"), record.number("size")
    if start + size > segments[number].size:
        raise record.fault(f"this span ends after its segment {segment.values.get('name')}")
    return DbgSpan(number, start, size, "type" in record.values)


def _span_of_row(row: Row, records: Records, segments: Mapping[int, DbgSegment]) -> DbgSpan:
    _, number, start, size, kind = row.groups()
    span = DbgSpan(int(number), int(start), int(size), kind is not None)
    segment = segments.get(span.segment)
    if segment is None or span.start + span.size > segment.size:
        return _span(records.read(row), records, segments)  # which says what is wrong
    return span


def _line(record: DbgRecord, records: Records) -> DbgLine:
    file = record.number("file")
    records.get("file", file, record)
    return DbgLine(
        file,
        record.number("line"),
        record.number("type", 0),
        record.number("count", 0),
        _read_spans(record, records),
    )


def _line_of_row(row: Row, records: Records) -> DbgLine:
    _, file, line, kind, depth, listed = row.groups()
    spans = tuple(map(int, listed.split("+"))) if listed is not None else ()
    made = DbgLine(int(file), int(line), int(kind or 0), int(depth or 0), spans)
    known = records.many["span"]
    if made.file not in records.of_kind("file") or not all(map(known.__contains__, spans)):
        return _line(records.read(row), records)  # which says what is wrong
    return made


def _read_spans(record: DbgRecord, records: Records) -> tuple[int, ...]:
    spans = record.numbers("span")
    for span in spans:
        records.require("span", span, record)
    return spans


def _scope(record: DbgRecord, records: Records, modules: Mapping[int, str]) -> DbgScope:
    records.get("mod", record.number("mod"), record)
    parent = record.number("parent") if "parent" in record.values else None
    if parent is not None:
        records.get("scope", parent, record)
    symbol = record.number("sym") if "sym" in record.values else None
    if symbol is not None:
        records.get("sym", symbol, record)
    spans = _read_spans(record, records)
    kind = record.text("type")
    module = modules[record.number("mod")]
    return DbgScope(record.text("name"), module, kind, parent, symbol, spans)


def _symbols(records: Records, scopes: Mapping[int, DbgScope]) -> dict[int, DbgSymbol]:
    """The symbols that are defined; imports say which of them other modules use."""
    exported: set[int] = set()
    for record in records.of_kind("sym").values():
        if record.text("type") == "imp" and "exp" in record.values:
            number = record.number("exp")
            records.get("sym", number, record)
            exported.add(number)
    symbols: dict[int, DbgSymbol] = {}
    for number, record in records.of_kind("sym").items():
        if record.text("type") == "imp":
            continue
        segment = record.number("seg") if "seg" in record.values else None
        if segment is not None:
            records.get("seg", segment, record)
        value = record.number("val")
        definitions = record.numbers("def")
        for line in definitions:
            records.require("line", line, record)
        qualified, module, is_inner = _qualify(record, records, scopes)
        symbols[number] = DbgSymbol(
            qualified,
            module,
            value - 2 * _SIGN if value >= _SIGN else value,
            record.text("type") == "lab",
            record.text("addrsize") == "zeropage",
            number in exported,
            record.number("size") if "size" in record.values else None,
            segment,
            definitions[0] if definitions else None,
            is_inner,
        )
    return symbols


def _qualify(
    record: DbgRecord, records: Records, scopes: Mapping[int, DbgScope]
) -> tuple[str, str, bool]:
    """The name with its scopes, ``scope::name`` or ``scope::label@local``, the module, and whether
    it is in a procedure or a cheap local."""
    name = record.text("name")
    owner = record
    seen = {record.line}
    while "parent" in owner.values:
        owner = records.get("sym", owner.number("parent"), record)
        if owner.line in seen:
            raise record.fault("the parents of this symbol go round in a circle")
        seen.add(owner.line)
        name = owner.text("name") + (name if name.startswith("@") else f"@{name}")
    number = owner.number("scope")
    records.get("scope", number, record)
    path = [name]
    visited: set[int] = set()
    is_inner = owner is not record
    at: int | None = number
    while at is not None:
        if at in visited:
            raise record.fault("the scopes of this symbol go round in a circle")
        visited.add(at)
        if scopes[at].name:
            path.append(scopes[at].name)
        is_inner = is_inner or scopes[at].symbol is not None
        at = scopes[at].parent
    return "::".join(reversed(path)), scopes[number].module, is_inner
