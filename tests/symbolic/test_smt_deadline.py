"""A limit in seconds ends the work; it is no answer."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, count, repeat
from threading import Event

import pytest
from smt_hard import HARD, OTHER, W, X, Y, remainders

from romproof.symbolic.solve.answer import Answer, AnswerKind, Backend
from romproof.symbolic.solve.backends import find_bitwuzla, need_z3
from romproof.symbolic.solve.deadline import NEVER, Deadline, OutOfTime, within
from romproof.symbolic.solve.effort import Z3, Effort
from romproof.symbolic.solve.exhaustive import by_all_inputs
from romproof.symbolic.solve.oracle import Oracle
from romproof.symbolic.solve.solver import Solver
from romproof.symbolic.solve.sweep import Sweep
from romproof.symbolic.terms import term as t

pytest.importorskip("z3", reason="it is z3 that is stopped")


def ending_after(looks: int) -> Deadline:
    """A deadline that is over after so many looks at the clock."""
    times: Iterator[int] = chain(repeat(0, looks + 1), repeat(20))
    return Deadline(10, lambda: next(times))


def test_the_seconds_are_counted_from_the_beginning() -> None:
    now = [100.0]
    deadline = Deadline(5, lambda: now[0])
    assert (deadline.end, deadline.left, deadline.is_over) == (105.0, 5.0, False)
    now[0] = 105.0
    assert (deadline.left, deadline.is_over) == (0.0, True)
    with pytest.raises(OutOfTime, match="the time limit of 5 seconds was reached"):
        deadline.check()
    assert not NEVER.is_over
    NEVER.check()


def test_work_within_a_limit() -> None:
    assert within(Deadline(1000), lambda: 7, lambda: None) == 7
    assert within(NEVER, lambda: 8, lambda: None) == 8
    with pytest.raises(ZeroDivisionError):
        within(Deadline(1000), lambda: 1 // 0, lambda: None)


def test_work_that_hears_that_it_has_to_stop() -> None:
    stopped = Event()
    times = chain([0], repeat(100_000))
    deadline = Deadline(100_000, lambda: next(times))
    assert within(deadline, lambda: stopped.wait(100_000), stopped.set) is True


def test_work_that_does_not_is_left_alone() -> None:
    over = Event()
    try:
        with pytest.raises(OutOfTime):
            within(Deadline(0), over.wait, lambda: None)
    finally:
        over.set()


@pytest.fixture(params=[need_z3, find_bitwuzla], ids=["z3", "bitwuzla"])
def backend(request: pytest.FixtureRequest) -> Backend:
    found: Backend | None = request.param()
    if found is None:
        pytest.skip("it is Bitwuzla that is stopped")
    return found


@pytest.mark.quick_cases("z3-False")
@pytest.mark.parametrize("thorough", [False, True])
def test_a_solver_is_stopped(backend: Backend, thorough: bool) -> None:
    # z3 works for hours, and is stopped from outside; Bitwuzla looks at the clock some 4,000 times
    deadline = Deadline(0.2) if backend.name == Z3 else ending_after(100)
    with pytest.raises(OutOfTime):
        backend.ask(remainders(), (1 << 32) - 1, deadline, thorough)


def test_a_limit_that_is_far_away_changes_nothing(backend: Backend) -> None:
    conditions = [HARD, t.ult(X, Y)]
    replies = [backend.ask(conditions, 3000, each, True) for each in (NEVER, Deadline(1000))]
    assert replies[0] == replies[1]


def test_trying_all_inputs_is_stopped() -> None:
    a, b = t.var("a", 10), t.var("b", 10)
    never = [t.ult(a, b), t.ult(b, a)]
    assert by_all_inputs(never, 1 << 40, ending_after(100)) == Answer(AnswerKind.UNSAT)
    with pytest.raises(OutOfTime):
        by_all_inputs(never, 1 << 40, ending_after(2))


def test_a_sweep_is_stopped() -> None:
    solver = Solver(deadline=ending_after(3))
    a, b = t.mul(X, Y), t.mul(X, t.add(Y, t.mul(W, W)))
    with pytest.raises(OutOfTime):
        Sweep(solver, [], Effort().share()).together(a, b)


@pytest.mark.parametrize("looks", [0, 1, 2])
def test_nothing_is_kept_of_it(looks: int) -> None:
    solver = Solver(Effort(quick=1000, thorough=50_000, witness=10), ending_after(looks))
    oracle = Oracle(solver)
    conditions = [HARD, t.ult(X, Y)]
    for _ in range(2):
        with pytest.raises(OutOfTime):
            oracle.ask(conditions)
    again = Oracle(Solver(solver.effort)).ask(conditions)
    assert "time limit" not in str(again.reason)


def test_all_questions_look_at_the_clock() -> None:
    clock = count()
    oracle = Oracle(Solver(deadline=Deadline(0, lambda: next(clock))))
    for ask in (
        lambda: oracle.ask([HARD]),
        lambda: oracle.equal(X, Y, [OTHER]),
        lambda: oracle.always([OTHER], HARD),
        lambda: oracle.possible([OTHER], HARD),
        lambda: oracle.most([OTHER], X),
    ):
        with pytest.raises(OutOfTime):
            ask()
