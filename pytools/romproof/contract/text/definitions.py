"""Where sources define predicates, as comments:

    ;; predicate sound_hand: melds <= MELDS, all j in 0..33: hand[j] + melded[j] <= COPIES
    ;; predicate points_to_a_word(p): p in &mt_state..&mt_state + MT_BYTES - MT_WORD,
    ;;   (p - &mt_state) % MT_WORD == 0

A comment line below, indented more deeply than the word ``predicate``, continues one. What they
mean is read in romproof.contract.reading.predicates.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from romproof.text.span import Source, Span

_WORD = "predicate"
_BEGIN = re.compile(
    rf"\s*;;(?P<indent>\s*){_WORD}\s+(?P<name>[A-Za-z_]\w*)(?P<rest>\s*(?:[:(]|.*?[<>=]).*)$"
)
"""The beginning of a definition; one that lacks its colon is known by a comparison."""
_TITLE = re.compile(r"(?:\((?P<parameters>[^()]*)\))?\s*:(?!:)")
_COMMENT = re.compile(r"\s*;+(?P<body>.*)$")


@dataclass(frozen=True, slots=True)
class TextPiece:
    """A part of a text on one line; ``span`` covers ``text``."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class PredicateDefinition:
    """A predicate as it is written: ``lines`` are the numbers of its first line and of the last.

    ``parameters`` is what stands in parentheses behind the name, None without any; ``pieces`` what
    follows the colon, line by line. There are none where the line is not a definition, but looks
    like one.
    """

    name: str
    span: Span
    parameters: TextPiece | None
    pieces: tuple[TextPiece, ...]
    lines: tuple[int, int]


def definitions(
    source: Source, first: int = 1, last: int | None = None
) -> Iterator[PredicateDefinition]:
    """The definitions within the lines ``first`` to ``last``, which are all by default."""
    end = len(source.lines) if last is None else last
    if first > end or _WORD not in source.text:
        return
    number = first
    while number <= end:
        match = _BEGIN.match(source.line(number))
        if match is None:
            number += 1
            continue
        begun = number
        pieces: list[TextPiece] = []
        depth = len(match["indent"])
        column = match.start("rest") + 1
        title = _TITLE.match(match["rest"])
        if title is not None:
            pieces.append(_piece(source, number, column + title.end()))
        number += 1
        while (
            number <= end and (start := _find_continuation(source.line(number), depth)) is not None
        ):
            pieces.append(_piece(source, number, start))
            number += 1
        name = Span(source, begun, match.start("name") + 1, len(match["name"]))
        parameters = None
        if title is not None and title["parameters"] is not None:
            place = column + title.start("parameters")
            length = max(1, len(title["parameters"]))
            parameters = TextPiece(title["parameters"], Span(source, begun, place, length))
        title_pieces = tuple(pieces) if title is not None else ()
        yield PredicateDefinition(
            match["name"], name, parameters, title_pieces, (begun, number - 1)
        )


def _find_continuation(line: str, depth: int) -> int | None:
    """The column at which a comment's text begins if it is indented more deeply; else None."""
    match = _COMMENT.match(line)
    if match is None or _BEGIN.match(line):
        return None
    body = match["body"]
    indent = len(body) - len(body.lstrip())
    return match.start("body") + 1 if body.strip() and indent > depth else None


def _piece(source: Source, line: int, column: int) -> TextPiece:
    text = source.line(line)[column - 1 :]
    return TextPiece(text, Span(source, line, column, max(1, len(text))))
