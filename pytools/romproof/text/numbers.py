"""Numbers as a user writes them, however long."""

from __future__ import annotations

HUGE = 1 << 4096
"""Stands for every number of more digits than Python likes to read: out of any range."""
_MAX = 1000
"""Digits: Python refuses some thousands, and takes long for many."""


def whole(digits: str, base: int = 10) -> int:
    """The number that digits of a base are; HUGE if they are very many. Raises ValueError."""
    if len(digits) > _MAX:
        digits = digits.lstrip("0") or "0"
        if len(digits) > _MAX:
            return HUGE
    return int(digits, base)
