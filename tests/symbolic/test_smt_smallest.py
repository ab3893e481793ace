"""The example that people see is the least one, whoever found some."""

from __future__ import annotations

import numpy as np
import pytest
from smt_terms import all_inputs
from test_smt_solver import conditions_of

from romproof.symbolic.solve.effort import Effort
from romproof.symbolic.solve.oracle import Oracle
from romproof.symbolic.solve.smallest import smallest
from romproof.symbolic.solve.solver import Solver
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.model import Model
from romproof.symbolic.terms.term import Term

pytest.importorskip("z3", reason="what is not easy is asked z3")

M = t.array_var("m")


def k(number: int, width: int = 8) -> Term:
    return t.const(number, width)


@pytest.mark.parametrize("seed", range(12))
def test_the_least_of_all_inputs(seed: int) -> None:
    maker = all_inputs(seed + 4000)
    known = maker.make(60)
    for _ in range(4):
        conditions, holds = conditions_of(maker, known)
        free = sorted({v.name for v in t.variables(conditions)})
        if not holds.any():
            continue
        rows = np.flatnonzero(holds)
        values = [tuple(int(maker.values[name][row]) for name in free) for row in rows]
        # from wherever the search begins
        for row in (rows[0], rows[-1]):
            model = Model({name: int(maker.values[name][row]) for name in maker.values})
            found = smallest(Oracle(Solver(Effort(example=1000))), conditions, model)
            assert tuple(found.values[name] for name in free) == min(values)
            assert set(found.values) == set(free)


def test_what_is_assumed_counts_as_well() -> None:
    a, b = t.var("a", 8), t.var("b", 8)
    oracle = Oracle(Solver(), [t.ult(a, b), t.ult(k(3), a)])
    found = smallest(oracle, [t.eq(t.extract(b, 0, 1), t.FALSE)], Model({"a": 9, "b": 100}))
    assert found.values == {"a": 4, "b": 6}


def test_bounds_of_one_name() -> None:
    wide, narrow = t.var("a", 8), t.var("a", 8, 17, 90)
    conditions = [t.ult(wide, k(200)), t.ult(narrow, k(50))]
    assert smallest(Oracle(Solver()), conditions, Model({"a": 40})).values == {"a": 17}


def test_many_variables_take_few_questions() -> None:
    cells = [t.var(f"cell{number:02}", 8) for number in range(60)]
    total = k(0, 16)
    for cell in cells:
        total = t.add(total, t.zext(cell, 16))
    oracle = Oracle(Solver())
    model = Model({f"cell{number:02}": number for number in range(60)})
    found = smallest(oracle, [t.ult(k(300, 16), total)], model)
    assert {name: value for name, value in found.values.items() if value} == {
        "cell58": 46,
        "cell59": 0xFF,
    }
    assert oracle.questions < 40


def some_bytes(**cells: int) -> Model:
    data = bytearray([0xEE]) * 0x10000
    for place, byte in cells.items():
        data[int(place[1:])] = byte
    return Model({"i": 1000}, {"m": bytes(data)})


def test_bytes_that_matter_are_small_and_all_others_0() -> None:
    i = t.var("i", 16)
    conditions = [
        t.ult(k(4), t.load(M, i)),
        t.ult(t.load(M, k(7, 16)), t.load(M, k(9, 16))),
        t.ult(k(2, 16), i),
    ]
    found = smallest(Oracle(Solver()), conditions, some_bytes(_7=9, _9=30, _1000=200))
    assert found.values == {"i": 3}
    cells = {place: byte for place, byte in enumerate(found.array("m")) if byte}
    assert cells == {3: 5, 9: 1}


def test_bytes_whose_place_is_said_by_bytes() -> None:
    inner = t.load(M, k(2, 16))
    place = t.concat(k(1), inner)
    conditions = [t.ult(k(5), inner), t.eq(t.load(M, place), k(9))]
    found = smallest(Oracle(Solver()), conditions, some_bytes(_2=0xEE, _494=9))
    assert {n: byte for n, byte in enumerate(found.array("m")) if byte} == {2: 6, 0x106: 9}


def test_through_what_was_written() -> None:
    i, byte = t.var("i", 16), t.var("byte", 8)
    after = t.array_ite(t.ult(byte, k(9)), t.store(M, i, byte), M)
    conditions = [t.ult(k(3), t.load(after, k(1000, 16))), t.ult(k(20), byte)]
    found = smallest(Oracle(Solver()), conditions, Model({"i": 1, "byte": 77}, some_bytes().arrays))
    assert found.values == {"byte": 21, "i": 0}
    assert {n: each for n, each in enumerate(found.array("m")) if each} == {1000: 4}


def test_without_questions_the_input_is_as_it_came() -> None:
    a, b = t.var("a", 8), t.var("b", 8)
    conditions = [t.ult(k(9), t.add(a, b)), t.ult(t.load(M, t.zext(a, 16)), k(4))]
    model = Model({"a": 9, "b": 100}, {"m": bytes(9) + b"\3" + bytes(0xFFF6)})
    effort = Effort(example=0)
    found = smallest(Oracle(Solver(effort)), conditions, model)
    assert found.values == model.values
    assert found.array("m")[9] == 3


@pytest.mark.parametrize("example", [0, 1, 3, 200])
def test_however_few_questions_there_are_it_is_an_input(example: int) -> None:
    a, b = t.var("a", 8), t.var("b", 8)
    conditions = [t.ult(k(190), t.add(a, b)), t.ult(b, k(100)), t.ult(a, k(160))]
    oracle = Oracle(Solver(Effort(example=example)))
    found = smallest(oracle, conditions, Model({"a": 150, "b": 50}))
    assert all(map(found.value, conditions))
    assert oracle.questions <= example
    assert (found.values == {"a": 92, "b": 99}) == (example == 200)
