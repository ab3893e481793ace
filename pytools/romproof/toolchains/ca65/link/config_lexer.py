"""Tokens of a linker configuration, each with its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from romproof.text.diagnostic import Diagnostics
from romproof.text.numbers import HUGE, whole
from romproof.text.span import Source, Span
from romproof.toolchains.ca65.link.config import FileName


class ConfigKind(Enum):
    """What a token is; punctuation is distinguished by its text."""

    NAME = "a name"
    NUMBER = "a number"
    STRING = "a file name in quotes"
    START = "%S"
    MARK = "punctuation"
    END = "the end of the file"


@dataclass(frozen=True, slots=True)
class ConfigToken:
    """One token. ``number`` and ``file`` belong to the kinds that have one."""

    kind: ConfigKind
    text: str
    span: Span
    number: int = 0
    file: FileName | None = None

    def is_mark(self, text: str) -> bool:
        """True for the punctuation ``text``."""
        return self.kind is ConfigKind.MARK and self.text == text

    def __str__(self) -> str:
        return self.kind.value if self.kind is ConfigKind.END else f"'{self.text}'"


_pattern = re.compile(
    r"(?P<blank>[ \t\r\f\v]+|#.*)"
    r"|(?P<name>[A-Za-z_][A-Za-z_0-9]*)"
    r"|\$(?P<hex>[0-9A-Fa-f]*)"
    r"|(?P<decimal>[0-9]+)"
    r'|"(?P<string>[^"]*)(?P<close>"?)'
    r"|(?P<special>%.?)"
    r"|(?P<mark>[-+*/(){};.,=:])"
    r"|(?P<other>.)"
)
_piece = re.compile("%.?|[^%]+")
"""Of a quoted name."""
_MASK = (1 << 64) - 1


def tokens(source: Source, diagnostics: Diagnostics) -> Iterator[ConfigToken]:
    """The tokens of ``source``, an END token last; what is none is reported."""
    lines = source.lines
    for line, text in enumerate(lines, 1):
        for match in _pattern.finditer(text):
            span = Span(source, line, match.start() + 1, max(1, len(match.group())))
            token = _token(match, span, diagnostics)
            if token is not None:
                yield token
    yield ConfigToken(ConfigKind.END, "", Span(source, len(lines), len(lines[-1]) + 1))


def _number(digits: str, base: int, span: Span, diagnostics: Diagnostics) -> int:
    value = whole(digits, base)
    if value == HUGE:
        diagnostics.error("the number is out of any range", span)
    return value & _MASK


def _token(match: re.Match[str], span: Span, diagnostics: Diagnostics) -> ConfigToken | None:
    text = match.group()
    if match["blank"] is not None:
        return None
    if match["name"] is not None:
        return ConfigToken(ConfigKind.NAME, text, span)
    if match["hex"] is not None:
        if not match["hex"]:
            diagnostics.error("hex digits expected after '$'", span)
        return ConfigToken(
            ConfigKind.NUMBER, text, span, _number(match["hex"] or "0", 16, span, diagnostics)
        )
    if match["decimal"] is not None:
        return ConfigToken(ConfigKind.NUMBER, text, span, _number(text, 10, span, diagnostics))
    if match["string"] is not None:
        if not match["close"]:
            diagnostics.error("the file name has no closing quote", span)
        return ConfigToken(
            ConfigKind.STRING, text, span, file=_file_name(match["string"], span, diagnostics)
        )
    if text == "%O":
        return ConfigToken(ConfigKind.STRING, text, span, file=FileName((None,)))
    if text == "%S":
        return ConfigToken(ConfigKind.START, text, span)
    if match["special"] is not None:
        diagnostics.error(
            f"'{text}' has no meaning",
            span,
            help="%O is the output file and %S the start address; numbers are decimal or $hex",
        )
        return None
    if match["mark"] is not None:
        return ConfigToken(ConfigKind.MARK, text, span)
    diagnostics.error(f"'{text}' has no meaning in a linker configuration", span)
    return None


def _file_name(text: str, span: Span, diagnostics: Diagnostics) -> FileName:
    """Resolve the escapes %O and %% of a quoted name."""
    parts: list[str | None] = []
    for piece in _piece.findall(text):
        if piece == "%O":
            parts.append(None)
        elif piece == "%%":
            parts.append("%")
        elif piece == "%":
            diagnostics.error("'%' at the end of a file name", span, help="write %% for one %")
        else:
            if piece.startswith("%"):
                diagnostics.warning(f"unknown escape '{piece}' in a file name", span)
            parts.append(piece)
    return FileName(tuple(parts))
