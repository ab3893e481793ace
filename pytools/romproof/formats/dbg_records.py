"""The records of ld65's debug information, as they stand in the file.

The format is that of cc65 2.19 (src/ld65/dbgfile.c), version 2.0: a line for each record, with
``key=value`` pairs; records name each other by number. Nine of ten records are spans and lines,
written in one way: those are rows, and records only where there is something to say of one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from romproof.formats.errors import BadSymbols
from romproof.formats.reading import printable, span_of
from romproof.text.span import Source

MAJOR = "2"
_PAIR = re.compile(r'([a-z]+)=("[^"\\]*(?:\\.[^"\\]*)*"|[^,"]*)(?:,|$)')
_HEXADECIMAL = re.compile(r"0[xX][0-9A-Fa-f]{1,8}")
_DIGITS = 10
"""Of a decimal number, at most: ld65's have 32 bits."""
_NUMBER = "([0-9]{1,9})"
_ROWS = {
    "span": re.compile(
        rf"span\tid={_NUMBER},seg={_NUMBER},start={_NUMBER},size={_NUMBER}(?:,type={_NUMBER})?"
    ),
    "line": re.compile(
        rf"line\tid={_NUMBER},file={_NUMBER},line={_NUMBER}(?:,type={_NUMBER})?"
        rf"(?:,count={_NUMBER})?(?:,span=([0-9]{{1,9}}(?:\+[0-9]{{1,9}})*))?"
    ),
}
"""Spans and lines as ld65 writes them (PrintDbgSpans, PrintDbgLineInfo)."""
_COUNTED = ("csym", "lib", "line", "mod", "scope", "seg", "span", "sym", "type")
"""Kinds whose count in ``info`` is right; 2.19 counts files before it drops unused ones."""
_UNNUMBERED = ("version", "info")
_KINDS = frozenset((*_COUNTED, "file", *_UNNUMBERED))
_HELP = "build it again: romproof reads version 2.0, as ld65 --dbgfile of cc65 2.14 to 2.19 writes"


@dataclass(frozen=True, slots=True)
class DbgRecord:
    """A record: its ``values`` by key, and the line it is on."""

    kind: str
    values: Mapping[str, str]
    source: Source
    line: int

    def fault(self, what: str) -> BadSymbols:
        """An error of this record."""
        return BadSymbols(what, span_of(self.source, self.line), _HELP)

    def text(self, key: str) -> str:
        """A string, without its quotes; "" where there is none."""
        value = self.values.get(key, "")
        if value.startswith('"'):
            value = value[1:-1].replace('\\"', '"').replace("\\\\", "\\")
        return value

    def number(self, key: str, default: int | None = None) -> int:
        """A number, decimal or 0x. Raises BadSymbols where there is none and no ``default``."""
        value = self.values.get(key)
        if value is None:
            if default is None:
                raise self.fault(f"this record has no '{key}'")
            return default
        if value.isdecimal() and len(value) < _DIGITS and value.isascii():
            return int(value)  # as nearly all are
        number = _read_number(value)
        if number is None:
            raise self.fault(f"'{key}' of this record is not a number: {printable(value)}")
        return number

    def numbers(self, key: str) -> tuple[int, ...]:
        """The numbers of a list, joined by plus signs."""
        value = self.values.get(key)
        if not value:
            return ()
        parts = [_read_number(part) for part in value.split("+")]
        if None in parts:
            raise self.fault(f"'{key}' of this record is not a list of numbers: {printable(value)}")
        return tuple(part for part in parts if part is not None)


def _read_number(text: str) -> int | None:
    if text.isdecimal() and text.isascii():
        return int(text) if len(text) <= _DIGITS else None
    return int(text[2:], 16) if _HEXADECIMAL.fullmatch(text) else None


Row = re.Match[str]
"""A span or a line as _ROWS match it: a group for each key, None where it is not there."""


@dataclass(frozen=True)
class Records:
    """All records of a file by kind, those with numbers by their number; spans and lines apart."""

    source: Source
    by_kind: Mapping[str, Mapping[int, DbgRecord]]
    many: Mapping[str, Mapping[int, DbgRecord | Row]]

    def of_kind(self, kind: str) -> Mapping[int, DbgRecord]:
        """The records of a kind by their number, other than spans and lines."""
        return self.by_kind.get(kind, {})

    def count(self, kind: str) -> int:
        """How many records of a kind there are."""
        return len(self.many[kind] if kind in self.many else self.of_kind(kind))

    def get(self, kind: str, number: int, asked_by: DbgRecord) -> DbgRecord:
        """A record by its number. Raises BadSymbols where there is none."""
        record = self.of_kind(kind).get(number)
        if record is None:
            raise _missing(kind, number, asked_by)
        return record

    def require(self, kind: str, number: int, asked_by: DbgRecord) -> None:
        """Raise BadSymbols where there is no span or line of this number."""
        if number not in self.many[kind]:
            raise _missing(kind, number, asked_by)

    def read(self, row: Row) -> DbgRecord:
        """A row as a record."""
        number = self.source.lines.index(row.string) + 1  # its id is nobody else's
        return _record(self.source, number, row.string)


def _missing(kind: str, number: int, asked_by: DbgRecord) -> BadSymbols:
    return asked_by.fault(f"this record refers to {kind} {number}, which is not in the file")


def read_records(source: Source) -> Records:
    """The records of a file. Raises BadSymbols, also where some are missing."""
    by_kind: dict[str, dict[int, DbgRecord]] = {}
    many: dict[str, dict[int, DbgRecord | Row]] = {kind: {} for kind in _ROWS}
    quick = {kind: (pattern.fullmatch, many[kind]) for kind, pattern in _ROWS.items()}
    for number, line in enumerate(source.lines, 1):
        found = quick.get(line[:4])
        if found is not None and by_kind:
            match, same = found
            row = match(line)
            if row is not None and (key := int(row[1])) not in same:
                same[key] = row
                continue
        if not line.strip():
            continue
        record = _record(source, number, line.rstrip("\r"))
        if not by_kind:
            _check_version(record)
        key = record.number("id") if record.kind not in _UNNUMBERED else 0
        there: dict[int, Any] = (
            many[record.kind] if record.kind in many else by_kind.setdefault(record.kind, {})
        )
        if key in there:
            raise record.fault(f"there are two records '{record.kind}' with the id {key}")
        there[key] = record
    records = Records(source, by_kind, many)
    _check_counts(records)
    return records


def _record(source: Source, number: int, line: str) -> DbgRecord:
    kind, tab, rest = line.partition("\t")
    if not tab or kind not in _KINDS:
        raise BadSymbols(
            "this is not a record of debug information", span_of(source, number), _HELP
        )
    return DbgRecord(kind, _find_pairs(source, number, rest), source, number)


def _find_pairs(source: Source, number: int, rest: str) -> dict[str, str]:
    """The pairs of any record. Raises BadSymbols."""
    values: dict[str, str] = {}
    at = 0
    while at < len(rest):
        match = _PAIR.match(rest, at)
        if match is None:
            what = "this record cannot be read from here on"
            raise BadSymbols(what, span_of(source, number, rest[at:]), _HELP)
        values[match[1]] = match[2]
        at = match.end()
    return values


def _check_version(record: DbgRecord) -> None:
    if record.kind != "version" or record.values.get("major") != MAJOR:
        said = (
            f"version {printable(record.values.get('major', '?'))}"
            if record.kind == "version"
            else "no version"
        )
        raise record.fault(f"debug information of {said}: it must begin with version major=2")


def _check_counts(records: Records) -> None:
    info = next(iter(records.of_kind("info").values()), None)
    if info is None:
        raise BadSymbols(
            f"{records.source.name}: the record 'info' is missing: the file may be cut off",
            help=_HELP,
        )
    for kind in _COUNTED:
        stated, there = info.number(kind, 0), records.count(kind)
        if stated != there:
            raise info.fault(
                f"there should be {stated} records '{kind}', there are {there}: is the file cut "
                "off or changed?"
            )
