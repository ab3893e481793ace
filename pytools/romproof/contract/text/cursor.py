"""A place among the tokens of a field, and what is wrong there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TypeVar

from romproof.contract.text.fieldtext import FieldLines, on_one_line
from romproof.contract.text.tokens import ConditionToken
from romproof.text.diagnostic import Diagnostics
from romproof.text.span import Span

MAX_TOKENS = 250
MAX_NESTED = 20
"""What a condition may have of tokens, and of parentheses within each other."""

_T = TypeVar("_T")


class MalformedCondition(Exception):
    """Internal signal: a condition cannot be read; the fault has been reported."""


_NOTHING: Mapping[str, str] = MappingProxyType({})


class Cursor:
    """Goes through ``tokens``, the last of which is of the kind "end".

    ``before`` tokens and ``around`` parentheses of other texts are around each condition.
    """

    def __init__(
        self,
        text: FieldLines,
        tokens: Sequence[ConditionToken],
        diagnostics: Diagnostics,
        before: int = 0,
        around: int = 0,
    ) -> None:
        self._text = text
        self._tokens = tokens
        self._diagnostics = diagnostics
        self._at = 0
        self._first = 0
        self._before = before
        self._around = around
        self._nested = around

    @property
    def here(self) -> ConditionToken:
        """The next token."""
        return self._tokens[self._at]

    @property
    def following(self) -> ConditionToken:
        """The token after the next one; the last one where there is no other."""
        return self._tokens[min(self._at + 1, len(self._tokens) - 1)]

    @property
    def token_count(self) -> int:
        """The tokens that were taken of this condition, and those around it."""
        return self._before + self._at - self._first

    @property
    def depth(self) -> int:
        """The parentheses that are open, and those around the text."""
        return self._nested

    def start_condition(self) -> None:
        """A condition begins here."""
        self._first, self._nested = self._at, self._around

    def advance(self) -> ConditionToken:
        """The next token; go on behind it. Raises Malformed in a condition without end."""
        token = self.here
        if self.token_count > MAX_TOKENS:
            raise self.fault("this condition is too long", "split it into several, with commas")
        if token.kind != "end":
            self._at += 1
        return token

    def expect(self, kind: str) -> ConditionToken:
        """The next token, which must be of this kind. Raises Malformed."""
        if self.here.kind != kind:
            wanted = {"end": "the end", "name": "a name"}.get(kind, f"'{kind}'")
            raise self.fault(f"expected {wanted}, not {self.here.display}")
        return self.advance()

    def fault(self, message: str, help: str | None = None) -> MalformedCondition:
        """Report what is wrong with the next token; the error to raise."""
        # of a bad token all has been said when it was made
        if self.here.kind != "bad":
            self._diagnostics.error(message, self.here.span, help)
        return MalformedCondition()

    def refuse(
        self, token: ConditionToken, message: str, help: str | None = None
    ) -> MalformedCondition:
        """Report what is wrong with a token that was taken; the error to raise."""
        self._diagnostics.error(message, token.span, help)
        return MalformedCondition()

    def skip(self) -> None:
        """Go to the comma that ends the condition, or to the end."""
        # within a condition commas part what predicates are given, and nothing else
        self._at = self._first
        while self.here.kind not in (",", "end"):
            is_use = self.here.kind == "name" and self.following.kind == "("
            self._at = self._find_closing(self._at + 1) if is_use else self._at + 1

    def _find_closing(self, opening: int) -> int:
        """The place of the parenthesis that closes the one at ``opening``; without any, that."""
        depth = 0
        for place in range(opening, len(self._tokens)):
            depth += {"(": 1, ")": -1}.get(self._tokens[place].kind, 0)
            if depth == 0:
                return place
        return opening

    def nest(self, read: Callable[[], _T]) -> _T:
        """What ``read`` reads within parentheses. Raises Malformed for too many."""
        self._nested += 1
        if self._nested > MAX_NESTED:
            raise self.fault("parentheses are nested too deeply")
        inner = read()
        self._nested -= 1
        return inner

    def span(self, first: ConditionToken) -> Span:
        """From ``first`` to the last token taken."""
        return self._text.span(first.start, self._end(first))

    def text(self, first: ConditionToken, instead: Mapping[str, str] = _NOTHING) -> str:
        """The text from ``first`` to the last token taken, on one line.

        The names among ``instead`` are replaced.
        """
        start, end, whole = first.start, self._end(first), self._text.whole
        parts: list[str] = []
        for token in self._tokens if instead else ():
            if token.kind == "name" and token.text in instead and start <= token.start < end:
                parts += [whole[start : token.start], instead[token.text]]
                start = token.end
        return on_one_line("".join([*parts, whole[start:end]]))

    def _end(self, first: ConditionToken) -> int:
        return max(first.end, self._tokens[self._at - 1].end) if self._at else first.end
