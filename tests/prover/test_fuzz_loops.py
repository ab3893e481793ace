"""Random loops whose count is an input: nothing that a run breaks is proved, nothing that all keep
to is refuted.

``PYTHONPATH=tests/common python tests/prover/test_fuzz_loops.py FIRST COUNT`` tries more, and
shows each.
"""

from __future__ import annotations

import sys
import time

import pytest
from claims import proofs_of
from fuzz_loops import broken, loop_of
from slow import slow_but

from romproof.prover.results import Verdict

LIMIT = 120.0
"""Seconds for each routine; what they end is unknown, which is never wrong."""
IN_SUITE = (4,)
CASES = 40


def judged(seed: int) -> tuple[Verdict, int]:
    """The verdict on the loop of a seed, and for how many counts a run breaks its contract."""
    loop = loop_of(seed)
    wrong = len(list(broken(loop, seed)))
    return proofs_of(loop.cpu, loop.said, timeout=LIMIT)["it"].verdict, wrong


def fits(verdict: Verdict, wrong: int) -> bool:
    """Whether a verdict is one that may be given."""
    if verdict in (Verdict.PROVED, Verdict.PARTIAL):
        return not wrong
    return verdict is not Verdict.REFUTED or wrong > 0


@pytest.mark.slow_cases("4")
@pytest.mark.parametrize("seed", slow_but(IN_SUITE, range(CASES), pytest.mark.long))
def test_loops_are_proved_if_all_their_runs_agree(seed: int) -> None:
    pytest.importorskip("z3", reason="what is asked of these routines needs it")
    verdict, wrong = judged(seed)
    assert fits(verdict, wrong), (verdict, wrong, loop_of(seed))


if __name__ == "__main__":
    first, count = map(int, sys.argv[1:3])
    for number in range(first, first + count):
        begun = time.process_time()
        outcome, breaking = judged(number)
        fault = "" if fits(outcome, breaking) else "  FAULT"
        seconds = time.process_time() - begun
        print(f"{number}: {outcome.value}, {breaking} broken, {seconds:.1f} s{fault}", flush=True)
