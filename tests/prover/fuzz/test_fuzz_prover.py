"""Random programs: nothing that a run breaks is proved, nothing that holds is refuted.

``python tests/prover/fuzz_prover.py`` does the same with more and larger programs.
"""

from __future__ import annotations

from random import Random

import pytest
from fuzz_main import FEW, examined
from fuzz_make import case_of
from fuzz_states import Bench
from fuzz_truth import truths

from romproof.text.diagnostic import BuildFailed

CASES = 200
PART = 20


@pytest.mark.parametrize("first", range(0, CASES, PART))
def test_the_prover_agrees_with_runs(first: int) -> None:
    pytest.importorskip("z3", reason="what is asked of these routines needs it")
    report = examined(range(first, first + PART), FEW, small=True)
    assert report.cases == PART
    assert not report.found, "\n".join(report.lines())


def test_a_seed_makes_one_program() -> None:
    assert case_of(11) == case_of(11)
    assert case_of(11) != case_of(12)


def test_runs_tell_true_contracts_from_false_ones() -> None:
    """The fuzzer's own judgement: what was not broken holds, some of what was does not."""
    broken = 0
    for seed in range(40):
        case = case_of(seed, small=True)
        routine = case.program.routine("main")
        assert routine.contract is not None
        try:
            bench = Bench(case.program)
        except BuildFailed:  # what nothing satisfies is refused
            continue
        found = truths(bench, "main", routine.contract, Random(seed).getrandbits(30), FEW, FEW)
        broken += bool(found.false) and case.where == "main"
        assert found.inputs or case.change
    assert broken > 5
