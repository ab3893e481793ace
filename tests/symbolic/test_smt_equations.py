"""Equations among conditions: what is put in changes neither the answer nor the example."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from romproof.symbolic.solve.equations import simplify
from romproof.symbolic.solve.solver import Solver
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.term import Term

pytest.importorskip("z3", reason="what equations leave open is asked z3")

P0, P1 = t.var("p0", 8), t.var("p1", 8)
Q0, Q1 = t.var("q0", 8), t.var("q1", 8)
P, Q = t.concat(P1, P0), t.concat(Q1, Q0)


def k(number: int, width: int = 16) -> Term:
    return t.const(number, width)


def test_a_pointer_that_another_gives_is_put_in() -> None:
    ahead = t.eq(Q, t.add(P, k(1588)))
    array = t.array_var("state")
    written = t.store(array, P, k(1, 8))
    left, known = simplify([ahead, t.eq(t.load(written, Q), k(7, 8))])
    assert left is not None
    assert len(known) == 2
    # one address depends on the other, so what was written elsewhere does not matter
    assert not any(term.op == "store" for condition in left for term in t.in_order([condition]))


def test_a_difference_of_integers_is_an_equation_as_well() -> None:
    wide = t.sub(t.zext(Q, 17), t.zext(P, 17))
    left, known = simplify([t.eq(wide, k(100, 17)), t.not_(t.eq(Q, t.add(P, k(100))))])
    assert left is None
    assert known


def test_bits_that_are_known_leave_a_narrower_variable() -> None:
    aligned = t.eq(t.extract(P0, 0, 2), k(3, 2))
    left, known = simplify([aligned, t.eq(t.extract(t.add(P0, k(1, 8)), 0, 2), k(0, 2))])
    assert left == []
    assert known["p0"].op == "concat"


def test_what_cannot_be_is_seen() -> None:
    assert simplify([t.eq(P0, k(3, 8)), t.eq(P0, k(4, 8))])[0] is None
    assert Solver().check([t.eq(P0, Q0), t.eq(t.add(P0, k(1, 8)), Q0)]).kind == "unsat"
    small = t.var("small", 8, 0, 9)
    assert Solver().check([t.eq(small, t.add(P0, k(20, 8))), t.ult(P0, k(200, 8))]).kind == "unsat"


WIDTHS = {"a": 2, "b": 2, "c": 3, "d": 1}
VARIABLES = {
    "a": t.var("a", 2),
    "b": t.var("b", 2, 1, 3),
    "c": t.var("c", 3, 0, 5),
    "d": t.var("d", 1),
}


def _some_term(rnd: random.Random, width: int, depth: int) -> Term:
    if not depth:
        name = rnd.choice(list(VARIABLES))
        found = VARIABLES[name]
        if rnd.random() < 0.2:
            return t.const(rnd.randrange(1 << width), width)
        return t.zext(found, width) if found.width < width else t.extract(found, 0, width)
    one, other = (_some_term(rnd, width, depth - 1) for _ in range(2))
    match rnd.randrange(6):
        case 0:
            return t.add(one, other)
        case 1:
            return t.sub(one, other)
        case 2:
            return t.xor(one, other)
        case 3:
            return t.and_(one, other)
        case 4:
            return t.ite(_some_condition(rnd, depth - 1), one, other)
    half = width // 2
    return t.concat(t.extract(one, 0, width - half), t.extract(other, 0, half)) if half else one


def _some_condition(rnd: random.Random, depth: int) -> Term:
    width = rnd.choice([1, 2, 3, 4])
    one, other = _some_term(rnd, width, depth), _some_term(rnd, width, rnd.randrange(depth + 1))
    condition = t.ult(one, other) if rnd.random() < 0.2 else t.eq(one, other)
    return t.not_(condition) if rnd.random() < 0.2 else condition


def test_random_conditions_have_the_answer_that_trying_all_inputs_gives() -> None:
    rnd = random.Random(20211)
    ranges = [range(v.low, v.high + 1) for v in VARIABLES.values()]
    every = list(itertools.product(*ranges))
    samples = {
        name: np.array([row[place] for row in every], dtype=np.uint64)
        for place, name in enumerate(VARIABLES)
    }
    answers = set()
    for _ in range(400):
        conditions = [_some_condition(rnd, rnd.randrange(3)) for _ in range(rnd.randrange(1, 5))]
        holds = np.ones(len(every), dtype=bool)
        for value in t.evaluate(conditions, samples):
            holds &= value != 0
        answer = Solver().check(conditions)
        assert answer.kind == ("sat" if holds.any() else "unsat"), conditions
        answers.add(answer.kind)
        if answer.model is not None:
            for condition in conditions:
                assert answer.model.value(condition) == 1
            for variable in t.variables(conditions):
                assert variable.low <= answer.model.value(variable) <= variable.high
    assert answers == {"sat", "unsat"}


def test_values_that_are_small_lose_their_upper_bits() -> None:
    array, place = t.array_var("hand"), t.concat(k(2, 8), P0)
    count = t.load(array, place)
    doubled = t.concat(t.extract(count, 0, 7), k(0, 1))  # the top bit was shifted out
    exact = t.sub(t.concat(k(0, 7), count, k(0, 1)), t.zext(doubled, 16))
    assert simplify([t.ult(count, k(5, 8)), t.not_(t.eq(exact, k(0)))])[0] is None
    assert simplify([t.not_(t.ult(k(4, 8), count)), t.not_(t.eq(exact, k(0)))])[0] is None
    assert simplify([t.ult(count, k(200, 8)), t.not_(t.eq(exact, k(0)))])[0] is not None
