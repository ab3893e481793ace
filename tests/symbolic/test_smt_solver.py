"""Answers about random terms, held against trying all inputs."""

from __future__ import annotations

import numpy as np
import pytest
from smt_terms import Known, Maker, Numbers, all_inputs, some_inputs

from romproof.symbolic.solve.effort import Effort
from romproof.symbolic.solve.oracle import Oracle, Undecided
from romproof.symbolic.solve.solver import Answer, Solver
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.term import Term

pytest.importorskip("z3", reason="what is not easy is asked z3")

STEPS = 60
QUESTIONS = 12
EFFORT = Effort(thorough=5_000_000, witness=10_000)


def conditions_of(maker: Maker, known: list[Known]) -> tuple[list[Term], Numbers]:
    """Some conditions, and for which inputs all of them hold."""
    found: list[Term] = []
    holds = np.ones(maker.count, dtype=bool)
    for _ in range(maker.random.randint(1, 6)):
        term, value = maker.random.choice(known)
        if term.width > 1:  # it has the value that it has for some input
            number = int(value[maker.random.randrange(maker.count)])
            term, value = t.eq(term, t.const(number, term.width)), value == number
        if maker.random.random() < 0.4:
            term, value = t.not_(term), value == 0
        found.append(term)
        holds &= value != 0
    return found, holds


def assert_model(answer: Answer, conditions: list[Term]) -> None:
    """The input that an answer names is one."""
    assert answer.model is not None
    assert all(answer.model.value(condition) for condition in conditions)


@pytest.mark.parametrize("seed", range(25))
def test_whether_conditions_can_hold(seed: int) -> None:
    maker = all_inputs(seed)
    known = maker.make(STEPS)
    solver = Solver(EFFORT)
    for _ in range(QUESTIONS):
        conditions, holds = conditions_of(maker, known)
        answer = solver.check(conditions)
        assert answer.kind in ("unknown", "sat" if holds.any() else "unsat"), conditions
        if answer.kind == "sat":
            assert_model(answer, conditions)


@pytest.mark.parametrize("seed", range(25))
def test_whether_terms_are_equal(seed: int) -> None:
    maker = all_inputs(seed + 1000)
    known = maker.make(STEPS)
    solver = Solver(EFFORT)
    for _ in range(QUESTIONS):
        conditions, holds = conditions_of(maker, known)
        one, value = maker.random.choice(known)
        same = [each for each in known if each[0].width == one.width]
        # those that are equal for some inputs make the harder questions
        same.sort(key=lambda each: int((each[1][holds] != value[holds]).sum()))
        other, others = maker.random.choice(same[:4])
        answer = solver.equal(one, other, conditions)
        differ = (holds & (value != others)).any()
        assert answer.kind in ("unknown", "sat" if differ else "unsat"), (one, other, conditions)
        if answer.kind == "sat":
            assert_model(answer, [*conditions, t.not_(t.eq(one, other))])


@pytest.mark.slow_cases("5", "6", "9")
@pytest.mark.parametrize("seed", range(15))
def test_conditions_on_arrays(seed: int) -> None:
    """There are too many inputs to try all: what holds for one of those tried can hold."""
    maker = some_inputs(seed + 2000)
    known = maker.make(STEPS)
    solver = Solver(EFFORT)
    for _ in range(QUESTIONS):
        conditions, holds = conditions_of(maker, known)
        answer = solver.check(conditions)
        assert answer.kind != "unsat" or not holds.any(), conditions
        if answer.kind == "sat":
            assert_model(answer, conditions)


@pytest.mark.parametrize("seed", range(15))
def test_what_an_oracle_says_on_a_path(seed: int) -> None:
    maker = all_inputs(seed + 3000)
    known = maker.make(STEPS)
    path, on_path = conditions_of(maker, known)
    while not on_path.any():
        path, on_path = conditions_of(maker, known)
    oracle = Oracle(Solver(EFFORT), path[:1])
    rest = path[1:]
    for _ in range(QUESTIONS):
        term, value = maker.random.choice(known)
        bit, chosen = maker.random.choice(maker.known[1])
        there = on_path & (chosen != 0)
        try:
            assert oracle.possible(rest, bit) == bool(there.any())
            assert oracle.possible(rest, bit, thorough=False) or not there.any()
            counterexample = oracle.always(rest, bit)
            assert (counterexample is None) == bool((chosen[on_path] != 0).all())
            found = oracle.example(rest, bit, term)
            assert (found in value[there]) if there.any() else found is None
            assert oracle.least(rest, term).value(term) == value[on_path].min()
            supposed = int(value[on_path].max()) + maker.random.choice((-1, 0, 0, 1))
            assert oracle.most(rest, term, supposed).value(term) == value[on_path].max()
        except Undecided:
            continue


@pytest.mark.parametrize("more", [0, 1])
def test_bytes_at_two_forms_of_one_address_are_one_byte(more: int) -> None:
    """That both are the same address is seen when they are compared, though they are two terms."""
    number = t.var("number", 8, 3, 4)
    low = t.extract(number, 0, 3)
    one = t.mul(t.zext(low, 4), t.const(6, 4))
    upper = t.not_(t.eq(number, t.const(3, 8)))
    other = t.concat(upper, t.mul(low, t.const(6, 3)))
    assert one is not other
    assert t.eq(one, other) is t.TRUE
    array = t.array_var("array")
    there = t.add(t.zext(other, 16), t.const(more, 16))
    answer = Solver().equal(t.load(array, t.zext(one, 16)), t.load(array, there))
    assert answer.kind == ("sat" if more else "unsat")
