"""Reading a linker script and doing what it says: rgblink(5)."""

from __future__ import annotations

from pathlib import Path

from romproof.support.reading import read_text
from romproof.text.span import Source, Span, Via
from romproof.toolchains.rgbds.link.layout import Layout
from romproof.toolchains.rgbds.link.script_tokens import ScriptKind, ScriptLexer, ScriptToken
from romproof.toolchains.rgbds.link.state import LinkState
from romproof.toolchains.rgbds.obj.types import SectionType

_MAX_DEPTH = 64
"""Scripts inside of scripts; a script that includes itself has to end some time."""


def apply_script(state: LinkState, script: Path | Source) -> None:
    """Place sections as a linker script says; its faults are reported."""
    if isinstance(script, Path):
        try:
            source = _read(str(script), None)
        except OSError as fault:
            state.diagnostics.error(f"linker script '{script}': {fault.strerror}")
            return
    else:
        source = script
    _Reader(state, Layout(state)).read(source, 1)


def _read(name: str, via: Via | None) -> Source:
    return Source(name, read_text(name), via)


class _Unexpected(Exception):
    """A token that no rule has a place for."""

    def __init__(self, token: ScriptToken, expected: tuple[ScriptKind, ...]) -> None:
        self.token = token
        self.expected = expected


class _Reader:
    """Follows scripts line by line."""

    def __init__(self, state: LinkState, layout: Layout) -> None:
        self._state = state
        self._layout = layout
        self._lexer = ScriptLexer(Source("", ""), self._error, self._too_large)
        self._token: ScriptToken | None = None

    def read(self, source: Source, depth: int) -> None:
        """Follow one script to its end."""
        outer = self._lexer
        self._lexer = ScriptLexer(source, self._error, self._too_large)
        while (token := self._lexer.next()) is not None:
            try:
                self._line(token, depth)
            except _Unexpected as fault:
                expected = " or ".join(kind.value for kind in fault.expected)
                self._error(
                    f"syntax error, unexpected {_show_token(fault.token)}, expecting {expected}",
                    fault.token.span,
                )
                while fault.token.kind is not ScriptKind.END:
                    fault.token = self._next()
        self._lexer = outer

    def _line(self, token: ScriptToken, depth: int) -> None:
        if token.kind is ScriptKind.END:
            return
        self._layout.span = token.span
        if token.kind is ScriptKind.INCLUDE:
            self._include(depth)
            return
        if token.kind is ScriptKind.TYPE:
            end = self._memory_type(token)
        elif token.kind is ScriptKind.FLOATING:
            self._layout.float_address()
            end = self._next()
        elif token.kind is ScriptKind.ORG:
            self._layout.set_address(self._number())
            end = self._next()
        elif token.kind is ScriptKind.DS:
            self._layout.skip(self._number())
            end = self._next()
        elif token.kind is ScriptKind.ALIGN:
            end = self._align()
        elif token.kind is ScriptKind.STRING:
            end = self._next(ScriptKind.END, ScriptKind.OPTIONAL)
            self._layout.place(str(token.value), end.kind is ScriptKind.OPTIONAL)
            if end.kind is ScriptKind.OPTIONAL:
                end = self._next()
        else:
            raise _Unexpected(token, (ScriptKind.END, ScriptKind.TYPE, ScriptKind.STRING))
        self._expect(end, ScriptKind.END)

    def _include(self, depth: int) -> None:
        name = self._next(ScriptKind.STRING)
        self._next(ScriptKind.END)
        try:
            source = _read(str(name.value), Via("included", name.span))
        except (OSError, ValueError) as fault:
            why = fault.strerror if isinstance(fault, OSError) else fault
            self._error(f"included linker script '{name.value}': {why}", name.span)
            return
        if depth >= _MAX_DEPTH:
            self._error(f"{_MAX_DEPTH} scripts include one another", name.span)
            return
        self.read(source, depth + 1)

    def _memory_type(self, token: ScriptToken) -> ScriptToken:
        assert isinstance(token.value, SectionType)
        following = self._next(ScriptKind.END, ScriptKind.FLOATING, ScriptKind.NUMBER)
        if following.kind is ScriptKind.NUMBER:
            assert isinstance(following.value, int)
            self._layout.set_bank(token.value, following.value)
        elif following.kind is ScriptKind.FLOATING:
            self._layout.float_bank(token.value)
        else:
            self._layout.set_type(token.value)
            return following
        return self._next()

    def _align(self) -> ScriptToken:
        alignment = self._number()
        following = self._next(ScriptKind.END, ScriptKind.COMMA)
        if following.kind is ScriptKind.END:
            self._layout.align(alignment, 0)
            return following
        self._layout.align(alignment, self._number())
        return self._next()

    def _number(self) -> int:
        token = self._next(ScriptKind.NUMBER)
        assert isinstance(token.value, int)
        return token.value

    def _next(self, *expected: ScriptKind) -> ScriptToken:
        """The next token of the line; raises _Unexpected when it is none of ``expected``."""
        token = self._lexer.next()
        assert token is not None  # a line has an end, and nobody reads past it
        return self._expect(token, *expected) if expected else token

    @staticmethod
    def _expect(token: ScriptToken, *expected: ScriptKind) -> ScriptToken:
        if token.kind not in expected:
            raise _Unexpected(token, expected)
        return token

    def _error(self, message: str, span: Span) -> None:
        self._state.diagnostics.error(message, span)

    def _too_large(self, message: str, span: Span) -> None:
        self._state.warnings.report(self._state.diagnostics, "large-constant", message, span)


def _show_token(token: ScriptToken) -> str:
    return token.value.name if isinstance(token.value, SectionType) else token.kind.value
