"""What SHA-512 is proved to be: put together, the functions hash as hashlib does."""

from __future__ import annotations

import hashlib
import random

import pytest

from fairdeck.proofs import sha512_model as model

LENGTHS = (0, 1, 3, 111, 112, 127, 128, 129, 239, 240, 1000)


def sha512(message: bytes) -> bytes:
    """FIPS 180-4, 6.4."""
    message += model.padding(len(message))
    words = [int.from_bytes(message[at : at + 8], "big") for at in range(0, len(message), 8)]
    digest = list(model.INITIAL)
    for at in range(0, len(words), model.BLOCK):
        state: tuple[int, ...] = tuple(digest)
        for word, k in zip(
            model.message_schedule(words[at : at + model.BLOCK]), model.K, strict=True
        ):
            state = model.round_of(state, model.add(word, k))
        digest = [model.add(one, other) for one, other in zip(digest, state, strict=True)]
    return b"".join(word.to_bytes(8, "big") for word in digest)


@pytest.mark.parametrize("length", LENGTHS)
def test_the_functions_make_sha512(length: int) -> None:
    message = random.Random(length).randbytes(length)
    assert sha512(message) == hashlib.sha512(message).digest()


def test_the_padding_of_one_block_is_scheduled() -> None:
    """With it a block is hashed as a whole message."""
    message = random.Random(20).randbytes(128)
    words = [int.from_bytes(message[at : at + 8], "big") for at in range(0, 128, 8)]
    first = [model.add(w, k) for w, k in zip(model.message_schedule(words), model.K, strict=True)]
    digest = list(model.INITIAL)
    for block in (first, model.PADDING):
        state: tuple[int, ...] = tuple(digest)
        for wk in block:
            state = model.round_of(state, wk)
        digest = [model.add(one, other) for one, other in zip(digest, state, strict=True)]
    assert b"".join(w.to_bytes(8, "big") for w in digest) == hashlib.sha512(message).digest()


def test_functions_of_single_words() -> None:
    """Counted out by hand."""
    assert model.rotr(1, 1) == 1 << 63
    assert model.shr(0x80, 7) == 1
    assert model.big_sigma0(1 << 39) == 1 << 11 | 1 << 5 | 1
    assert model.big_sigma1(1 << 41) == 1 << 27 | 1 << 23 | 1
    assert model.small_sigma0(1 << 8) == 1 << 7 | 1 | 1 << 1
    assert model.small_sigma1(1) == 1 << 45 | 1 << 3
    assert model.ch(0b1100, 0b1010, 0b0101) == 0b1001
    assert model.maj(0b1100, 0b1010, 0b0110) == 0b1110
