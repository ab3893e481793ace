"""Seeds as Tenhou publishes them in the element SHUFFLE of a log."""

from __future__ import annotations

import base64
import binascii
import re
import struct
from dataclasses import dataclass

from fairdeck.tenhou.game.sentences import Sentence, Value, say
from fairdeck.tenhou.table import FLIPPED_PAIRS, Pairs
from romproof import BadInput

BASE64 = "mt19937ar-sha512-n288-base64"
"""The format since 2010 at the latest: 624 words as base64."""
HEX = "mt19937ar-sha512-n288"
"""The format of 2009: 32 words as hexadecimal digits."""
OLDER = "mt19937ar"
"""Older still: a seed for one round only, from which no wall can be made."""

_WORDS = 624
_HEX_WORDS = 32


class SeedError(BadInput):
    """The text is no seed; ``sentence`` says why, with its values."""

    def __init__(self, template: str, /, **values: Value) -> None:
        self.sentence: Sentence = say(template, **values)
        super().__init__(str(self.sentence))


class UnverifiableSeed(SeedError):
    """A seed of a form that says too little to make walls from it."""


@dataclass(frozen=True, slots=True)
class Seed:
    """The key of the generator: 624 words (or 32) of 32 bits.

    ``pairs`` says how the dead wall is stacked, which changed with the format. ``hex_text`` is
    what a commitment is made of: the seed's bytes as lower-case hexadecimal digits, leading
    zeros kept.
    """

    words: tuple[int, ...]
    pairs: Pairs
    hex_text: str


def parse_seed(text: str) -> Seed:
    """A seed as the log has it, format name and comma included.

    Raises UnverifiableSeed for a form that is not known or says too little, SeedError for a
    damaged seed of a known one.
    """
    if not text.strip():
        raise UnverifiableSeed(
            "the seed is empty; one begins with its format, e.g. '{form},'", form=BASE64
        )
    if not text.isascii():
        raise UnverifiableSeed(
            "a seed is ASCII text; this one begins '{start}'", start=_start(text)
        )
    form, comma, rest = text.strip().partition(",")
    if not comma:
        raise UnverifiableSeed(
            "a seed begins with its format and a comma, e.g. '{form},'; this one begins '{start}'",
            form=BASE64,
            start=_start(text),
        )
    if form == BASE64:
        return _from_base64(rest)
    if form == HEX:
        return _from_hex(rest)
    if form == OLDER:
        raise UnverifiableSeed(
            "a seed in the format '{form}' (before July 2009) is not enough: the method that "
            "made walls from it was never published",
            form=OLDER,
        )
    raise UnverifiableSeed(
        "the seed's format '{form}' is not known; known are {known}",
        form=_start(form),
        known=f"{BASE64}, {HEX}",
    )


def _from_base64(text: str) -> Seed:
    # logs that were re-formatted have line breaks in it
    compact = re.sub(r"\s+", "", text)
    try:
        data = base64.b64decode(compact, validate=True)
    except binascii.Error as fault:
        raise SeedError("the seed is not base64: {fault}", fault=str(fault)) from None
    if len(data) != 4 * _WORDS:
        raise SeedError(
            "the seed has {count} bytes; {wanted} are needed", count=len(data), wanted=4 * _WORDS
        )
    words = struct.unpack(f"<{_WORDS}I", data)
    return Seed(words, Pairs(), data.hex())


def _from_hex(text: str) -> Seed:
    words = [word.strip() for word in text.split(",")]
    if len(words) != _HEX_WORDS:
        raise SeedError(
            "the seed has {count} words; {wanted} are needed", count=len(words), wanted=_HEX_WORDS
        )
    for index, word in enumerate(words):
        if not re.fullmatch(r"[0-9A-Fa-f]{1,8}", word):
            raise SeedError(
                "word {index} of the seed, '{word}', is not a hexadecimal number",
                index=index,
                word=_start(word),
            )
    numbers = tuple(int(word, 16) for word in words)
    return Seed(numbers, FLIPPED_PAIRS, struct.pack(f"<{_HEX_WORDS}I", *numbers).hex())


def _start(text: str) -> str:
    text = text.strip()
    return text[:24] + ("…" if len(text) > 24 else "")
