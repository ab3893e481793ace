"""Run public test ROMs on the Game Boy machine and write what came of it as a page.

    python tools/conformance_sm83.py GB-TEST-ROMS MOONEYE > docs/conformance-sm83.md

GB-TEST-ROMS is a copy of Shay Green's (blargg's) tests, MOONEYE a folder with the built ROMs of
mooneye-test-suite. Neither is part of this project.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from romproof.engine.engines import DEFAULT_ENGINE, choose_engine
from romproof.machine.gameboy.limits import limit
from romproof.machine.gameboy.machine import GameBoy
from romproof.machine.gameboy.verdict import run_blargg, run_mooneye

CYCLES = 80_000_000
"""M-cycles after which a test that should pass has failed."""
CYCLES_LIMITED = 8_000_000
"""The same for a test that is not expected to pass."""

HEAD = """\
# What the Game Boy machine passes

Written by `tools/conformance_sm83.py`, which runs test ROMs that others verified on Game Boys;
none of them is part of this project. The machine is a DMG (revisions A to C) without picture and
sound: CPU, cartridge, timers, interrupts, serial port, buttons, OAM DMA and the LCD's line
counter. Engine: `{engine}`. The suites:

- Shay Green's (blargg's) tests, as collected in retrio/gb-test-roms
- mooneye-test-suite by Joonas Javanainen (Gekkio/mooneye-test-suite)
"""


@dataclass(frozen=True)
class Outcome:
    """A test, by its path in its suite, and how it went."""

    suite: str
    path: str
    passed: bool

    @property
    def folder(self) -> str:
        """Where the test is in its suite."""
        return self.path.rpartition("/")[0] or "."

    @property
    def limit(self) -> str | None:
        """Why the test may fail; None when it must pass."""
        return limit(self.path)

    @property
    def is_failure(self) -> bool:
        """Whether it should have passed and did not."""
        return not self.passed and self.limit is None


def main() -> None:
    """Read the command line, run everything, print the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("blargg", type=Path)
    parser.add_argument("mooneye", type=Path)
    parser.add_argument("--engine", default=DEFAULT_ENGINE)
    arguments = parser.parse_args()
    engine = arguments.engine
    if engine == DEFAULT_ENGINE:
        engine = choose_engine("sm83")
    outcomes = [*run("blargg", arguments.blargg, engine)]
    outcomes += run("mooneye", arguments.mooneye, engine)
    print(page(outcomes, engine), end="")


def run(suite: str, folder: Path, engine: str) -> Iterator[Outcome]:
    """Every ROM below a folder, in order; says on stderr how far it is."""
    judge = run_blargg if suite == "blargg" else run_mooneye
    for rom in sorted(folder.rglob("*.gb")):
        path = rom.relative_to(folder).as_posix()
        cycles = CYCLES_LIMITED if limit(path) else CYCLES
        verdict = judge(GameBoy(rom.read_bytes(), engine), cycles)
        passed = verdict is not None and verdict.passed
        print(f"{'pass' if passed else 'FAIL'} {suite} {path}", file=sys.stderr, flush=True)
        yield Outcome(suite, path, passed)


def page(outcomes: list[Outcome], engine: str) -> str:
    """The page in Markdown."""
    folders = list(dict.fromkeys((o.suite, o.folder) for o in outcomes))
    lines = [HEAD.format(engine=engine)]
    lines += ["| suite | folder | tests | passed | failed | not for this machine |"]
    lines += ["|---|---|--:|--:|--:|--:|"]
    for suite, folder in folders:
        members = [o for o in outcomes if (o.suite, o.folder) == (suite, folder)]
        lines.append(_row(suite, folder, members))
    lines.append(_row("all", "", outcomes))
    failures = [f"- {o.suite}: {o.path}" for o in outcomes if o.is_failure]
    if failures:
        lines += ["", "## Failed", "", *failures]
    lines += ["", "## Not for this machine", "", "| suite | tests | why |", "|---|---|---|"]
    for suite, folder, why in dict.fromkeys((o.suite, o.folder, o.limit) for o in outcomes):
        if why is not None:
            names = _names(
                o for o in outcomes if (o.suite, o.folder, o.limit) == (suite, folder, why)
            )
            lines.append(f"| {suite} | {folder}: {names} | {why} |")
    lines += ["", "## Passed", "", "| suite | tests |", "|---|---|"]
    for suite, folder in folders:
        members = [o for o in outcomes if (o.suite, o.folder) == (suite, folder)]
        names = _names(o for o in members if o.passed and o.limit is None)
        if names:
            lines.append(f"| {suite} | {folder}: {names} |")
    return "\n".join(lines) + "\n"


def _row(suite: str, folder: str, outcomes: list[Outcome]) -> str:
    """A row of the table: how many passed, failed and are not for this machine."""
    failed = sum(o.is_failure for o in outcomes)
    limited = sum(o.limit is not None for o in outcomes)
    passed = len(outcomes) - failed - limited
    return f"| {suite} | {folder} | {len(outcomes)} | {passed} | {failed} | {limited} |"


def _names(outcomes: Iterable[Outcome]) -> str:
    return ", ".join(Path(o.path).stem for o in outcomes)


if __name__ == "__main__":
    main()
