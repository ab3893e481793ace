"""The formulas that MT19937 is proved to follow are those of Python's and numpy's generators."""

from __future__ import annotations

import random

import numpy as np
import pytest

from fairdeck.proofs.mt19937_model import (
    AHEAD,
    FACTORS,
    SIZE,
    WORD,
    WORDS,
    product,
    put_word,
    step,
    temper,
    word_at,
)


def generator(seed: int, at: int) -> tuple[random.Random, list[int]]:
    """Python's generator, and the words of its state; the first ``at`` words were taken."""
    words = [random.Random(seed).getrandbits(32) for _ in range(WORDS)]
    found = random.Random()
    found.setstate((3, (*words, at), None))
    return found, words


def test_the_formula_for_outputs_is_that_of_python() -> None:
    python, words = generator(1, 0)
    assert [temper(word) for word in words] == [python.getrandbits(32) for _ in words]


def test_steps_give_what_python_and_numpy_give() -> None:
    python, words = generator(2, WORDS)
    # numpy's state is the same: words, and how many were taken
    numpy = np.random.RandomState()
    numpy.set_state(("MT19937", np.array(words, dtype=np.uint32), WORDS))
    state = bytearray(b"".join(word.to_bytes(WORD, "little") for word in words))
    this, ahead = 0, AHEAD * WORD
    outputs = []
    for _ in range(3 * WORDS):
        output, this, ahead = step(state, this, ahead)
        outputs.append(output)
    assert outputs == [python.getrandbits(32) for _ in outputs]
    assert outputs == [int(word) for word in np.frombuffer(numpy.bytes(4 * len(outputs)), "<u4")]
    # after the last of them the whole state is theirs
    state_of_python = python.getstate()[1][:WORDS]
    assert tuple(word_at(state, WORD * n) for n in range(WORDS)) == state_of_python


def seeded(key: list[int]) -> list[int]:
    """The state by the products, as init_by_array of mt19937ar.c says."""
    words = [19650218]
    for n in range(1, WORDS):
        words.append(product(words[-1], FACTORS["first"]) + n & 0xFFFFFFFF)
    at, place = 1, 0
    for _ in range(max(WORDS, len(key))):
        mixed = words[at] ^ product(words[at - 1], FACTORS["key"])
        words[at] = mixed + key[place] + place & 0xFFFFFFFF
        at, place = at + 1, (place + 1) % len(key)
        if at == WORDS:
            words[0], at = words[-1], 1
    for _ in range(WORDS - 1):
        words[at] = (words[at] ^ product(words[at - 1], FACTORS["last"])) - at & 0xFFFFFFFF
        at += 1
        if at == WORDS:
            words[0], at = words[-1], 1
    return [0x80000000, *words[1:]]


@pytest.mark.parametrize("key", [[1], [0, 0, 7], list(range(1000, 1700))], ids=["1", "3", "700"])
def test_products_seed_as_numpy_does(key: list[int]) -> None:
    assert seeded(key) == np.random.RandomState(key).get_state()[1].tolist()  # type: ignore[index]


def test_words_are_their_bytes() -> None:
    state = bytearray(SIZE)
    put_word(state, 8, 0x12345678)
    assert state[8:12] == bytes.fromhex("78563412")
    assert word_at(state, 8) == 0x12345678
