"""Tokens of a plain line, all at once: no escapes, no braces, nothing that depends on the place."""

from __future__ import annotations

import re

from romproof.text.numbers import whole
from romproof.toolchains.rgbds.asm.keywords import KEYWORDS
from romproof.toolchains.rgbds.asm.quick.values import NotPlain

PlainToken = tuple[str, str | int, int]
"""Kind, value and column. The kind of a keyword is the word in upper case, of punctuation itself;
others are NAME, LOCAL (with a dot in it), NUMBER, STRING, CHARACTER, ARGUMENT (of a macro, where
nothing is put in: a digit, or # for all) and END."""

_PIECE = r"""[^"';/\\{\r\n] | "(?:[^"\\{\r\n] | \\")*+" | '[^'"\\{\r\n]+' | /(?![*])"""
_CODE = re.compile(rf"(?:{_PIECE})*+", re.VERBOSE)
_CLOSER = re.compile(r"""["'/\\{\r]""")
_TOKEN = re.compile(
    r"""[ \t]*(?:
      (?P<name>[A-Za-z_.][A-Za-z0-9_#$@.]*+)
    | \$(?P<hex>[0-9A-Fa-f]{1,8}+)(?![0-9A-Fa-f_.])
    | (?P<decimal>[0-9]{1,9}+)(?![0-9_.xXoObB])
    | %(?P<binary>[01]{1,32}+)(?![01_])
    | "(?P<string>(?:[^"\\]|\\")*+)"(?!")
    | '(?P<character>[^']++)'
    | (?<![A-Za-z0-9_\#$@.%&\\}"'])\\(?P<argument>[1-9\#])(?![A-Za-z0-9_\#$@.\\{"'])
    | (?P<punctuation><<(?!=)|>>>|>>(?!=)|==(?!=)|!=(?!=)|<=|>=|\+=|-=|\*\*|\*=|/=|\|\||\|=|\^=
        |&&|&=|::|[,()~!=<>*|^/-]|\+(?!\+)|\[(?!\[)|\](?!\])|:(?![+\-:])|&(?![0-7_])|%(?![01_]))
    )""",
    re.VERBOSE,
)
_MAX = 200
"""Tokens of a plain line. Functions made of longer sums would call each other too deep."""
_QUIET = ("REPT", "FOR")
"""Words that may have a question mark."""
_BASES = {"hex": 16, "decimal": 10, "binary": 2}


def code_of(line: str) -> str:
    """A line without its comment and its end. Raises NotPlain when it has to be read closer."""
    if _CLOSER.search(line) is None:  # as most are
        return line.partition(";")[0]
    match = _CODE.match(line)
    assert match is not None  # it may be empty
    end = match.end()
    if end < len(line) and line[end] != ";" and line[end:] != "\r":
        raise NotPlain
    code = match[0]
    if '"""' in code or '#"' in code:
        raise NotPlain
    return code


def before_comment(line: str) -> str:
    """A line without its comment; all of it where that cannot be told at a glance."""
    code, _, comment = line.partition(";")
    if not comment or "\r" in comment or _CLOSER.search(code) is not None:
        return line
    return code.rstrip(" \t")


def tokens(code: str, at: int) -> list[PlainToken]:
    """The tokens from a column on, and an END. Raises NotPlain."""
    scanned: list[PlainToken] = []
    size = len(code.rstrip(" \t"))
    match_at = _TOKEN.match
    while at < size:
        match = match_at(code, at)
        if match is None:
            raise NotPlain
        at = match.end()
        kind = match.lastgroup
        assert kind is not None
        text = match[kind]
        column = match.start(kind)
        if kind == "name":
            scanned.append(_name_token(text, column))
            if at < size and code[at] == "?":
                if scanned[-1][0] not in _QUIET:
                    raise NotPlain
                scanned.append(("?", "?", at))
                at += 1
        elif kind == "punctuation":
            scanned.append((text, text, column))
        elif kind in _BASES:
            scanned.append(("NUMBER", whole(text, _BASES[kind]), column))
        else:
            scanned.append((kind.upper(), text.replace('\\"', '"'), column))
    if len(scanned) > _MAX:
        raise NotPlain
    scanned.append(("END", "", at))
    return scanned


def _name_token(name: str, column: int) -> PlainToken:
    if "." in name:
        head, _, tail = name.partition(".")
        if not tail or "." in tail or head.upper() in KEYWORDS:
            raise NotPlain
        return "LOCAL", name, column
    word = name.upper()
    return (word, name, column) if word in KEYWORDS else ("NAME", name, column)
