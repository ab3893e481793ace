"""How much text a source may make of itself: macros, loops and strings can double without end."""

from __future__ import annotations

from romproof.toolchains.rgbds.asm.report import Reporter

MAX_TEXT = 1 << 20
"""Characters of a string."""
NESTED = 16
"""Macros, loops and symbols in each other of which nothing is counted. What is large without being
nested deeper is honest work, however much it is: a checksum over a ROM, a text, a loop of loops."""
MAX_WORK = 32_000_000
"""Of what is made deeper than that, in characters: there each level may double the one above."""
_ENTERED = 16
_READ = 3
"""What it costs to read a character of an argument or symbol."""
_LINE = 64
"""What it costs to enter a text, and to carry out a line of it, in characters."""


class Growth:
    """Counts what one run over a source has expanded."""

    def __init__(self, report: Reporter) -> None:
        self._report = report
        self._work = 0

    def body(self, text: str, depth: int) -> None:
        """The body of a macro or loop is read again, in so many others. Fatal when that was too
        much altogether."""
        if depth > NESTED:
            self._count(_ENTERED + len(text) + _LINE * text.count("\n"))

    def count_insertion(self, text: str, depth: int) -> None:
        """A symbol's text, or an argument, is read. Fatal as for bodies."""
        if depth > NESTED:
            self._count(_ENTERED + _READ * len(text))

    def check(self, text: str, more: int = 0) -> str:
        """``text``, unless that and ``more`` characters are too long for a string: fatal."""
        if len(text) + more > MAX_TEXT:
            self._report.fatal(f"String grew too long (the most are {MAX_TEXT} characters)")
        return text

    def _count(self, work: int) -> None:
        self._work += work
        if self._work > MAX_WORK:
            self._report.fatal(
                f"Macros, loops and `EQUS` symbols, more than {NESTED} in each other, make more "
                f"than {MAX_WORK:,} characters: check if they double each other"
            )
