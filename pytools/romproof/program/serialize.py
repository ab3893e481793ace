"""Images and diagnostics, to be kept and read again: JSON, which nothing can be executed by.

Places in sources come first, one row each, and name those they refer to by number: many share a
source, or the macro that they come from. A row of any other noun has its fields in order. The
lines of an image, which are most of it, come last, and are read when somebody asks for one; before
them comes where they are.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from enum import Enum
from types import MappingProxyType
from typing import Any

from romproof.program.address_size import AddressSize
from romproof.program.image import (
    Area,
    Block,
    Image,
    ImageLine,
    OutputFile,
    Part,
    Routine,
    Segment,
    Symbol,
)
from romproof.program.later_lines import LaterLines, LineExtent
from romproof.support.collecting import without_collecting
from romproof.text.diagnostic import Diagnostic, Severity, Suspicion
from romproof.text.span import Source, Span, Via

_NOUNS: Mapping[str, type] = MappingProxyType(
    {
        noun.__name__: noun
        for noun in (Area, Block, ImageLine, OutputFile, Part, Routine, Segment, Symbol)
    }
)
_AS_THEY_ARE = frozenset({"str", "int", "bool", "int | None", "str | None"})
_REFERENCES = frozenset({"Source", "Span", "Span | None"})
_ENUMS: Mapping[str, type[Enum]] = MappingProxyType(
    {"Severity": Severity, "Suspicion | None": Suspicion}
)
_LINES = "Sequence[ImageLine]"
_NAMED_PLACES = "tuple[tuple[str, Span], ...]"

_Convert = Callable[[Any], Any]
_Row = list[Any]


def to_bytes(image: Image) -> bytes:
    """An image; ``from_bytes`` gives it back. Raises RecursionError for places within thousands
    of others."""
    places = _RowNumbers()
    fields = _writer(Image, places)(image)
    first = _dump([places.rows, fields])
    known = len(places.rows)
    lines = list(map(_writer(ImageLine, places), image.lines))
    extents = list(map(list, zip(*image.line_extents(), strict=True)))
    return b"\n".join((first, _dump(extents), _dump([places.rows[known:], lines])))


def _dump(row: _Row) -> bytes:
    return json.dumps(row, separators=(",", ":")).encode()


def from_bytes(data: bytes) -> Image:
    """The image that ``to_bytes`` was given. Raises ValueError for what does not come from it; for
    what is wrong with its lines when the first is asked for."""
    parts = data.split(b"\n", 2)
    if len(parts) != 3:
        raise ValueError("this is not an image: its lines are missing")
    first, extents, lines = parts
    try:
        with without_collecting():
            rows, fields = json.loads(first)
            places = _places(rows)
            later = LaterLines(lambda: _lines(lines, places), lambda: _extents(extents))
            image: Image = _reader(Image, places, later)(fields)
    except (KeyError, IndexError, TypeError) as fault:
        raise ValueError(f"this is not an image: {fault}") from fault
    return image


def _extents(data: bytes) -> Iterable[LineExtent]:
    """Where the lines of an image are. Raises ValueError."""
    try:
        with without_collecting():
            return list(map(LineExtent, *json.loads(data) or ([], [], [], [])))
    except TypeError as fault:
        raise ValueError(f"these are no places of lines: {fault}") from fault


def _lines(data: bytes, places: Sequence[Any]) -> Iterable[ImageLine]:
    """The lines of an image; ``places`` are those of the rows before theirs. Raises ValueError."""
    try:
        with without_collecting():
            rows, lines = json.loads(data)
            return list(map(_reader(ImageLine, _places(rows, places)), lines))
    except (KeyError, IndexError, TypeError) as fault:
        raise ValueError(f"these are no lines of an image: {fault}") from fault


def diagnostics_to_row(diagnostics: Iterable[Diagnostic]) -> _Row:
    """Diagnostics as JSON can write them, with the sources that they show. Raises RecursionError
    as ``to_bytes`` does."""
    places = _RowNumbers()
    write = _writer(Diagnostic, places)
    rows = [write(diagnostic) for diagnostic in diagnostics]
    return [places.rows, rows]


def diagnostics_from_row(row: object) -> tuple[Diagnostic, ...]:
    """What ``diagnostics_to_row`` was given. Raises ValueError for what does not come from it."""
    try:
        match row:
            case [list(places), list(rows)]:
                return tuple(map(_reader(Diagnostic, _places(places)), rows))
    except (KeyError, IndexError, TypeError) as fault:
        raise ValueError(f"these are no diagnostics: {fault}") from fault
    raise ValueError("these are no diagnostics")


class _RowNumbers:
    """Numbers sources, spans and steps of expansions: what a row refers to is before it."""

    def __init__(self) -> None:
        self.rows: list[_Row] = []
        self._numbers: dict[int, int] = {}

    def number(self, place: Source | Span | Via | None) -> int | None:
        if place is None:
            return None
        known = self._numbers.get(id(place))
        if known is not None:
            return known
        match place:
            case Source(name=name, text=text, via=via):
                row: _Row = [name, text, self.number(via)]
            case Span(source=source, line=line, col=col, length=length, via=via):
                row = [self.number(source), line, col, length, self.number(via)]
            case Via(what=what, span=span):
                row = [what, self.number(span)]
        self.rows.append(row)
        number = self._numbers[id(place)] = len(self.rows) - 1
        return number


def _places(rows: list[_Row], before: Sequence[Any] = ()) -> list[Any]:
    """Places, those ``before`` included. Sources have three fields, spans five, steps two."""
    places = list(before)
    for row in rows:
        if len(row) == 5:
            source, line, col, length, via = row
            where = None if via is None else places[via]
            places.append(Span(places[source], line, col, length, where))
        elif len(row) == 3:
            name, text, via = row
            places.append(Source(name, text, None if via is None else places[via]))
        else:
            what, span = row
            places.append(Via(what, places[span]))
    return places


def _find_converters(
    noun: type, convert: Callable[[str], _Convert | None]
) -> list[tuple[int, _Convert]]:
    """The fields of a noun that are not written as they are: number, and what converts them."""
    converters = ((n, convert(str(field.type))) for n, field in enumerate(fields(noun)))
    return [(number, how) for number, how in converters if how is not None]


def _noun_in(kind: str) -> type:
    """The noun of which a field has a tuple."""
    return _NOUNS[kind.removeprefix("tuple[").removesuffix(", ...]")]


def _writer(noun: type, places: _RowNumbers) -> _Convert:
    """What makes a row of one noun."""

    def of(kind: str) -> _Convert | None:
        if kind in _AS_THEY_ARE:
            return None
        if kind in _REFERENCES:
            return places.number
        if kind == "tuple[Source, ...]":
            return lambda sources: [places.number(source) for source in sources]
        if kind == _LINES:
            return len
        if kind == _NAMED_PLACES:
            return lambda named: [(name, places.number(span)) for name, span in named]
        if kind == "bytes":
            return lambda data: data.decode("latin-1")
        if kind == "AddressSize":
            return int
        if kind in _ENUMS:
            return lambda member: None if member is None else member.value
        write = _writer(_noun_in(kind), places)
        return lambda values: [write(value) for value in values]

    names = [field.name for field in fields(noun)]
    converted = _find_converters(noun, of)

    def write(value: Any) -> _Row:
        row = [getattr(value, name) for name in names]
        for number, convert in converted:
            row[number] = convert(row[number])
        return row

    return write


def _reader(noun: type, places: list[Any], lines: Sequence[ImageLine] = ()) -> _Convert:
    """What makes the noun of a row; ``lines`` are those of an image."""

    def of(kind: str) -> _Convert | None:
        if kind in _AS_THEY_ARE:
            return None
        if kind in _REFERENCES:
            return lambda number: None if number is None else places[number]
        if kind == "tuple[Source, ...]":
            return lambda numbers: tuple(places[number] for number in numbers)
        if kind == _LINES:
            return lambda count: lines
        if kind == _NAMED_PLACES:
            return lambda named: tuple((name, places[number]) for name, number in named)
        if kind == "bytes":
            return lambda text: text.encode("latin-1")
        if kind == "AddressSize":
            return AddressSize
        if kind in _ENUMS:
            enum = _ENUMS[kind]
            return lambda value: None if value is None else enum(value)
        read = _reader(_noun_in(kind), places)
        return lambda rows: tuple(map(read, rows))

    converted = _find_converters(noun, of)

    def read(row: _Row) -> Any:
        for number, convert in converted:
            row[number] = convert(row[number])
        return noun(*row)

    return read
