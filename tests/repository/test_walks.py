"""The walks from the public interface to the solvers and the engines stay short."""

from __future__ import annotations

import pytest
from walks import Walk, calling_walks, longest, proving_walks

MODULES, RETURNS = 15, 20
ARGUMENTS = 5
"""That a function takes on the way of a call; what belongs together is one."""


def is_short(walk: Walk) -> bool:
    return walk.modules <= MODULES and walk.returns <= RETURNS


def test_a_contract_comes_to_a_solver_in_a_line() -> None:
    pytest.importorskip("z3", reason="it is a solver that is asked")
    obligations, executing = proving_walks()
    walk = longest(obligations)
    assert is_short(walk), str(walk)
    last = {each.steps[-1] for each in obligations}
    assert ("romproof.symbolic.solve.ask_z3", "Z3.ask") in last
    assert executing, "a branch of the program is asked about"


@pytest.mark.parametrize("engine", ["plain", "llvm"])
def test_a_call_comes_to_an_engine_in_a_line(engine: str) -> None:
    if engine == "llvm":
        pytest.importorskip("llvmlite", reason="an extra")
    walks = calling_walks(engine)
    assert len(walks) >= len(("multiply", "fill"))
    assert is_short(longest(walks)), str(longest(walks))
    assert max(walk.arguments for walk in walks) <= ARGUMENTS
