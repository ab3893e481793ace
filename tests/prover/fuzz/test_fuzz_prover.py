"""Random programs: nothing that a run breaks is proved, nothing that holds is refuted.

``python tests/prover/fuzz_prover.py`` does the same with more and larger programs.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from random import Random

import pytest
from fuzz_main import FEW, examined
from fuzz_make import case_of
from fuzz_relations import moved, padded, unrolled
from fuzz_states import Bench
from fuzz_truth import truths
from slow import slow_but

from romproof.text.diagnostic import BuildFailed

CASES = 200
PART = 20
IN_SUITE = (60,)


@pytest.mark.slow_cases("20", "60", "140")
@pytest.mark.parametrize("first", slow_but(IN_SUITE, range(0, CASES, PART), pytest.mark.proof))
def test_the_prover_agrees_with_runs(first: int) -> None:
    pytest.importorskip("z3", reason="what is asked of these routines needs it")
    report = examined(range(first, first + PART), FEW, small=True)
    assert report.cases == PART
    assert not report.found, "\n".join(report.lines())


@pytest.mark.slow
def test_a_seed_makes_one_program() -> None:
    assert case_of(11) == case_of(11)
    assert case_of(11) != case_of(12)


SEEN = {  # what a called routine does, and whether that shows where the call stands
    "6502": {
        ("pla", "tay", "pla", "pha", "tya", "pha"): True,
        ("pha", "pla", "plp", "php"): True,
        ("tsx", "lda $0101,x"): True,
        ("pha", "php", "plp", "pla"): False,
        ("nop",): False,
    },
    "sm83": {
        ("pop hl", "push hl"): True,
        ("ld hl, sp+0", "ld a, [hl]"): True,
        ("push bc", "pop de", "pop bc", "push bc"): True,
        ("push bc", "push hl", "pop hl", "pop bc"): False,
        ("nop",): False,
    },
}


@pytest.mark.parametrize("cpu", SEEN)
def test_code_that_sees_where_it_is_called_from_is_not_moved(cpu: str) -> None:
    programs = (case_of(seed, small=True).program for seed in count())
    program = next(p for p in programs if p.machine.cpu == cpu and len(p.routines) > 1)
    callee = next(routine for routine in program.routines if routine.name != "main")
    back = "rts" if cpu == "6502" else "ret"
    for code, seen in SEEN[cpu].items():
        changed = program.replaced(replace(callee, code=(*code, back)))
        for relation in (padded, moved):
            assert (relation(changed, Random(1)) is None) == seen, code
        assert not seen or unrolled(changed, Random(1)) is None


@pytest.mark.slow_cases("12")
@pytest.mark.parametrize("programs", slow_but([12], [12, 40], pytest.mark.proof))
def test_runs_tell_true_contracts_from_false_ones(programs: int) -> None:
    """The fuzzer's own judgement: what was not broken holds, some of what was does not."""
    broken = 0
    for seed in range(programs):
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
    assert broken > programs // 8
