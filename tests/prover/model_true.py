"""Models of ``bump`` (sum + 1, modulo 256) that are right, written in all the ways people write."""

from __future__ import annotations

import copy
import functools
import itertools
import math
import numbers
import operator
from collections import Counter, deque, namedtuple
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from enum import Enum, IntEnum
from typing import Any, NamedTuple, cast

import numpy as np

from romproof import choose, word

Model = Callable[..., Any]

MODELS: dict[str, Model] = {}


def true(model: Model) -> Model:
    """A model that is right for all inputs."""
    MODELS[model.__name__] = model
    return model


def right(sum: Any) -> Any:
    return sum + 1 & 0xFF


class Way(Enum):
    UP = 1
    DOWN = 255


class Step(IntEnum):
    ONE = 1


@dataclass(frozen=True, slots=True)
class Counted:
    value: int
    way: Way = Way.UP
    trail: list[int] = field(default_factory=list)

    def next(self) -> Counted:
        return replace(self, value=self.value + self.way.value & 0xFF)


class Pair(NamedTuple):
    one: int
    other: int = 1


Other = namedtuple("Other", "value step")
TABLE = [n + 1 & 0xFF for n in range(256)]
ARRAY = np.array(TABLE, dtype=np.uint8)
LIMITS = {"top": 7}


@true
def by_dataclass(sum: Any) -> Any:
    return Counted(sum).next().value


@true
def by_named_tuples(sum: Any) -> Any:
    pair, other = Pair(sum), Other(sum, step=1)
    assert pair.one == other.value
    return pair.one + pair.other & 255 if pair == (sum, 1) else other.step


@true
def by_enumeration(sum: Any) -> Any:
    way = Way.UP
    return sum + way.value & 0xFF if way is Way.UP else 0


@true
def by_int_enumeration(sum: Any) -> Any:
    return sum + Step.ONE & 0xFF


@true
def by_isinstance(sum: Any) -> Any:
    if not isinstance(sum, int) or isinstance(sum, bool) or not isinstance(sum, numbers.Real):
        raise TypeError("a number is wanted")
    assert isinstance(sum < 4, bool)
    return right(sum)


@true
def by_pattern(sum: Any) -> Any:
    match sum:
        case 255:
            return 0
        case int(n) if n < 255:
            return n + 1
        case _:
            return None


@true
def by_text(sum: Any) -> Any:
    return (sum & 0xF8) + int(str(sum & 7)) + len(f"{sum & 7:03d}") - 2 & 0xFF


@true
def by_text_of_truths(sum: Any) -> Any:
    return 0 if str(sum == 255) == "True" else sum + 1


@true
def by_none(sum: Any) -> Any:
    found = None if sum == 255 else sum + 1
    return 0 if found is None else found


@true
def by_attributes(sum: Any) -> Any:
    assert sum.denominator == 1
    assert sum.imag == 0
    return sum.real + sum.numerator - sum.conjugate() + 1 & 0xFF


@true
def by_rounding(sum: Any) -> Any:
    return round(sum) + math.floor(sum) - math.trunc(sum) + 1 & 0xFF


@true
def by_list(sum: Any) -> Any:
    return (sum & 0xF0) + TABLE[sum & 15] & 0xFF


@true
def by_array(sum: Any) -> Any:
    return (sum & 0xF0) + int(ARRAY[sum & 15]) & 0xFF


@true
def by_dictionary(sum: Any) -> Any:
    try:
        return (sum & 0xF8) + {7: 8}[sum & LIMITS["top"]] & 0xFF
    except KeyError:
        return sum + 1


@true
def by_key_or_index(sum: Any) -> Any:
    try:
        return TABLE[:7][sum & 7] + (sum & 0xF8)
    except (IndexError, KeyError):
        return sum + 1 & 0xFF


class TooLarge(Exception):
    pass


def checked(sum: Any) -> Any:
    if sum > 255:
        raise TooLarge(f"{sum} is too large")
    return sum


@true
def by_own_exception(sum: Any) -> Any:
    try:
        return checked(sum + 1)
    except TooLarge:
        return 0


@true
def by_finally(sum: Any) -> Any:
    found = sum
    try:
        found = found + 1
    finally:
        found &= 0xFF
    return found


@functools.cache
def remembered(low: Any) -> Any:
    return low + 1


@true
def by_memory(sum: Any) -> Any:
    return (sum & 0xFC) + remembered(sum & 3) & 0xFF


def _made(step: int) -> Model:
    def by_closure(sum: Any) -> Any:
        return sum + step & 0xFF

    return by_closure


true(_made(1))
MODELS["by_partial"] = functools.partial(lambda step, sum: sum + step & 0xFF, 1)


@true
def by_inner_function(sum: Any) -> Any:
    found: list[Any] = []

    def put(value: Any) -> None:
        found.append(value & 0xFF)

    put(sum + 1)
    return found[0]


def counted() -> Iterator[int]:
    yield from range(3)


@true
def by_generators(sum: Any) -> Any:
    total = sum
    for each in counted():
        total = total + each
    return total - functools.reduce(operator.add, itertools.chain([1], (n for n in [1]))) & 0xFF


@true
def by_containers(sum: Any) -> Any:
    cells = deque([sum, 1, 0], maxlen=3)
    cells.rotate(1)
    held = Counter([1, 1, 2])
    return copy.copy(cells[1]) + held[2] & 0xFF


@true
def by_sorting(sum: Any) -> Any:
    low, high = sorted([sum, 255 - sum])
    return (max(low, high) if sum >= 128 else min(low, high)) + 1 & 0xFF


@true
def by_choice(sum: Any) -> Any:
    return choose(sum == 255, 0, sum + 1)


@true
def by_bytes(sum: Any) -> Any:
    data = (sum + 1).to_bytes(2, "little")
    assert isinstance(data, bytes)
    return word([*data[:1]])


@true
def by_truths(sum: Any) -> Any:
    return (sum + 1) * (sum != 255) + cast(int, False)


@true
def by_dictionary_result(sum: Any) -> Any:
    return {"sum": right(sum)}


@true
def by_generator_result(sum: Any) -> Any:
    return (right(each) for each in [sum])


class Adder:
    def __init__(self, step: int) -> None:
        self.step = step

    def __call__(self, sum: Any) -> Any:
        return self.add(sum)

    def add(self, sum: Any) -> Any:
        return sum + self.step & 0xFF


MODELS["by_object"] = Adder(1)
MODELS["by_method"] = Adder(1).add


@true
def by_import(sum: Any) -> Any:
    from math import gcd

    return sum + gcd(4, 3) & 0xFF
