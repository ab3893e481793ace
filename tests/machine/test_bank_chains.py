"""Calls from bank to bank: stubs, watches and places where runs end are those of one bank."""

from __future__ import annotations

from pathlib import Path

import pytest
from bank_chains import KINDS, wrong
from slow import slow_but

CASES = [(make.__name__, seed) for make in KINDS for seed in range(14)]
QUICK = [("game_boy", 0), ("nes", 0), ("nes", 1), ("nes", 2), ("game_boy_ram", 0)]


@pytest.mark.parametrize(("kind", "seed"), slow_but(QUICK, CASES))
def test_chains(kind: str, seed: int, tmp_path: Path) -> None:
    make = next(each for each in KINDS if each.__name__ == kind)
    assert list(wrong(make(seed), tmp_path)) == []
