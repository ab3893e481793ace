"""What the linker works on, made of the tables of an object file.

The file does not have the text of its sources: where a message shows a line, the source is read
again, if it is still there as it was. Nor does it say which bytes are instructions.
"""

from __future__ import annotations

import os
from functools import cached_property

from romproof.program.address_size import AddressSize
from romproof.support.reading import MAX_TEXT, read_input
from romproof.text.span import Source, Span, Via
from romproof.toolchains.ca65.obj import tables as raw
from romproof.toolchains.ca65.obj.expr import Expr, Literal
from romproof.toolchains.ca65.obj.late import Late
from romproof.toolchains.ca65.obj.link_symbols import Export, Import, Label
from romproof.toolchains.ca65.obj.object import Action, Assertion, Fixup, Line, Object, Section
from romproof.toolchains.ca65.obj.reader import decode_expression

_MAX_VIA = 32
"""Calls inside each other that a message shows."""


class FileSource(Source):
    """A source that is read when a line of it is asked for, unless it has changed since."""

    def __init__(self, file: raw.File) -> None:
        super().__init__(file.name, "")
        object.__setattr__(self, "_file", file)

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the file, or none."""
        file: raw.File = self._file  # type: ignore[attr-defined]
        try:
            state = os.stat(file.name)
            if state.st_size != file.size or int(state.st_mtime) & 0xFFFFFFFF != file.time:
                return []
            text = read_input(file.name, MAX_TEXT).decode("utf-8", "surrogateescape")
        except (OSError, ValueError):
            return []
        return text.replace("\r\n", "\n").split("\n")


def object_of(tables: raw.ObjectFile, name: str, library: str = "") -> Object:
    """The object called ``name`` that the tables describe; ``library`` is where it is a member."""
    return _Maker(tables).object(name, library)


class _Maker:
    def __init__(self, tables: raw.ObjectFile) -> None:
        self._tables = tables
        self._sources = [FileSource(file) for file in tables.files]
        self._spans: dict[tuple[int, ...], Span] = {}
        self._expressions: dict[bytes, Expr] = {}

    def object(self, name: str, library: str) -> Object:
        tables = self._tables
        sections = tuple(map(self._section, tables.segments))
        return Object(
            name=name,
            cpu="mos6502",
            sections=sections,
            imports=tuple(map(self._import, tables.imports)),
            exports=tuple(map(self._export, tables.exports)),
            labels=Late(self._labels),
            scopes=(),
            lines=Late(self._lines),
            assertions=tuple(map(self._assertion, tables.assertions)),
            sources=tuple(self._sources),
            tables=tables,
            library=library,
        )

    # -- places --------------------------------------------------------------------

    def _span(self, numbers: tuple[int, ...]) -> Span:
        """The place of some line infos: the innermost macro, with the calls around it."""
        known = self._spans.get(numbers)
        if known is not None:
            return known
        rows = [self._tables.lines[n] for n in numbers]
        calls = [row for row in rows if row.type & 3 == raw.ASM_LINE]
        calls += [row for row in rows if row.type & 3 == raw.MACRO_LINE]
        via: Via | None = None
        span = Span(self._sources[0], 0, 1)
        for row in calls[-_MAX_VIA:]:
            span = Span(self._sources[row.file], row.line, row.column + 1, 1, via)
            via = Via("in a macro, called", span)
        self._spans[numbers] = span
        return span

    def _place(self, definitions: tuple[int, ...], references: tuple[int, ...]) -> Span:
        return self._span(definitions or references)

    # -- tables --------------------------------------------------------------------

    def _value(self, value: bytes | int) -> Expr:
        if isinstance(value, int):
            return Literal(value)
        return self._expression(value)

    def _expression(self, data: bytes) -> Expr:
        """An expression; those of the same bytes are one."""
        known = self._expressions.get(data)
        if known is None:
            known = self._expressions[data] = decode_expression(data, self._tables.imports)
        return known

    def _section(self, segment: raw.Segment) -> Section:
        fixups: list[Fixup] = []
        contents = segment.contents
        for offset, size, signed, expression, lines in contents.values:
            expr = self._expression(expression)
            fixups.append(Fixup(offset, size, expr, signed, self._span(lines)))
        return Section(
            segment.name,
            contents.data,
            tuple(fixups),
            contents.gaps,
            segment.alignment,
            AddressSize(segment.address_size),
        )

    def _lines(self) -> list[Line]:
        """The bytes of each statement: fragments of the same lines that follow each other."""
        lines: list[Line] = []
        for number, segment in enumerate(self._tables.segments):
            offset = start = 0
            last: tuple[int, ...] | None = None
            for fragment in segment.fragments:
                if fragment.lines != last:
                    if last is not None and offset > start:
                        lines.append(Line(number, start, offset - start, False, self._span(last)))
                    last, start = fragment.lines, offset
                offset += fragment.size
            if last is not None and offset > start:
                lines.append(Line(number, start, offset - start, False, self._span(last)))
        return lines

    def _import(self, row: raw.Import) -> Import:
        place = self._span(row.references or row.definitions)
        return Import(row.name, AddressSize(row.address_size), not row.references, place)

    def _export(self, row: raw.Export) -> Export:
        place = self._place(row.definitions, row.references)
        condes = tuple(sorted((entry >> 5, (entry & 0x1F) + 1) for entry in row.condes))
        size = AddressSize(row.address_size)
        return Export(row.name, self._value(row.value), size, place, condes)

    def _labels(self) -> list[Label]:
        """What debug symbols say, each with its own name only."""
        labels = []
        for row in self._tables.symbols:
            if row.flags & raw.IS_IMPORT or row.address_size not in range(1, 5):
                continue
            labels.append(
                Label(
                    row.name,
                    self._value(row.value),
                    AddressSize(row.address_size),
                    bool(row.flags & raw.IS_LABEL),
                    bool(row.flags & raw.IS_EXPORT),
                    row.size,
                    self._place(row.definitions, row.references),
                )
            )
        return labels

    def _assertion(self, row: raw.AssertionRow) -> Assertion:
        expr = self._expression(row.expression)
        action = Action.ERROR if row.action & 1 else Action.WARNING
        return Assertion(expr, action, row.message, self._span(row.lines))
