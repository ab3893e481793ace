"""The listing that ca65 -l writes: source lines beside what the assembler made of them.

The columns are those of ca65 2.19: offset in the segment (``r``: the linker
adds its address), depth of includes, bytes, source. ``rr`` denotes bytes that
the linker works out, ``xx`` for bytes that are only reserved. What a macro or a
loop made is beside its call. A line without bytes has no offset here, unless
a label is on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from romproof.text.span import Source, Span
from romproof.toolchains.ca65.obj.expr import Place
from romproof.toolchains.ca65.obj.object import Line, Object

ROW = 4
"""Bytes in one row."""

_Key = tuple[int, int]
"""The identity of a source, and a line of it."""


@dataclass(slots=True)
class _Row:
    """What is known about a source line: offset, and its bytes as two characters each."""

    offset: int
    relocatable: bool
    bytes: list[str] = field(default_factory=list)


def object_listing(obj: Object, list_bytes: int | None = 12) -> str:
    """The listing of ``obj``; at most ``list_bytes`` bytes of each line, None: all."""
    includes: dict[_Key, list[Source]] = {}
    for source in obj.sources[1:]:
        if source.via is not None:
            includes.setdefault(_key(source.via.span), []).append(source)
    main = obj.sources[0]
    head = f"romproof ca65\nMain file   : {main.name}\n"
    rows = _rows(obj)
    return head + "".join(_source(main, 1, rows, includes, list_bytes))


def _source(
    source: Source,
    depth: int,
    rows: dict[_Key, _Row],
    includes: dict[_Key, list[Source]],
    list_bytes: int | None,
) -> Iterator[str]:
    """The lines of one file, and after each what it includes."""
    yield f"Current file: {source.name}\n\n"
    for number, text in enumerate(source.lines, 1):
        row = rows.get((id(source), number))
        shown = row.bytes[:list_bytes] if row is not None else []
        first = f"{_offset(row, 0)} {depth}  {' '.join(shown[:ROW]):<{3 * ROW + 1}}{text}"
        yield first.rstrip() + "\n"
        for at in range(ROW, len(shown), ROW):
            yield f"{_offset(row, at)} {depth}  {' '.join(shown[at : at + ROW])}\n"
        for included in includes.get((id(source), number), []):
            yield "\n"
            yield from _source(included, depth + 1, rows, includes, list_bytes)
            yield f"\nCurrent file: {source.name}\n\n"


def _offset(row: _Row | None, further: int) -> str:
    if row is None:
        return " " * 7
    return f"{row.offset + further:06X}{'r' if row.relocatable else ' '}"


def _rows(obj: Object) -> dict[_Key, _Row]:
    rows: dict[_Key, _Row] = {}
    pictures = [_picture(obj, number) for number in range(len(obj.sections))]
    for line in obj.lines:
        key = _key(line.span)
        if key not in rows:
            rows[key] = _Row(*_start(line))
        rows[key].bytes += pictures[line.section][line.offset : line.offset + line.size]
    for label in obj.labels:
        if label.is_label and isinstance(label.expr, Place) and label.span.via is None:
            rows.setdefault(_key(label.span), _Row(label.expr.offset, True))
    return rows


def _start(line: Line) -> tuple[int, bool]:
    return (line.offset, True) if line.origin is None else (line.origin, False)


def _picture(obj: Object, number: int) -> list[str]:
    """Every byte of a section as the listing shows it."""
    section = obj.sections[number]
    shown = [f"{byte:02X}" for byte in section.data]
    for at, size in section.gaps:
        shown[at : at + size] = ["xx"] * size
    for fixup in section.fixups:
        shown[fixup.offset : fixup.offset + fixup.size] = ["rr"] * fixup.size
    return shown


def _key(span: Span) -> _Key:
    """Where in a file the text was written that led to ``span``: the outermost call."""
    while span.via is not None:
        span = span.via.span
    return id(span.source), span.line
