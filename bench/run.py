"""Benchmarks, each against a named peer in the same run; ``make bench`` runs them all.

    python bench/run.py [NAME ...]      only those of bench/run.py's table that are named

Times are the best of several turns, ours and the peer's by turns. A ratio is our time divided
by the peer's: below 1 we are faster. Results also go to build/bench.json.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import assembling
import executing
from rich.console import Console
from rich.table import Table
from rows import Row

BENCHMARKS = {
    "tarot": assembling.tarot,
    "large": assembling.large,
    "engine": executing.engine,
    "call": executing.call,
    "shuffle": executing.shuffle,
}
RESULTS = Path("build/bench.json")


def main(names: Sequence[str]) -> int:
    """Run the named benchmarks, or all; show and write the rows. Gives the exit code."""
    unknown = [name for name in names if name not in BENCHMARKS]
    if unknown:
        print(f"no benchmark {unknown[0]}; there are: {', '.join(BENCHMARKS)}", file=sys.stderr)
        return 2
    rows = [BENCHMARKS[name]() for name in names or BENCHMARKS]
    RESULTS.parent.mkdir(exist_ok=True)
    found = [{**asdict(row), "ratio": row.ratio} for row in rows]
    RESULTS.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    console = Console(width=None if sys.stdout.isatty() else 110)
    console.print(table(rows))
    return 0


def table(rows: Sequence[Row]) -> Table:
    """The rows for people; times in milliseconds."""
    made = Table("benchmark", "ours", "peer", title="ratio: our time / the peer's")
    for title in ("our ms", "peer ms", "ratio"):
        made.add_column(title, justify="right")
    for row in rows:
        times = ["-" if t is None else f"{1000 * t:,.1f}" for t in (row.ours_s, row.peer_s)]
        ratio = "-" if row.ratio is None else f"{row.ratio:.2f}"
        made.add_row(row.name, row.ours, row.peer, *times, ratio)
    return made


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
