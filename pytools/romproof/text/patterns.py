"""Regular expressions that are there without ``re``, where a build has translated them.

To import ``re`` and to translate a dozen patterns takes longer than to assemble most sources. What
``re.compile`` makes of a pattern is a list of numbers. A wheel that is compiled for one version of
Python has these in a module beside this one, which ``translate.py`` makes. Where there is none, as
in a source tree, or where it is of another Python, ``re`` is asked: the patterns are equal
(``tests/text/test_patterns.py``).
"""

from __future__ import annotations

import _sre  # type: ignore[import-not-found]
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from re import Pattern
    from typing import AnyStr

Translated = tuple[int, bytes, int, dict[str, int], tuple[str | None, ...]]
"""What ``_sre.compile`` takes besides the pattern: flags, the numbers, each of four bytes in the
machine's order, how many groups, their names, and the names by number."""

MODULE = "romproof.text.translated"

named: list[str | bytes] = []
"""The patterns that modules have named with :func:`later` so far: those to translate."""


def later(text: AnyStr) -> Callable[[], Pattern[AnyStr]]:
    """A function that gives the pattern, which is made when it is asked for first."""
    named.append(text)
    made: list[Pattern[AnyStr]] = []

    def pattern() -> Pattern[AnyStr]:
        if not made:
            made.append(compiled(text))
        return made[0]

    return pattern


def compiled(text: AnyStr) -> Pattern[AnyStr]:
    """As ``re.compile``; without ``re`` for what is translated."""
    known = _known().get(text)
    if known is None:
        import re

        return re.compile(text)
    return made_of(text, known)


def made_of(text: AnyStr, known: Translated) -> Pattern[AnyStr]:
    """A pattern that is translated."""
    flags, code, groups, names, numbers = known
    pattern: Pattern[AnyStr] = _sre.compile(
        text, flags, list(memoryview(code).cast("I")), groups, names, numbers
    )
    return pattern


_tables: list[dict[str | bytes, Translated]] = []


def _known() -> dict[str | bytes, Translated]:
    """The translated patterns; none where there are none for this Python."""
    if not _tables:
        try:
            home = __import__(MODULE, fromlist=("PATTERNS",))
            _tables.append(home.PATTERNS if depends_on() == home.MADE_FOR else {})
        except ImportError:
            _tables.append({})
    return _tables[0]


def depends_on() -> tuple[int, int, str]:
    """What the numbers depend on: their meanings, their size, the order of their bytes."""
    return _sre.MAGIC, _sre.CODESIZE, sys.byteorder
