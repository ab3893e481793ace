"""A macro, and one expansion of it."""

from __future__ import annotations

from typing import Final

from romproof.text.span import Span, Via
from romproof.toolchains.ca65.asm.conditions import Conditions
from romproof.toolchains.ca65.asm.feed import Feed
from romproof.toolchains.ca65.asm.record_rows import MacroLines
from romproof.toolchains.ca65.asm.tokens import EOL, IDENT, INT, LOCAL, PARAM, Token

LOCAL_MARK: Final = "~"
"""Separates the name of a macro's local symbol from the expansion's number."""


class Macro:
    """A macro; ``is_define`` distinguishes the two styles."""

    __slots__ = (
        "active",
        "body",
        "complete",
        "is_define",
        "local_count",
        "locals",
        "name",
        "params",
        "span",
    )

    def __init__(
        self,
        name: str,
        is_define: bool,
        span: Span,
        params: list[str] | None = None,
        locals: dict[str, int] | None = None,
        local_count: int = 0,
        body: list[Token] | None = None,
        complete: bool = False,
        active: int = 0,
    ) -> None:
        self.name = name
        self.is_define = is_define
        self.span = span
        self.params: list[str] = [] if params is None else params
        self.locals: dict[str, int] = {} if locals is None else locals
        self.local_count = local_count
        self.body: list[Token] = [] if body is None else body  # with marks for parameters
        self.complete = complete
        self.active = active  # expansions going on

    def declare(self, name: str) -> None:
        """``.local``."""
        self.locals[name] = self.local_count
        self.local_count += 1

    def add(self, token: Token) -> None:
        """Another token of the body, as it was read."""
        if token.kind == IDENT and token.value in self.params:
            token = token.replace_meaning(PARAM, self.params.index(token.text))
        self.body.append(token)


class MacroFrame:
    """One expansion of a macro; ``final`` is played after its body."""

    def __init__(
        self,
        feed: Feed,
        conditions: Conditions,
        macro: Macro,
        args: list[list[Token]],
        via: Via,
        number: int,
        lines: MacroLines | None,
        first_local: int,
    ) -> None:
        self.via: Via | None = via
        self._feed = feed
        self._conditions = conditions
        self._macro = macro
        self._body = macro.body
        self._given = len(args)
        self._args = args + [[] for _ in range(len(macro.params) - len(args))]
        self._number = number
        self._lines = lines
        self._first_local = first_local
        self._branches = conditions.depth
        self._index = 0
        self._arg: list[Token] = []
        self._arg_index = 0
        self.final: Token | None = None
        self._expands = feed.record.expands and not macro.is_define
        self._starts_line = True
        macro.active += 1
        feed.macro_depth += 1

    def next(self, feed: Feed) -> Token | None:
        """The next token of the expansion; None when it ends or is left."""
        if feed.abort_macro:
            feed.abort_macro = False
            self._conditions.unwind(self._branches)
            return self._end(None)
        while True:
            if self._arg_index < len(self._arg):
                token = self._arg[self._arg_index]
                self._arg_index += 1
                feed.record.macro_token(self._lines, token, True)
                return token
            if self._index >= len(self._body):
                return self._end(self.final)
            token = self._body[self._index]
            self._index += 1
            if self._expands:
                if self._starts_line and token.kind != EOL:
                    feed.record.expansion(token, feed.nesting)
                self._starts_line = token.kind == EOL
            feed.record.macro_token(self._lines, token, False)
            if token.kind == PARAM:
                self._arg = self._args[token.number]
                self._arg_index = 0
                continue
            if token.kind == ".paramcount":
                return token.replace_meaning(INT, self._given)
            if token.kind in (IDENT, LOCAL) and token.value in self._macro.locals:
                return self._local(token)
            return token

    def _local(self, token: Token) -> Token:
        """A local of the macro, under a name of this expansion's own."""
        marked = f"{token.value}{LOCAL_MARK}{self._number}"
        # ca65 counts them from the one that was declared last
        index = self._macro.local_count - 1 - self._macro.locals[token.text]
        at = token.text[0] if token.kind == LOCAL else ""
        name = f"{at}LOCAL-MACRO_SYMBOL-{self._first_local + index:04X}"
        self._feed.record.local_name(marked, name)
        return token.replace_meaning(token.kind, marked)

    def _end(self, last: Token | None) -> Token | None:
        self._macro.active -= 1
        feed = self._feed
        feed.macro_depth -= 1
        feed.record.leave_macro(self._lines)
        if last is not None:
            # the frame is done once its last token is out
            feed.inserted.remove(self)
        return last
