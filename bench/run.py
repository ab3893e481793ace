"""Benchmarks, each against a named peer in the same run; ``make bench`` runs them all.

    python bench/run.py [--small] [NAME ...]    only those of bench/run.py's table that are named

The last column says how many times faster than its peer something is: the peer's time divided by
ours, above 1 we are faster. Where times are for one piece of many and the peer is a smaller case of
the same, 1 means that the time grows as the number of pieces does, and no faster.

Times are the best of several turns, ours and the peer's by turns. They are processor time, of this
process and of the programs it runs, so that other work on the machine matters little. Only for the
first run of a new process, and for run_many() on several cores, they are what a clock on the wall
shows. Results also go to build/bench.json, after each benchmark: name, ours, peer, ours_s and
peer_s in seconds, ratio. One that fails is told at the end with what it raised, and in the file;
what the others measured is kept, and the exit code is 1.

With --small everything is done, but so little of it that the times say nothing.
"""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from importlib import import_module
from pathlib import Path

import amount
import assembling
import emulating
import executing
import gameboy
import growing
import hands
import many
import nes
import profiling
import shuffling
import starting
import waiting
from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from rows import Row, without_llvm

from romproof.support.files import write_atomically

BENCHMARKS: Mapping[str, Callable[[], list[Row]]] = {
    "tarot": assembling.tarot,
    "large": assembling.large,
    "engine": executing.engine,
    "call": executing.call,
    "shuffle": executing.shuffle,
    "cpus": shuffling.cpus,
    "emulators": emulating.shuffles,
    "gameboy": gameboy.seconds,
    "nes": nes.seconds,
    "gameboy-shuffle": shuffling.game_boy,
    "start": starting.starts,
    "profile": profiling.profiles,
    "checks": waiting.checks,
    "again": waiting.again,
    "tool-starts": starting.tool_starts,
    "many": many.batches,
    "growth": growing.translations,
    "shanten": hands.shanten,
}
RESULTS = Path("build/bench.json")
TITLE = "speed-up: the peer's time / ours"
_UNITS = (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6))


def main(words: Sequence[str]) -> int:
    """Run the named benchmarks, or all; show and write the rows. Gives the exit code."""
    names = [word for word in words if word != "--small"]
    unknown = [name for name in names if name not in BENCHMARKS]
    if unknown:
        print(f"no benchmark {unknown[0]}; there are: {', '.join(BENCHMARKS)}", file=sys.stderr)
        return 2
    if (
        not amount.SMALL and without_llvm() is None
    ):  # what is measured is what long jobs have, from the first turn on
        import_module("romproof.engine.llvm.running").WORTH_OPTIMISING = 0  # type: ignore[attr-defined]
    rows, failed = _measured(names or list(BENCHMARKS))
    console = Console(width=None if sys.stdout.isatty() else 120)
    console.print(table(rows))
    for name, why in failed.items():
        print(f"failed: {name}: {why}", file=sys.stderr)
    return 1 if failed else 0


def _measured(names: Sequence[str]) -> tuple[list[Row], dict[str, str]]:
    """The rows of all benchmarks, and why some have none; what is being measured is shown on
    standard error."""
    rows: list[Row] = []
    failed: dict[str, str] = {}
    shown = sys.stderr.isatty()
    with Progress(console=Console(stderr=True), transient=True, disable=not shown) as bar:
        task = bar.add_task("", total=len(names))
        for name in names:
            bar.update(task, description=name)
            if not shown:
                print(f"measuring: {name}", file=sys.stderr, flush=True)
            try:
                rows += BENCHMARKS[name]()
            except (Exception, SystemExit) as fault:  # the others have nothing to do with it
                traceback.print_exc()
                failed[name] = f"{type(fault).__name__}: {fault}"
            _keep(rows, failed)
            bar.advance(task)
    return rows, failed


def _keep(rows: Sequence[Row], failed: Mapping[str, str]) -> None:
    """Write what was found so far."""
    RESULTS.parent.mkdir(exist_ok=True)
    found = [{**asdict(row), "ratio": row.ratio} for row in rows]
    found += [{"name": name, "failed": why} for name, why in failed.items()]
    write_atomically(RESULTS, json.dumps(found, indent=1) + "\n")


def table(rows: Sequence[Row]) -> Table:
    """The rows for people."""
    made = Table("benchmark", "ours", "peer", title=TITLE)
    for title in ("our time", "peer's", "speed-up"):
        made.add_column(title, justify="right", no_wrap=True)
    for row in rows:
        times = (_time(row.ours_s), _time(row.peer_s))
        ratio = "-" if row.ratio is None else f"{row.ratio:,.2f}"
        made.add_row(row.name, row.ours, row.peer, *times, ratio)
    return made


def _time(seconds: float | None) -> str:
    """With three digits and a unit."""
    if seconds is None:
        return "-"
    unit, size = next((u for u in _UNITS if seconds >= 0.9995 * u[1]), _UNITS[-1])
    return f"{seconds / size:.3g} {unit}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
