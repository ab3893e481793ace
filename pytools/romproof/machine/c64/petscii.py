"""PETSCII as the C64 starts with it, upper case and graphics, and as text."""

from __future__ import annotations

RETURN, DELETE, SPACE = 0x0D, 0x14, 0x20
HOME, CLEAR = 0x13, 0x93
DOWN, UP, RIGHT, LEFT = 0x11, 0x91, 0x1D, 0x9D
SHIFTED_RETURN = 0x8D

_SPECIAL = {RETURN: "\n", SHIFTED_RETURN: "\n", 0x5C: "£", 0x5E: "↑", 0x5F: "←", 0xA0: " "}
"""Where PETSCII is neither ASCII nor a letter."""


def to_text(data: bytes) -> str:
    """Characters as text: unshifted letters as lower case, shifted ones as upper case, as the
    C64 shows them after CHR$(14). Controls that are no line's end become nothing, and
    graphics ``?``."""
    return "".join(map(_character, data))


def from_text(text: str) -> bytes:
    """Text as PETSCII: the inverse of ``to_text``. Raises ValueError for what PETSCII lacks."""
    return bytes(map(_code, text))


def _character(code: int) -> str:
    if code in _SPECIAL:
        return _SPECIAL[code]
    if 0x41 <= code <= 0x5A:
        return chr(code + 0x20)
    if 0xC1 <= code <= 0xDA:
        return chr(code - 0x80)
    if 0x61 <= code <= 0x7A:  # the same characters once more
        return chr(code - 0x20)
    if 0x20 <= code <= 0x5D:
        return chr(code)
    return "" if code & 0x7F < 0x20 else "?"


def _code(character: str) -> int:
    for code, special in _SPECIAL.items():
        if character == special:
            return code
    code = ord(character)
    if "a" <= character <= "z":
        return code - 0x20
    if "A" <= character <= "Z":
        return code + 0x80
    if 0x20 <= code <= 0x5D and character != "\\":
        return code
    raise ValueError(f"PETSCII has no {character!r}")
