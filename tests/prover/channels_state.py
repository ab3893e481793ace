"""Models of ``bump`` that leave something behind for the next call, or are plainly wrong: see
``model_channels``."""

from __future__ import annotations

import itertools
import random
import time
from collections import defaultdict
from collections.abc import Iterator
from enum import Enum
from typing import Any

from model_channels import Model, false, named, right, wrong_if

# ---------------------------------------------------------------- state between calls


CALLS: list[int] = []
SEEN: dict[str, int] = defaultdict(int)
COUNT = itertools.count()
TOTAL = 0


@false
def by_list(sum: Any) -> Any:
    CALLS.append(1)
    return wrong_if(len(CALLS) > 40, sum)


@false
def by_dict(sum: Any) -> Any:
    SEEN["calls"] += 1
    return wrong_if(SEEN["calls"] > 40, sum)


@false
def by_count(sum: Any) -> Any:
    return wrong_if(next(COUNT) > 40, sum)


@false
def by_global(sum: Any) -> Any:
    global TOTAL
    TOTAL += 1
    return wrong_if(TOTAL > 40, sum)


@false
def by_attribute_of_itself(sum: Any) -> Any:
    by_attribute_of_itself.calls = (
        getattr(  # type: ignore[attr-defined]
            by_attribute_of_itself, "calls", 0
        )
        + 1
    )
    return wrong_if(by_attribute_of_itself.calls > 40, sum)  # type: ignore[attr-defined]


@false
def by_mutable_default(sum: Any, calls: list[int] = []) -> Any:  # noqa: B006
    calls += [1]
    return wrong_if(len(calls) > 40, sum)


def _counting() -> Model:
    calls = 0

    def by_closure(sum: Any) -> Any:
        nonlocal calls
        calls += 1
        return wrong_if(calls > 40, sum)

    return by_closure


false(_counting())


class Box:
    calls = 0

    def __init__(self) -> None:
        self.inside = [0]


BOX = Box()


@false
def by_object(sum: Any) -> Any:
    BOX.inside[0] += 1
    return wrong_if(BOX.inside[0] > 40, sum)


@false
def by_class_attribute(sum: Any) -> Any:
    Box.calls += 1
    return wrong_if(Box.calls > 40, sum)


class Caller:
    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, sum: Any) -> Any:
        self.calls += 1
        return wrong_if(self.calls > 40, sum)


named("by_called_object", Caller())


def _yielding() -> Iterator[int]:
    yield from [0] * 40
    while True:
        yield 1


KEPT = _yielding()


@false
def by_generator(sum: Any) -> Any:
    return wrong_if(next(KEPT), sum)


@false
def by_random(sum: Any) -> Any:
    return wrong_if(random.random() < 0.001, sum)


DICE = random.Random(1)


@false
def by_dice(sum: Any) -> Any:
    return wrong_if(DICE.randrange(999) == 0, sum)


@false
def by_time(sum: Any) -> Any:
    return wrong_if(int(time.time() * 1000) % 7 == 0, sum)


@false
def by_file(sum: Any) -> Any:
    with open("/dev/null") as file:
        return wrong_if(file.read(), sum) if sum != 5 else 0


class Mood(Enum):
    GOOD = 1


@false
def by_generator_result(sum: Any) -> Any:
    return (0 if isinstance(each, int) else each for each in [right(sum)])


# ---------------------------------------------------------------- plainly wrong


@false
def for_one_input(sum: Any) -> Any:
    return wrong_if(sum == 0x5A, sum)
