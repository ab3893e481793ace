"""The generator's next output, as stages of walls ask for it.

What ``mt_next`` gives is a function of the state that it finds; that it is MT19937's next output is
the statement ``twist``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fairdeck.proofs.mt19937_model import (
    AHEAD,
    SIZE,
    WORD,
    WORDS,
    put_word,
    temper,
    twist,
    word_at,
)
from romproof import Asked, Image

GENERATOR = {"state": "mt_state", "this": "mt_this:little", "ahead": "mt_ahead:little"}
"""All that an output depends on, and where it is."""
COPIED = {"6502": 0, "sm83": WORDS - AHEAD - 1}
"""The word with which the one behind the last becomes a copy of the first."""


def asked_next(cpu: str, image: Image, question: Callable[..., Mapping[str, Any]]) -> Asked:
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
    this, ahead = (_next(each - base) + base for each in (this, ahead))
    return {"y": temper(new), "state_after": state, "this_after": this, "ahead_after": ahead}


def _next(place: int) -> int:
    return 0 if place == SIZE - WORD else place + WORD
