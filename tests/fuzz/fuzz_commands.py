"""All commands with slips in their inputs: ``python tests/fuzz/fuzz_commands.py --count 100000``.

No traceback, no internal fault, nothing over 20 seconds or a gigabyte, and no file lost by a
command that failed. Ends with exit code 1 if there was any.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from fuzz_changes import Case, Changes
from fuzz_runs import Finding, forked, own_process
from fuzz_seeds import seeds


def fuzz(
    count: int,
    processes: int,
    seed: int,
    on_progress: Callable[[int, Finding | None], None],
    first: int,
) -> list[Finding]:
    """Carry out cases ``first`` and on, every so many of them in a process of its own, so that
    ``processes`` are; the others in copies of this process. Gives what was found."""
    changes = Changes(seeds(), seed)
    every = count // processes if processes else 0
    found: list[Finding] = []
    done = 0
    copies: list[Case] = []
    for number in range(first, first + count):
        case = changes.case(number)
        if every and (number - first) % every == 0 and (number - first) // every < processes:
            done += _note([(1, own_process(case))], found, on_progress, done)
        else:
            copies.append(case)
        if len(copies) == 100 or number == first + count - 1:
            done += _note(forked(copies), found, on_progress, done)
            copies = []
    return found


def _note(
    results: Iterable[tuple[int, list[Finding]]] | Iterator[tuple[int, list[Finding]]],
    found: list[Finding],
    on_progress: Callable[[int, Finding | None], None],
    done: int,
) -> int:
    count = 0
    for number, findings in results:
        count += number
        found += findings
        for finding in findings:
            on_progress(done + count, finding)
        on_progress(done + count, None)
    return count


def main() -> int:
    """The whole run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=2000, help="how many inputs")
    parser.add_argument("--processes", type=int, default=None, help="how many as processes")
    parser.add_argument("--seed", type=int, default=1, help="of what is changed")
    parser.add_argument("--first", type=int, default=0, help="the first input's number")
    chosen = parser.parse_args()
    processes = chosen.count // 10 if chosen.processes is None else chosen.processes
    begun = time.monotonic()

    def on_progress(done: int, finding: Finding | None) -> None:
        if finding is not None:
            words = [word if len(word) < 60 else f"{word[:60]}..." for word in finding.words]
            print(f"\n{finding.number}: {finding.what}\n  {words}", flush=True)
        elif done % 50 == 0:
            seconds = time.monotonic() - begun
            print(f"\r{done} of {chosen.count}, {seconds:.0f} s", end="", file=sys.stderr)

    found = fuzz(chosen.count, processes, chosen.seed, on_progress, chosen.first)
    print(f"\n{chosen.count} inputs, {processes} of them as processes: {len(found)} findings")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
