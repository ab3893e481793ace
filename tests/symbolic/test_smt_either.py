"""What is one of several things: what cannot be is left out, and nothing else."""

from __future__ import annotations

from functools import reduce
from random import Random

import pytest

from romproof.symbolic.solve.either import MAX, alternatives
from romproof.symbolic.solve.solver import Question, Solver, split_alternatives
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.model import Model
from romproof.symbolic.terms.node import Term, var


def product(u: Term, v: Term, drop: int = 0) -> Term:
    """u * v bit by bit, as code adds it up; without the steps from ``drop`` on, if there are."""
    width = u.width + v.width
    steps = range(drop or v.width)
    return reduce(
        t.add,
        (
            t.ite(
                t.extract(v, at, 1),
                t.zext(t.concat(u, t.const(0, at)), width) if at else t.zext(u, width),
                t.const(0, width),
            )
            for at in steps
        ),
    )


U, V = var("u", 12), var("v", 12)
RIGHT = t.mul(t.zext(U, 24), t.zext(V, 24))
DIFFERS = t.not_(t.eq(product(U, V), RIGHT))
LESS = t.not_(t.eq(product(U, V, 11), RIGHT))


def test_the_alternatives_are_those_of_a_choice_with_numbers_that_differ() -> None:
    small = t.ult(U, t.const(3, 12))
    assert set(alternatives(t.or_(DIFFERS, small))) == {DIFFERS, small}
    assert alternatives(DIFFERS) == ()
    assert alternatives(t.and_(DIFFERS, small)) == ()
    assert alternatives(t.or_(small, t.ult(V, t.const(3, 12)))) == ()
    many = [t.ult(var(f"x{n}", 8), t.const(3, 8)) for n in range(MAX)]
    assert alternatives(reduce(t.or_, many, DIFFERS)) == ()


def test_what_can_never_be_is_left_out() -> None:
    pytest.importorskip("z3")
    impossible = t.and_(t.ult(U, V), t.ult(V, U))
    assert Solver().check([t.or_(DIFFERS, impossible)]).kind == "unsat"


def test_what_else_may_be_is_found() -> None:
    pytest.importorskip("z3")
    both = [t.eq(U, t.const(0x123, 12)), t.eq(V, t.const(0x456, 12))]
    one = reduce(t.and_, both)
    answer = Solver().check([t.or_(DIFFERS, one)])
    assert answer.model is not None
    assert (answer.model.value(U), answer.model.value(V)) == (0x123, 0x456)


def test_a_sum_with_a_step_too_few_may_differ() -> None:
    pytest.importorskip("z3")
    assert Solver().check([t.or_(LESS, t.ult(U, t.const(0, 12)))]).kind == "sat"
    only = t.ult(U, t.const(0x800, 12)), t.ult(V, t.const(0x800, 12))
    assert Solver().check([*only, t.or_(LESS, t.eq(U, V))]).kind == "sat"


@pytest.mark.parametrize("seed", range(12))
def test_random_choices_have_the_answer_that_all_inputs_give(seed: int) -> None:
    pytest.importorskip("z3")
    chance = Random(f"either {seed}")
    u, v = var("u", 4), var("v", 4)
    right = t.mul(t.zext(u, 8), t.zext(v, 8))

    def way() -> Term:
        limit = t.const(chance.randrange(16), 4)
        return chance.choice(
            (
                t.not_(t.eq(product(u, v, chance.choice((0, 0, 3))), right)),
                t.and_(t.ult(limit, u), t.ult(v, limit)),
                t.and_(t.ult(limit, u), t.ult(u, limit)),
                t.eq(t.add(u, v), limit),
            )
        )

    ways = [way() for _ in range(chance.randint(2, 4))]
    path = t.ult(t.const(chance.randrange(12), 4), t.xor(u, v))
    question = [path, reduce(t.or_, ways)]
    solver = Solver()
    values = [
        all(Model({"u": a, "v": b}, {}).value(each) for each in question)
        for a in range(16)
        for b in range(16)
    ]
    asked = Question.of(question, solver.effort.share())
    answer = split_alternatives(asked, solver) or solver.answer(asked)
    assert (answer.kind == "sat") is any(values)
    if answer.model is not None:
        assert all(answer.model.value(each) for each in question)
