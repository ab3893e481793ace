"""Models of ``bump`` (sum + 1, modulo 256) that are wrong for some input, and look right where
numbers are symbolic: each by another way to tell the two apart."""

from __future__ import annotations

import contextlib
import copy
import functools
import itertools
import math
import numbers
import operator
import pickle
import random
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from decimal import Decimal
from enum import Enum, IntEnum
from fractions import Fraction
from typing import Any, Protocol, runtime_checkable

Model = Callable[..., Any]

MODELS: dict[str, Model] = {}


def false(model: Model) -> Model:
    """A model that is wrong for some input."""
    MODELS[model.__name__] = model
    return model


def right(sum: Any) -> Any:
    return sum + 1 & 0xFF


def wrong_if(found: Any, sum: Any) -> Any:
    return 0 if found else right(sum)


# ---------------------------------------------------------------- types


@false
def by_isinstance(sum: Any) -> Any:
    return wrong_if(isinstance(sum, int), sum)


@false
def by_isinstance_of_bool(sum: Any) -> Any:
    return wrong_if(isinstance(sum < 3, bool), sum)


@false
def by_number_tower(sum: Any) -> Any:
    return wrong_if(isinstance(sum, numbers.Integral), sum)


@false
def by_type(sum: Any) -> Any:
    return wrong_if(type(sum) is int, sum)


@false
def by_type_equal(sum: Any) -> Any:
    return wrong_if(type(sum) == int, sum)  # noqa: E721


@false
def by_class(sum: Any) -> Any:
    return wrong_if(sum.__class__.__name__ == "int", sum)


@false
def by_class_of_class(sum: Any) -> Any:
    return wrong_if(sum.__class__.__class__(sum).__name__ == "int", sum)


@false
def by_pattern(sum: Any) -> Any:
    match sum:
        case int():
            return 0
        case _:
            return right(sum)


@false
def by_pattern_of_value(sum: Any) -> Any:
    match sum:
        case 5:
            return 0
        case int(n):
            return n + 1 & 0xFF
    return 7


@false
def by_pattern_of_bool(sum: Any) -> Any:
    match sum == 9:
        case True:
            return 0
    return right(sum)


@functools.singledispatch
def dispatched(sum: Any) -> Any:
    return right(sum)


@dispatched.register
def _(sum: int) -> Any:
    return 0


@false
def by_singledispatch(sum: Any) -> Any:
    return dispatched(sum)


@runtime_checkable
class HasTerm(Protocol):
    term: Any


@false
def by_protocol(sum: Any) -> Any:
    return right(sum) if isinstance(sum, HasTerm) else 0


KINDS = {int: 0}
LOOKS = [type]


@false
def by_a_table_of_types(sum: Any) -> Any:
    return KINDS.get(LOOKS[0](sum), right(sum))


@false
def by_default(sum: Any, look: Any = type) -> Any:
    return wrong_if(look(sum) == int, sum)  # noqa: E721


@false
def by_map(sum: Any) -> Any:
    return wrong_if(list(map(type, [sum])) == [int], sum)


# ---------------------------------------------------------------- identity


@false
def by_identity_with_a_literal(sum: Any) -> Any:
    five = 5
    return wrong_if(sum is five, sum)


FIVE = 5


@false
def by_identity_with_a_global(sum: Any) -> Any:
    return wrong_if(sum is FIVE, sum)


@false
def by_no_identity(sum: Any) -> Any:
    return right(sum) if sum is not sum + 0 else 0


@false
def by_operator(sum: Any) -> Any:
    return wrong_if(operator.is_(sum, 5), sum)


@false
def by_imported_operator(sum: Any) -> Any:
    from operator import is_

    return wrong_if(is_(sum, 5), sum)


@false
def by_imported_module(sum: Any) -> Any:
    import operator as o

    return wrong_if(o.is_(sum, 5), sum)


@false
def by_module_in_a_name(sum: Any) -> Any:
    o = operator
    return wrong_if(o.is_(sum, 5), sum)


@false
def by_id(sum: Any) -> Any:
    return wrong_if(id(sum) == id(5), sum)


@false
def by_identity_of_true(sum: Any) -> Any:
    return wrong_if((sum == 5) is True, sum)


# ---------------------------------------------------------------- other numbers


@false
def by_float(sum: Any) -> Any:
    return wrong_if(sum == 2.0, sum)


@false
def by_float_before(sum: Any) -> Any:
    return wrong_if(2.0 == sum, sum)  # noqa: SIM300


@false
def by_float_below(sum: Any) -> Any:
    return wrong_if(sum < 0.5, sum)


@false
def by_float_in_a_set(sum: Any) -> Any:
    return wrong_if(sum & 7 in {2.0, 3.5}, sum)


@false
def by_complex(sum: Any) -> Any:
    return wrong_if(sum == 2 + 0j, sum)


HALF, TWO = Fraction(1, 2), Fraction(2)
TWO_AS_TEXT = Decimal("2")


@false
def by_fraction(sum: Any) -> Any:
    return wrong_if(sum == TWO, sum)


@false
def by_fraction_sum(sum: Any) -> Any:
    return wrong_if(HALF + sum == Fraction(5, 2), sum)


@false
def by_decimal(sum: Any) -> Any:
    return wrong_if(TWO_AS_TEXT == sum, sum)  # noqa: SIM300


@false
def by_root(sum: Any) -> Any:
    return wrong_if(math.sqrt(sum) == 4, sum)


class Two(int):
    def __eq__(self, other: object) -> bool:
        return isinstance(other, int) and int(other) == 7

    __hash__ = int.__hash__


@false
def by_a_number_of_its_own(sum: Any) -> Any:
    return wrong_if(sum == Two(2), sum)


class Colour(IntEnum):
    RED = 3


@false
def by_enumeration(sum: Any) -> Any:
    return wrong_if(sum == Colour.RED, sum)


# ---------------------------------------------------------------- text


@false
def by_str(sum: Any) -> Any:
    return wrong_if(str(sum & 7) == "2", sum)


@false
def by_repr(sum: Any) -> Any:
    return wrong_if(repr(sum & 7).isdigit(), sum)


@false
def by_f_string(sum: Any) -> Any:
    return wrong_if(f"{sum & 7:02x}" == "05", sum)


@false
def by_percent(sum: Any) -> Any:
    return wrong_if("%d" % (sum & 7,) == "3", sum)  # noqa: UP031


@false
def by_format(sum: Any) -> Any:
    return wrong_if(format(sum & 7, "d") == "3", sum)


@false
def by_text_of_a_list(sum: Any) -> Any:
    return wrong_if(str([sum & 7]) == "[2]", sum)


@false
def by_text_of_a_truth(sum: Any) -> Any:
    return wrong_if(str(sum == 3) == "True", sum)


@false
def by_print(sum: Any) -> Any:
    print(sum & 7)
    return wrong_if(sum == 3, sum)


# ---------------------------------------------------------------- attributes


@false
def by_hasattr(sum: Any) -> Any:
    return right(sum) if hasattr(sum, "term") else 0


@false
def by_getattr(sum: Any) -> Any:
    return right(sum) if getattr(sum, "low", None) is not None else 0


@false
def by_attribute(sum: Any) -> Any:
    return sum.low * 0 + right(sum)


@false
def by_hidden_attribute(sum: Any) -> Any:
    return sum._symbolic_range.low * 0 + right(sum)


@false
def by_dir(sum: Any) -> Any:
    return wrong_if("term" not in dir(sum), sum)


@false
def by_numerator(sum: Any) -> Any:
    return wrong_if(sum.numerator == 3 and sum.real == 3 and sum.denominator == 1, sum)


@false
def by_bit_length(sum: Any) -> Any:
    return wrong_if(sum.bit_length() == 3, sum)


@false
def by_rounding(sum: Any) -> Any:
    return wrong_if(round(sum & 7, -1) == 10, sum)


# ---------------------------------------------------------------- exceptions


@false
def by_caught_refusal(sum: Any) -> Any:
    try:
        return (sum / 2 * 2 + 1) * 0
    except Exception:
        return right(sum)


@false
def by_caught_everything(sum: Any) -> Any:
    try:
        return int(sum / 1) * 0
    except:  # noqa: E722
        return right(sum)


@false
def by_return_in_finally(sum: Any) -> Any:
    result = right(sum)
    try:
        result = int(sum / 1) * 0
    finally:
        return result  # noqa: B012


@false
def by_suppressing(sum: Any) -> Any:
    result = right(sum)
    with contextlib.suppress(Exception):
        result = int(sum / 1) * 0
    return result


@false
def by_type_error(sum: Any) -> Any:
    try:
        return pow(2, sum, 5) * 0
    except TypeError:
        return right(sum)


ERRORS = (TypeError, ValueError)


@false
def by_a_tuple_of_errors(sum: Any) -> Any:
    try:
        return pow(2, sum, 5) * 0
    except ERRORS:
        return right(sum)


@false
def by_text_of_an_error(sum: Any) -> Any:
    try:
        return [0][(sum & 7) + 1]
    except IndexError as error:
        return wrong_if(len(str(error)) == 24, sum)


@false
def by_endless_catching(sum: Any) -> Any:
    while True:
        try:
            return 0 if sum / 2 == 1 else right(sum)
        except Exception:
            continue


@false
def by_raising_on_plain_numbers_only(sum: Any) -> Any:
    return right(sum) + 0 // (sum - 300 + (sum == 7) * 293)


# ---------------------------------------------------------------- keys and copies


@false
def by_key(sum: Any) -> Any:
    return {5: 0}.get(sum & 7, right(sum))


@false
def by_set(sum: Any) -> Any:
    return wrong_if(len({sum & 7, 5}) == 1, sum)


@false
def by_hash(sum: Any) -> Any:
    return wrong_if(hash(sum & 7) == 5, sum)


@false
def by_counter(sum: Any) -> Any:
    return wrong_if(Counter([sum & 7, 5]).most_common(1)[0][1] == 2, sum)


@false
def by_copy(sum: Any) -> Any:
    return wrong_if(copy.deepcopy([sum]) == [5], sum)


@false
def by_pickle(sum: Any) -> Any:
    return wrong_if(len(pickle.dumps(sum)) < 10, sum)


@false
def by_frames(sum: Any) -> Any:
    return wrong_if(sys._getframe(1).f_code.co_name != "call", sum)


@false
def by_frames_of_a_generator(sum: Any) -> Any:
    made = (n for n in [sum])
    return wrong_if(made.gi_frame.f_back is None, sum)


@false
def by_eval(sum: Any) -> Any:
    return eval("0 if type(sum) is int else sum + 1 & 255")


@false
def by_globals(sum: Any) -> Any:
    return wrong_if(globals()["LOOKS"][0](sum) == int, sum)  # noqa: E721


@false
def by_builtins(sum: Any) -> Any:
    table: Any = __builtins__
    return wrong_if(table["type"](sum) == int, sum)  # noqa: E721


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


MODELS["by_called_object"] = Caller()


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
