"""The quick path from characters to tokens.

Reading tokens is the most frequent thing an assembler does: in the projects of
docs/projects-ca65.md a third of its time went through ``Feed.next`` and ``Lexer.next_line``, which
ask at each token for everything that could be special about it. Here a line is read by one loop
over one pattern, and a token of a file is handed out at once. Whatever
is not plain – escapes in strings, ``.words`` that are unknown, switched features, macros – is left
to the classes that these extend. ``tests/toolchains/ca65/test_quick.py`` compares both paths.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from romproof.toolchains.ca65.asm.feed import Feed, FileFrame
from romproof.toolchains.ca65.asm.lexer import Lexer
from romproof.toolchains.ca65.asm.tokens import (
    ALIASES,
    CHAR,
    EOF,
    EOL,
    IDENT,
    INT,
    KEYWORDS,
    LOCAL,
    STRING,
    TOKEN_FUNCTIONS,
    ULABEL,
    Token,
)

NAME: Final = "(?:[A-Za-z_][A-Za-z0-9_]++|[B-EG-Wb-eg-w_])"
"""The pattern of a word that is no register and no override."""
_SPACE: Final = 1
_WORD: Final = 2
_OPERATOR: Final = 3
_HEX: Final = 4
_DOT: Final = 5
_NUMBER: Final = 6
_BINARY: Final = 7
_LOCAL: Final = 8
_UNNAMED: Final = 9
_REGISTER: Final = 10
_STRING: Final = 11
_CHARACTER: Final = 12
_COMMENT: Final = 13


_pattern = re.compile(
    r"([ \t]+)"
    rf"|({NAME})"
    r"|(:=|::|<=|<<|<>|>=|>>|&&|\|\||:(?![+-])|/(?!\*)|[-+*,#()=<>&|^!~\[\]{}])"
    r"|\$([0-9A-Fa-f]{1,8})(?![0-9A-Fa-f_])"
    r"|(\.[A-Za-z_][A-Za-z0-9_]*)"
    r"|([0-9]{1,9})(?![0-9A-Fa-fHh_])"
    r"|%([01]{1,32})(?![01_])"
    r"|(@[A-Za-z0-9_]+)"
    r"|(:(?:\++|-+))"
    r"|([AXYaxy])(?![A-Za-z0-9_:])"
    r'|"([\t !#-\[\]-~]*)"'
    r"|'([ -&(-~])'"
    r"|;.*()"
)
"""Tokens that are read as they stand while no feature is on. What may be an override, as ``a:``, is
not among them."""


HARMLESS: Final = frozenset(
    ("force_range", "labels_without_colons", "org_per_seg", "pc_assignment", "ubiquitous_idents")
)
"""Features that change nothing in a line's tokens."""
_ORDINARY: Final = KEYWORDS - {".addrsize"}
_SPECIAL: Final = TOKEN_FUNCTIONS | {EOF}


_NO_NAMES: Final = frozenset("AFXYZafxyz")


def is_name(text: str) -> bool:
    """Whether a text is what NAME stands for."""
    return text.isidentifier() and text.isascii() and text not in _NO_NAMES


_word = re.compile("[A-Za-z_][A-Za-z0-9_]*")


def words_in(text: str) -> list[str]:
    """All words in a line, and parts of numbers and comments that look like words."""
    return _word.findall(text)


class QuickLexer(Lexer):
    """A lexer that reads plain lines in one loop."""

    def next_line(self) -> list[Token]:
        """The tokens of the next line, as those of Lexer."""
        number, lines = self.number, self._lines
        syntax = self._syntax
        if number + 1 == len(lines) and not lines[number]:
            self.number = number + 1
            self._text, self._pos = "", 0
            return [self._end()]
        if (
            number + 1 >= len(lines)  # the last line has no end
            or syntax.ignore_case
            or syntax.local_start != "@"
            or (syntax.features and not syntax.features <= HARMLESS)
        ):
            return super().next_line()
        text = lines[number].rstrip()
        tokens = _plain_tokens(text, self, number + 1)
        if tokens is None:
            return super().next_line()
        self.number = number + 1
        self._text, self._pos = text, len(text)
        return tokens


def _plain_tokens(text: str, lexer: Lexer, line: int) -> list[Token] | None:
    """The tokens of a line, EOL last; None if it has anything special."""
    source = lexer.source
    tokens: list[Token] = []
    space = False
    has_s = "S" in lexer.registers
    at, end = 0, len(text)
    match_at = _pattern.match if text else None
    while at < end and match_at is not None:
        match = match_at(text, at)
        if match is None:
            return None
        group = match.lastindex or 0
        start, at = at, match.end()
        if group == _SPACE:
            space = True
            continue
        if group == _COMMENT:
            break
        value: str | int
        if group == _WORD:
            kind, value = IDENT, match[_WORD]
            if has_s and value in ("s", "S"):
                kind = "S"
        elif group == _OPERATOR:
            kind = value = match[_OPERATOR]
        elif group == _HEX:
            kind, value = INT, int(match[_HEX], 16)
        elif group == _DOT:
            value = match[_DOT]
            kind = value.lower()
            if kind not in _ORDINARY:
                return None
            kind = ALIASES.get(kind, kind)
        elif group == _NUMBER:
            kind, value = INT, int(match[_NUMBER])
        elif group == _BINARY:
            kind, value = INT, int(match[_BINARY], 2)
        elif group == _LOCAL:
            kind, value = LOCAL, match[_LOCAL]
        elif group == _REGISTER:
            value = match[_REGISTER]
            kind = value.upper()
        elif group == _STRING:
            kind, value = STRING, match[_STRING]
        elif group == _CHARACTER:
            kind, value = CHAR, ord(match[_CHARACTER])
        else:
            word = match[_UNNAMED]
            kind, value = ULABEL, len(word) - 1 if word[1] == "+" else 1 - len(word)
        tokens.append(Token(kind, value, space, source, line, start + 1, at - start))
        space = False
    tokens.append(Token(EOL, "", space, source, line, end + 1, 1))
    return tokens


class QuickFeed(Feed):
    """A feed that hands out the tokens of a file at once."""

    lexer_of = QuickLexer
    go_on: Callable[[], None] | None = None
    """Carries out plain lines where macros and repeats end with a line."""

    def next(self) -> Token:
        """Go to the next token and return it, as Feed does."""
        if not self.inserted and not self.ended:
            frame = self.files[-1]
            index, tokens = frame.index, frame.tokens
            if index >= len(tokens):
                index, tokens = 0, self._next_line(frame)
            token = tokens[index]
            kind = token.kind
            if kind not in _SPECIAL and (kind != IDENT or token.value not in self.define_names):
                frame.index = index + 1
                if token.line != self._last[1] or token.source is not self._last[0]:
                    self._last = token.source, token.line
                    self.record.line(token)
                if kind == EOL:
                    self.lines_passed()
                    self.record.line_read(token.source, frame.lexer.number + 1, len(self.files))
                self.via = None
                self.tok = token
                return token
        elif self.inserted and not self.ended:
            played = self.inserted[-1]
            inserted = played.next(self)
            if inserted is None:
                self.inserted.remove(played)
                if self.go_on is not None and not self.inserted and self.tok.kind == EOL:
                    self.go_on()
                return self.next()
            self.via = played.via
            self.tok = inserted
            kind = inserted.kind
            self.count_inserted(kind)
            if kind in TOKEN_FUNCTIONS and not self.raw and self.conditions.active:
                self.run_function(kind)
                return self.tok
            if kind != IDENT or self.defines_off or inserted.value not in self.define_names:
                return inserted
            self.defines.expand_define(inserted.text)
            return super().next()
        return super().next()

    def _next_line(self, frame: FileFrame) -> list[Token]:
        """The tokens of the next line, which is made that of ``frame``. Those that are empty are
        passed over, unless they are listed: nothing is said of them."""
        tokens = frame.lexer.next_line()
        while len(tokens) == 1 and tokens[0].kind == EOL and not self.record.has_listing:
            self.lines_passed()
            tokens = frame.lexer.next_line()
        frame.tokens, frame.index = tokens, 0
        return tokens
