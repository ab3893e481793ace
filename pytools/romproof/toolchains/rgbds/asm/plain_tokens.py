"""Tokens that need no look at single characters: no escape or brace is in them, or behind them.

What such a token is follows from the text alone, wherever it stands and whatever was defined.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from romproof.text.numbers import whole
from romproof.toolchains.rgbds.asm.keywords import KEYWORDS

Token = tuple[str, int | str | None]
"""Kind and value. The kind of a keyword is the word in upper case, that of punctuation itself.

Others are SYMBOL, LABEL (a name and a colon at once), LOCAL, ANON, QMACRO (a name and ``?`` at
once), NUMBER, STRING, CHARACTER, NEWLINE, EOL (before ``]]``), EOB (the end of a text), EOF.
"""
PlainToken = tuple[Token, int, int]
"""A token, where messages say that it is, and where the text goes on behind it."""

ARGUMENT: Final = "\\"
"""The kind of a macro argument, which may be a token; the value is its number, or "#" for all, and
the character behind it."""
_NAME: Final = 1
_PUNCTUATION: Final = 2
_NEWLINE: Final = 3
_HEX: Final = 4
_DECIMAL: Final = 5
_STRING: Final = 6
_BINARY: Final = 7
_PLAIN = re.compile(
    r"""[ \t]*+(?:
      ([A-Za-z_.][A-Za-z0-9_\#$@.]*+)(?![\\{])
    | ([(),~] | (?><<=|>>>|>>=|===|!==|==|!=|<<|<=|>>|>=|\+\+|\+=|-=|\*\*|\*=|/=|\|\||\|=|\^=
        |&&|&=|::|[?=!<>+\-*|^@]|\[(?!\[)|\](?!\])|/(?!\*)|:(?![+\-:])|&(?![0-7_])|%(?=[ \t(])
      )(?![\\{]))
    | (?:;[^\r\n]*+)?(\r\n|\r|\n)
    | (\$[0-9A-Fa-f]{1,8}+)(?![0-9A-Fa-f_\\{])
    | ([0-9]{1,9}+)(?![0-9_.xXoObB\\{])
    | "([^"\\{\r\n]*+)"(?!["\\{])
    | (%[01]{1,32}+)(?![A-Za-z0-9_\#$@.\\{])
    )""",
    re.VERBOSE,
)
_BY_WHAT_FOLLOWS: Final = {":": "LABEL", "?": "QMACRO"}
_INSERTED = re.compile(r"[ \t]*+\\([1-9#])")
_EXPANDED = re.compile(
    r"""[ \t]*+(?: [A-Za-z0-9_\#$@.=!<>+\-*|^&%:\[/]*+
      (?: \\[1-9@\#] | \\<[^>"\\\r\n]*+> | \{[^{}"\r\n]*+\} | "(?:[^"\\\r\n]|\\.)*+"(?!") ) )++
      [A-Za-z0-9_\#$@.]*+""",
    re.VERBOSE,
)
"""What is read by characters, up to where the next token may begin."""


def read_plain_token(text: str, at: int) -> PlainToken | None:
    """The token that is next in a text, if it is a plain one."""
    match = _PLAIN.match(text, at)
    if match is None:
        return None
    group = match.lastindex or 0
    found = match[group]
    if group == _NAME:
        return _read_name(text, match)
    if group == _PUNCTUATION:
        token: Token = ("SYMBOL", "@") if found == "@" else (found, None)
    elif group == _NEWLINE:
        token = "NEWLINE", None
    elif group == _HEX:
        token = "NUMBER", int(found[1:], 16)
    elif group == _DECIMAL:
        token = "NUMBER", whole(found)
    elif group == _STRING:
        return ("STRING", found), match.start(_STRING) - 1, match.end()
    else:
        token = "NUMBER", int(found[1:], 2)
    return token, match.start(group), match.end()


def _read_name(text: str, match: re.Match[str]) -> PlainToken | None:
    name, start, end = match[_NAME], match.start(_NAME), match.end()
    word = name.upper()
    if word in KEYWORDS:
        return (word, None), start, end
    if "." in name and name not in (".", ".."):
        if word.partition(".")[0] in KEYWORDS:
            return None  # that is complained of
        return ("LOCAL", name), start, end
    kind = _BY_WHAT_FOLLOWS.get(text[end : end + 1], "SYMBOL")
    return (kind, name), start, end


def read_line(line: str) -> dict[int, PlainToken]:
    """The plain tokens of a line, and arguments, by where the lexer stands when each is next."""
    tokens: dict[int, PlainToken] = {}
    at, end = 0, len(line)
    while at < end:
        token = read_plain_token(line, at)
        if token is not None:
            tokens[at] = token
            at = token[2]
            continue
        inserted = _INSERTED.match(line, at)
        if inserted is not None:
            behind = line[inserted.end() : inserted.end() + 1]
            argument = ARGUMENT, inserted[1] + behind
            tokens[at] = argument, inserted.start(1) - 1, inserted.end()
        expanded = _EXPANDED.match(line, at)
        if expanded is None:
            break
        at = expanded.end()
    return tokens


@lru_cache(maxsize=1 << 14)
def read_whole(text: str) -> Token | None:
    """The token that all of a text is, if it is a plain one; None for others."""
    plain = read_plain_token(text, 0)
    return None if plain is None or plain[2] < len(text) else plain[0]


_GROWING: Final = frozenset("=!<>+-*/|^&%:[]") | {"==", "!=", "<<", ">>"}
_IN_NAMES_AND_NUMBERS: Final = frozenset(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_#$@.:?\\{"
)


def may_end(token: Token, behind: str) -> bool:
    """Whether a token at the end of a text is over, as ``behind`` is the character of the text
    around it that follows; "" if none does."""
    kind = token[0]
    if kind == "STRING":
        return behind not in ('"', "\\", "{")
    if kind in _GROWING:
        return behind in (" ", "\t", ",")
    return behind not in _IN_NAMES_AND_NUMBERS
