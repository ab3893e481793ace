"""Where a piece of source text stands, and how the assembler came there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property


@dataclass(frozen=True, eq=False)
class Source:
    """One source file as it was read.

    ``name`` is the path as the user gave it, for messages; ``via`` says which
    ``.include`` brought the file in, or is None for a file named by the user.
    """

    name: str
    text: str = field(repr=False)
    via: Via | None = None

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the file, without their line ends."""
        return self.text.replace("\r\n", "\n").split("\n")

    def line(self, number: int) -> str:
        """The text of line ``number`` (1-based), or "" outside the file."""
        return self.lines[number - 1] if 0 < number <= len(self.lines) else ""


@dataclass(frozen=True, slots=True)
class Span:
    """``length`` characters at ``line``:``col`` (both 1-based) of a source.

    ``via`` is the chain of macro expansions and repeats that produced the
    text, innermost first; None when it was written where it stands.
    """

    source: Source
    line: int
    col: int
    length: int = 1
    via: Via | None = None

    def __str__(self) -> str:
        return f"{self.source.name}:{self.line}:{self.col}"

    @property
    def text(self) -> str:
        """The whole source line the span stands on."""
        return self.source.line(self.line)

    def chain(self) -> Iterator[Via]:
        """The expansions and inclusions that lead here, innermost first."""
        step = self.via or self.source.via
        while step is not None:
            yield step
            step = step.span.via or step.span.source.via


@dataclass(frozen=True, slots=True)
class Via:
    """One step of an expansion chain, e.g. "in macro 'add16', called" at ``span``."""

    what: str
    span: Span
