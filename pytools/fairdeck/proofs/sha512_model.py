"""The functions of SHA-512 as FIPS 180-4 has them, on numbers of 64 bits; for symbolic ones too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

BITS = 64
MASK = (1 << BITS) - 1


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
    """Formula (4.8)."""
    return (x & y) ^ (~x & z)


def maj(x: Any, y: Any, z: Any) -> Any:
    """Formula (4.9)."""
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


def scheduled(w2: Any, w7: Any, w15: Any, w16: Any) -> Any:
    """The word of the message schedule after those 2, 7, 15 and 16 before it; 6.4.2, step 1."""
    return add(small_sigma1(w2), w7, small_sigma0(w15), w16)


def round_of(words: Sequence[Any], wk: Any) -> tuple[Any, ...]:
    """The working words a to h after a round; ``wk`` is W_t + K_t. 6.4.2, step 3."""
    a, b, c, d, e, f, g, h = words
    t1 = add(h, big_sigma1(e), ch(e, f, g), wk)
    t2 = add(big_sigma0(a), maj(a, b, c))
    return add(t1, t2), a, b, c, add(d, t1), e, f, g
