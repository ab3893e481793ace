"""Functions on fixed-point numbers: the values of rgbasm 1.0.3."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from romproof.toolchains.rgbds.asm.fixed import FIXED_FUNCTIONS

NUMBERS = st.integers(-(1 << 31), (1 << 31) - 1)
PRECISIONS = st.integers(1, 31)

ROWS = [
    ("ROUND", (-98304,), 16, -131072),
    ("ROUND", (384,), 8, 512),
    ("CEIL", (65537,), 16, 131072),
    ("FLOOR", (-65537,), 16, -131072),
    ("SIN", (8192,), 16, 46341),
    ("SIN", (32,), 8, 181),
    ("COS", (8192,), 16, 46341),
    ("TAN", (16384,), 16, 2147483647),
    ("TAN", (8192,), 16, 65536),
    ("ASIN", (32768,), 16, 5461),
    ("ASIN", (131072,), 16, 0),
    ("ACOS", (-65536,), 16, 32768),
    ("ATAN", (65536,), 16, 8192),
    ("ATAN2", (65536, -65536), 16, 24576),
    ("ATAN2", (0, 0), 16, 0),
    ("MUL", (425984, 131072), 16, 851968),
    ("MUL", (2147483647, 2147483647), 16, 2147483647),
    ("MUL", (1536, 1792), 8, 10752),
    ("DIV", (65536, 196608), 16, 21845),
    ("DIV", (65536, 0), 16, 2147483647),
    ("DIV", (-65536, 0), 16, -2147483648),
    ("DIV", (0, 0), 16, 0),
    ("FMOD", (-491520, 131072), 16, -98304),
    ("FMOD", (65536, 0), 16, 0),
    ("POW", (131072, 32768), 16, 92682),
    ("POW", (-131072, 32768), 16, 0),
    ("POW", (0, -65536), 16, 2147483647),
    ("POW", (2147483647, 2147483647), 16, 2147483647),
    ("LOG", (6553600, 655360), 16, 131072),
    ("LOG", (65536, 65536), 16, 2147483647),
    ("LOG", (0, 131072), 16, -2147483648),
    ("LOG", (-65536, 131072), 16, 0),
    ("LOG", (65536, 0), 16, 0),
    ("SIN", (536870912,), 31, 2147483647),
    ("MUL", (1, 1), 1, 1),
]


@pytest.mark.parametrize(("name", "operands", "precision", "value"), ROWS)
def test_values(name: str, operands: tuple[int, ...], precision: int, value: int) -> None:
    count, function = FIXED_FUNCTIONS[name]
    assert len(operands) == count
    assert function(*operands, precision) == value


@given(NUMBERS, NUMBERS, PRECISIONS)
def test_every_result_is_a_signed_number_of_32_bits(left: int, right: int, precision: int) -> None:
    for count, function in FIXED_FUNCTIONS.values():
        value = function(*(left, right)[:count], precision)
        assert -(1 << 31) <= value < 1 << 31


@given(NUMBERS, PRECISIONS)
def test_rounding_gives_whole_numbers_nearby(value: int, precision: int) -> None:
    one = 1 << precision
    down, up = (FIXED_FUNCTIONS[name][1](value, precision) for name in ("FLOOR", "CEIL"))
    if abs(value) < (1 << 31) - one:
        assert down % one == up % one == 0
        assert down <= value <= up < down + 2 * one
        assert FIXED_FUNCTIONS["ROUND"][1](value, precision) in (down, up)
