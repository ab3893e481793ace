"""Running the fuzzer over many seeds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from random import Random

from fuzz_judge import judge, related
from fuzz_make import case_of
from fuzz_report import Report
from fuzz_shrink import shrunk
from fuzz_states import SOME
from fuzz_ways import examined_ways

from romproof.text.diagnostic import BuildFailed

FEW = 1000
"""Runs for each routine of a small program."""
RELATED = 3
"""Of so many cases one is also changed in a way that should not matter."""
WAYS = 4
"""With one of so many cases there is another one, on a model or a port."""
PART = 50
"""Seeds that a process takes at once."""


def examined(
    seeds: Iterable[int], some: int = SOME, shrink: bool = True, small: bool = False
) -> Report:
    """What the cases of some seeds show, of ``some`` runs each."""
    report = Report()
    for seed in seeds:
        if seed % WAYS == 0:
            report.ways += 1
            report.found += examined_ways(seed // WAYS, report.tally)
        case = case_of(seed, small)
        report.cases += 1
        report.broken[case.change or "nothing"] += 1
        try:
            found = judge(case, report.tally, some)
        except BuildFailed:
            report.refused += 1
            continue
        if not found and not small and seed % RELATED == 0:
            for violation in related(case, report.tally, Random(seed)):
                report.add(violation, case)
        for violation in found[:1]:
            least, shown = shrunk(case, violation) if shrink else (case, violation)
            report.add(shown, least)
    return report


def run(
    first: int,
    count: int,
    jobs: int,
    on_progress: Callable[[Report], None],
    shrink: bool = True,
    small: bool = False,
) -> Report:
    """Seeds from ``first`` on, in several processes; ``on_progress`` is called after each part,
    with all there is by then."""
    whole, some = Report(), FEW if small else SOME
    parts = [range(at, min(at + PART, first + count)) for at in range(first, first + count, PART)]
    if jobs <= 1:
        for part in parts:
            whole.join(examined(part, some, shrink, small))
            on_progress(whole)
        return whole
    with ProcessPoolExecutor(jobs) as pool:
        tasks = [pool.submit(examined, part, some, shrink, small) for part in parts]
        for task in as_completed(tasks):
            whole.join(task.result())
            on_progress(whole)
    return whole
