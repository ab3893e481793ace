"""The parts of an image, as one symbol file after the other adds to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from romproof.program.image import ImageLine, Routine, Segment, Symbol
from romproof.text.diagnostic import Diagnostic, Severity
from romproof.text.span import Source, Span

SHOWN = 5
"""Names that a note lists; of more than these the others are counted."""


@dataclass(slots=True)
class KnownParts:
    """What is known of an image so far; ``notes`` are for people."""

    segments: list[Segment] = field(default_factory=list)
    symbols: list[Symbol] = field(default_factory=list)
    lines: list[ImageLine] = field(default_factory=list)
    routines: list[Routine] = field(default_factory=list)
    sources: list[Source] = field(default_factory=list)
    notes: list[Diagnostic] = field(default_factory=list)

    def warn(self, message: str, span: Span | None = None, help: str | None = None) -> None:
        """Say something that the user should know."""
        self.notes.append(Diagnostic(Severity.WARNING, message, span, help))

    def note(self, message: str) -> None:
        """Say something that is as it should be, and may surprise nevertheless."""
        self.notes.append(Diagnostic(Severity.NOTE, message))


def list_names(names: Sequence[str]) -> str:
    """Some names for a message."""
    shown = ", ".join(names[:SHOWN])
    return shown + (f" and {len(names) - SHOWN} more" if len(names) > SHOWN else "")


def plural(count: int, what: str) -> str:
    """``1 symbol``, ``3 symbols``."""
    return f"{count} {what}" + ("" if count == 1 else "s")
