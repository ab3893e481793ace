"""Coin flips, and a number below n drawn from them.

The draw is Jérémie Lumbroso's Fast Dice Roller ("Optimal Discrete Uniform
Generation from Coin Flips, and Applications", 2013). The published text takes
n - 1 instead of n off when the number overshoots; from then on 0 can never
come up again, and the draw is not uniform. Both forms are here.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from fairdeck.tarot.feedback import DEFAULT_FEEDBACK, Feedback, next_byte
from romproof import RomproofError

FLIPS_A_BYTE = 8


class DrawError(RomproofError):
    """A draw from fewer than two numbers."""


class Reduction(Enum):
    """What is taken off v and c after an overshoot of a draw below n."""

    CORRECT = "correct"
    """n: every number is equally likely."""
    PRINTED = "printed"
    """n - 1, as the published text has it: low numbers are too rare."""

    def amount(self, n: int) -> int:
        """The number taken off."""
        return n if self is Reduction.CORRECT else n - 1


@dataclass(frozen=True, slots=True)
class Generator:
    """The state of the random numbers; all of it outlives draws and shuffles.

    ``state`` is the shift register. ``remainder`` (8 bits) is what is left of
    the last byte taken from it, the next flip in bit 0, and ``flips_left``
    (0..7 between draws) says how many of its bits are flips still to come.
    """

    state: int
    feedback: Feedback = DEFAULT_FEEDBACK
    remainder: int = 0
    flips_left: int = 0


def flip(generator: Generator) -> tuple[Generator, int]:
    """One coin flip, 0 or 1: the next bit, lowest first, of the current byte.

    A new byte is taken from the shift register when no flip is left.
    """
    state, remainder, left = generator.state, generator.remainder, generator.flips_left
    if left == 0:
        state, remainder = next_byte(state, generator.feedback)
        left = FLIPS_A_BYTE
    return Generator(state, generator.feedback, remainder >> 1, left - 1), remainder & 1


@dataclass(frozen=True, slots=True)
class Roll:
    """A draw under way: ``c`` is one of the numbers below ``v``.

    ``v`` never passes 2 * (n - 1), so it needs a ninth bit when n > 128.
    """

    v: int = 1
    c: int = 0
    done: bool = False


def roll(before: Roll, bit: int, n: int, reduction: Reduction) -> Roll:
    """The draw below ``n`` after one more flip; its result is ``c`` once ``done``.

    Reducing right after an overshoot, as here, makes the same numbers from the
    same flips as reducing just before the next one does.
    """
    v, c = before.v * 2, before.c * 2 + bit
    if v < n:
        return Roll(v, c)
    if c < n:
        return Roll(v, c, done=True)
    return Roll(v - reduction.amount(n), c - reduction.amount(n))


@dataclass(frozen=True, slots=True)
class Draw:
    """A number drawn, the flips it cost, and the generator after it."""

    value: int
    flips: int
    generator: Generator


def draw(generator: Generator, n: int, reduction: Reduction = Reduction.CORRECT) -> Draw:
    """A number from 0 up to, not including, ``n``. Raises DrawError when n < 2."""
    if n < 2:
        raise DrawError(f"cannot draw from {n} numbers: there must be at least 2")
    rolled, flips = Roll(), 0
    while not rolled.done:
        generator, bit = flip(generator)
        rolled = roll(rolled, bit, n, reduction)
        flips += 1
    return Draw(rolled.c, flips, generator)
