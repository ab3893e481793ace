"""The text of a field as one string, of which every place knows its line of the source."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property

from romproof.contract.text.blocks import FieldText
from romproof.text.span import Span


@dataclass(frozen=True)
class FieldLines:
    """The lines of ``field``, joined with line ends, as ``whole``; places count from 0."""

    field: FieldText

    @cached_property
    def whole(self) -> str:
        """All of the text."""
        return "\n".join(piece.text for piece in self.field.pieces)

    def span(self, start: int, end: int) -> Span:
        """Where ``whole[start:end]`` stands, as far as it is on one line.

        The field's name when nothing is there.
        """
        before = 0
        for piece in self.field.pieces:
            last = before + len(piece.text)
            if start < last:
                length = max(1, min(end, last) - start)
                return replace(piece.span, col=piece.span.col + start - before, length=length)
            before = last + 1
        return self.field.span


def on_one_line(text: str) -> str:
    """``text`` without line ends, and one blank where there are several."""
    return re.sub(r"\s+", " ", text).strip()
