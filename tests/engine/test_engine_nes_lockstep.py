"""Compiled devices and translated banks of an NES do what ``plain`` does, cycle by cycle."""

from __future__ import annotations

import pytest
from nes_lockstep import MAPPERS, in_step


@pytest.mark.slow_cases("1", "4")
@pytest.mark.parametrize(
    "mapper",
    [
        mapper if mapper in (1, 4) else pytest.param(mapper, marks=pytest.mark.proof)
        for mapper in MAPPERS
    ],
)
def test_random_code_in_lockstep(mapper: int) -> None:
    in_step(MAPPERS.index(mapper), 8, ("plain", "llvm"))


@pytest.mark.slow
def test_translated_code_in_banks() -> None:
    assert in_step(MAPPERS.index(2), 12) > 0.01
