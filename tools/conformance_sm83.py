"""Run public test ROMs on the Game Boy machine and write what came of it as a page.

    python tools/conformance_sm83.py FOLDER > docs/conformance-sm83.md

Below FOLDER are copies of the suites: Shay Green's (blargg's) tests, mooneye-test-suite and
age-test-roms (the built ROMs), and gbmicrotest. None is part of this project.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from romproof.conformance.model import SuiteFile, SuiteOutcome
from romproof.conformance.suites import SUITES
from romproof.engine.engines import usable_engine
from romproof.machine.gameboy.limits import limit

_SUITES = ("gb-blargg", "gb-mooneye", "gb-micro", "gb-age", "gb-same")
_ENGINES = ("llvm", "recompiled")

HEAD = """\
# Results of Game Boy test ROMs

`tools/conformance_sm83.py` runs test ROMs that others verified on Game Boys, and writes this page;
none of the ROMs is part of this project. The machine is a DMG (revisions A to C) or a Game Boy
Color (revisions B and C, or E) without picture and sound: CPU, cartridge, timers, interrupts,
serial port, buttons, DMA and the times of the LCD's lines ([why](decisions/0034-lines-by-dots.md)).
A test runs on each of the three that it is for, and passes if it does on all of them. The suites:

- `gb-blargg`: Shay Green's (blargg's) tests, as collected in retrio/gb-test-roms
- `gb-mooneye`: mooneye-test-suite by Joonas Javanainen (Gekkio/mooneye-test-suite)
- `gb-micro`: gbmicrotest by Austin Appleby (aappleby/gbmicrotest)
- `gb-age`: age-test-roms by Christoph Sprenger (c-sp/age-test-roms)
- `gb-same`: SameSuite by Lior Halphon (LIJI32/SameSuite)

Each test was run once on each engine: {engines}. *Passed* means on all of them, *failed* on
one or more. The last column has the millions of instructions that `recompiled` executed, and the
percentage that translated code executed; its interpreter, that of `llvm`, executed the others.
"""


@dataclass(frozen=True)
class Tested:
    """A test, by its path in its suite, and what came of it on each engine."""

    suite: str
    path: str
    outcomes: tuple[SuiteOutcome, ...]

    @property
    def folder(self) -> str:
        """Where the test is in its suite."""
        return self.path.rpartition("/")[0] or "."

    @property
    def limit(self) -> str | None:
        """Why the test may fail, in which case it was not run; None when it must pass."""
        return limit(self.path)

    @property
    def passed(self) -> bool:
        """On all engines."""
        return all(outcome.passed for outcome in self.outcomes)


def main() -> None:
    """Read the command line, run everything, print the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--engine", action="append", help="may be repeated")
    arguments = parser.parse_args()
    engines = [usable_engine(name, "sm83").name for name in arguments.engine or _ENGINES]
    print(page(list(run(arguments.folder, engines)), engines), end="")


def run(folder: Path, engines: Sequence[str]) -> Iterator[Tested]:
    """Every ROM of the suites, in order; says on stderr how far it is."""
    files = sorted(path for path in folder.rglob("*.gb") if path.is_file())
    for name in _SUITES:
        for file in SUITES[name].find(files):
            tested = Tested(name, file.name, tuple(_run(name, file, e) for e in engines))
            state = "----" if tested.limit else "pass" if tested.passed else "FAIL"
            print(state, name, file.name, file=sys.stderr, flush=True)
            yield tested


def _run(suite: str, file: SuiteFile, engine: str) -> SuiteOutcome:
    return SUITES[suite].run(file, engine, 1)


def page(tests: list[Tested], engines: Sequence[str]) -> str:
    """The page in Markdown."""
    folders = list(dict.fromkeys((test.suite, test.folder) for test in tests))
    names = " and ".join(f"`{engine}`" for engine in engines)
    lines = [HEAD.format(engines=names)]
    translating = [
        n for n, _ in enumerate(engines) if any(t.outcomes[n].instructions for t in tests)
    ]
    columns = ["suite", "folder", "tests", "passed", "failed", "not for this machine"]
    columns += [f"{engines[number]}: translated" for number in translating]
    lines += [f"| {' | '.join(columns)} |", "|---|---|" + "--:|" * (len(columns) - 2)]
    for suite, folder in folders:
        lines.append(_row(suite, folder, _of(tests, suite, folder), translating))
    lines.append(_row("all", "", tests, translating))
    failures = [f"- {test.path}" for test in tests if not test.passed and test.limit is None]
    if failures:
        lines += ["", "## Failed", "", *failures]
    lines += ["", "## Not for this machine", "", "| suite | tests | why |", "|---|---|---|"]
    for suite, folder, why in dict.fromkeys((t.suite, t.folder, t.limit) for t in tests):
        if why is not None:
            members = (test for test in _of(tests, suite, folder) if test.limit == why)
            lines.append(f"| {suite} | {folder}: {_names(members)} | {why} |")
    lines += ["", "## Passed", "", "| suite | tests |", "|---|---|"]
    for suite, folder in folders:
        passed = _names(t for t in _of(tests, suite, folder) if t.passed and t.limit is None)
        if passed:
            lines.append(f"| {suite} | {folder}: {passed} |")
    return "\n".join(lines) + "\n"


def _of(tests: Iterable[Tested], suite: str, folder: str) -> list[Tested]:
    return [test for test in tests if (test.suite, test.folder) == (suite, folder)]


def _row(suite: str, folder: str, tests: Sequence[Tested], translating: Sequence[int]) -> str:
    """A row of the table; ``translating`` are the places of engines that translate."""
    limited = sum(test.limit is not None for test in tests)
    passed = sum(test.passed for test in tests if test.limit is None)
    cells = [suite, folder, len(tests), passed, len(tests) - passed - limited, limited]
    for number in translating:
        cells.append(_executed([test.outcomes[number] for test in tests]))
    return f"| {' | '.join(map(str, cells))} |"


def _executed(outcomes: Iterable[SuiteOutcome]) -> str:
    """Instructions, and the share of them that was translated."""
    total = sum(outcomes, SuiteOutcome())
    if not total.instructions:
        return ""
    share = total.translated / total.instructions
    return f"{share:.1%} of {total.instructions / 1e6:,.1f} M".replace("%", " %")


def _names(tests: Iterable[Tested]) -> str:
    return ", ".join(PurePosixPath(test.path).stem for test in tests)


if __name__ == "__main__":
    main()
