"""Effort is counted work: the same for the same question, whatever was done before, in any run."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence

import numpy as np
import pytest
from smt_hard import HARD, OTHER, W, X, Y, shift_and_add

from romproof.symbolic.solve.answer import Reply, unknown
from romproof.symbolic.solve.backends import need_z3
from romproof.symbolic.solve.deadline import NEVER, Deadline
from romproof.symbolic.solve.effort import BITWUZLA, Z3, Effort
from romproof.symbolic.solve.oracle import Oracle
from romproof.symbolic.solve.solver import Solver
from romproof.symbolic.solve.trials import Trials
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import Term, Terms, using
from romproof.text.cause import Cause

pytest.importorskip("z3", reason="the work is z3's")


def test_a_share_is_what_a_claim_may_spend() -> None:
    effort = Effort(thorough=100, witness=10, claim=2)
    share = effort.share()
    assert share.limits() == (100, 10)
    share.spend(Z3, 150)
    assert share.limit(Z3) == 50
    assert share.limit(Z3, 20) == 20
    share.spend(Z3, 80)
    assert (share.limit(Z3), share.limit(BITWUZLA)) == (0, 10)
    assert effort.share().limits() == (100, 10)


def test_a_part_of_a_share_is_taken_from_the_whole() -> None:
    share = Effort(thorough=100, claim=2).share()
    part = share.part(4)
    assert part.limit(Z3) == 25
    part.spend(Z3, 40)
    assert (part.limit(Z3), share.left[Z3]) == (10, 160)


def test_more_effort_is_so_many_times_all_of_it() -> None:
    effort = Effort(1, 2, 3, 4, 5, claim=7, example=6).times(2.5)
    assert effort == Effort(2, 5, 8, 10, 12, claim=7, example=15)
    assert Effort().times(1e-12).thorough == 1
    assert Effort().times(1e12).thorough == (1 << 32) - 1
    with pytest.raises(ValueError, match="0 is not a positive factor of the effort"):
        Effort().times(0)


class Lazy:
    """Never knows; spends all it may. ``limits`` has what that was."""

    name, unit = Z3, "thoughts"

    def __init__(self) -> None:
        self.limits: list[int] = []

    def ask(
        self, conditions: Sequence[Term], limit: int, deadline: Deadline, thorough: bool
    ) -> Reply:
        self.limits.append(limit)
        return Reply(unknown(Cause.EFFORT, "nobody knows"), limit)


class Silent(Lazy):
    """The other one."""

    name = BITWUZLA


def test_a_hard_claim_takes_nothing_from_others() -> None:
    lazy = Lazy()
    effort = Effort(quick=1, thorough=10, witness=1, claim=3)
    oracle = Oracle(Solver(effort, first=lazy, second=Silent()))
    share = effort.share()
    conditions = [HARD, t.ult(X, Y)]
    for number in range(40):
        answer = oracle.ask([*conditions, t.ult(t.const(number, 32), X)], share)
        assert answer.kind == "unknown"
    assert sum(lazy.limits) == effort.claim * effort.thorough
    assert "used up the effort for one claim" in str(answer.reason)
    before = len(lazy.limits)
    oracle.ask([OTHER, t.ult(W, X)])
    assert lazy.limits[before:] == [1, 10]


def test_who_give_up_is_asked_again_with_more_effort_only() -> None:
    lazy = Lazy()
    effort = Effort(quick=1, thorough=10, witness=1, claim=3)
    oracle = Oracle(Solver(effort, first=lazy, second=Silent()))
    poor = effort.share()
    poor.spend(Z3, 25)
    assert oracle.ask([HARD, t.ult(X, Y)], poor).kind == "unknown"
    assert lazy.limits == [1, 4]
    assert oracle.ask([HARD, t.ult(X, Y)]).kind == "unknown"
    assert lazy.limits == [1, 4, 1, 10]
    oracle.ask([HARD, t.ult(X, Y)])
    oracle.ask([HARD, t.ult(X, Y)], poor)
    assert lazy.limits == [1, 4, 1, 10]


def test_names_play_no_part() -> None:
    work: set[int] = set()
    for prefix in ("", "some longer name ", "A@8000'"):
        with using(Terms()):
            conditions = [*shift_and_add(prefix, 4), t.ult(t.var(f"{prefix}c", 8), t.const(9, 8))]
            for thorough in (False, True):
                reply = need_z3().ask(conditions, 100_000_000, NEVER, thorough)
                assert reply.answer.kind == "unsat"
                work.add(reply.work)
    assert len(work) == 2


PROGRAM = """
import sys
import numpy as np
import z3
sys.path.insert(0, sys.argv[1])
from smt_hard import HARD, X, shift_and_add
from romproof.symbolic.solve.deadline import NEVER
from romproof.symbolic.solve.effort import Effort
from romproof.symbolic.solve.solver import Solver
from romproof.symbolic.solve.backends import need_z3, find_bitwuzla
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import Terms, using

def unrelated():
    mul = t.mul(t.var("p", 16), t.var("q", 16))
    Solver().check([t.eq(mul, t.const(0x3579, 16)), t.ult(t.var("q", 16), t.var("p", 16))])

def crowded():
    # another context, with more memory than z3's own tactics like the process to have
    context = z3.Context()
    truths = [z3.Bool(f"x{n}", context) for n in range(9)]
    pointers = np.full(5_000_000, truths[0].as_ast().value, np.uintp)
    many = (z3.Ast * len(pointers)).from_buffer(pointers)
    for truth in truths[1:]:
        many[0] = truth.as_ast()
        z3.Z3_inc_ref(context.ref(), z3.Z3_mk_and(context.ref(), len(pointers), many))
    assert z3.Z3_get_estimated_alloc_size() > 310 << 20
    return context

def question():
    wanted = shift_and_add("n", 5)
    bounds = [t.ult(t.var(f"v{n}", 8, n, 200), t.var(f"v{n + 1}", 8)) for n in range(9)]
    for backend in (need_z3(), find_bitwuzla()):
        if backend is not None:
            for thorough in (False, True):
                for conditions in (wanted, bounds, [HARD, *bounds]):
                    reply = backend.ask(conditions, 50_000, NEVER, thorough)
                    print(backend.name, reply.answer.kind, reply.work, end=" ")
    share = Effort(thorough=1_000_000, witness=2_000).share()
    answer = Solver().check([HARD, t.ult(X, t.const(60000, 32)), *bounds], share)
    print(answer.kind, answer.reason, sorted(share.left.items()), end=" ")
    print(sorted(answer.model.values.items()) if answer.model else None)

crowd = []
for before in sys.argv[2]:
    with using(Terms()):
        if before == "+":
            unrelated()
        if before == "!":
            crowd.append(crowded())
        question()
"""


@pytest.mark.slow
def test_work_depends_on_nothing_but_the_question() -> None:
    """Not on what was asked before, nor on how Python orders its sets, nor on the memory that
    other questions hold."""
    lines: list[str] = []
    for seed, before in (("0", "-+!"), ("1", "+")):
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, os.path.dirname(__file__), before],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        )
        lines += done.stdout.splitlines()
    assert len(lines) == 4
    assert len(set(lines)) == 1, "\n".join(lines)
    assert "unknown" in lines[0]
    assert "unsat" in lines[0]


def test_a_name_with_several_bounds_is_tried_within_all_of_them() -> None:
    """However it was used before."""
    wide, narrow = t.var("n", 8), t.var("n", 8, 100, 103)
    conditions = [t.eq(t.extract(wide, 0, 2), t.const(2, 2)), t.ult(t.const(100, 8), narrow)]
    used = Solver()
    used.check([t.ult(t.const(3, 8), wide)])
    for solver in (used, Solver()):
        answer = solver.check(conditions)
        assert answer.model is not None
        assert answer.model.value(wide) == 102
    tried = Trials(64)
    tried.holding([t.ult(t.const(3, 8), wide)])
    (number,) = np.flatnonzero(tried.holding(conditions))[:1]
    assert tried.model(conditions, number).values == {"n": 102}
