"""Run public test ROMs on the NES and write what came of it as a page.

    python tools/conformance_nes.py NES-TEST-ROMS > docs/conformance-nes.md

NES-TEST-ROMS is a copy of christopherpow/nes-test-roms, which is no part of this project.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from romproof.conformance.model import SuiteOutcome
from romproof.conformance.nes import find_nes, run_nes_rom
from romproof.engine.engines import usable_engine
from romproof.machine.nes.limits import limit
from romproof.machine.nes.machine import CPU

_ENGINES = ("llvm", "recompiled")

HEAD = """\
# Results of NES test ROMs

`tools/conformance_nes.py` runs test ROMs that others verified on consoles, and writes this page;
none of the ROMs is part of this project. They are those of christopherpow/nes-test-roms that report
their result, in RAM at $6000 or as text: most by Shay Green (blargg), others by Bisqwit. The
[machine](machines/nes.md) has no sound.

Each test was run once on each engine: {engines}. *Passed* means on all of them, *failed* on
one or more. The last column has the millions of instructions that `recompiled` executed, and the
percentage that translated code executed; its interpreter, that of `llvm`, executed the others.
"""


@dataclass(frozen=True)
class Tested:
    """A test, by its path with the folder of its set, and what came of it on each engine."""

    path: str
    outcomes: tuple[SuiteOutcome, ...]

    @property
    def passed(self) -> bool:
        """On all engines."""
        return all(outcome.passed for outcome in self.outcomes)

    @property
    def folder(self) -> str:
        """The set, and the folder in it."""
        return self.path.rpartition("/")[0]

    @property
    def limit(self) -> str | None:
        """Why the test cannot be expected to pass; None when it should."""
        return limit(self.path)

    @property
    def is_failure(self) -> bool:
        """Whether it should have passed and did not."""
        return not self.passed and self.limit is None


def main() -> None:
    """Read the command line, run everything, print the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("roms", type=Path)
    parser.add_argument("--engine", action="append", help="may be repeated")
    arguments = parser.parse_args()
    engines = [usable_engine(name, CPU).name for name in arguments.engine or _ENGINES]
    print(page(list(run(arguments.roms, engines)), engines), end="")


def run(folder: Path, engines: Sequence[str]) -> Iterator[Tested]:
    """Every ROM of the sets, in order; says on stderr how far it is."""
    for file in find_nes(sorted(folder.rglob("*.nes"))):
        tested = Tested(file.name, tuple(run_nes_rom(file, engine) for engine in engines))
        told = "pass" if tested.passed else "----" if tested.limit else "FAIL"
        print(told, file.name, file=sys.stderr, flush=True)
        yield tested


def page(tests: list[Tested], engines: Sequence[str]) -> str:
    """The page in Markdown."""
    folders = list(dict.fromkeys(test.folder for test in tests))
    lines = [HEAD.format(engines=" and ".join(f"`{engine}`" for engine in engines))]
    lines += [
        "| folder | tests | passed | failed | not for this machine | recompiled: translated |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    lines += [_row(name, [test for test in tests if test.folder == name]) for name in folders]
    lines.append(_row("all", tests))
    failures = [f"- {test.path}" for test in tests if test.is_failure]
    if failures:
        lines += ["", "## Failed", "", *failures]
    lines += ["", "## Not for this machine", "", "| tests | why |", "|---|---|"]
    for folder, why in dict.fromkeys((test.folder, test.limit) for test in tests):
        if why is not None:
            names = _names(test for test in tests if (test.folder, test.limit) == (folder, why))
            lines.append(f"| {folder}: {names} | {why} |")
    lines += ["", "## Passed", "", "| folder | tests |", "|---|---|"]
    for folder in folders:
        names = _names(test for test in tests if test.folder == folder and test.passed)
        if names:
            lines.append(f"| {folder} | {names} |")
    return "\n".join(lines) + "\n"


def _row(folder: str, tests: list[Tested]) -> str:
    """A row of the table: how many passed, failed and are not for this machine."""
    failed = sum(test.is_failure for test in tests)
    limited = sum(test.limit is not None for test in tests)
    passed = len(tests) - failed - limited
    total = sum((outcome for test in tests for outcome in test.outcomes), SuiteOutcome())
    share = ""
    if total.instructions:
        part = total.translated / total.instructions
        share = f"{part:.1%} of {total.instructions / 1e6:,.1f} M".replace("%", " %")
    return f"| {folder} | {len(tests)} | {passed} | {failed} | {limited} | {share} |"


def _names(tests: Iterable[Tested]) -> str:
    return ", ".join(Path(test.path).stem for test in tests)


if __name__ == "__main__":
    main()
