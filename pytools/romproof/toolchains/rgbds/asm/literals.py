"""String and character literals: what they contain, or, for macro arguments, as written."""

from __future__ import annotations

import re

from romproof.toolchains.rgbds.asm.characters import (
    END,
    MACRO_ESCAPES,
    NEWLINES,
    escape,
    show_char,
)
from romproof.toolchains.rgbds.asm.reader import Reader

_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "0": "\0"}
_PLAIN = re.compile(r'[^"\\{\r\n]+')
_RAW = re.compile(r'[^"\r\n]+')
_ITSELF = frozenset("\\\"'{}")


def string(reader: Reader, raw: bool = False, verbatim: bool = False) -> str:
    """A string whose opening quote has been read.

    ``raw``: nothing in it is special (``#"..."``). ``verbatim`` gives it with quotes and escapes,
    to be read again later: a macro argument.
    """
    text = ""

    def read() -> None:
        nonlocal text
        text = _string(reader, raw, verbatim)

    reader.without_expansion(read)
    return text


def _string(reader: Reader, raw: bool, verbatim: bool) -> str:
    quote = '"' if verbatim else ""
    text, multiline = quote, False
    if reader.peek() == '"':
        text += quote
        reader.shift()
        # not peek(): what follows an empty string may still be expanded
        if not reader.accept_raw('"'):
            return text
        text += quote
        multiline = True
    plain = _RAW if raw else _PLAIN
    while True:
        text += reader.take_run(plain)
        char = reader.peek()
        if char == END or (char in NEWLINES and not multiline):
            reader.report.error("Unterminated string")
            return text
        reader.shift()
        if char in NEWLINES:
            reader.skip_newline(char)
            reader.next_line()
            text += "\n"
        elif char != '"':
            more = char if raw else _inside(reader, char, verbatim)
            text = text + more if len(more) < 2 else reader.growth.check(text + more)
        elif not multiline:
            return text + quote
        elif reader.peek() != '"':
            text += char
        elif reader.next() != '"':
            text += '""'
        else:
            reader.shift()
            return text + 3 * quote


def character(reader: Reader, verbatim: bool = False) -> str:
    """A character literal whose opening quote has been read."""
    text = "'" if verbatim else ""

    def read() -> None:
        nonlocal text
        while True:
            char = reader.peek()
            if char == END or char in NEWLINES:
                reader.report.error("Unterminated character")
                return
            reader.shift()
            if char == "'":
                text += "'" if verbatim else ""
                return
            text = reader.growth.check(text + _inside(reader, char, verbatim))

    reader.without_expansion(read)
    return text


def _inside(reader: Reader, char: str, verbatim: bool) -> str:
    """What one character of a literal denotes."""
    if char == "{":
        reader.context.expanding = True
        interpolation = reader.read_interpolation()
        reader.context.expanding = False
        return _expansion(interpolation[1], verbatim) if interpolation is not None else ""
    if char != "\\":
        return char
    char = reader.peek()
    if char == END:
        reader.report.error("Illegal character escape '\\' at end of input")
        return "\\"
    if char in _ITSELF:
        reader.shift()
        return "\\" + char if verbatim else char
    if char in _ESCAPES:
        reader.shift()
        return "\\" + char if verbatim else _ESCAPES[char]
    if char in MACRO_ESCAPES:
        return _expansion(reader.read_macro_escape() or "", verbatim)
    if char in " \t\r\n":
        reader.discard_continuation()
        return ""
    reader.report.error(f"Illegal character escape {show_char(char)}")
    reader.shift()
    return char


def _expansion(text: str, verbatim: bool) -> str:
    """Text that was brought in: in a literal that is read again it must not be special."""
    return escape(text, quotes="\"'") if verbatim else text
