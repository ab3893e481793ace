"""Fields with conditions, and those about labels, become the nouns of a contract."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from romproof.contract.blocks import FieldText
from romproof.contract.expr import Condition
from romproof.contract.expr_parse import Parser
from romproof.contract.fieldtext import Text, on_one_line
from romproof.contract.items import Item, MemoryRange
from romproof.contract.model import Invariant, LoopBound
from romproof.contract.names import Names
from romproof.contract.resolve import Resolver
from romproof.text.diagnostic import Diagnostics
from romproof.text.span import Span

_NOTHING = ("none", "nothing", "-", "–")
_LABEL = re.compile(r"\s*(?P<label>(?:[\w@.*#]|::)+)")
_ENTRY = re.compile(r"(?:[^,(]|\([^)]*\)?)*")


class Clauses:
    """Reads what one routine requires, ensures and says of its loops.

    ``declared`` is the memory that the contract lists. ``inputs`` are its inputs, None
    when it does not say what they are.
    """

    def __init__(
        self,
        names: Names,
        declared: Mapping[str, MemoryRange],
        inputs: Collection[Item] | None,
        found: Diagnostics,
    ) -> None:
        self._names = names
        self._found = found
        self._any = Resolver(names, declared, None, found)
        self._of_inputs = Resolver(names, declared, inputs, found)

    def requires(self, field: FieldText | None) -> tuple[Condition, ...]:
        """The conditions of ``requires:``."""
        text = self._text(field)
        if text is None:
            return ()
        return Parser(text, self._of_inputs, self._found, has_old=False).conditions()

    def ensures(self, field: FieldText | None) -> tuple[Condition, ...]:
        """The conditions of ``ensures:``."""
        text = self._text(field)
        return () if text is None else Parser(text, self._any, self._found).conditions()

    def invariants(self, fields: Iterable[FieldText]) -> tuple[Invariant, ...]:
        """One for each ``invariant:``."""
        return tuple(made for field in fields for made in self._invariant(field))

    def loops(self, field: FieldText | None) -> tuple[LoopBound, ...]:
        """The bounds of ``loops:``."""
        text = self._text(field)
        if text is None:
            return ()
        bounds: list[LoopBound] = []
        for start, end in _entries(text.whole):
            bound = self._loop(text, start, end)
            if bound is None:
                continue
            if any(bound.label == other.label for other in bounds):
                self._found.error(f"'{bound.label}' is listed twice", bound.span)
            bounds.append(bound)
        return tuple(bounds)

    def _text(self, field: FieldText | None) -> Text | None:
        """The text of a field; None of a missing one, of an empty one and of ``none``."""
        if field is None:
            return None
        text = Text(field)
        whole = on_one_line(text.whole)
        if not whole:
            self._found.error(f"the field '{field.name}' is empty", field.span)
        return text if whole and whole not in _NOTHING else None

    def _invariant(self, field: FieldText) -> Iterator[Invariant]:
        text = self._text(field)
        if text is None:
            return
        match = re.compile(_LABEL.pattern + r"\s*:(?!:)").match(text.whole)
        if match is None:
            self._found.error(
                "an invariant begins with a label and a colon",
                _first_word(text, 0, len(text.whole)),
                "write it as in the source: @step: X < 8",
            )
            return
        label, span = match["label"], text.span(*match.span("label"))
        addresses = self._names.labels(label, span)
        conditions = Parser(text, self._any, self._found, start=match.end()).conditions()
        yield Invariant(label, addresses, conditions, span)

    def _loop(self, text: Text, start: int, end: int) -> LoopBound | None:
        match = _LABEL.match(text.whole, start, end)
        if match is None or not text.whole[match.end() : end].strip():
            self._found.error(
                "an entry of 'loops' is a label and how often it is reached",
                _first_word(text, start, end),
                "write e.g. @step 8, or @step 1..8",
            )
            return None
        label, span = match["label"], text.span(*match.span("label"))
        addresses = self._names.labels(label, span)
        parser = Parser(text, self._any, self._found, start=match.end(), end=end, has_old=False)
        counts = parser.counts()
        if counts is None or not addresses:
            return None
        least, most = counts
        if not 0 <= least <= most or most == 0:
            self._found.error(f"'{label}' is reached {least}..{most} times: no such number", span)
        return LoopBound(label, addresses, least, most, span)


def _entries(whole: str) -> Iterator[tuple[int, int]]:
    """Where the parts between commas begin and end; a comma in parentheses is none."""
    start = 0
    while start <= len(whole):
        match = _ENTRY.match(whole, start)
        assert match is not None, "an entry may be empty"
        yield match.span()
        start = match.end() + 1


def _first_word(text: Text, start: int, end: int) -> Span:
    """Where the first word of a part of the text stands; the field's name without any."""
    word = re.compile(r"\S+").search(text.whole, start, end)
    return text.span(*word.span()) if word else replace(text.field.span)
