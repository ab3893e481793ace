"""The shift register: 32 bits, shifted right, one byte of feedback into the top.

A state is an int of 32 bits with ``lfsr0`` as its most significant byte and
``lfsr3`` as its least significant, the order in which people write it.

The cycle lengths below were found in two ways that agree: by walking every
state, and from the factors of the polynomial over GF(2). They are lengths in
steps *and* in calls of :func:`next_byte`: all of them are odd, so taking
eight steps at a time goes through the same states in another order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

STATE_BITS = 32
NONZERO_STATES = (1 << STATE_BITS) - 1
STEPS_A_BYTE = 8


@dataclass(frozen=True, slots=True)
class Feedback:
    """One choice of the byte that is XORed into ``lfsr0``.

    ``polynomial`` has bit i set for the term x^i. ``cycles`` are the lengths of
    the cycles of the nonzero states, longest first, one cycle of each length.
    ``short`` is a state on the shortest cycle (any state when there is but one).
    ``description`` is one sentence for help texts.
    """

    name: str
    mask: int
    polynomial: int
    cycles: tuple[int, ...]
    short: int
    description: str

    @property
    def period(self) -> int:
        """Steps after which the longest cycle repeats."""
        return max(self.cycles)

    @property
    def full_period(self) -> bool:
        """Whether every nonzero state is on one cycle."""
        return self.period == NONZERO_STATES

    @property
    def off_main_cycle(self) -> Fraction:
        """The share of nonzero states that are not on the longest cycle."""
        return 1 - Fraction(self.period, NONZERO_STATES)


def polynomial_of(mask: int) -> int:
    """The polynomial whose recurrence the register with ``mask`` follows.

    Bit 7 of the mask is the term 1, bit 0 is x^7; the register itself is x^32.
    """
    return 1 << STATE_BITS | sum(1 << (7 - bit) for bit in range(8) if mask >> bit & 1)


FEEDBACKS: Mapping[str, Feedback] = MappingProxyType(
    {
        row.name: row
        for row in (
            Feedback(
                name="a3",
                mask=0xA3,
                polynomial=1 << 32 | 0b1100_0101,
                cycles=(4294967295,),
                short=0x00000001,
                description="full period 4,294,967,295: $C5 with its bits reversed, "
                "as shifting right needs",
            ),
            Feedback(
                name="c5",
                mask=0xC5,
                polynomial=1 << 32 | 0b1010_0011,
                cycles=(4158654495, 134150145, 2031585, 65535, 63457, 2047, 31),
                short=0x0937D12B,
                description="the constant the published text names; longest period "
                "4,158,654,495, not 2^32-1; 3.17 % of the states are on shorter cycles, "
                "down to 31",
            ),
            Feedback(
                name="cf",
                mask=0xCF,
                polynomial=1 << 32 | 0b1111_0011,
                cycles=(3757580295, 536797185, 458745, 65535, 57337, 8191, 7),
                short=0x25A74E9D,
                description="the constant the published code executes; longest period "
                "3,757,580,295, not 2^32-1; 12.51 % of the states are on shorter cycles, "
                "down to 7",
            ),
        )
    }
)
"""By name. Only $A3, $AF and $F5 have full period in a register that shifts right."""

DEFAULT_FEEDBACK = FEEDBACKS["a3"]


def step(state: int, feedback: Feedback) -> int:
    """The state after one shift to the right.

    The bit that leaves at the right, if set, XORs the feedback into ``lfsr0``.
    """
    return state >> 1 ^ (state & 1) * (feedback.mask << 24)


def next_byte(state: int, feedback: Feedback) -> tuple[int, int]:
    """Eight steps: the state after them, and its top byte, ``lfsr0``."""
    for _ in range(STEPS_A_BYTE):
        state = step(state, feedback)
    return state, state >> 24
