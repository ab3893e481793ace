"""Random routines with pointers: nothing that a run breaks is proved, nothing that all keep
to is refuted.

``PYTHONPATH=tests/common python tests/prover/test_fuzz_pointers.py FIRST COUNT`` tries more, and
shows each.
"""

from __future__ import annotations

import sys
import time

import pytest
from claims import proofs_of
from fuzz_pointers import broken, routine_of
from slow import slow_but

from romproof.prover.results import Proof, Verdict

LIMIT = 20.0
"""Seconds for each routine; what they end is unknown, which is never wrong."""
IN_SUITE = (3,)
CASES = 40
UNSEEN = ("reads only its inputs", "depends on its inputs only")
"""What a call does not see: it reads a byte that has no name, and does as it should."""


def judged(seed: int) -> tuple[Proof, int]:
    """The proof of the routine of a seed, and for how many counts a run breaks its contract."""
    routine = routine_of(seed)
    wrong = len(list(broken(routine, seed)))
    return proofs_of(routine.cpu, routine.said, timeout=LIMIT)["it"], wrong


def fits(proof: Proof, wrong: int) -> bool:
    """Whether a verdict is one that may be given."""
    if proof.verdict in (Verdict.PROVED, Verdict.PARTIAL):
        return not wrong
    refuted = [str(f.statement) for f in proof.findings if f.verdict is Verdict.REFUTED]
    return wrong > 0 or all(statement in UNSEEN for statement in refuted)


@pytest.mark.parametrize("seed", slow_but(IN_SUITE, range(CASES), pytest.mark.long))
def test_routines_are_proved_if_all_their_runs_agree(seed: int) -> None:
    pytest.importorskip("z3", reason="what is asked of these routines needs it")
    proof, wrong = judged(seed)
    assert fits(proof, wrong), (proof.verdict, wrong, routine_of(seed))


if __name__ == "__main__":
    first, count = map(int, sys.argv[1:3])
    for number in range(first, first + count):
        begun = time.process_time()
        outcome, breaking = judged(number)
        fault = "" if fits(outcome, breaking) else "  FAULT"
        seconds = time.process_time() - begun
        said = outcome.verdict.value
        print(f"{number}: {said}, {breaking} broken, {seconds:.1f} s{fault}", flush=True)
