"""Diagnostics: what is wrong, where, and what to do about it.

Every stage collects diagnostics instead of stopping at the first one, and
raises :class:`BuildFailed` once at its end when one of them is an error.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from itertools import pairwise

from romproof.text.errors import RomproofError
from romproof.text.span import Span

MAX_ERRORS = 100
"""After this many errors a stage gives up: the rest would only repeat them."""

MAX_CHAIN = 8
"""Steps of an expansion chain that are printed; deeper ones are counted."""


class Severity(Enum):
    """How bad it is; only errors stop a build."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Suspicion(Enum):
    """What a warning is about, of those that an option of a tool turns off by itself."""

    LARGE_ALIGNMENT = "large alignment"


_COLOURS = {
    Severity.ERROR: "\x1b[1;31m",
    Severity.WARNING: "\x1b[1;33m",
    Severity.NOTE: "\x1b[1;36m",
}
_RESET = "\x1b[0m"


@dataclass(frozen=True)
class Diagnostic:
    """One finding. ``span`` is None for findings about no source line.

    ``option`` is the option that governs a warning, such as ``-Wtruncation``;
    it is printed behind the message. ``kind`` is what a warning is about, where
    something is decided on that.
    """

    severity: Severity
    message: str
    span: Span | None = None
    help: str | None = None
    notes: tuple[tuple[str, Span], ...] = ()
    option: str | None = None
    kind: Suspicion | None = None


class BuildFailed(RomproofError):
    """A stage found errors; all its diagnostics, warnings included, are in it."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(render(d) for d in self.diagnostics))


class TooManyErrors(Exception):
    """Internal signal: a stage's collector is full."""


@dataclass
class Diagnostics:
    """Collects the findings of one stage."""

    items: list[Diagnostic] = field(default_factory=list)
    limit: int = MAX_ERRORS
    errors: int = 0
    _seen: set[tuple[str, tuple[str, ...], str]] = field(default_factory=set)

    def add(self, diagnostic: Diagnostic) -> None:
        """Keep a finding, unless the same one was already made at the same place.

        Raises TooManyErrors when the limit of errors is passed.
        """
        span = diagnostic.span
        chain = () if span is None else tuple(f"{s.what} {s.span}" for s in span.chain())
        key = (str(span), chain, diagnostic.message)
        if diagnostic.severity is Severity.ERROR:
            if key in self._seen:
                return
            self._seen.add(key)
        self.items.append(diagnostic)
        if diagnostic.severity is Severity.ERROR:
            self.errors += 1
            if self.errors >= self.limit:
                raise TooManyErrors

    def error(
        self,
        message: str,
        span: Span | None = None,
        help: str | None = None,
        notes: tuple[tuple[str, Span], ...] = (),
    ) -> None:
        """Report an error; assembly goes on, the build will fail."""
        self.add(Diagnostic(Severity.ERROR, message, span, help, notes))

    def warning(
        self,
        message: str,
        span: Span | None = None,
        help: str | None = None,
        option: str | None = None,
        kind: Suspicion | None = None,
    ) -> None:
        """Report something suspicious that does not stop the build."""
        self.add(Diagnostic(Severity.WARNING, message, span, help, option=option, kind=kind))

    def raise_if_failed(self) -> None:
        """Raise BuildFailed with everything collected if there was an error."""
        if self.errors:
            raise BuildFailed(self.items)


def suggest(name: str, candidates: Iterable[str]) -> str | None:
    """A "did you mean" line for a misspelt name, or None when nothing is close."""
    import difflib
    import heapq

    wanted = name.lower()
    folded = {c.lower(): c for c in candidates}
    # comparing letter by letter is slow: only the names that share most get there
    pieces = _pieces(wanted)
    likely = heapq.nlargest(20, folded, key=lambda c: _overlap(pieces, _pieces(c)))
    close = difflib.get_close_matches(wanted, likely, n=8, cutoff=0.6)
    # swapped letters are the likeliest slip, then a wrong ending
    best = max(
        close,
        key=lambda c: (sorted(c) == sorted(wanted), _ratio(wanted, c), c[:1] == wanted[:1]),
        default=None,
    )
    return f"did you mean '{folded[best]}'?" if best is not None else None


@lru_cache(maxsize=1 << 16)
def _pieces(name: str) -> frozenset[str]:
    """The letters of a name and its pairs of neighbouring letters."""
    return frozenset(name).union(map("".join, pairwise(name)))


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / (len(one) + len(other) or 1)


def _ratio(one: str, other: str) -> float:
    import difflib

    return difflib.SequenceMatcher(None, one, other).ratio()


def render(diagnostic: Diagnostic, colour: bool = False) -> str:
    """``file:line:col: severity: message``, the line, a caret, chain and help."""
    label = diagnostic.severity.value
    if colour:
        label = f"{_COLOURS[diagnostic.severity]}{label}{_RESET}"
    span = diagnostic.span
    message = diagnostic.message + (f" [{diagnostic.option}]" if diagnostic.option else "")
    if span is None:
        lines = [f"{label}: {message}"]
    else:
        lines = [f"{span}: {label}: {message}", *_excerpt(span)]
        chain = list(span.chain())
        lines += [f"  {step.what} at {step.span}" for step in chain[:MAX_CHAIN]]
        if len(chain) > MAX_CHAIN:
            lines.append(f"  … and {len(chain) - MAX_CHAIN} more")
    for text, place in diagnostic.notes:
        lines += [f"  note: {text} at {place}", *_excerpt(place)]
    if diagnostic.help:
        lines.append(f"  help: {diagnostic.help}")
    return "\n".join(lines)


_VISIBLE = {code: 0x2400 + code for code in range(0x20) if code != 0x09} | {0x7F: 0x2421}
"""Control characters as pictures: a source must not give orders to the terminal."""
_VISIBLE.update(dict.fromkeys(range(0xDC80, 0xDD00), 0xFFFD))
# bytes that are no UTF-8: one character each, or the caret would stand beside its place


MAX_SHOWN, BEFORE = 240, 80
"""Characters of a line that are shown, and of those before the place where a line is longer."""


def _excerpt(span: Span) -> list[str]:
    """The source line, or the part around the place, and a caret; tabs keep the two aligned."""
    text = span.text
    if not text.strip():
        return []
    column, left, right = span.col - 1, "", ""
    if len(text) > MAX_SHOWN:
        start = min(max(column - BEFORE, 0), len(text) - MAX_SHOWN)
        left, right = "…" * (start > 0), "…" * (start + MAX_SHOWN < len(text))
        text, column = text[start : start + MAX_SHOWN], column - start
    gutter = f"{span.line:>5} | "
    before = " " * len(left) + "".join("\t" if c == "\t" else " " for c in text[:column])
    width = max(1, min(span.length, len(text) - column))
    shown = f"{left}{text.translate(_VISIBLE)}{right}"
    return [f"{gutter}{shown}", f"{' ' * (len(gutter) - 2)}| {before}{'^' * width}"]
