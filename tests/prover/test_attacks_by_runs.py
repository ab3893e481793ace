"""Claims on loops, cycles and ports that runs decide: none broken is proved, none kept refuted."""

from __future__ import annotations

from collections import Counter
from types import ModuleType

import attacks_on_cycles
import attacks_on_loops
import attacks_on_ports
import pytest
from runs_of_claims import Truth, faults
from slow import slow_but

FEW = {attacks_on_loops: range(42), attacks_on_cycles: range(0, 18, 2), attacks_on_ports: range(16)}
PARTS = [range(start, start + 60) for start in range(0, 180, 60)]


def _hold(module: ModuleType, seeds: range) -> None:
    pytest.importorskip("z3", reason="what is asked of these routines needs it")
    found: Counter[Truth] = Counter()
    for seed in seeds:
        drawn = module.drawn(seed)
        truth = drawn.truth()
        found[truth] += 1
        told = list(faults(drawn, truth))
        assert told == [], f"{seed}: {drawn.kind}, {drawn.cpu}\n{drawn.text()}\n{told[0]}"
    assert found[Truth.BROKEN] > len(seeds) // 4


@pytest.mark.slow_cases("attacks_on_cycles")
@pytest.mark.parametrize("module", FEW, ids=lambda module: module.__name__)
def test_few(module: ModuleType) -> None:
    _hold(module, FEW[module])


@pytest.mark.parametrize("seeds", slow_but([], PARTS), ids=str)
@pytest.mark.parametrize("module", FEW, ids=lambda module: module.__name__)
def test_many(module: ModuleType, seeds: range) -> None:
    _hold(module, seeds)
