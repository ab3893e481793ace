"""The arguments of plain calls of macros."""

from __future__ import annotations

import re

from romproof.toolchains.rgbds.asm.quick.values import NotPlain

_PIECE = r"""[^"'(),] | "[^"]*+"(?!")"""
_INSIDE = r"""[^"'()] | "[^"]*+"(?!")"""
_INNER = rf"\((?:{_INSIDE})*+\)"
_PIECES = re.compile(rf"(?:{_PIECE} | \((?:{_INSIDE} | {_INNER})*+\))*+", re.VERBOSE)


def arguments_of(text: str) -> tuple[str, ...]:
    """What stands behind a macro's name, as the texts that it is called with.

    Raises NotPlain where that is not plain, or an argument is empty: that may be warned of.
    """
    if not text or text.isspace():
        return ()
    if "\\" in text:
        raise NotPlain
    simple = '"' not in text and "(" not in text and "'" not in text
    arguments = tuple(piece.strip(" \t") for piece in (text.split(",") if simple else _split(text)))
    if not all(arguments):
        raise NotPlain
    return arguments


def _split(text: str) -> list[str]:
    pieces: list[str] = []
    at = 0
    while True:
        match = _PIECES.match(text, at)
        assert match is not None  # it may be empty
        pieces.append(match[0])
        at = match.end()
        if at == len(text):
            return pieces
        if text[at] != ",":
            raise NotPlain
        at += 1
