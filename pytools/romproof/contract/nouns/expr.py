"""What conditions are made of: nouns of the expressions in contracts.

The values are integers without bounds; what is true is 1, what is false 0. A flag is
both, a number of one bit and a truth. Names are resolved: no node needs the image.
``old`` is a node of its own and never stands within another one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from romproof.contract.nouns.items import MemoryRange
from romproof.isa.abi import Flag, Register
from romproof.text.span import Span

WIDEST = 8
"""The most bytes a bare memory name may have to stand for a number."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number, a constant of the program or the address of something."""

    value: int


@dataclass(frozen=True, slots=True)
class RegisterValue:
    """The contents of a register."""

    register: Register


@dataclass(frozen=True, slots=True)
class PairValue:
    """Two registers as one number, such as HL; ``name`` as contracts write it."""

    name: str
    high: Register
    low: Register


@dataclass(frozen=True, slots=True)
class FlagValue:
    """A flag: 0 or 1."""

    flag: Flag


@dataclass(frozen=True, slots=True)
class MemoryValue:
    """All bytes of ``memory``, 1 to WIDEST, as one number, the lowest byte first."""

    memory: MemoryRange


@dataclass(frozen=True, slots=True)
class MemoryByte:
    """The byte number ``index`` of ``memory``, from 0 on.

    A constant index is within ``memory``. Any other may lie outside of it: then this is
    the byte that stands there. The size of ``memory`` is 0 when it is not known.
    """

    memory: MemoryRange
    index: Expression


@dataclass(frozen=True, slots=True)
class PointedByte:
    """The byte number ``index`` of the block ``name``, which begins at the address ``base``.

    ``base`` is ``old``, or all of it is at the entry anyhow: a block stays where the pointer of
    the entry is. An index may lie outside of it, as that of a MemoryByte.
    """

    name: str
    base: Expression
    index: Expression


@dataclass(frozen=True, slots=True)
class Variable:
    """The variable of the All or Sum around it, ``low`` to ``high``."""

    name: str
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Old:
    """The value that ``inner`` had when the routine was entered."""

    inner: Expression


@dataclass(frozen=True, slots=True)
class Negative:
    """Less than nothing: ``-inner``."""

    inner: Expression


@dataclass(frozen=True, slots=True)
class Binary:
    """``operator`` is one of ``+ - * % & | ^ << >>``, with Python's meaning.

    What counts a shift is within 0..255, a divisor never negative; a remainder of a
    division by zero is 0.
    """

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Comparison:
    """``operator`` is one of ``== != < <= > >=``."""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Logic:
    """``operator`` is one of ``and or ->``; both sides are truths and both are evaluated."""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Not:
    """True when the truth ``inner`` is not."""

    inner: Expression


@dataclass(frozen=True, slots=True)
class All:
    """True when ``body`` is for every value of ``variable``, ``low`` to ``high``."""

    variable: str
    low: int
    high: int
    body: Expression


@dataclass(frozen=True, slots=True)
class Sum:
    """What ``body`` is for all values of ``variable``, ``low`` to ``high``, added up."""

    variable: str
    low: int
    high: int
    body: Expression


Expression = (
    Number
    | RegisterValue
    | PairValue
    | FlagValue
    | MemoryValue
    | MemoryByte
    | PointedByte
    | Variable
    | Old
    | Negative
    | Binary
    | Comparison
    | Logic
    | Not
    | All
    | Sum
)


@dataclass(frozen=True, slots=True)
class Condition:
    """What must be true; ``text`` as the contract writes it, on one line."""

    expression: Expression
    text: str
    span: Span


def parts(expression: Expression) -> Iterator[Expression]:
    """The expressions directly within one."""
    match expression:
        case Binary() | Comparison() | Logic():
            yield expression.left
            yield expression.right
        case Old() | Negative() | Not():
            yield expression.inner
        case MemoryByte():
            yield expression.index
        case PointedByte():
            yield expression.base
            yield expression.index
        case All() | Sum():
            yield expression.body


def walk(expression: Expression) -> Iterator[Expression]:
    """An expression and all within it, from left to right."""
    yield expression
    for part in parts(expression):
        yield from walk(part)
