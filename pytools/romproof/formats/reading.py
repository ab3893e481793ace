"""What the readers of symbol files have in common: lines, their places, what is wrong with one."""

from __future__ import annotations

from collections.abc import Iterator

from romproof.formats.errors import BadSymbols
from romproof.text.span import Source, Span

MAX_LABELS = 1_000_000
"""Labels of a file: the largest disassemblies have some ten thousand."""


def number_lines(source: Source) -> Iterator[tuple[int, str]]:
    """The lines that have something in them, with their numbers."""
    for number, line in enumerate(source.lines, 1):
        if line.strip():
            yield number, line.rstrip("\r")


def span_of(source: Source, number: int, part: str = "") -> Span:
    """Where a part of a line stands, or all of it."""
    line = source.line(number)
    column = max(line.find(part), 0) + 1 if part else len(line) - len(line.lstrip()) + 1
    return Span(source, number, column, max(len(part or line.strip()), 1))


def unreadable(source: Source, number: int, what: str, help: str, part: str = "") -> BadSymbols:
    """The error for a line."""
    return BadSymbols(what, span_of(source, number, part), help)


def printable(text: str, most: int = 60) -> str:
    """A part of a file as a message can have it: cut, and without control characters."""
    shown = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text[:most])
    return shown + ("…" if len(text) > most else "")
