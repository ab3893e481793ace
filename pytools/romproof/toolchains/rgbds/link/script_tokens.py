"""The words of a linker script, as rgblink(5), "Basic syntax", has them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from romproof.text.span import Source, Span
from romproof.toolchains.rgbds.obj.types import SectionType


class ScriptKind(Enum):
    """What a token is; the value is how messages call it."""

    END = "end of line"
    COMMA = "','"
    NUMBER = "number"
    STRING = "string"
    TYPE = "a memory type"
    ORG = "ORG"
    FLOATING = "FLOATING"
    INCLUDE = "INCLUDE"
    ALIGN = "ALIGN"
    DS = "DS"
    OPTIONAL = "OPTIONAL"


_KEYWORDS = {
    kind.value: kind
    for kind in (
        ScriptKind.ORG,
        ScriptKind.FLOATING,
        ScriptKind.INCLUDE,
        ScriptKind.ALIGN,
        ScriptKind.DS,
        ScriptKind.OPTIONAL,
    )
}
_TYPES = {type_.name: type_ for type_ in SectionType}
_DIGITS = {2: "01", 8: "01234567", 10: "0123456789", 16: "0123456789abcdefABCDEF"}
_PREFIX = re.compile(r"[$%&]|0[xXoObB]")
_BASES = {"$": 16, "%": 2, "&": 8, "0x": 16, "0o": 8, "0b": 2}
_MAX = 0xFFFF_FFFF
_MAX_DIGITS = 32  # of a number within _MAX, in base 2
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "0": "\0", "\\": "\\", '"': '"', "'": "'"}


@dataclass(frozen=True, slots=True)
class ScriptToken:
    """A token; ``value`` is a number, a string or a memory type, 0 for the others."""

    kind: ScriptKind
    span: Span
    value: int | str | SectionType = 0


Report = Callable[[str, Span], None]
"""Takes what is wrong, and where."""


class ScriptLexer:
    """Gives the tokens of one script. What is no token is reported and left out.

    ``error`` is called for faults, ``too_large`` for numbers of more than 32 bits.
    """

    def __init__(self, source: Source, error: Report, too_large: Report) -> None:
        self.source = source
        self._text = source.text
        self._at = 0
        self._line = 1
        self._line_start = 0
        self._ended = False
        self._error = error
        self._too_large = too_large

    def next(self) -> ScriptToken | None:
        """The next token; the last line always has its end, and after it comes None."""
        while True:
            self._skip(" \t")
            if self._peek() == ";":
                while self._peek() not in ("", "\n", "\r"):
                    self._at += 1
            start = self._at
            char = self._peek()
            if not char:
                if self._ended:
                    return None
                self._ended = True
                return ScriptToken(ScriptKind.END, self._span(start))
            if char in "\r\n":
                return self._line_end()
            token = self._token(char, start)
            if token is not None:
                return token

    def _token(self, char: str, start: int) -> ScriptToken | None:
        if char == ",":
            self._at += 1
            return ScriptToken(ScriptKind.COMMA, self._span(start))
        if char == '"':
            self._at += 1
            return ScriptToken(ScriptKind.STRING, self._span(start), self._string(start))
        if char in "$%&" or char in _DIGITS[10]:
            return ScriptToken(ScriptKind.NUMBER, self._span(start), self._number(start))
        if char.isascii() and char.isalpha():
            while self._peek().isascii() and self._peek().isalnum():
                self._at += 1
            word = self._text[start : self._at]
            if word.upper() in _TYPES:
                return ScriptToken(ScriptKind.TYPE, self._span(start), _TYPES[word.upper()])
            if word.upper() in _KEYWORDS:
                return ScriptToken(_KEYWORDS[word.upper()], self._span(start))
            self._error(f"unknown keyword `{word}`", self._span(start))
            return None
        self._at += 1
        self._error(f"unexpected character {char!r}", self._span(start))
        # the rest of such a line would only be more of the same
        while self._peek() not in ("", "\n", "\r"):
            self._at += 1
        return None

    def _line_end(self) -> ScriptToken:
        token = ScriptToken(ScriptKind.END, self._span(self._at))
        self._at += 2 if self._text.startswith("\r\n", self._at) else 1
        self._line += 1
        self._line_start = self._at
        return token

    def _string(self, start: int) -> str:
        text = ""
        while True:
            char = self._peek()
            escaped = char == "\\"
            if escaped:
                self._at += 1
                char = self._peek()
            if char in ("", "\n", "\r"):
                self._error("unterminated string", self._span(start))
                return text
            self._at += 1
            if escaped:
                if char not in _ESCAPES:
                    self._error(f"character {char!r} cannot be escaped", self._span(self._at - 2))
                char = _ESCAPES.get(char, char)
            elif char == '"':
                return text
            text += char

    def _number(self, start: int) -> int:
        prefix = _PREFIX.match(self._text, self._at)
        base = 10
        if prefix is not None:
            base = _BASES[prefix[0].lower()]
            self._at = prefix.end()
        digits_start = self._at
        self._skip(_DIGITS[base] + "_")
        written = self._text[digits_start : self._at]
        digits = written.replace("_", "")
        significant = digits.lstrip("0")
        if len(significant) > _MAX_DIGITS or int(significant or "0", base) > _MAX:
            self._too_large("integer constant is too large", self._span(start))
            return 0
        if "__" in written:
            self._error("invalid integer constant, '_' after another '_'", self._span(start))
        if not digits:
            shown = self._text[start:digits_start]
            self._error(f"invalid integer constant, no digits after '{shown}'", self._span(start))
        if written.endswith("_"):
            self._error("invalid integer constant, trailing '_'", self._span(start))
        return int(digits or "0", base)

    def _peek(self) -> str:
        return self._text[self._at : self._at + 1]

    def _skip(self, characters: str) -> None:
        while self._at < len(self._text) and self._text[self._at] in characters:
            self._at += 1

    def _span(self, start: int) -> Span:
        """From ``start`` to where the lexer is."""
        return Span(self.source, self._line, start - self._line_start + 1, max(1, self._at - start))
