"""What is said without z3, by rules, algebra and digits, is so for all inputs."""

from __future__ import annotations

from typing import Any

import pytest
from equal_questions import question

from romproof.symbolic.solve import solver
from romproof.symbolic.solve.answer import Answer, unknown
from romproof.symbolic.solve.backends import Witnesses
from romproof.symbolic.terms.node import Terms, using
from romproof.text.cause import Cause

FIRST, PART = 108_000, 300
"""Among these there is one of a fault that algebra had."""


@pytest.fixture(autouse=True)
def _no_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody who knows better answers first."""

    def silent(*_: Any, **__: Any) -> Answer:
        return unknown(Cause.EFFORT, "it is not asked")

    monkeypatch.setattr(solver, "by_all_inputs", lambda *_: None)
    for name in ("quick", "thorough"):
        monkeypatch.setattr(Witnesses, name, silent)


@pytest.mark.slow_cases("108000")
@pytest.mark.parametrize(
    "first",
    [FIRST, *(pytest.param(n, marks=pytest.mark.long) for n in range(FIRST + PART, 150_000, PART))],
)
def test_equal_or_not(first: int) -> None:
    answered = 0
    for seed in range(first, first + PART):
        with using(Terms()):
            asked = question(seed)
            said = solver.Solver().equal(asked.one, asked.other, asked.assumed).kind
            if said != "unknown":
                answered += 1
                assert said == asked.truth(), (seed, asked)
    assert answered > PART // 2
