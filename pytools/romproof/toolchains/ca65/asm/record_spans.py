"""Spans: which bytes each line, scope and list of data has put where."""

from __future__ import annotations

from collections.abc import Sequence

from romproof.toolchains.ca65.asm.record_rows import LineInfo, PendingFragment, ScopeRecord

Closed = tuple[LineInfo | ScopeRecord, int, int, int] | tuple[str, int, int, int]
"""Whose spans are to be listed, the first of its pieces, the one behind the last, and the segment
that was active; or the type of data, their segment, start and end."""
SpanNumbers = tuple[int, int, int, str]


class _Spans:
    """The spans so far, each once."""

    def __init__(self, pieces: Sequence[PendingFragment]) -> None:
        self._pieces = pieces
        self.rows: list[SpanNumbers] = []
        self._numbers: dict[tuple[int, int, int], int] = {}

    def number(self, segment: int, start: int, end: int) -> int:
        """The number of a span, which is made if it is new."""
        key = segment, start, end
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.rows)
            self.rows.append((segment, start, end - start, ""))
        return number

    def between(self, start: int, stop: int, first: int) -> list[int]:
        """The spans of what some pieces put into each segment; of segment ``first`` first."""
        if stop == start + 2 and self._pieces[start].segment == self._pieces[start + 1].segment:
            piece, last = self._pieces[start : start + 2]  # as branches are
            end = last.offset + last.size
            return [self.number(piece.segment, piece.offset, end)] if end > piece.offset else []
        starts: dict[int, int] = {}
        ends: dict[int, int] = {}
        for piece in self._pieces[start:stop]:
            starts.setdefault(piece.segment, piece.offset)
            ends[piece.segment] = piece.offset + piece.size
        order = sorted(starts, key=lambda number: (number != first, number))
        return [self.number(s, starts[s], ends[s]) for s in order if ends[s] > starts[s]]


def spans_of(closed: Sequence[Closed], pieces: Sequence[PendingFragment]) -> list[SpanNumbers]:
    """All spans, numbered in the order in which they were closed; what they belong to is told its
    numbers."""
    spans = _Spans(pieces)
    for of, start, stop, first in closed:
        if isinstance(of, str):
            number = spans.number(start, stop, first)
            if of:
                spans.rows[number] = start, stop, first - stop, of
            continue
        if stop == start + 1:  # as most lines are
            piece = pieces[start]
            at, size = piece.offset, piece.size
            numbers = [spans.number(piece.segment, at, at + size)] if size else []
        else:
            numbers = spans.between(start, stop, first)
        of.spans = (*of.spans, *numbers) if of.spans else numbers
    return spans.rows
