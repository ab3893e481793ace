"""Tokens of a plain line, read by one pattern in one loop.

Reading tokens is the most frequent thing an assembler does. Most lines have nothing special: no
escapes in strings, no ``.words`` that are unknown, no switched feature that changes a token. Such a
line is read here; the lexer reads the others, with what is wrong in them.
"""

from __future__ import annotations

import re
from typing import Final

from romproof.text.span import Source
from romproof.toolchains.ca65.asm.tokens import (
    ALIASES,
    CHAR,
    EOL,
    IDENT,
    INT,
    KEYWORDS,
    LOCAL,
    STRING,
    ULABEL,
    Token,
)

_NAME: Final = "(?:[A-Za-z_][A-Za-z0-9_]++|[B-EG-Wb-eg-w_])"
"""A word that is no register and no override."""
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
    rf"|({_NAME})"
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


def read_plain_line(
    text: str, source: Source, line: int, registers: frozenset[str]
) -> list[Token] | None:
    """The tokens of a line without white space at its end, EOL last; None if it has anything
    special. No feature but HARMLESS ones may be on."""
    tokens: list[Token] = []
    space = False
    has_s = "S" in registers
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
