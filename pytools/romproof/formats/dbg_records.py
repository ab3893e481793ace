"""The records of ld65's debug information, as they stand in the file.

The format is that of cc65 2.19 (src/ld65/dbgfile.c), version 2.0: a line for each record, with
``key=value`` pairs; records name each other by number.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from romproof.formats.errors import BadSymbols
from romproof.formats.reading import printable, span_of
from romproof.text.span import Source

MAJOR = "2"
_PAIR = re.compile(r'([a-z]+)=("[^"\\]*(?:\\.[^"\\]*)*"|[^,"]*)(?:,|$)')
_HEXADECIMAL = re.compile(r"0[xX][0-9A-Fa-f]{1,8}")
_DIGITS = 10
"""Of a decimal number, at most: ld65's have 32 bits."""
_KEYS = frozenset(("id", "seg", "start", "size", "type", "file", "line", "span", "count"))
"""Keys of the records that are many: of spans and of lines."""
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
            return int(value)  # as nearly all are: a program of 256 KB has half a million
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


@dataclass(frozen=True)
class Records:
    """All records of a file by kind, those with numbers by their number."""

    source: Source
    by_kind: Mapping[str, Mapping[int, DbgRecord]]

    def of_kind(self, kind: str) -> Mapping[int, DbgRecord]:
        """The records of a kind by their number."""
        return self.by_kind.get(kind, {})

    def get(self, kind: str, number: int, asked_by: DbgRecord) -> DbgRecord:
        """A record by its number. Raises BadSymbols where there is none."""
        record = self.of_kind(kind).get(number)
        if record is None:
            raise asked_by.fault(f"this record refers to {kind} {number}, which is not in the file")
        return record


def read_records(source: Source) -> Records:
    """The records of a file. Raises BadSymbols, also where some are missing."""
    by_kind: dict[str, dict[int, DbgRecord]] = {}
    for number, line in enumerate(source.lines, 1):
        if not line.strip():
            continue
        record = _record(source, number, line.rstrip("\r"))
        if number == 1 or "version" not in by_kind:
            _check_version(record)
        key = record.number("id") if record.kind not in _UNNUMBERED else 0
        same = by_kind.setdefault(record.kind, {})
        if key in same:
            raise record.fault(f"there are two records '{record.kind}' with the id {key}")
        same[key] = record
    records = Records(source, by_kind)
    _check_counts(records)
    return records


def _record(source: Source, number: int, line: str) -> DbgRecord:
    kind, tab, rest = line.partition("\t")
    if not tab or kind not in _KINDS:
        raise BadSymbols(
            "this is not a record of debug information", span_of(source, number), _HELP
        )
    return DbgRecord(
        kind, _find_simple_pairs(rest) or _find_pairs(source, number, rest), source, number
    )


def _find_simple_pairs(text: str) -> dict[str, str] | None:
    """The pairs of a record with known keys and without strings, as nearly all are; None for
    others, and for what is no record."""
    if '"' in text:
        return None
    try:
        values = dict([pair.split("=", 1) for pair in text.split(",")])
    except ValueError:
        return None
    return values if values.keys() <= _KEYS else None


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
        stated, there = info.number(kind, 0), len(records.of_kind(kind))
        if stated != there:
            raise info.fault(
                f"there should be {stated} records '{kind}', there are {there}: is the file cut "
                "off or changed?"
            )
