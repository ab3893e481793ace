"""Random programs, proved and run: ``python tests/prover/fuzz_prover.py --count 50000 --jobs 2``.

Ends with exit code 1 if the prover and runs disagree on anything.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "fuzz"))

from fuzz_main import run
from fuzz_report import Report


def main() -> int:
    """The whole run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=2000, help="how many programs")
    parser.add_argument("--seed", type=int, default=1, help="the first one's")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--write", type=Path, help="a file for what was found so far")
    parser.add_argument("--small", action="store_true", help="smaller programs, as in the suite")
    parser.add_argument("--no-shrink", action="store_true", help="show programs as they are")
    chosen = parser.parse_args()
    begun = time.monotonic()

    def on_progress(report: Report) -> None:
        seconds = time.monotonic() - begun
        print(
            f"\r{report.cases} of {chosen.count}, {len(report.found)} violations, {seconds:.0f} s",
            end="",
            file=sys.stderr,
            flush=True,
        )
        if chosen.write is not None:
            chosen.write.write_text("\n".join(report.lines()) + "\n", "utf-8")

    shrink, small = not chosen.no_shrink, chosen.small
    report = run(chosen.seed, chosen.count, chosen.jobs, on_progress, shrink, small)
    print(file=sys.stderr)
    print("\n".join(report.lines()))
    return 1 if report.found else 0


if __name__ == "__main__":
    sys.exit(main())
