"""The lines of debug information: which statement made which bytes.

A call of a macro has a span that covers those of the macro's lines; the statements in it are what
made the bytes, and the call is how they came there. A line of C covers the instructions that it
became: those are the lines of a file that the compiler has removed, so the line of C counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from romproof.formats.dbg import C_LINE, MACRO_PARAMETER, DebugInfo
from romproof.formats.debug_segments import PlacedSegments
from romproof.formats.layout import ImageLayout
from romproof.formats.sources import SourceFinder
from romproof.isa.load import load
from romproof.program.image import ImageLine, Segment
from romproof.text.span import Source, Span, Via

_STATEMENT = re.compile(r"(?>\s*(?:[@\w]+\s*:=?|:)\s*)*+\s*(\.?\w+)")
"""Labels, then a command or an instruction: none of the labels is taken for it."""
CPU = "mos6502"


class LinePiece(NamedTuple):
    """What one line made in one place: ``size`` bytes at ``start`` of a segment's number."""

    segment: int
    start: int
    size: int
    is_data: bool
    line: int
    depth: int
    type: int


@dataclass(slots=True)
class DebugLines:
    """The lines of debug information with their sources: many pieces are of the same line, or in
    the same call of a macro, each of which is looked up once."""

    debug: DebugInfo
    finder: SourceFinder
    _spans: dict[int, Span] = field(default_factory=dict)
    _words: dict[str, str] = field(default_factory=dict)
    _calls: dict[tuple[int, int], Via] = field(default_factory=dict)

    def source(self, number: int) -> Source:
        """The source of a line, given by its number in the debug information."""
        file = self.debug.files[self.debug.lines[number].file]
        return self.finder.find(file.name, file.size)

    def span(self, number: int, via: Via | None = None) -> Span:
        """The statement on a line, and how the assembler came there."""
        known = self._spans.get(number)
        if known is None:
            line = max(self.debug.lines[number].line, 1)
            known = self._spans[number] = span_at(self.source(number), line)
        if via is None:
            return known
        return Span(known.source, known.line, known.col, known.length, via)

    def call(self, number: int, via: Via | None) -> Via:
        """The step into the macro or repeat that a line calls."""
        key = number, id(via)  # those of ``via`` are kept here
        known = self._calls.get(key)
        if known is None:
            where = self.span(number, via)
            known = self._calls[key] = Via("in a macro or repeat, called", where)
        return known

    def word(self, number: int) -> str:
        """The command or instruction on a line, see ``statement_word``."""
        return self.word_in(self.span(number).text)

    def word_in(self, text: str) -> str:
        """The same of the line's text."""
        known = self._words.get(text)
        if known is None:
            known = self._words[text] = statement_word(text)
        return known


_Nested = tuple[LinePiece, Sequence[LinePiece]]
"""A piece, and those around it, the smallest first."""


def lines_of(
    lines: DebugLines, pieces: Iterable[_Nested], placed: PlacedSegments, layout: ImageLayout
) -> list[ImageLine]:
    """The lines by segment and address, of the ``innermost`` pieces; calls of macros are the
    ``via`` of what they made."""
    made: list[ImageLine] = []
    segments = lines.debug.segments
    for piece, around in pieces:
        if not placed.by_number.get(piece.segment):
            continue
        address = segments[piece.segment].start + piece.start
        part = placed.part(piece.segment, address)
        if part is None or address + piece.size > part.run + part.size:
            continue
        data = _bytes(layout, part, address, piece.size)
        shown = _find_shown(piece, around) if around else piece
        span = lines.span(shown.line, _find_call(lines, shown, around) if around else None)
        is_code = _is_code(piece, data) and not lines.word(shown.line).startswith(".")
        made.append(ImageLine(address, piece.size, data, is_code, part.name, span))
    return made


def innermost(debug: DebugInfo) -> Iterator[_Nested]:
    """The pieces that no other lies in, with those around each, the smallest first."""
    open_: list[tuple[LinePiece, bool]] = []
    for piece in _pieces(debug):
        while open_ and not _covers(open_[-1][0], piece):
            last, is_parent = open_.pop()
            if not is_parent:
                yield last, [p for p, _ in reversed(open_)]
        if open_:
            open_[-1] = (open_[-1][0], True)
        open_.append((piece, False))
    while open_:
        last, is_parent = open_.pop()
        if not is_parent:
            yield last, [p for p, _ in reversed(open_)]


def _pieces(debug: DebugInfo) -> list[LinePiece]:
    """All pieces; what covers others comes before them, and a call before what it made."""
    pieces = []
    for number, line in debug.lines.items():
        if line.type == MACRO_PARAMETER:
            continue
        for at in dict.fromkeys(line.spans) if len(line.spans) > 1 else line.spans:
            span = debug.spans[at]
            if span.size:
                pieces.append(
                    LinePiece(
                        span.segment,
                        span.start,
                        span.size,
                        span.is_data,
                        number,
                        line.depth,
                        line.type,
                    )
                )

    def order(piece: LinePiece) -> tuple[int, int, int, bool, int]:
        return piece.segment, piece.start, -piece.size, piece.type != C_LINE, piece.depth

    return sorted(pieces, key=order)


def _covers(outer: LinePiece, inner: LinePiece) -> bool:
    return (
        outer.segment == inner.segment
        and outer.start <= inner.start
        and inner.start + inner.size <= outer.start + outer.size
    )


def _bytes(layout: ImageLayout, part: Segment, address: int, size: int) -> bytes:
    """The bytes that the file has for a place of a segment; none where it has no contents."""
    if part.file is None:
        return b""
    start = part.file_offset + address - part.run
    return layout.data[start : start + size]


def _find_shown(piece: LinePiece, around: Sequence[LinePiece]) -> LinePiece:
    """What is shown as the statement of a piece: the line of C that became it, if any."""
    return next((other for other in around if other.type == C_LINE), piece)


def _find_call(lines: DebugLines, piece: LinePiece, around: Sequence[LinePiece]) -> Via | None:
    """The calls of macros that led to a piece."""
    via: Via | None = None
    if piece.depth and piece.type != C_LINE:
        for other in reversed(around):
            if other.line != piece.line:
                via = lines.call(other.line, via)
    return via


def span_at(source: Source, number: int, via: Via | None = None) -> Span:
    """The statement on a line; a source that was shortened has none behind its end."""
    if source.text:
        number = min(number, len(source.lines))
    text = source.line(number)
    column = len(text) - len(text.lstrip()) + 1
    return Span(source, number, column, max(len(text.split(";")[0].strip()), 1), via)


def mnemonics() -> frozenset[str]:
    """What instructions begin with."""
    return frozenset(opcode.mnemonic for opcode in load(CPU))


def statement_word(text: str) -> str:
    """The command or instruction on a line, in lower case; "" where there is none."""
    word = _STATEMENT.match(text.partition(";")[0])
    return word[1].lower() if word is not None else ""


def _is_code(piece: LinePiece, data: bytes) -> bool:
    """Whether a piece may be an instruction: whether it is as long as one."""
    return not piece.is_data and len(data) == piece.size == instruction_size(data)


def instruction_size(data: bytes) -> int:
    """The bytes of the instruction that ``data`` begins with; 0 where there are none."""
    return load(CPU)[data[0]].size if data else 0


def words(lines: Sequence[ImageLine]) -> Mapping[int, str]:
    """The statements of lines of code by address."""
    return {line.address: statement_word(line.span.text) for line in lines}
