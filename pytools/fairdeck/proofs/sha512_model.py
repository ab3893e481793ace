"""The functions of SHA-512 as FIPS 180-4 has them, on numbers of 64 bits; for symbolic ones too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count, islice
from math import isqrt
from typing import Any

BITS = 64
MASK = (1 << BITS) - 1
BYTES = 8
BLOCK = 16
"""Words of a block."""
ROUNDS = 80


def add(*words: Any) -> Any:
    """The sum modulo 2**64."""
    return sum(words) & MASK


def shr(x: Any, n: int) -> Any:
    """SHR^n(x), FIPS 180-4, 3.2."""
    return x >> n


def rotr(x: Any, n: int) -> Any:
    """ROTR^n(x), 3.2."""
    return (x >> n) | (x << BITS - n) & MASK


def ch(x: Any, y: Any, z: Any) -> Any:
    """Formula (4.8); of narrower numbers as well."""
    return (x & y) ^ (~x & z)


def maj(x: Any, y: Any, z: Any) -> Any:
    """Formula (4.9); of narrower numbers as well."""
    return (x & y) ^ (x & z) ^ (y & z)


def big_sigma0(x: Any) -> Any:
    """Formula (4.10)."""
    return rotr(x, 28) ^ rotr(x, 34) ^ rotr(x, 39)


def big_sigma1(x: Any) -> Any:
    """Formula (4.11)."""
    return rotr(x, 14) ^ rotr(x, 18) ^ rotr(x, 41)


def small_sigma0(x: Any) -> Any:
    """Formula (4.12)."""
    return rotr(x, 1) ^ rotr(x, 8) ^ shr(x, 7)


def small_sigma1(x: Any) -> Any:
    """Formula (4.13)."""
    return rotr(x, 19) ^ rotr(x, 61) ^ shr(x, 6)


def next_word(w2: Any, w7: Any, w15: Any, w16: Any) -> Any:
    """The word of the schedule after those 2, 7, 15 and 16 places before it; 6.4.2, step 1."""
    return add(small_sigma1(w2), w7, small_sigma0(w15), w16)


def round_of(words: Sequence[Any], wk: Any) -> tuple[Any, ...]:
    """The working words a to h after a round; ``wk`` is W_t + K_t. 6.4.2, step 3."""
    a, b, c, d, e, f, g, h = words
    t1 = add(h, big_sigma1(e), ch(e, f, g), wk)
    t2 = add(big_sigma0(a), maj(a, b, c))
    return add(t1, t2), a, b, c, add(d, t1), e, f, g


def message_schedule(block: Sequence[Any]) -> list[Any]:
    """The 80 words of a block of 16; 6.4.2, step 1."""
    words = list(block)
    while len(words) < ROUNDS:
        words.append(next_word(words[-2], words[-7], words[-15], words[-16]))
    return words


# ---------------------------------------------------------------- constants


def _primes() -> Iterator[int]:
    return (n for n in count(2) if all(n % d for d in range(2, isqrt(n) + 1)))


def _cube_root(number: int) -> int:
    """Rounded down."""
    low, high = 0, 1 << number.bit_length() // 3 + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**3 <= number else (low, middle)
    return low


K = tuple(_cube_root(p << 3 * BITS) & MASK for p in islice(_primes(), ROUNDS))
"""The first bits of the fractions of the cube roots of the first primes; 4.2.3."""

INITIAL = tuple(isqrt(p << 2 * BITS) & MASK for p in islice(_primes(), 8))
"""The same of square roots; 5.3.5."""


def padding(length: int) -> bytes:
    """What follows a message of so many bytes, up to the end of its last block; 5.1.2."""
    zeros = -(length + 1 + 2 * BYTES) % (BLOCK * BYTES)
    return b"\x80" + bytes(zeros) + (8 * length).to_bytes(2 * BYTES, "big")


PADDING = tuple(
    add(word, k)
    for word, k in zip(
        message_schedule(
            [
                int.from_bytes(padding(BLOCK * BYTES)[at : at + BYTES], "big")
                for at in range(0, BLOCK * BYTES, BYTES)
            ]
        ),
        K,
        strict=True,
    )
)
"""W + K of the block that follows a message of just one block."""
