"""A place among the tokens of a field, and what is wrong there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from romproof.contract.fieldtext import Text, on_one_line
from romproof.contract.tokens import Token
from romproof.text.diagnostic import Diagnostics
from romproof.text.span import Span

MOST_TOKENS = 250
MOST_NESTED = 20
"""What a condition may have of tokens, and of parentheses within each other."""

_T = TypeVar("_T")


class Malformed(Exception):
    """Internal signal: a condition cannot be read; the fault has been reported."""


class Cursor:
    """Goes through ``tokens``, the last of which is of the kind "end"."""

    def __init__(self, text: Text, tokens: Sequence[Token], found: Diagnostics) -> None:
        self._text = text
        self._tokens = tokens
        self._found = found
        self._at = 0
        self._first = 0
        self._nested = 0

    @property
    def here(self) -> Token:
        """The next token."""
        return self._tokens[self._at]

    def begin(self) -> None:
        """A condition begins here."""
        self._first, self._nested = self._at, 0

    def take(self) -> Token:
        """The next token; go on behind it. Raises Malformed in a condition without end."""
        token = self.here
        if self._at - self._first > MOST_TOKENS:
            raise self.fault("this condition is too long", "part it into several, with commas")
        if token.kind != "end":
            self._at += 1
        return token

    def expect(self, kind: str) -> Token:
        """The next token, which must be of this kind. Raises Malformed."""
        if self.here.kind != kind:
            wanted = {"end": "the end", "name": "a name"}.get(kind, f"'{kind}'")
            raise self.fault(f"{self.here.said} stands where {wanted} must follow")
        return self.take()

    def fault(self, message: str, help: str | None = None) -> Malformed:
        """Report what is wrong with the next token; the error to raise."""
        # of a bad token all has been said when it was made
        if self.here.kind != "bad":
            self._found.error(message, self.here.span, help)
        return Malformed()

    def refused(self, token: Token, message: str) -> Malformed:
        """Report what is wrong with a token that was taken; the error to raise."""
        self._found.error(message, token.span)
        return Malformed()

    def skip(self) -> None:
        """Go to the comma that ends the condition, or to the end."""
        # no comma stands within a condition, not even in parentheses
        self._at = self._first
        while self.here.kind not in (",", "end"):
            self._at += 1

    def nest(self, read: Callable[[], _T]) -> _T:
        """What ``read`` reads within parentheses. Raises Malformed for too many."""
        self._nested += 1
        if self._nested > MOST_NESTED:
            raise self.fault("parentheses are nested too deeply")
        inner = read()
        self._nested -= 1
        return inner

    def span(self, first: Token) -> Span:
        """From ``first`` to the last token taken."""
        return self._text.span(first.start, self._end(first))

    def text(self, first: Token) -> str:
        """The text from ``first`` to the last token taken, on one line."""
        return on_one_line(self._text.whole[first.start : self._end(first)])

    def _end(self, first: Token) -> int:
        return max(first.end, self._tokens[self._at - 1].end) if self._at else first.end
