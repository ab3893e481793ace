"""Conditional assembly: the stack of open ``.if`` and what it hides."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from romproof.text.span import Span
from romproof.toolchains.ca65.asm.feed import Feed, FileFrame
from romproof.toolchains.ca65.asm.tokens import CONDITIONALS, EOF

MAX_NESTED: Final = 256
"""Open conditionals, as in ca65."""


class Branch:
    """One open ``.if``. An ``.elseif`` opens another one inside the ``.else``.

    ``first`` marks the ``.if`` itself, where ``.endif`` stops closing.
    """

    __slots__ = (
        "condition",
        "file",
        "first",
        "had_else",
        "name",
        "outer",
        "span",
    )

    def __init__(
        self,
        name: str,
        first: bool,
        outer: bool,
        span: Span,
        file: FileFrame,
        condition: bool = False,
        had_else: bool = False,
    ) -> None:
        self.name = name
        self.first = first
        self.outer = outer  # whether the code around it is assembled
        self.span = span
        self.file = file
        self.condition = condition
        self.had_else = had_else


class Conditions:
    """The conditionals that are open at the current token.

    ``decide`` reads the operand of the one it is given and says whether the condition holds.
    """

    def __init__(self, feed: Feed, decide: Callable[[str], bool]) -> None:
        self._feed = feed
        self._decide = decide
        self.active = True  # whether code is assembled here
        self._stack: list[Branch] = []

    @property
    def depth(self) -> int:
        """How many branches are open."""
        return len(self._stack)

    def handle(self) -> None:
        """Carry out the conditional at the current token, and skip what it hides."""
        feed = self._feed
        while True:
            if feed.tok.kind in CONDITIONALS:
                self._directive(feed.tok.kind)
            else:
                feed.next()
            if self.active or feed.tok.kind == EOF:
                return

    def unwind(self, depth: int) -> None:
        """Forget the branches opened since there were ``depth``."""
        while len(self._stack) > depth:
            self._close()
        self._update()

    def close_file(self, file: FileFrame) -> None:
        """Report the branches ``file`` leaves open."""
        while self._stack and self._stack[-1].file is file:
            branch = self._stack[-1]
            self._feed.error_at_span(
                "Conditional assembly branch was never closed",
                branch.span,
                help="add the missing '.endif'",
            )
            self._close()
        self._update()

    def _update(self) -> None:
        top = self._stack[-1] if self._stack else None
        self.active = top is None or (top.outer and top.condition)

    def _directive(self, name: str) -> None:
        feed = self._feed
        if name == ".endif":
            self._close()
            feed.next()
            feed.expect_line_end()
        elif name == ".else":
            self._else(name)
            self._update()
            feed.next()
            feed.expect_line_end()
        else:
            if name == ".elseif":
                self._else(name)
                self._update()
            branch = self._open(name)
            feed.next()
            # hidden conditions are not looked at: their symbols may not exist
            if branch.outer:
                branch.condition = self._decide(name)
                if name not in (".ifdef", ".ifblank", ".ifnblank"):
                    feed.expect_line_end()
        self._update()

    def _open(self, name: str) -> Branch:
        feed = self._feed
        if len(self._stack) >= MAX_NESTED:
            feed.fatal("Too many nested .IFs")
        feed.record.touch()
        branch = Branch(name, name != ".elseif", self.active, feed.span(), feed.files[-1])
        self._stack.append(branch)
        return branch

    def _else(self, name: str) -> None:
        if not self._stack:
            self._feed.error(f"Unexpected {name.upper()}", help="there is no open .if")
            return
        branch = self._stack[-1]
        if branch.had_else:
            self._feed.error("Duplicate .ELSE")
        branch.had_else = True
        branch.condition = not branch.condition
        if name == ".else":
            self._feed.record.touch()
            branch.span = self._feed.span()

    def _close(self) -> None:
        while self._stack:
            if self._stack.pop().first:
                return
        self._feed.error("Unexpected .ENDIF", help="there is no open .if")
