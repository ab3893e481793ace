"""Claims made at random at the seams of the prover: none that runs break is proved."""

from __future__ import annotations

import pytest
from attacks import attack

from romproof.text.diagnostic import BuildFailed

FEW, MANY = range(1, 41), range(41, 481)


def _hold(seeds: range) -> None:
    pytest.importorskip("z3", reason="what is asked of these routines needs it")
    wrong = 0
    for seed in seeds:
        each = attack(seed)
        try:
            wrong += each.is_false()
        except BuildFailed:  # a number that contracts do not allow
            continue
        assert not each.is_believed(), f"{seed}: {each.kind}, {each.cpu}"
    assert wrong > len(seeds) // 2


def test_no_false_claim_is_proved() -> None:
    _hold(FEW)


@pytest.mark.slow
def test_none_of_many_is() -> None:
    _hold(MANY)
