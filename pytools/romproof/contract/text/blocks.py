"""Finding the header block above a label, and cutting it into fields."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from romproof.contract.text.definitions import TextPiece, definitions
from romproof.formats.contracts import FIELDS
from romproof.text.span import Source, Span

REPEATED = ("pointer", "ghost", "invariant", "assert", "decreases")
"""Fields that may stand several times."""

_COMMENT = re.compile(r"\s*(;+)(.*)$")
_BETWEEN = re.compile(
    r"\s*(?:$|\.(?:export|exportzp|global|globalzp|import|importzp|segment|code|rodata|data"
    r"|proc|align|assert|autoimport|a8|i8|if\w*|else\w*|endif)\b"
    r"|(?:section|export|align|assert|static_assert|if|elif|else|endc|pushs|pops|pusho|popo|opt"
    r"|load|endl)\b)",
    re.IGNORECASE,
)
"""What may stand between a block and its label: blank lines, commands of ca65, those of RGBDS."""
_FIELD = re.compile(r"(?P<indent>\s*)(?P<name>[A-Za-z]+)\s*:(?P<rest>.*)$")
_DASHES = "-‐‑‒–—―−"
_TITLE = re.compile(
    rf"\s*(?P<name>[\w:@.]*[\w@.])\s*(?:(?P<dash>[{_DASHES}:]+)\s*(?P<summary>.*))?$"
)


@dataclass(frozen=True, slots=True)
class FieldText:
    """A field as written: its name, where that stands, and its text line by line."""

    name: str
    span: Span
    pieces: tuple[TextPiece, ...]


@dataclass(frozen=True, slots=True)
class HeaderBlock:
    """A ``;;`` block: what it calls the routine, the summary, and its fields.

    ``lines`` are the first and the last one; ``prose`` are those that are neither the title nor of
    a field.
    """

    name: str
    summary: str
    span: Span
    fields: tuple[FieldText, ...]
    lines: tuple[int, int]
    prose: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Comment:
    """A line that is a comment: how many semicolons it begins with, and what follows them."""

    marks: int
    body: str


@dataclass(frozen=True, slots=True)
class Title:
    """A line that may be a title: the name, where it stands, and what parts it from the rest."""

    name: str
    span: Span
    dash: str | None


def comment_at(source: Source, line: int) -> Comment | None:
    """The comment that is all of a line."""
    match = _COMMENT.match(source.line(line))
    return Comment(len(match[1]), match[2]) if match else None


def title_at(source: Source, line: int, comment: Comment) -> Title | None:
    """What a line names if it is a title, whatever the number of its semicolons."""
    match = _TITLE.match(comment.body)
    if match is None or _is_field(source.line(line)):
        return None
    return Title(match["name"], _span(source, line, match["name"]), match["dash"])


def field_at(source: Source, line: int, comment: Comment) -> tuple[str, Span] | None:
    """The word before the colon of a line and where it stands, be it a field's name or not."""
    match = _FIELD.match(comment.body)
    return (match["name"], _span(source, line, match["name"])) if match else None


def may_stand_between(line: str) -> bool:
    """Whether a line may stand between a block and its label."""
    return _BETWEEN.match(line) is not None


def find_block(label: Span) -> HeaderBlock | None:
    """The header block directly above ``label``, or None.

    Blank lines and commands such as .export, .segment and .if, or SECTION, may stand between, and
    so may definitions of predicates, which are not part of it. The block is the comment above, from
    its last group of ``;;`` lines on. Fields may begin with ``;`` or with ``;;``.
    """
    source = label.source
    line = label.line - 1
    while line > 0 and may_stand_between(source.line(line)):
        line -= 1
    last = line
    while line > 0 and _COMMENT.match(source.line(line)):
        line -= 1
    others = {
        number
        for block in definitions(source, line + 1, last)
        for number in range(block.lines[0], block.lines[1] + 1)
    }
    first = _title_line(source, line + 1, last, others)
    return _read(source, first, last, others) if first else None


def _semicolons(text: str) -> int:
    match = _COMMENT.match(text)
    return len(match[1]) if match else 0


def _title_line(source: Source, first: int, last: int, others: Collection[int]) -> int | None:
    """The first line of the last ``;;`` group within the lines, ``others`` aside, or None.

    A group that begins with a field has no title: it goes on with one above.
    """

    def is_marked(line: int) -> bool:
        return line not in others and _semicolons(source.line(line)) == 2

    marked = [line for line in range(first, last + 1) if is_marked(line)]
    begins = [line for line in marked if line - 1 not in marked]
    titles = [line for line in begins if not _is_field(source.line(line))]
    return max(titles or begins, default=None)


def _is_field(text: str) -> bool:
    """Whether a comment reads as a field does that there is."""
    match = _COMMENT.match(text)
    field = _FIELD.match(match[2]) if match else None
    return field is not None and field["name"].lower() in FIELDS


def _read(source: Source, first: int, last: int, others: Collection[int]) -> HeaderBlock:
    summary: list[str] = []
    name, title = "", _span(source, first, source.line(first).strip())
    fields: list[FieldText] = []
    current: tuple[str, Span, list[TextPiece]] | None = None
    indent, open_parentheses = 0, 0
    prose: list[int] = []
    for number in range(first, last + 1):
        if number in others:
            continue
        text = source.line(number)
        match = _COMMENT.match(text)
        assert match is not None, "find_block takes comment lines only"
        marks, body = match[1], match[2]
        if len(marks) == 2 and current is None and (number == first or not _is_field(text)):
            title_match = _TITLE.match(body) if number == first else None
            if title_match:
                name = title_match["name"]
                body = title_match["summary"] or ""
                title = _span(source, number, name)
            summary.append(body.strip())
            if number != first:
                prose.append(number)
            continue
        field = _FIELD.match(body)
        depth = len(body) - len(body.lstrip())
        continues = current is not None and depth > indent and bool(body.strip())
        # a field is one however deep it stands, but for what is explained in parentheses
        if current is not None and continues and (open_parentheses or not _is_field(text)):
            current[2].append(_piece(source, number, body))
            open_parentheses = max(0, open_parentheses + body.count("(") - body.count(")"))
            continue
        if current is not None:
            fields.append(FieldText(current[0], current[1], tuple(current[2])))
            current = None
        if field:
            indent = indent if continues else depth
            open_parentheses = max(0, field["rest"].count("(") - field["rest"].count(")"))
            at = _span(source, number, field["name"])
            column = len(text) - len(field["rest"]) + 1
            rest = TextPiece(field["rest"], Span(source, number, column))
            known = field["name"].lower() in FIELDS
            current = (field["name"].lower() if known else field["name"], at, [rest])
        else:
            prose.append(number)
    if current is not None:
        fields.append(FieldText(current[0], current[1], tuple(current[2])))
    joined = " ".join(s for s in summary if s)
    return HeaderBlock(name, joined, title, tuple(fields), (first, last), tuple(prose))


def _span(source: Source, line: int, word: str) -> Span:
    column = source.line(line).find(word) + 1
    return Span(source, line, max(column, 1), max(len(word), 1))


def _piece(source: Source, line: int, body: str) -> TextPiece:
    column = len(source.line(line)) - len(body) + 1
    return TextPiece(body, Span(source, line, column, max(len(body), 1)))
