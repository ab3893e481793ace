"""Seeds: the state of the shift register as people write it."""

from __future__ import annotations

import re

from romproof import BadInput

_SEED = re.compile(r"\$?([0-9A-Fa-f]{8})\Z")


class SeedError(BadInput):
    """A seed that cannot be used; the text says what to write instead."""


def parse_seed(text: str) -> int:
    """The 32-bit state written as 8 hexadecimal digits, ``lfsr0`` first.

    A leading ``$`` is allowed. Raises SeedError, for the zero seed too: the
    register never leaves state 0, and every flip would be tails.
    """
    match = _SEED.match(text.strip())
    if match is None:
        raise SeedError(
            f"'{text}' is not a seed: write exactly 8 hexadecimal digits, lfsr0 first, "
            "for example 12345678"
        )
    return usable(int(match[1], 16))


def usable(state: int) -> int:
    """``state`` itself, if shuffles can start from it; else raises SeedError."""
    if not 0 <= state < 1 << 32:
        raise SeedError(f"the seed {state} does not fit the shift register of 32 bits")
    if state == 0:
        raise SeedError(
            "the seed 00000000 is refused: the shift register never leaves that state, "
            "so every coin flip is 0 and the deck is only rotated; use any other seed"
        )
    return state


def format_state(state: int) -> str:
    """The state as 8 lower-case hexadecimal digits, ``lfsr0`` first."""
    return f"{state:08x}"
