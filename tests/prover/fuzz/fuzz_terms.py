"""Conditions of the fuzzer's contracts: their text, and their value for many states at once.

They are evaluated here and not by ``romproof.contract``: what the prover is held against shares
nothing with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.int64]


class View(Protocol):
    """Many states, one element of an array for each."""

    def named(self, name: str) -> Values:
        """A register or flag, as contracts name it."""

    def byte(self, name: str, index: Values | int) -> Values:
        """A byte of memory."""

    @property
    def old(self) -> View:
        """The states at the entry."""


@dataclass(frozen=True)
class Num:
    """A number."""

    value: int


@dataclass(frozen=True)
class Reg:
    """A register or flag."""

    name: str


@dataclass(frozen=True)
class Cell:
    """A byte of memory; ``index`` None is the bare name of a single byte."""

    name: str
    index: Term | None = None


@dataclass(frozen=True)
class Var:
    """The variable of the All around it."""


@dataclass(frozen=True)
class Old:
    """A register, flag or byte at the entry."""

    inner: Reg | Cell


@dataclass(frozen=True)
class Bin:
    """Two terms and what is between them."""

    op: str
    left: Term
    right: Term


@dataclass(frozen=True)
class Within:
    """Whether a value lies within limits."""

    inner: Term
    low: int
    high: int


@dataclass(frozen=True)
class All:
    """Something that holds for all numbers in a range."""

    low: int
    high: int
    body: Term


Term = Num | Reg | Cell | Var | Old | Bin | Within | All

_OPERATIONS: dict[str, Any] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "&": lambda a, b: a & b,
    "^": lambda a, b: a ^ b,
    "==": lambda a, b: (a == b).astype(np.int64),
    "!=": lambda a, b: (a != b).astype(np.int64),
    "<=": lambda a, b: (a <= b).astype(np.int64),
    ">=": lambda a, b: (a >= b).astype(np.int64),
    "<": lambda a, b: (a < b).astype(np.int64),
    ">": lambda a, b: (a > b).astype(np.int64),
}


def text(term: Term, inside: bool = False) -> str:
    """As a contract writes it; ``inside`` another term."""
    match term:
        case Num(value):
            return str(value)
        case Reg(name):
            return name
        case Cell(name, None):
            return name
        case Cell(name, index):
            assert index is not None
            return f"{name}[{text(index)}]"
        case Var():
            return "j"
        case Old(inner):
            return f"old {text(inner)}"
        case Within(inner, low, high):
            return f"{text(inner, True)} in {low}..{high}"
        case All(low, high, body):
            return f"all j in {low}..{high}: {text(body)}"
        case Bin(op, left, right):
            written = f"{text(left, True)} {op} {text(right, True)}"
            return f"({written})" if inside else written


def value(term: Term, view: View, variable: int = 0) -> Values:
    """The values of a term; what is true is 1."""
    match term:
        case Num(number):
            return np.asarray(number, np.int64)
        case Reg(name):
            return view.named(name)
        case Cell(name, index):
            at = 0 if index is None else value(index, view, variable)
            return view.byte(name, at)
        case Var():
            return np.asarray(variable, np.int64)
        case Old(inner):
            return value(inner, view.old, variable)
        case Within(inner, low, high):
            found = value(inner, view, variable)
            return ((found >= low) & (found <= high)).astype(np.int64)
        case All(low, high, body):
            result: Values = np.asarray(1, np.int64)
            for number in range(low, high + 1):
                result = result & value(body, view, number)
            return result
        case Bin(op, left, right):
            found = _OPERATIONS[op](value(left, view, variable), value(right, view, variable))
            return np.asarray(found, np.int64)


def walk(term: Term) -> Iterator[Term]:
    """A term and all in it."""
    yield term
    match term:
        case Cell(_, index) if index is not None:
            yield from walk(index)
        case Old(inner) | Within(inner, _, _):
            yield from walk(inner)
        case All(_, _, body):
            yield from walk(body)
        case Bin(_, left, right):
            yield from walk(left)
            yield from walk(right)
        case _:
            pass
