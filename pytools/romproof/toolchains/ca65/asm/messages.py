"""Where assembly is, and what is said of it there."""

from __future__ import annotations

from collections.abc import Iterable

from romproof.text.diagnostic import Diagnostics, Severity, Suspicion, suggest
from romproof.text.span import Span, Via
from romproof.toolchains.ca65.asm.symbol import at_span
from romproof.toolchains.ca65.asm.tokens import Token


class FatalError(Exception):
    """Assembly cannot go on; the reason is already among the diagnostics."""


class Messages:
    """The places messages speak of: the current token ``tok``, how it came here, the start of its
    statement, and the start of the last expression (``operand``)."""

    def __init__(self, diagnostics: Diagnostics, start: Span) -> None:
        self.diagnostics = diagnostics
        self.tok: Token
        self.via: Via | None = None
        self.began = at_span(start)  # the statement
        self.operand: Token | None = None

    @property
    def statement(self) -> Span:
        """Where the statement begins: made when somebody speaks of it."""
        at = self.began
        return Span(at[0], at[1], at[2], at[3], at[4])

    def span(self, token: Token | None = None) -> Span:
        """The place of ``token`` (default: the current one), with its history."""
        at = token or self.tok
        return Span(at.source, at.line, at.col, at.length, self.via)

    def error(
        self,
        message: str,
        token: Token | None = None,
        *,
        help: str | None = None,
        notes: tuple[tuple[str, Span], ...] = (),
        candidates: Iterable[str] | None = None,
    ) -> None:
        """Report an error at a token (default: the current one)."""
        if help is None and candidates is not None:
            wanted = str((token or self.tok).value)
            help = suggest(wanted, candidates)
        self.diagnostics.error(message, self.span(token), help, notes)

    def error_at(self, message: str, token: Token, help: str | None = None) -> None:
        """Report an error about characters that are no token."""
        self.diagnostics.error(
            message, Span(token.source, token.line, token.col, token.length), help
        )

    def error_at_span(self, message: str, span: Span | None, help: str | None = None) -> None:
        """Report an error at another place than the current token."""
        self.diagnostics.error(message, span, help)

    def has_reported_here(self) -> bool:
        """Whether the last thing said is an error at the current token.

        Whatever is wrong there besides is most likely the same slip.
        """
        last = self.diagnostics.items[-1:]
        return any(d.severity is Severity.ERROR and d.span == self.span() for d in last)

    def warning(
        self,
        message: str,
        span: Span | None = None,
        help: str | None = None,
        kind: Suspicion | None = None,
    ) -> None:
        """Report something suspicious in the current statement."""
        self.diagnostics.warning(message, span or self.statement, help, kind=kind)

    def fatal(self, message: str) -> None:
        """Report an error after which assembly cannot go on. Raises FatalError."""
        self.diagnostics.error(message, self.statement)
        raise FatalError
