"""Random terms: what they are made of, what they became, and z3's formulas for them are equal."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import Any

import numpy as np
import pytest
import z3_numpy

from romproof.engine.smt import term as t
from romproof.engine.smt.lower import Lowering
from romproof.engine.smt.term import Term


def test_a_sum_with_its_own_low_bits_in_its_high_ones() -> None:
    x, y = t.var("x", 8), t.var("y", 8)
    low = t.add(x, y)
    chosen = t.ite(t.eq(low, t.const(3, 8)), x, t.const(9, 8))
    high = t.mul(t.zext(chosen, 16), t.const(0x300, 16))
    wide = t.add(t.add(t.zext(x, 16), t.zext(y, 16)), high)
    lowering = Lowering()
    lowering.prepare([wide, low])
    formulas = [lowering.term(low), lowering.term(wide)]
    values = {"x": np.array([1, 200], np.uint64), "y": np.array([2, 100], np.uint64)}
    found = z3_numpy.evaluate(formulas, 2, values, {})
    assert [each.tolist() for each in found] == [[3, 44], [3 + 0x300, 300 + 9 * 0x300]]
