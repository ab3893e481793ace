"""Conditional assembly: the stack of open ``.if`` and what it hides."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from romproof.text.span import Span
from romproof.toolchains.ca65.asm import expressions
from romproof.toolchains.ca65.asm.tokens import CONDITIONALS, EOF

if TYPE_CHECKING:
    from romproof.toolchains.ca65.asm.assembler import Assembler
    from romproof.toolchains.ca65.asm.feed import FileFrame

MAX_NESTED = 256
"""Open conditionals, as in ca65."""


@dataclass
class Branch:
    """One open ``.if``. An ``.elseif`` opens another one inside the ``.else``.

    ``first`` marks the ``.if`` itself, where ``.endif`` stops closing.
    """

    name: str
    first: bool
    outer: bool  # whether the code around it is assembled
    span: Span
    file: FileFrame
    condition: bool = False
    had_else: bool = False


class Conditions:
    """The conditionals that are open at the current token."""

    def __init__(self, asm: Assembler) -> None:
        self._asm = asm
        self.active = True  # whether code is assembled here
        self._stack: list[Branch] = []

    @property
    def depth(self) -> int:
        """How many branches are open."""
        return len(self._stack)

    def handle(self) -> None:
        """Carry out the conditional at the current token, and skip what it hides."""
        feed = self._asm.feed
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
            self._asm.diagnostics.error(
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
        feed = self._asm.feed
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
                branch.condition = TESTS[name](self._asm)
                if name not in (".ifdef", ".ifblank", ".ifnblank"):
                    feed.expect_line_end()
        self._update()

    def _open(self, name: str) -> Branch:
        asm = self._asm
        if len(self._stack) >= MAX_NESTED:
            asm.fatal("Too many nested .IFs")
        branch = Branch(name, name != ".elseif", self.active, asm.feed.span(), asm.feed.files[-1])
        self._stack.append(branch)
        return branch

    def _else(self, name: str) -> None:
        if not self._stack:
            self._asm.error(f"Unexpected {name.upper()}", help="there is no open .if")
            return
        branch = self._stack[-1]
        if branch.had_else:
            self._asm.error("Duplicate .ELSE")
        branch.had_else = True
        branch.condition = not branch.condition
        if name == ".else":
            branch.span = self._asm.feed.span()

    def _close(self) -> None:
        while self._stack:
            if self._stack.pop().first:
                return
        self._asm.error("Unexpected .ENDIF", help="there is no open .if")


def _blank(asm: Assembler) -> bool:
    blank = asm.feed.tok.ends_line
    asm.feed.skip_line()
    return blank


def _defined(asm: Assembler) -> bool:
    symbol = asm.symbols.parse_existing()
    return symbol is not None and symbol.defined


def _referenced(asm: Assembler) -> bool:
    symbol = asm.symbols.parse_existing()
    return symbol is not None and symbol.referenced


def _never(asm: Assembler) -> bool:
    """A CPU this assembler does not offer is never the current one."""
    return False


TESTS: dict[str, Callable[[Assembler], bool]] = {
    ".if": lambda asm: expressions.constant(asm) != 0,
    ".elseif": lambda asm: expressions.constant(asm) != 0,
    ".ifblank": _blank,
    ".ifnblank": lambda asm: not _blank(asm),
    ".ifconst": lambda asm: expressions.is_constant(asm),
    ".ifnconst": lambda asm: not expressions.is_constant(asm),
    ".ifdef": _defined,
    ".ifndef": lambda asm: not _defined(asm),
    ".ifref": _referenced,
    ".ifnref": lambda asm: not _referenced(asm),
    ".ifp02": lambda asm: asm.cpu == "6502",
    ".ifp4510": _never,
    ".ifp816": _never,
    ".ifpc02": _never,
    ".ifpsc02": _never,
}
"""What decides each conditional; the current token is the first of its operand."""
