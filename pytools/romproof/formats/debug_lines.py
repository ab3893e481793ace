"""The lines of debug information: which statement made which bytes.

A call of a macro has a span that covers those of the macro's lines; the statements in it are what
made the bytes, and the call is how they came there. A line of C covers the instructions that it
became: those are the lines of a file that the compiler has removed, so the line of C counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from romproof.formats.dbg import C_LINE, MACRO_PARAMETER, DebugInfo
from romproof.formats.debug_segments import PlacedSegments
from romproof.formats.layout import ImageLayout
from romproof.formats.sources import SourceFinder
from romproof.isa.codec import decode
from romproof.isa.load import load
from romproof.program.image import ImageLine, Segment
from romproof.text.span import Source, Span, Via

_LABEL = re.compile(r"\s*(?:[@\w]+\s*:=?|:)\s*")
_WORD = re.compile(r"\s*(\.?\w+)")
CPU = "mos6502"


@dataclass(frozen=True, slots=True)
class LinePiece:
    """What one line made in one place: ``size`` bytes at ``start`` of a segment's number."""

    segment: int
    start: int
    size: int
    is_data: bool
    line: int
    depth: int
    type: int


def lines_of(
    debug: DebugInfo, placed: PlacedSegments, layout: ImageLayout, finder: SourceFinder
) -> list[ImageLine]:
    """The lines by segment and address; calls of macros are the ``via`` of what they made."""
    made: list[ImageLine] = []
    for piece, around in innermost(debug):
        segment = placed.by_number.get(piece.segment)
        if not segment:
            continue
        address = debug.segments[piece.segment].start + piece.start
        part = placed.part(piece.segment, address)
        if part is None or address + piece.size > part.run + part.size:
            continue
        data = _bytes(layout, part, address, piece.size)
        span = _span(debug, finder, piece, around)
        made.append(
            ImageLine(
                address, piece.size, data, _is_code(piece, data, span, address), part.name, span
            )
        )
    return made


def innermost(debug: DebugInfo) -> Iterator[tuple[LinePiece, Sequence[LinePiece]]]:
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
        for at in dict.fromkeys(line.spans):
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


def _span(
    debug: DebugInfo, finder: SourceFinder, piece: LinePiece, around: Sequence[LinePiece]
) -> Span:
    for other in around:
        if other.type == C_LINE:
            return _place(debug, finder, other, None)
    via: Via | None = None
    if piece.depth:
        for other in reversed(around):
            if other.line != piece.line:
                via = Via("in a macro or repeat, called", _place(debug, finder, other, via))
    return _place(debug, finder, piece, via)


def _place(debug: DebugInfo, finder: SourceFinder, piece: LinePiece, via: Via | None) -> Span:
    line = debug.lines[piece.line]
    file = debug.files[line.file]
    source = finder.find(file.name, file.size)
    return span_at(source, max(line.line, 1), via)


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
    rest = text.partition(";")[0]
    label = _LABEL.match(rest)
    while label is not None and label.end() and label.group().strip():
        rest = rest[label.end() :]
        label = _LABEL.match(rest)
    word = _WORD.match(rest)
    return word[1].lower() if word is not None else ""


def _is_code(piece: LinePiece, data: bytes, span: Span, address: int) -> bool:
    """Whether a piece is an instruction: as its source says, else as its length does."""
    if piece.is_data or not 1 <= piece.size <= 3 or len(data) != piece.size:
        return False
    decoded = decode(data, address, CPU)
    if decoded is None or decoded.opcode.size != piece.size:
        return False
    word = statement_word(span.text)
    return not word.startswith(".") if word else True


def words(lines: Sequence[ImageLine]) -> Mapping[int, str]:
    """The statements of lines of code by address."""
    return {line.address: statement_word(line.span.text) for line in lines}
