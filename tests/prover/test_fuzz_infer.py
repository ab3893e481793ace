"""Random programs without contracts: no run breaks what is inferred of them.

``python tests/prover/fuzz_infer.py`` tries more of them, with more inputs.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from fuzz_infer import judged
from slow import slow_but

CASES = 40
IN_SUITE = (3, 6, 10, 12)
RUNS = 500
EFFORT = 0.2


@pytest.mark.slow_cases("0", "1", "3", "4", "5", "6", "9", "10", "13", "23")
@pytest.mark.parametrize("seed", slow_but(IN_SUITE, range(CASES), pytest.mark.proof))
def test_inferred_contracts_agree_with_runs(seed: int, tmp_path: Path) -> None:
    pytest.importorskip("z3", reason="what is inferred is proved with it")
    outcome = judged(seed, tmp_path, timeout=600, runs=RUNS, effort=EFFORT)
    assert not outcome.faults, outcome.faults
    assert sum(outcome.grades.values()) > 0
