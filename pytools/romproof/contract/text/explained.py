"""What fields say to the reader only: text in parentheses.

    ; in:     A lfsr[4]   (A: the tile, lowest bits first)
    ; cycles: 38          (entry to RTS inclusive)

Blanks, tabs and line ends only part items: whatever stands outside of parentheses is read, or is an
error. In conditions, where parentheses also group, those that follow a value after a blank are for
the reader (romproof.contract.text.tokens); within brackets they always group.
"""

from __future__ import annotations

from dataclasses import replace

from romproof.contract.text.blocks import FieldText
from romproof.contract.text.definitions import TextPiece
from romproof.text.diagnostic import Diagnostics
from romproof.text.span import Span

HOW = "write explanations in parentheses"


def strip_explanations(field: FieldText, diagnostics: Diagnostics) -> FieldText:
    """The same with blanks in place of what is for the reader, so that places stay; a parenthesis
    that is not closed is reported."""
    pieces: list[TextPiece] = []
    depth, in_brackets = 0, 0
    opened: Span | None = None
    for piece in field.pieces:
        kept: list[str] = []
        for at, letter in enumerate(piece.text):
            if depth == 0 and letter in "[]":
                in_brackets = max(0, in_brackets + (1 if letter == "[" else -1))
            if letter == "(" and not in_brackets:
                depth += 1
                if depth == 1:
                    opened = replace(piece.span, col=piece.span.col + at, length=1)
            kept.append(letter if depth == 0 else " ")
            if letter == ")" and depth:
                depth -= 1
        pieces.append(replace(piece, text="".join(kept)))
    if depth and opened is not None:
        diagnostics.error("this parenthesis is not closed", opened, f"{HOW}, which are closed")
    return replace(field, pieces=tuple(pieces))
