"""Comments that look like contracts and that nobody reads.

A block looks like a contract when it has a title, ``;; name –`` or the name of a label behind one
semicolon, and a field; or a word before a colon that is nearly a field's name, where a title or a
field stands in the same block. Such a block may stand where no label is, or above a label that can
have no contract: it is not attached, and says nothing to anybody. The same goes for single lines of
contracts that are read, a field without its colon, say.

What is found is typed; romproof.report.unread makes sentences of it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum

from romproof.contract.reading.misspelt import MEANT, find_nearest_field
from romproof.contract.text.blocks import (
    Comment,
    HeaderBlock,
    Title,
    comment_at,
    field_at,
    find_block,
    may_stand_between,
    title_at,
)
from romproof.contract.text.definitions import definitions
from romproof.formats.contracts import FIELDS
from romproof.isa.abi import abi_of
from romproof.program.image import Image, Symbol
from romproof.text.span import Source, Span

_LONG = 5
_SAID = re.compile(r"\s*(?P<word>[\w@.:$]+)|\s*[-–—=：﹕]")
_COLONLESS = re.compile(r"\s*(?P<name>[A-Za-z]+)(?P<rest>(?:\s|[^\w\s:]).*|)$")
_COMPARES = re.compile(r"==|!=|<=|>=|->|\.\.|[<>=]")
_VALUES = ("none", "nothing", "as", "callees", "volatile", "constant", "interrupt", "routine")


class UnreadReason(Enum):
    """Why a comment is no contract, or a line of one no field."""

    SEPARATED = "separated"
    """``place`` is what stands between the block and its label."""
    BLANK_LINE = "blank line"
    """A blank line, at ``place``, parts the block."""
    HIDDEN = "hidden"
    """Another ``;;`` line, at ``place``, begins below the block: that one is the label's."""
    MARK = "mark"
    """The title does not begin with two semicolons."""
    PRIVATE = "private"
    """The label is not exported, or local."""
    CONSTANT = "constant"
    """The name is that of a constant."""
    NO_LABEL = "no label"
    """The program has no such name."""
    SECOND = "second"
    """The label has another contract, at ``place``."""
    LEFT_OUT = "left out"
    """The code is not in the program, of which the label stands at ``place``."""
    NOTHING_BELOW = "nothing below"
    """The file ends below the block; the label stands at ``place``."""
    MACRO = "macro"
    """The label is not where a contract could stand above it: a macro makes it, at ``place``."""
    NO_COLON = "no colon"
    """``meant`` is the field."""
    MISSPELT = "misspelt"
    """``meant`` is the field."""
    NOT_INDENTED = "not indented"
    """A line that goes on like the field above it, and does not stand deeper."""


@dataclass(frozen=True, slots=True)
class Unread:
    """A comment that looks like a contract: ``name`` of a routine or a word, ``span`` where it is.

    ``place`` and ``meant`` as the members of Why say.
    """

    why: UnreadReason
    name: str
    span: Span
    place: Span | None = None
    meant: str = ""


@dataclass(slots=True)
class _Block:
    """A block that is not attached, as it is read line by line."""

    source: Source
    title: Title | None
    marks: int
    last: int
    has_field: bool = False
    near: list[Unread] = field(default_factory=list)
    blank: int | None = None
    hidden: int | None = None


def find_attached_blocks(image: Image) -> Mapping[str, HeaderBlock]:
    """The blocks above the public labels of a program that have a field, by the label's name."""
    found: dict[str, HeaderBlock] = {}
    for symbol in image.symbols:
        if symbol.exported and symbol.is_label and symbol.name not in found:
            place = image.below_comment(symbol)
            block = find_block(place) if place else None
            if block is not None and any(each.name in FIELDS for each in block.fields):
                found[symbol.name] = block
    return found


def unread(image: Image) -> tuple[Unread, ...]:
    """What looks like a contract in the sources of a program and is none, by its place."""
    attached = find_attached_blocks(image)
    labels = _by_short_name(image)
    words = {*abi_of(image.cpu).items, *labels}
    taken: dict[str, set[int]] = {}
    found: dict[tuple[str, int, int], Unread] = {}
    for block in attached.values():
        source = block.span.source
        taken.setdefault(source.name, set()).update(range(block.lines[0], block.lines[1] + 1))
        for each in _lines_of(block, words):
            found[each.span.source.name, each.span.line, each.span.col] = each
    seen: set[str] = set()
    for source in image.sources:
        if source.name in seen:
            continue
        seen.add(source.name)
        for candidate in _blocks(source, taken.get(source.name, ()), labels, words):
            for each in _reasons(candidate, labels, attached):
                found.setdefault((source.name, each.span.line, each.span.col), each)
    return tuple(found[key] for key in sorted(found))


def _by_short_name(image: Image) -> Mapping[str, list[Symbol]]:
    """The symbols by their names, and by what follows scopes and owners in them."""
    table: dict[str, list[Symbol]] = {}
    for symbol in (*image.symbols, *image.macro_labels):
        name = symbol.name
        names = {name, name.rpartition("::")[2]}
        for mark in "@.":
            if mark in name:
                names.add(mark + name.rpartition(mark)[2])
        for each in names:
            table.setdefault(each, []).append(symbol)
    return table


def _lines_of(block: HeaderBlock, words: Collection[str]) -> Iterator[Unread]:
    """The lines of a contract that look like fields and are none."""
    source = block.span.source
    for number in block.prose:
        comment = comment_at(source, number)
        if comment is None:
            continue
        near = _find_near(source, number, comment, synonyms=True)
        if near is not None and block.lines[0] < number:
            yield near
            continue
        colonless = _find_without_colon(source, number, comment, words)
        if colonless is not None:
            yield colonless
        elif number - 1 not in block.prose and block.lines[0] < number - 1:
            yield from _find_continuation(source, number, comment, words)


def _find_continuation(
    source: Source, number: int, comment: Comment, words: Collection[str]
) -> Iterator[Unread]:
    """A line right below a field that is more of it: items only, a condition, or what follows a
    comma."""
    body = comment.body.strip()
    items = [re.sub(r"\[[^\]]*\]$", "", word) for word in re.split(r"[\s,]+", body) if word]
    above = source.line(number - 1).rstrip()
    are_items = bool(items) and all(i in words or i.startswith("$") for i in items)
    if body and (are_items or above.endswith(",") or re.search(r"==|!=|<=|>=|->", body)):
        column = len(source.line(number)) - len(comment.body.lstrip()) + 1
        yield Unread(UnreadReason.NOT_INDENTED, items[0], Span(source, number, column, len(body)))


def _find_near(
    source: Source, number: int, comment: Comment, synonyms: bool = False
) -> Unread | None:
    """A line with a word before a colon that is nearly a field's name."""
    found = field_at(source, number, comment)
    if found is None:
        return None
    name, span = found
    meant = (MEANT.get(name.lower()) if synonyms else None) or find_nearest_field(name)
    return None if meant is None else Unread(UnreadReason.MISSPELT, name, span, meant=meant)


def _find_without_colon(
    source: Source, number: int, comment: Comment, words: Collection[str]
) -> Unread | None:
    """A line that begins with a field's name and goes on as the field would, without a colon."""
    match = _COLONLESS.match(comment.body)
    if match is None or match["name"].lower() not in FIELDS:
        return None
    if not _is_said(match["name"], match["rest"], words):
        return None
    column = len(source.line(number)) - len(comment.body) + match.start("name") + 1
    span = Span(source, number, column, len(match["name"]))
    return Unread(UnreadReason.NO_COLON, match["name"], span, meant=match["name"].lower())


def _is_said(name: str, rest: str, words: Collection[str]) -> bool:
    """Whether what follows a name is said as in a field: an item, a number, a comparison."""
    match = _SAID.match(rest)
    if match is None:
        return False
    word = match["word"]
    if word is None:  # a dash or an equals sign in place of the colon
        return True
    if word in words or word in _VALUES or word[:1] in "$@." or word[:1].isdigit():
        return True
    return len(name) >= _LONG and _COMPARES.search(rest) is not None


def _blocks(
    source: Source,
    taken: Collection[int],
    labels: Mapping[str, list[Symbol]],
    words: Collection[str],
) -> Iterator[_Block]:
    """The blocks of a source that look like contracts, other than those at the lines ``taken``."""
    others = {
        number
        for block in definitions(source, 1, len(source.lines))
        for number in range(block.lines[0], block.lines[1] + 1)
    }
    at_work: _Block | None = None
    blank, marked = 0, False
    for number, text in enumerate(source.lines, 1):
        if not text.strip():
            blank, marked = blank or number, False
            continue
        comment = comment_at(source, number) if ";" in text and number not in taken else None
        if comment is None:
            if at_work is not None:
                yield at_work
            at_work, blank, marked = None, 0, False
            continue
        if number in others:
            continue
        title = title_at(source, number, comment)
        if title is not None and _is_title(title, comment, labels, marked):
            if at_work is not None:
                yield at_work
            at_work, blank = _Block(source, title, comment.marks, number), 0
            marked = comment.marks == 2
            continue
        found = field_at(source, number, comment)
        is_field = found is not None and found[0].lower() in FIELDS
        near = None if is_field else _find_near(source, number, comment)
        if near is None and not is_field and at_work is not None and at_work.title is not None:
            near = _find_without_colon(source, number, comment, words)
        if at_work is None and (is_field or near is not None):
            at_work = _Block(source, None, comment.marks, number)
        if at_work is not None:
            if (is_field or near is not None) and blank and at_work.blank is None:
                at_work.blank = blank
            if comment.marks == 2 and not marked and not is_field and near is None:
                at_work.hidden = at_work.hidden or number
            at_work.has_field |= is_field
            at_work.near += [near] if near is not None else []
            at_work.last = number
        blank, marked = 0, comment.marks == 2
    if at_work is not None:
        yield at_work


def _is_title(
    title: Title, comment: Comment, labels: Mapping[str, list[Symbol]], inside: bool
) -> bool:
    """Whether a line is the title of a block: behind two semicolons any name and a dash, else the
    name of a label. ``inside``: such a line stands right above, of which this one may be more."""
    if title.dash is not None and set(title.dash) != {":"} and comment.marks == 2 and not inside:
        return True
    symbols = labels.get(title.name)
    if not symbols:
        return False
    return comment.marks == 2 or (title.dash is not None and any(s.is_label for s in symbols))


def _reasons(
    block: _Block, labels: Mapping[str, list[Symbol]], attached: Mapping[str, HeaderBlock]
) -> Iterable[Unread]:
    """Why a block is not read; nothing where it does not look like a contract."""
    if block.title is None:
        return block.near if block.has_field else ()
    if not block.has_field and not block.near:
        return ()
    found = _find_reason(block, block.title, labels, attached)
    if found is None:
        return ()
    why, place = found
    if not block.has_field and why is not UnreadReason.NO_LABEL:
        return block.near  # with a field that is right it would be one
    return (Unread(why, block.title.name, block.title.span, place), *block.near)


def _find_reason(
    block: _Block,
    title: Title,
    labels: Mapping[str, list[Symbol]],
    attached: Mapping[str, HeaderBlock],
) -> tuple[UnreadReason, Span | None] | None:
    """Why a block is not attached; None for a routine of which the program has another variant,
    with a contract of its own: conditions chose it."""
    symbols = labels.get(title.name, [])
    here = [s for s in symbols if s.span is not None and s.span.source.name == block.source.name]
    symbols = here or symbols
    named = [s for s in symbols if s.is_label]
    own = _find_label_line(block, title.name)
    if not symbols:
        return (UnreadReason.NO_LABEL, None) if own is None else (UnreadReason.LEFT_OUT, own)
    if not named:
        return UnreadReason.CONSTANT, symbols[0].span
    public = [s for s in named if s.exported]
    if not public:
        return UnreadReason.PRIVATE, named[0].span
    other = next((attached[s.name] for s in public if s.name in attached), None)
    if other is not None:
        return (UnreadReason.SECOND, other.span) if own is None else None
    if block.marks != 2:
        return UnreadReason.MARK, None
    if block.hidden is not None:
        return UnreadReason.HIDDEN, _line(block.source, block.hidden)
    if not any(text.strip() for text in block.source.lines[block.last :]):
        return UnreadReason.NOTHING_BELOW, public[0].span
    between = _find_between(block, public)
    if between is not None:
        return UnreadReason.SEPARATED, between
    if block.blank is not None:
        return UnreadReason.BLANK_LINE, _line(block.source, block.blank)
    return UnreadReason.MACRO, public[0].span


def _find_label_line(block: _Block, name: str) -> Span | None:
    """The line below a block that defines a label of its name, if that is what comes first."""
    defines = re.compile(rf"\s*(?:\.proc\s+)?{re.escape(name)}\s*(?::|$|;)", re.IGNORECASE)
    for number in range(block.last + 1, len(block.source.lines) + 1):
        text = block.source.line(number)
        if re.match(r"\s*\.proc\b", text) or not may_stand_between(text):
            return _line(block.source, number) if defines.match(text) else None
    return None


def _find_between(block: _Block, symbols: Iterable[Symbol]) -> Span | None:
    """What stands between a block and its label, if something does that may not."""
    own = {s.span.line for s in symbols if s.span and s.span.source.name == block.source.name}
    for number in range(block.last + 1, len(block.source.lines) + 1):
        if number in own:
            return None
        if not may_stand_between(block.source.line(number)):
            return _line(block.source, number)
    return None


def _line(source: Source, number: int) -> Span:
    text = source.line(number)
    column = len(text) - len(text.lstrip()) + 1
    return Span(source, number, column, max(1, len(text.strip())))
