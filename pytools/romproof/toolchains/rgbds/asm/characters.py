"""Characters of sources. Text is handled as bytes are: one character, 0 to 255, for each byte.

rgbasm counts and compares bytes, so a source is decoded as Latin-1; only messages show it as the
UTF-8 it usually is.
"""

from __future__ import annotations

import string

END = ""
"""What is read at the end of the input."""

LETTERS = frozenset(string.ascii_letters)
DIGITS = frozenset(string.digits)
IDENTIFIER_START = LETTERS | {".", "_"}
IDENTIFIER = IDENTIFIER_START | DIGITS | {"#", "$", "@"}
BLANKS = frozenset(" \t")
NEWLINES = frozenset("\r\n")
MACRO_ESCAPES = frozenset("@#<123456789")
"""What follows a backslash that denotes an argument, or for a unique name."""
HEX_DIGITS = frozenset(string.hexdigits)

_ESCAPES = {"\n": "'\\n'", "\r": "'\\r'", "\t": "'\\t'", "\0": "'\\0'"}


def is_printable(char: str) -> bool:
    """Whether a character is visible ASCII, or a space."""
    return " " <= char <= "~"


def show_char(char: str) -> str:
    """A character as messages show it: ``'A'``, ``'\\n'``, ``0xE9``, ``EOF``."""
    if char == END:
        return "EOF"
    if is_printable(char):
        return f"'{char}'"
    return _ESCAPES.get(char) or f"0x{ord(char):02X}"


def readable(text: str) -> str:
    """Text of a source for people: its bytes read as UTF-8."""
    return text.encode("latin-1", "replace").decode("utf-8", "replace")


def printable(text: str) -> str:
    """Text of a source as it goes out: its bytes as UTF-8, those that are none as surrogates."""
    return text.encode("latin-1").decode("utf-8", "surrogateescape")


def as_source(text: str) -> str:
    """Text from outside, such as a word of the command line, as it would be in a source: a
    character for each byte of its UTF-8."""
    return text.encode("utf-8", "surrogateescape").decode("latin-1")


def escape(text: str, quotes: str = '"') -> str:
    """Text as it would be written in a string literal."""
    names = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\0": "\\0"}
    return "".join(
        names.get(c) or ("\\" + c if c == "\\" or c == "{" or c in quotes else c) for c in text
    )
