"""Models of ``bump`` that tell numbers by what other numbers, texts and attributes make of them:
see ``model_channels``."""

from __future__ import annotations

import math
from decimal import Decimal
from enum import IntEnum
from fractions import Fraction
from typing import Any

from model_channels import false, right, wrong_if

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
