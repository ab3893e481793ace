"""UTF-8 in text whose characters are bytes; sources may well be broken there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

_TAIL = (0x80, 0xBF)
_FIRST_TAIL = {0xE0: (0xA0, 0xBF), 0xED: (0x80, 0x9F), 0xF0: (0x90, 0xBF), 0xF4: (0x80, 0x8F)}
"""Lead bytes after which fewer bytes are allowed: nothing too long, too large, or a surrogate."""


class Fault(Enum):
    """What is wrong with a character."""

    INVALID = "its last byte does not belong there"
    INCOMPLETE = "the text ends within it"


@dataclass(frozen=True, slots=True)
class Character:
    """One character from ``start`` to ``end`` (exclusive); a broken one counts as one."""

    start: int
    end: int
    fault: Fault | None = None


def _tail_size(lead: int) -> int:
    """How many bytes belong behind a lead byte; -1: it is none."""
    if lead < 0x80:
        return 0
    if 0xC2 <= lead <= 0xDF:
        return 1
    if 0xE0 <= lead <= 0xEF:
        return 2
    return 3 if 0xF0 <= lead <= 0xF4 else -1


def character_at(text: str, at: int) -> Character:
    """The character that begins at ``at``, which must lie inside of ``text``."""
    lead = ord(text[at])
    size = _tail_size(lead)
    if size < 0:
        return Character(at, at + 1, Fault.INVALID)
    low, high = _FIRST_TAIL.get(lead, _TAIL)
    for place in range(at + 1, at + 1 + size):
        if place >= len(text):
            return Character(at, place, Fault.INCOMPLETE)
        if not low <= ord(text[place]) <= high:
            return Character(at, place + 1, Fault.INVALID)
        low, high = _TAIL
    return Character(at, at + 1 + size)


def characters(text: str) -> Iterator[Character]:
    """All characters of a text."""
    at = 0
    while at < len(text):
        character = character_at(text, at)
        yield character
        at = character.end
