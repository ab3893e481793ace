"""Players' seeds, and the key that they and the uncertain element make."""

from __future__ import annotations

import string
from collections.abc import Sequence
from dataclasses import dataclass

from romproof import BadInput

ALPHABET = string.digits + string.ascii_lowercase + string.ascii_uppercase + "-_"
"""A character's place in it is its value, six bits."""
LENGTH = 27
"""Characters of a seed: 162 bits, of which the first 160 count."""
WORDS = 5
_WORD_BITS = 32
_MASK = 0xFFFF_FFFF


class SeedError(BadInput):
    """A seed that cannot be used; the text says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """A seed's five words, and what was passed over to get them (``warnings``)."""

    words: tuple[int, ...]
    warnings: tuple[str, ...] = ()


def decode(seed: str, *, lenient: bool = False) -> Decoded:
    """The five words (32 bits, most significant bits first) of a player's seed.

    ``lenient`` does what the published script does with a malformed seed: of the first 27
    characters those it does not know are left out, so that later bits move up, and bits that
    are missing make a word shorter. Raises SeedError, without ``lenient`` for any fault.
    """
    faults = faults_of(seed)
    if faults and not lenient:
        raise SeedError(f"the seed '{seed}' {faults[0]}; --lenient does as the published script")
    bits = "".join(f"{ALPHABET.index(c):06b}" for c in seed[:LENGTH] if c in ALPHABET)
    words = (bits[at : at + _WORD_BITS] for at in range(0, WORDS * _WORD_BITS, _WORD_BITS))
    return Decoded(
        tuple(int(word, 2) if word else 0 for word in words),
        tuple(f"the seed '{seed}' {fault}" for fault in faults),
    )


def faults_of(seed: str) -> list[str]:
    """What is wrong with a seed, as words that follow "the seed"; nothing of a well-formed one."""
    faults = []
    for place, character in enumerate(seed):
        if character not in ALPHABET:
            faults.append(
                f"has '{character}' as character {place + 1}: only 0-9 a-z A-Z - _ are allowed"
            )
            break
    if len(seed) != LENGTH:
        faults.append(f"has {len(seed)} characters, not {LENGTH}")
    return faults


def key(players: Sequence[tuple[int, ...]], uncertain: int) -> tuple[int, ...]:
    """The generator's key out of the players' words.

    Players are sorted by their words as unsigned numbers; then come the first words of all,
    the second words of all, and so on. (The published text says "joined"; its code does this.)
    Every word is XORed with ``uncertain`` modulo 2^32.
    """
    ordered = sorted(players)
    return tuple((player[j] ^ uncertain) & _MASK for j in range(WORDS) for player in ordered)
