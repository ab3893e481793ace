"""Assertions: those whose value is known at the end of the source are checked there."""

from __future__ import annotations

from romproof.toolchains.ca65.asm.messages import Messages
from romproof.toolchains.ca65.obj.expr import Expr
from romproof.toolchains.ca65.obj.object import Action, Assertion


class Assertions:
    """What was asserted so far; with each, whether only the linker looks at it."""

    def __init__(self, messages: Messages) -> None:
        self._messages = messages
        self.all: list[tuple[Assertion, bool]] = []

    def add(self, expr: Expr, action: Action, message: str, late: bool = False) -> None:
        """Remember an assertion of the current statement; ``late`` ones are for the linker only."""
        self.all.append((Assertion(expr, action, message, self._messages.statement), late))
