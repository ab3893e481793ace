"""Rows of an object file of cc65 2.19 that an assembler writes without making them: see tables.py,
which has the tables and their numbers."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FragmentRow:
    """Bytes of a segment: ``size`` of them, from ``kind`` (LITERAL, FILL, EXPRESSION or SIGNED).

    ``data`` are the bytes, or the expression as it is encoded; ``lines`` where they come from.
    """

    kind: int
    size: int
    data: bytes
    lines: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SymbolRow:
    """A symbol for debuggers. ``owner`` is a scope, for a cheap local a symbol; ``exported`` and
    ``imported`` are positions in those tables."""

    name: str
    flags: int
    address_size: int
    owner: int
    value: bytes | int
    size: int | None
    imported: int | None
    exported: int | None
    definitions: tuple[int, ...]
    references: tuple[int, ...]


@dataclass(frozen=True)
class CSymbol:
    """A function or variable of C: ``symbol`` is its position among the symbols, ``type`` that
    of cc65 as bytes."""

    name: str
    flags: int
    symbol: int | None
    offset: int
    type: str
    scope: int


@dataclass(frozen=True, slots=True)
class LineRow:
    """A line of a file, from 0 (outside) on; ``type`` holds ASM_LINE and so on in two bits, and
    above them how deep in macros it is."""

    line: int
    column: int
    file: int
    type: int
    spans: tuple[int, ...]


@dataclass(frozen=True)
class ScopeRow:
    """A level of names; the first is the module, and its own parent."""

    name: str
    parent: int
    level: int
    type: int
    size: int | None
    label: int | None
    spans: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SpanRow:
    """``size`` bytes from ``start`` on of a segment; ``type`` is that of their data, or ""."""

    segment: int
    start: int
    size: int
    type: str
