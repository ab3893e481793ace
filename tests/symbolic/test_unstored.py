"""Sums over an array of which a cell was written, brought back to the sum before."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import pytest

from romproof.symbolic.solve.unstored import undo_stores_in_sums as unstored
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.model import Model
from romproof.symbolic.terms.node import LOAD, STORE, Term, Terms, using
from romproof.symbolic.terms.walk import in_order

FIRST, SIZE, WIDTH = 0x1000, 9, 14


@pytest.fixture(autouse=True)
def _own_terms() -> Iterator[None]:
    with using(Terms()):
        yield


def _sum(array: Term, cells: Sequence[int], factor: int = 1) -> Term:
    whole = t.const(3, WIDTH)
    for cell in cells:
        byte = t.zext(t.load(array, t.const(FIRST + cell, 16)), WIDTH)
        whole = t.add(whole, t.mul(byte, t.const(factor, WIDTH)))
    return whole


def _written(times: int) -> Term:
    array = t.array_var("hand")
    for n in range(times):
        place = t.add(t.const(FIRST, 16), t.zext(t.var(f"x{n}", 8), 16))
        array = t.store(array, place, t.add(t.load(array, place), t.var(f"v{n}", 8)))
    return array


@pytest.mark.quick_cases("1-1")
@pytest.mark.parametrize("times", [1, 2, 3])
@pytest.mark.parametrize("factor", [1, 2, (1 << WIDTH) - 1])
def test_the_sum_is_the_same_for_all_places(times: int, factor: int) -> None:
    whole = _sum(_written(times), range(SIZE), factor)
    condition = t.ult(whole, t.const(1000, WIDTH))
    found = unstored([condition])
    assert found is not None
    (other,) = found
    sums = [each for each in in_order([other]) if each.op is LOAD and each.args[1].is_const]
    assert sums
    assert all(each.args[0].op is not STORE for each in sums)
    rnd = random.Random(times)
    for _ in range(300):
        values = {f"x{n}": rnd.choice([*range(SIZE + 2), 255]) for n in range(times)}
        values |= {f"v{n}": rnd.choice([0, 1, 127, 255]) for n in range(times)}
        cells = bytearray(0x10000)
        cells[FIRST - 2 : FIRST + 0x102] = rnd.randbytes(0x104)
        model = Model(values, {"hand": bytes(cells)})
        assert model.value(condition) == model.value(other)


@pytest.mark.quick_cases("4103")
@pytest.mark.parametrize("more", [FIRST + 1, FIRST + 3, FIRST + SIZE - 2])
def test_a_cell_at_an_unknown_place_stays_in_the_sum(more: int) -> None:
    """Its address has the number of a cell in it, and is another."""
    array = _written(1)
    place = t.add(t.const(more, 16), t.var("y", 16))
    byte = t.zext(t.load(array, place), WIDTH)
    condition = t.ult(t.add(_sum(array, range(SIZE)), byte), t.const(1000, WIDTH))
    found = unstored([condition])
    assert found is not None
    rnd = random.Random(more)
    for _ in range(300):
        values = {"x0": rnd.randrange(SIZE + 2), "v0": rnd.randrange(256), "y": rnd.randrange(12)}
        cells = bytearray(0x10000)
        cells[FIRST - 2 : FIRST + 0x102] = rnd.randbytes(0x104)
        model = Model(values, {"hand": bytes(cells)})
        assert model.value(condition) == model.value(found[0])


def test_cells_with_a_gap_stay_as_they_are() -> None:
    cells = [n for n in range(SIZE) if n != 4]
    assert unstored([t.ult(_sum(_written(1), cells), t.const(9, WIDTH))]) is None


def test_what_was_not_written_stays_as_it_is() -> None:
    assert unstored([t.ult(_sum(t.array_var("hand"), range(SIZE)), t.const(9, WIDTH))]) is None
