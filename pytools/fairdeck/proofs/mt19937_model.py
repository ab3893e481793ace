"""MT19937 step by step, by the formulas of its authors; on numbers and on symbolic ones alike.

Matsumoto and Nishimura, "Mersenne Twister: a 623-dimensionally equidistributed uniform
pseudorandom number generator", ACM TOMACS 8 (1998); the seeding is that of mt19937ar.c (2002).
Also the generator's next output, as stages of walls ask for it: what ``mt_next`` gives is a
function of the state that it finds; that it is MT19937's next output is the statement ``twist``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from romproof import Asked, Image, word

WORDS, AHEAD = 624, 397
WORD = 4
SIZE = WORDS * WORD
"""Bytes of the state. The machine keeps one word more: a copy of the first."""

MATRIX, TEMPER_B, TEMPER_C = 0x9908B0DF, 0x9D2C5680, 0xEFC60000
FACTORS = {"first": 1812433253, "key": 1664525, "last": 1566083941}
"""What words are multiplied by while seeding: at first, with the key, and a last time."""


def twist(this: Any, following: Any, ahead: Any) -> Any:
    """The word in place of ``this``; ``ahead`` is 397 words on."""
    joined = this & 0x80000000 | following & 0x7FFFFFFF
    return ahead ^ joined >> 1 ^ (joined & 1) * MATRIX


def temper(word: Any) -> Any:
    """The output for a word of the state."""
    word ^= word >> 11
    word ^= word << 7 & TEMPER_B
    word ^= word << 15 & TEMPER_C
    return word ^ word >> 18


def product(word: Any, factor: int) -> Any:
    """What seeding makes of the word before."""
    return (word ^ word >> 30) * factor & 0xFFFFFFFF


def step(state: Any, this: Any, ahead: Any) -> tuple[Any, Any, Any]:
    """Renew the word at the byte ``this``: the output, and both places one word on.

    ``ahead`` is the byte of the word 397 further. Places go round the end of the state;
    ``state`` may have more bytes than its words.
    """
    following = _next(this)
    new = twist(word_at(state, this), word_at(state, following), word_at(state, ahead))
    put_word(state, this, new)
    return temper(new), following, _next(ahead)


def _next(place: Any) -> Any:
    return 0 if place == SIZE - WORD else place + WORD


def word_at(state: Any, place: Any) -> Any:
    """The word at a byte of the state."""
    return word([state[place + n] for n in range(WORD)], "little")


def put_word(state: Any, place: Any, value: Any) -> None:
    """Write a word."""
    for n in range(WORD):
        state[place + n] = value >> 8 * n & 0xFF


GENERATOR = {"state": "mt_state", "this": "mt_this:little", "ahead": "mt_ahead:little"}
"""All that an output depends on, and where it is."""
COPIED = {"6502": 0, "sm83": WORDS - AHEAD - 1}
"""The word with which the one behind the last becomes a copy of the first."""


def ask_next(cpu: str, image: Image, question: Callable[..., Mapping[str, Any]]) -> Asked:
    """The next output as ``y``, and the generator after it."""
    base = image.address("mt_state")

    def output(state: bytes, this: int, ahead: int) -> Mapping[str, Any]:
        return after_output(cpu, base, bytearray(state), this, ahead)

    answer = {"y": "mt_y:little", **{f"{name}_after": at for name, at in GENERATOR.items()}}
    return Asked("mt_next", question, GENERATOR, answer, output)


def after_output(cpu: str, base: int, state: bytearray, this: int, ahead: int) -> dict[str, Any]:
    """What an output leaves; the word after the last is the one that stands there."""
    at = this - base
    new = twist(word_at(state, at), word_at(state, at + WORD), word_at(state, ahead - base))
    put_word(state, at, new)
    if at == WORD * COPIED[cpu]:
        put_word(state, SIZE, word_at(state, 0))
    this, ahead = (_following(each - base) + base for each in (this, ahead))
    return {"y": temper(new), "state_after": state, "this_after": this, "ahead_after": ahead}


def _following(place: int) -> int:
    return 0 if place == SIZE - WORD else place + WORD
