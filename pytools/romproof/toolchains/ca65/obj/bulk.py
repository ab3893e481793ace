"""The large tables of an object file, read by patterns: thousands of rows at once.

A pattern finds how far the rows have the usual form, another one takes these apart; what is of
another form is read for itself. Whether numbers are below their limits is asked of the different
lists and expressions, which are few. The rows themselves are made when somebody asks for them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Final

from romproof.toolchains.ca65.obj.late import Each
from romproof.toolchains.ca65.obj.reader import ByteReader, Damaged, skip_expression
from romproof.toolchains.ca65.obj.rows import FragmentRow, LineRow
from romproof.toolchains.ca65.obj.tables import FILL, LITERAL, SIGNED, Contents, PendingValue

_NUMBER: Final = rb"[\x80-\xff]{0,4}[\x00-\x7f]"
_MAX_LINES: Final = 4
_MAX_ADDED: Final = 4
_MAX_GAP: Final = 1 << 24
_SIZE: Final = 7
"""The bits of a fragment's kind that are its size, if it is a value."""


def _lists(least: int, most: int) -> bytes:
    """The pattern of a list of so many numbers."""
    return b"|".join(b"\\x%02x(?:%s){%d}" % (n, _NUMBER, n) for n in range(least, most + 1))


def _fragment_pattern(group: bytes) -> bytes:
    """A fragment: size and bytes of up to eight that are known; or its kind, and a plain expression
    or the size of a gap; and its lines. ``group`` opens these."""
    leaf = rb"(?:[\x82\x83]" + _NUMBER + rb"|\x81.{4})"
    # by the count of operators: a list of lines may begin as an operator does
    total = b"|".join(
        [rb"[\x01\x02]{%d}%s{%d}" % (count, leaf, count + 1) for count in range(_MAX_ADDED + 1)]
    )
    plain = rb"[\x41-\x50]{0,2}(?:" + total + rb")\x00{0,2}"
    known = b"|".join(b"\\x%02x.{%d}" % (size, size) for size in range(1, 9))
    return b"(?:\\x00%s%s)|%s\\x20)%s%s)|%s[\\x09-\\x0c\\x11-\\x14])%s%s))%s%s)" % (
        *(group, known, group, group, _NUMBER, group, group, plain),
        *(group, _lists(1, _MAX_LINES)),
    )


_one_fragment = re.compile(b"(?s)" + _fragment_pattern(b"("))
_many_fragments = re.compile(b"(?s)(?:" + _fragment_pattern(b"(?:") + b")*")


class Lists(dict[bytes, tuple[int, ...]]):
    """Lists of numbers below a limit, by their bytes. Raises Damaged."""

    def __init__(self, limit: int, what: str) -> None:
        self._limit = limit
        self._what = what

    def __missing__(self, raw: bytes) -> tuple[int, ...]:
        size = len(raw)
        if raw[0] == 1 and size <= 3:  # as most are
            number = raw[1] if size == 2 else raw[1] & 0x7F | raw[2] << 7
            if number < self._limit:
                single = self[raw] = (number,)
                return single
        numbers = self[raw] = ByteReader(raw).numbers(self._limit, self._what)
        return numbers


_Row = tuple[bytes, bytes, bytes, bytes, bytes, bytes]
Other = Callable[[int], tuple[FragmentRow, int]]
"""Reads the fragment at an offset; gives where it ends, too."""


def fragments(
    data: bytes, at: int, end: int, counts: Mapping[str, int], lists: Lists, other: Other
) -> tuple[Sequence[FragmentRow], Contents]:
    """The fragments in ``data`` between two offsets, and what they come to. ``counts`` are the
    sizes of all tables, ``lists`` those of lines; ``other`` reads what is of another form.

    Raises Damaged.
    """
    one, many = _one_fragment, _many_fragments
    rows: list[_Row | FragmentRow] = []
    while at < end:
        match = many.match(data, at, end)
        stop = match.end() if match is not None else at
        if stop > at:
            rows += one.findall(data, at, stop)
        if stop < end:
            fragment, stop = other(stop)
            rows.append(fragment)
        at = stop
    return Each(rows, lambda row: _fragment(row, lists)), _contents(rows, counts, lists)


def _contents(
    rows: Sequence[_Row | FragmentRow], counts: Mapping[str, int], lists: Lists
) -> Contents:
    pieces: list[bytes] = []
    gaps: list[tuple[int, int]] = []
    values: list[PendingValue] = []
    checked: set[bytes] = set()
    offset = 0
    for row in rows:
        if isinstance(row, FragmentRow):
            size = row.size
            if size > _MAX_GAP:
                raise Damaged("a fragment of impossible size")
            if row.kind == FILL:
                gaps.append((offset, size))
            elif row.kind != LITERAL:
                values.append((offset, size, row.kind == SIGNED, row.data, row.lines))
            pieces.append(row.data if row.kind == LITERAL else bytes(size))
            offset += size
            continue
        known, _, gap, kind, expr, lines = row
        if known:
            pieces.append(known[1:])
            offset += known[0]
            lists[lines]
            continue
        if kind:
            size = kind[0] & _SIZE
            if expr not in checked:
                reader = ByteReader(expr)
                skip_expression(reader, counts)
                if reader.at != len(expr):
                    raise Damaged("an expression with too many operands")
                checked.add(expr)
            values.append((offset, size, kind[0] - size == SIGNED, expr, lists[lines]))
        else:
            size = ByteReader(gap).variable()
            if size > _MAX_GAP:
                raise Damaged("a fragment of impossible size")
            gaps.append((offset, size))
            lists[lines]
        pieces.append(bytes(size))
        offset += size
    return Contents(b"".join(pieces), tuple(gaps), tuple(values))


def _fragment(row: _Row | FragmentRow, lists: Lists) -> FragmentRow:
    if isinstance(row, FragmentRow):
        return row
    known, _, size, kind, expr, lines = row
    if known:
        return FragmentRow(LITERAL, known[0], known[1:], lists[lines])
    if kind:
        bytes_ = kind[0] & _SIZE
        return FragmentRow(kind[0] - bytes_, bytes_, expr, lists[lines])
    return FragmentRow(FILL, ByteReader(size).variable(), b"", lists[lines])


_ROW: Final = 4 * (b"(" + _NUMBER + b")") + b"(" + _lists(0, 3) + b")"
_one_line = re.compile(_ROW)
"""A line with no span, or up to three."""
_many_lines = re.compile(b"(?:" + _ROW.replace(b"(" + _NUMBER, b"(?:" + _NUMBER) + b")*")


def lines(data: bytes, at: int, files: int, spans: int) -> Sequence[LineRow]:
    """The lines in ``data`` from an offset on. ``files`` and ``spans`` are the sizes of those
    tables. Raises Damaged."""
    one, many = _one_line, _many_lines
    rows: list[tuple[bytes, ...]] = []
    while at < len(data):
        match = many.match(data, at)
        stop = match.end() if match is not None else at
        if stop > at:
            rows += one.findall(data, at, stop)
        if stop < len(data):  # one with more spans
            reader = ByteReader(data, stop)
            places = [stop]
            for _ in range(4):
                reader.variable()
                places.append(reader.at)
            reader.numbers(spans, "number in spans")
            places.append(reader.at)
            rows.append(tuple([data[a:b] for a, b in pairwise(places)]))
            stop = reader.at
        at = stop
    for raw in {row[2] for row in rows}:
        if ByteReader(raw).variable() >= files:
            raise Damaged(f"file {ByteReader(raw).variable()} of {files}")
    lists = Lists(spans, "number in spans")
    for raw in {row[4] for row in rows}:
        lists[raw]
    return Each(rows, lambda row: _line(row, lists))


def _line(row: tuple[bytes, ...], lists: Lists) -> LineRow:
    line, column, file, kind = [ByteReader(raw).variable() for raw in row[:4]]
    return LineRow(line, column, file, kind, lists[row[4]])
