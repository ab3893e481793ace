"""The tokens of a source, looked at one ahead."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from romproof.text.span import Span
from romproof.toolchains.rgbds.asm.lexer import Lexer, describe
from romproof.toolchains.rgbds.asm.plain_tokens import Token

LINE_ENDS = ("NEWLINE", "EOB", "EOL")


class SyntaxFault(Exception):
    """The line cannot be understood from ``span`` on."""

    def __init__(self, message: str, span: Span) -> None:
        super().__init__(message)
        self.span = span


class Tokens:
    """Reads tokens as they are needed: what one means may change how the next is read."""

    def __init__(self, lexer: Lexer) -> None:
        self.lexer = lexer
        self._ahead: Token | None = None

    @property
    def kind(self) -> str:
        """The kind of the next token."""
        if self._ahead is None:
            self._ahead = self.lexer.token()
        return self._ahead[0]

    def next(self) -> Token:
        """Take the next token."""
        token = self._ahead or self.lexer.token()
        self._ahead = None
        return token

    def accept(self, *kinds: str) -> Token | None:
        """Take the next token if it is one of ``kinds``."""
        return self.next() if self.kind in kinds else None

    def expect(self, *kinds: str) -> Token:
        """Take the next token, which must be one of ``kinds``. Raises SyntaxFault."""
        if self.kind not in kinds:
            self.refuse_token(*kinds)
        return self.next()

    def name(self, *kinds: str) -> str:
        """The text of the next token: a name, or a string. Raises SyntaxFault."""
        return str(self.expect(*kinds)[1])

    def refuse_token(self, *wanted: str) -> NoReturn:
        """Report the next token as out of place."""
        assert self.kind
        token = self._ahead
        assert token is not None
        expected = [describe((kind, kind.lower())) for kind in wanted]
        hint = f", expecting {' or '.join(expected)}" if 0 < len(expected) <= 4 else ""
        raise SyntaxFault(
            f"syntax error, unexpected {describe(token)}{hint}",
            self.lexer.context.token_span(),
        )

    @property
    def at_end(self) -> bool:
        """Whether the line ends here."""
        return self.kind in LINE_ENDS

    def end_of_item(self, *more: str) -> None:
        """An item of a list must end here; if it does not, nothing is to come of it."""
        if self.kind not in (",", *LINE_ENDS, *more):
            self.refuse_token(",", "NEWLINE")

    def end_of_statement(self, *more: str) -> None:
        """Nothing may follow here. A directive with operands does nothing before it knows that."""
        if self.kind not in (*LINE_ENDS, *more):
            self.refuse_token("NEWLINE")
        # what is wrong now is no longer a single value
        self.lexer.context.value_at = None

    def end_of_line(self) -> None:
        """The line must end here."""
        if self.kind not in LINE_ENDS:
            self.refuse_token(*LINE_ENDS)
        self._ahead = None

    def raw_arguments(self, each: Callable[[str], None] = lambda text: None) -> list[str]:
        """What follows on the line as texts; ``each`` is called with each. Its end comes next."""
        assert self._ahead is None
        return self.lexer.arguments(each)
