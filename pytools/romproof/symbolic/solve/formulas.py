"""What a solver has to offer so that terms can be put to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

Formula = Any
"""A formula of some solver: a truth, some bits, or an array from 16 bits to 8."""


class Formulas(Protocol):
    """Makes the formulas of one solver. Values of one bit are truths there unless said otherwise.

    Formulas of two makers are never mixed.
    """

    def number(self, value: int, width: int) -> Formula:
        """Bits that are a constant; it has to fit."""
        ...

    def truth(self, value: bool) -> Formula:
        """A constant truth."""
        ...

    def variable(self, name: str, width: int) -> Formula:
        """An unknown: a truth where the width is 1, an array where it is 0, else bits."""
        ...

    def opposite(self, truth: Formula) -> Formula:
        """NOT of a truth."""
        ...

    def every(self, truths: Sequence[Formula]) -> Formula:
        """AND of truths."""
        ...

    def unlike(self, one: Formula, other: Formula) -> Formula:
        """XOR of two truths."""
        ...

    def same(self, one: Formula, other: Formula) -> Formula:
        """Whether bits of one width are equal."""
        ...

    def less(self, one: Formula, other: Formula) -> Formula:
        """Whether bits are less than others of the same width, as unsigned numbers."""
        ...

    def choice(self, condition: Formula, then: Formula, otherwise: Formula) -> Formula:
        """One of two truths, bits of one width, or arrays, by a truth."""
        ...

    def invert(self, bits: Formula) -> Formula:
        """NOT of all bits."""
        ...

    def both(self, one: Formula, other: Formula) -> Formula:
        """AND of bits of one width."""
        ...

    def differing(self, one: Formula, other: Formula) -> Formula:
        """XOR of bits of one width."""
        ...

    def plus(self, one: Formula, other: Formula) -> Formula:
        """The sum of bits of one width, modulo its size; so it is of the next two."""
        ...

    def minus(self, one: Formula, other: Formula) -> Formula:
        """The difference."""
        ...

    def times(self, one: Formula, other: Formula) -> Formula:
        """The product."""
        ...

    def concat(self, parts: Sequence[Formula]) -> Formula:
        """Bits side by side, the highest first."""
        ...

    def cut(self, bits: Formula, low: int, width: int) -> Formula:
        """So many bits from bit ``low`` on: bits, even where it is one."""
        ...

    def zero_extend(self, bits: Formula, more: int) -> Formula:
        """So many zeros in front."""
        ...

    def store(self, array: Formula, address: Formula, byte: Formula) -> Formula:
        """An array with another byte."""
        ...

    def load(self, array: Formula, address: Formula) -> Formula:
        """A byte of an array."""
        ...
