"""Assertions: those whose value is known at the end of the source are checked there."""

from __future__ import annotations

from romproof.toolchains.ca65.asm.messages import Messages
from romproof.toolchains.ca65.asm.silent import Silent
from romproof.toolchains.ca65.obj.expr import Expr
from romproof.toolchains.ca65.obj.object import Action, Assertion


class Assertions:
    """What was asserted so far; with each, whether only the linker looks at it."""

    def __init__(self, messages: Messages, record: Silent) -> None:
        self._messages = messages
        self._record = record
        self.all: list[tuple[Assertion, bool]] = []

    def add(self, expr: Expr, action: Action, message: str, late: bool = False) -> None:
        """Remember an assertion of the current statement; ``late`` ones are for the linker only."""
        self._record.assertion(expr, (action is Action.ERROR) | 2 * late, message)
        self.all.append((Assertion(expr, action, message, self._messages.statement), late))
