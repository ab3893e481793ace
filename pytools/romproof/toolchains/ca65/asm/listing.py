"""The listing that ca65 -l writes: source lines beside what the assembler made of them.

The columns are those of ca65 2.19 (its listing.c): program counter, ``r`` where the linker adds an
address, depth of includes, bytes, source. ``rr`` denotes bytes that the linker works out, ``xx``
bytes that are only reserved. What a macro or a loop made is beside its call.

A line is known as soon as the end of the one before it is read, and its program counter is that of
the statement it begins: the assembler tells both.
"""

from __future__ import annotations

from collections.abc import Mapping

from romproof.text.span import Source
from romproof.toolchains.ca65.asm.options import ExpandedLines
from romproof.toolchains.ca65.asm.record_rows import PendingFragment
from romproof.toolchains.ca65.obj.tables import FILL

ROW = 4
"""Bytes in one row."""
DEFAULT_BYTES = 12
"""Bytes of one line that are shown, if nothing is said."""
_HEADER = 24
"""Characters before the source."""


class _Row:
    """A line as it was read, and what came of it."""

    __slots__ = (
        "depth",
        "file",
        "level",
        "most",
        "pc",
        "pieces",
        "relocatable",
        "segment",
        "shown",
        "text",
    )

    def __init__(self, text: str, file: str, depth: int) -> None:
        self.text = text
        self.file = file
        self.depth = depth
        self.level = 0  # above zero: of a macro, inside so many
        self.pc = 0
        self.segment = 0
        self.relocatable = True
        self.shown = True
        self.most = DEFAULT_BYTES
        self.pieces: list[PendingFragment] = []


class Listing:
    """The lines of one run, in the order in which they are read.

    ``most`` is how many bytes of a line are shown, 0 for all; ``page`` the lines of a page, 0 for
    one that does not end. With ``segments`` each line has the number of its segment in front, and
    a list of those with bytes follows. ``expands`` says whether lines of macros and repeats follow
    their call.
    """

    def __init__(
        self,
        most: int = DEFAULT_BYTES,
        page: int = 0,
        segments: bool = False,
        expands: ExpandedLines = ExpandedLines.NONE,
    ) -> None:
        self.most = most
        self.page = page
        self.segments = segments
        self.expands = expands
        self._segment = 0
        self._rows: list[_Row] = []
        self._current = -1
        self._enabled = 1
        self._read: dict[int, int] = {}

    def _set(self, row: _Row, pc: int, relocatable: bool) -> None:
        row.pc = pc
        row.segment = self._segment
        row.relocatable = relocatable
        row.shown = self._enabled > 0
        row.most = self.most

    def enter(self, segment: int) -> None:
        """What follows is in a segment."""
        self._segment = segment

    def read_to(self, source: Source, line: int, depth: int, pc: int, relocatable: bool) -> None:
        """The lines of a source up to ``line`` have been read; behind the last one an empty one."""
        last = self._read.get(id(source), 0)
        lines = source.lines
        count = len(lines) - (lines[-1] == "")
        for number in range(last + 1, min(line, count + 1) + 1):
            text = lines[number - 1].rstrip() if number <= count else ""
            row = _Row(text, source.name, depth)
            self._set(row, pc, relocatable)
            self._rows.append(row)
        self._read[id(source)] = max(last, line)

    def start_statement(self, pc: int, relocatable: bool) -> None:
        """A statement of a file begins, in the line that was read last."""
        if self._current >= 0:
            for row in self._rows[self._current + 1 : -1]:
                self._set(row, pc, relocatable)
        self._current = len(self._rows) - 1
        self._set(self._rows[-1], pc, relocatable)

    def expand(self, text: str, file: str, level: int, pc: int, relocatable: bool) -> None:
        """A line of a macro's body or of a repeat follows, behind what was read to call it; the
        last line that was read is the next one."""
        row = _Row(f"{'>' * level} {text.rstrip()}", file, 0)
        row.level = level
        self._set(row, pc, relocatable)
        at = max(self._current + 1, len(self._rows) - 1)
        for read in self._rows[self._current + 1 : at]:
            self._set(read, pc, relocatable)
        self._rows.insert(at, row)
        self._current = at

    def add(self, piece: PendingFragment) -> None:
        """Something was put into a segment."""
        if self._current >= 0:
            self._rows[self._current].pieces.append(piece)

    def switch(self, on: bool) -> bool:
        """``.list``; False where it is switched off more often than on."""
        if on:
            self._enabled += 1
            if self._enabled == 1 and self._current >= 0:
                self._rows[self._current].shown = True
            return True
        if self._enabled == 0:
            return False
        self._enabled -= 1
        return True

    def text(self, assembler: str, main: str, segments: Mapping[int, str] | None = None) -> str:
        """The listing; ``assembler`` is its first line, ``main`` the file that was assembled,
        ``segments`` the names of those with bytes, by number."""
        if not self._rows:
            return ""
        printer = _Printer(assembler, main, self.page, self.segments)
        printer.head(self._rows[0])
        for number, row in enumerate(self._rows):
            is_last = number == len(self._rows) - 1
            shown = [part for piece in row.pieces for part in _picture(piece)]
            shown = shown[: row.most] if row.most else shown
            if not row.shown or self._is_left_out(number):
                continue
            if not shown:
                if not row.pieces:
                    printer.line(row, 0, [], row.text, is_last)
                continue
            for at in range(0, len(shown), ROW):
                text = row.text if at == 0 else ""
                printer.line(row, at, shown[at : at + ROW], text, is_last)
        if self.segments:
            printer.parts.append("\nSegment summary\n\n")
            printer.parts += [f"Segment: {n:02X} = {s}\n" for n, s in (segments or {}).items()]
        return "".join(printer.parts)

    def _is_left_out(self, number: int) -> bool:
        """Whether a line of a macro without bytes is not wanted: what it calls may have some."""
        row = self._rows[number]
        if self.expands is not ExpandedLines.BYTES or not row.level or row.pieces:
            return False
        follows = self._rows[number + 1 : number + 2]
        calls = bool(follows) and follows[0].level > row.level
        return not (calls or row.text.lstrip("> \t").lower().startswith(".segment"))


class _Printer:
    def __init__(self, assembler: str, main: str, page: int, segments: bool) -> None:
        self.parts: list[str] = []
        self._segments = segments
        self._assembler = assembler
        self._main = main
        self._page = page
        self._lines = 0

    def head(self, row: _Row) -> None:
        """The top of a page."""
        self.parts.append(
            f"{self._assembler}\nMain file   : {self._main}\nCurrent file: {row.file}\n\n"
        )
        self._lines = 4

    def line(self, row: _Row, at: int, shown: list[str], text: str, is_last: bool) -> None:
        """One line, and a new page when this one is full."""
        mode = "r" if row.relocatable else " "
        depth = str(row.depth) if row.depth < 10 else "+"
        head = f"{row.pc + at & 0xFFFFFFFFFFFFFFFF:06X}{mode} {depth}"
        if self._segments:
            head = (f"{row.segment:02X}." if row.relocatable else "   ") + head
        width = _HEADER + len("00.") * self._segments
        bytes_ = "".join(f"{byte} " for byte in shown)
        self.parts.append(f"{f'{head}  {bytes_}':<{width}}{text}\n")
        self._lines += 1
        if 0 < self._page <= self._lines and not is_last:
            self.parts.append("\f")
            self.head(row)


def _picture(piece: PendingFragment) -> list[str]:
    """Every byte of a piece as the listing shows it."""
    if piece.expr is not None:
        return ["rr"] * piece.size
    if piece.kind == FILL:
        return ["xx"] * piece.size
    return [f"{byte:02X}" for byte in piece.data]
