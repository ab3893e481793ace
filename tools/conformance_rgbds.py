"""Run RGBDS's own tests on our rgbasm, rgblink, rgbfix and rgbgfx, and write the results as a page.

    python tools/conformance_rgbds.py RGBDS > docs/conformance-rgbds.md

RGBDS is a copy of gbdev/rgbds; nothing of it is part of this project.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import re
import sys
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from romproof.conformance.model import SuiteOutcome, SuitePiece
from romproof.conformance.run import pieces_in, run_piece

SUITES = ("rgbds-asm", "rgbds-link", "rgbds-fix", "rgbds-gfx")
TOOLS = {
    "rgbds-asm": "rgbasm",
    "rgbds-link": "rgblink",
    "rgbds-fix": "rgbfix",
    "rgbds-gfx": "rgbgfx",
}
SMALLEST = 4
"""Files that a topic has at least; what is alone comes under "others"."""

HEAD = """\
# Results of RGBDS's tests

`tools/conformance_rgbds.py` runs the tests of RGBDS 1.0.3 (gbdev/rgbds at 307846b03e, 2026-08-01;
the newest release on 2026-11-28; `test/asm`, `test/link`, `test/fix`, `test/gfx`) on
`romproof rgbasm`, `rgblink`, `rgbfix` and `rgbgfx`, and writes this page.
`romproof conformance RGBDS` runs the same tests. None of them is part of this project.

A case is one run: a source as a file, or from standard input; a ROM fixed in place, from standard
input, or to another file; a picture as a file, or from standard input; tiles to a picture and back,
and a picture to tiles and back. It passes if all of these are those of the original:

- the exit status, and everything on standard output
- the bytes of the ROM, the symbol file, the map, the state file, the rules for make, where the
  suite has them
- errors and warnings: how many, in which order, which of the two, the innermost file and line, and
  the warning's option. The texts differ. romproof may name a place where the original does not, and
  may continue after an error at which the original stops. rgbgfx has to use the same words.
- tiles and pictures that were converted there and back

The random pictures of rgbgfx are made here from the bits in `seed*.bin`, by the rules of the
suite's `randtilegen.cpp`, which is not run; random numbers in the suite's options are fixed here.

RGBDS's own programs pass every case of this comparison.
"""


@dataclass(frozen=True)
class Result:
    """A file of a suite and what came of it."""

    suite: str
    name: str
    outcome: SuiteOutcome

    @property
    def stem(self) -> str:
        """The first word of the name, or the folder."""
        return re.split(r"[-/.@ ]", self.name)[0]


def main() -> None:
    """Read the command line, run everything, print the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, metavar="RGBDS")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    pieces = pieces_in(arguments.folder, SUITES)
    print(page(run(pieces, arguments.jobs)), end="")


def run(pieces: list[SuitePiece], jobs: int) -> list[Result]:
    """Everything, in order; says on stderr how far it is."""
    results: list[Result] = []
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, context) as pool:
        for piece, outcome, _ in pool.map(run_piece, pieces):
            results.append(Result(piece.suite, piece.file.name, outcome))
            if outcome.failed:
                print(f"FAIL {piece.suite} {piece.file.name}", file=sys.stderr, flush=True)
    return results


def page(results: list[Result]) -> str:
    """The page in Markdown."""
    lines = [HEAD, "| suite | tool | cases | passed | failed |", "|---|---|--:|--:|--:|"]
    for suite in SUITES:
        lines.append(_row((suite, TOOLS[suite]), _of(results, suite)))
    lines.append(_row(("all", ""), results))
    for suite in SUITES:
        members = _of(results, suite)
        lines += ["", f"## {suite} by topic", "", "| topic | cases | passed | failed |"]
        lines += ["|---|--:|--:|--:|"]
        for topic, files in _topics(members).items():
            lines.append(_row((topic,), files))
    lines += ["", "## Failures", ""]
    failures = [
        f"- {result.suite}, {failure.case}: {_plain(failure.what)}"
        for result in results
        for failure in result.outcome.failures
    ]
    lines += failures or ["Nothing."]
    return "\n".join(lines) + "\n"


def _of(results: list[Result], suite: str) -> list[Result]:
    return [result for result in results if result.suite == suite]


def _topics(members: list[Result]) -> dict[str, list[Result]]:
    """The files by the first word of their names, those of few by themselves together."""
    sizes = Counter(result.stem for result in members)
    topics: dict[str, list[Result]] = {}
    for result in sorted(members, key=lambda r: (sizes[r.stem] < SMALLEST, r.stem)):
        topic = result.stem if sizes[result.stem] >= SMALLEST else "others"
        topics.setdefault(topic, []).append(result)
    return topics


def _row(cells: tuple[str, ...], results: Iterable[Result]) -> str:
    total = sum((result.outcome for result in results), SuiteOutcome())
    return f"| {' | '.join(cells)} | {total.cases} | {total.passed} | {total.failed} |"


def _plain(text: str) -> str:
    """Text that Markdown leaves as it is."""
    return re.sub(r"([\\`*_<>|])", r"\\\1", text)


if __name__ == "__main__":
    main()
