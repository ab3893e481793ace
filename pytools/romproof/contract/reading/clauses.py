"""Fields with conditions, and those about labels, become the nouns of a contract."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from romproof.contract.names.bounds import impossible
from romproof.contract.names.limits import limits
from romproof.contract.names.names import ScopeNames
from romproof.contract.names.resolve import Resolver
from romproof.contract.nouns.expr import Condition
from romproof.contract.nouns.items import Item, MemoryRange
from romproof.contract.nouns.model import Decrease, Invariant, LoopBound
from romproof.contract.nouns.pointer import Pointer
from romproof.contract.reading.expr_parse import ConditionParser
from romproof.contract.reading.ghosts import ghosts_of
from romproof.contract.text.blocks import FieldText
from romproof.contract.text.fieldtext import FieldLines, on_one_line
from romproof.text.diagnostic import Diagnostics
from romproof.text.span import Span

_NOTHING = ("none", "nothing", "-", "–")
_LABEL = re.compile(r"\s*(?P<label>(?:[\w@.*#]|::)+(?:\+\$?[0-9A-Fa-f]+)?)")
_PLACE = re.compile(_LABEL.pattern + r"\s*:(?!:)")


class Clauses:
    """Reads what one routine requires, ensures and says of its loops.

    ``declared`` is the memory that the contract lists. ``inputs`` are its inputs, None
    when it does not say what they are. ``ghosts`` are the fields that define some,
    ``blocks`` what pointers lead to.
    """

    def __init__(
        self,
        names: ScopeNames,
        declared: Mapping[str, MemoryRange],
        inputs: Collection[Item] | None,
        diagnostics: Diagnostics,
        ghosts: Iterable[FieldText] = (),
        blocks: Mapping[str, Pointer] = MappingProxyType({}),
    ) -> None:
        self._names = names
        self._diagnostics = diagnostics
        known = ghosts_of(ghosts, names, declared, blocks, diagnostics)
        self._any = Resolver(names, declared, None, diagnostics, known, blocks)
        self._of_inputs = Resolver(names, declared, inputs, diagnostics, blocks=blocks)

    def requires(self, field: FieldText | None) -> tuple[Condition, ...]:
        """The conditions of ``requires:``."""
        text = self._text(field)
        if text is None:
            return ()
        conditions = ConditionParser(
            text, self._of_inputs, self._diagnostics, has_old=False
        ).conditions()
        never = impossible(conditions)
        if never is not None:
            self._diagnostics.error(
                f"no input satisfies 'requires:': {never.reason}",
                never.condition.span,
                "all conditions must hold at once; join alternatives with 'or'",
            )
        return conditions

    def ensures(self, field: FieldText | None) -> tuple[Condition, ...]:
        """The conditions of ``ensures:``."""
        text = self._text(field)
        return (
            () if text is None else ConditionParser(text, self._any, self._diagnostics).conditions()
        )

    def invariants(self, fields: Iterable[FieldText]) -> tuple[Invariant, ...]:
        """One for each ``invariant:``."""
        return tuple(made for field in fields for made in self._invariant(field))

    def assertions(self, fields: Iterable[FieldText]) -> tuple[Invariant, ...]:
        """One for each ``assert:``."""
        return tuple(made for field in fields for made in self._invariant(field, "the assertion"))

    def decreases(
        self, fields: Iterable[FieldText], invariants: Iterable[Invariant]
    ) -> tuple[Decrease, ...]:
        """One for each ``decreases:``, of which the places have ``invariants``."""
        known = {address for each in invariants for address in each.addresses}
        made: list[Decrease] = []
        for field in fields:
            one = self._decrease(field)
            if one is None:
                continue
            if not known.issuperset(one.addresses):
                self._diagnostics.error(
                    f"'{one.label}' has no invariant",
                    one.span,
                    f"add a condition that holds at each visit: ; invariant: {one.label}: …",
                )
            others = {address for other in made for address in other.addresses}
            if not others.isdisjoint(one.addresses):
                self._diagnostics.error(
                    f"'{one.label}' already has a number that decreases", one.span
                )
            made.append(one)
        return tuple(made)

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
                self._diagnostics.error(f"'{bound.label}' is listed twice", bound.span)
            bounds.append(bound)
        return tuple(bounds)

    def _text(self, field: FieldText | None) -> FieldLines | None:
        """The text of a field; None of a missing one, of an empty one and of ``none``."""
        if field is None:
            return None
        text = FieldLines(field)
        whole = on_one_line(text.whole)
        if not whole:
            self._diagnostics.error(f"the field '{field.name}' is empty", field.span)
        return text if whole and whole not in _NOTHING else None

    def _invariant(self, field: FieldText, what: str = "an invariant") -> Iterator[Invariant]:
        text = self._text(field)
        place = None if text is None else self._place(text, what, "X < 8")
        if text is None or place is None:
            return
        label, span, start = place
        addresses = self._names.labels(label, span)
        conditions = ConditionParser(text, self._any, self._diagnostics, start=start).conditions()
        yield Invariant(label, addresses, conditions, span)

    def _decrease(self, field: FieldText) -> Decrease | None:
        text = self._text(field)
        place = None if text is None else self._place(text, "the number that decreases", "X")
        if text is None or place is None:
            return None
        label, span, start = place
        addresses = self._names.labels(label, span)
        read = ConditionParser(text, self._any, self._diagnostics, start=start).number()
        if read is None or not addresses:
            return None
        expression, said = read
        highest = limits(expression)[1]
        if highest < 0:
            self._diagnostics.error(
                f"{said} is never a natural number: it is at most {highest}", span
            )
        return Decrease(label, addresses, expression, said, span)

    def _place(self, text: FieldLines, what: str, example: str) -> tuple[str, Span, int] | None:
        """The label a field begins with, and where what it says begins; None after an error."""
        match = _PLACE.match(text.whole)
        if match is None:
            self._diagnostics.error(
                f"{what} begins with a label and a colon",
                _first_word(text, 0, len(text.whole)),
                f"write it as in the source: @step: {example}",
            )
            return None
        return match["label"], text.span(*match.span("label")), match.end()

    def _loop(self, text: FieldLines, start: int, end: int) -> LoopBound | None:
        match = _LABEL.match(text.whole, start, end)
        if match is None or not text.whole[match.end() : end].strip():
            self._diagnostics.error(
                "an entry of 'loops' is a label and the number of its executions",
                _first_word(text, start, end),
                "write e.g. @step 8, or @step 1..8",
            )
            return None
        label, span = match["label"], text.span(*match.span("label"))
        addresses = self._names.labels(label, span)
        parser = ConditionParser(
            text, self._any, self._diagnostics, start=match.end(), end=end, has_old=False
        )
        counts = parser.counts()
        if counts is None or not addresses:
            return None
        least, most = counts
        if not 0 <= least <= most or most == 0:
            self._diagnostics.error(f"'{label}' cannot be executed {least}..{most} times", span)
        return LoopBound(label, addresses, least, most, span)


def _entries(whole: str) -> Iterator[tuple[int, int]]:
    """Where the parts between commas begin and end; a comma in parentheses is none."""
    start = depth = 0
    for at, letter in enumerate(whole):
        depth = max(0, depth + {"(": 1, ")": -1}.get(letter, 0))
        if letter == "," and depth == 0:
            yield start, at
            start = at + 1
    yield start, len(whole)


def _first_word(text: FieldLines, start: int, end: int) -> Span:
    """Where the first word of a part of the text stands; the field's name without any."""
    word = re.compile(r"\S+").search(text.whole, start, end)
    return text.span(*word.span()) if word else replace(text.field.span)
