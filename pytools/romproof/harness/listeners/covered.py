"""What all runs of tests have executed, of every program: the listener of ``--romproof-cov``."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path

from romproof.engine.instruments import Watchpoint
from romproof.engine.protocol import Observer
from romproof.harness.calls.listening import ObservedRun, count_text, name_of
from romproof.machine.board import Window
from romproof.measure.coverage.executed import CoverageEvent, observer_of
from romproof.measure.coverage.lines import coverage_of
from romproof.measure.coverage.model import Coverage, merge
from romproof.program.image import Image


@dataclass(slots=True)
class _Program:
    image: Image
    windows: Collection[Window]
    left_out: Collection[str]
    folder: str
    counts: defaultdict[CoverageEvent, int] = field(default_factory=lambda: defaultdict(int))


class Covered:
    """A Listener (romproof.harness.calls.listening) that counts what is executed.

    Sources whose names are no full paths lie below ``folder``, or below the folder that was the
    current one when their program was run first.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = str(folder)
        self._programs: dict[tuple[int, tuple[str, ...], int], _Program] = {}
        self._unobserved: Counter[tuple[str, str]] = Counter()

    def observer(self, run: ObservedRun, known: Observer | None) -> Observer | None:
        """See Listener."""
        if known is not None:
            return known
        image, board = run.image, run.board
        key = id(image), tuple(board.left_out), len(board.windows)
        if key not in self._programs:
            self._programs[key] = _Program(image, board.windows, board.left_out, os.getcwd())
        return observer_of(image, board, self._programs[key].counts)

    def points(self, run: ObservedRun) -> tuple[Watchpoint, ...]:
        """See Listener."""
        return ()

    def on_call(self, run: ObservedRun, cycles: int) -> None:
        """See Listener."""

    def on_unobserved(self, what: str, count: int, of: str) -> None:
        """See Listener."""
        self._unobserved[what, of] += count

    def coverage(self) -> Coverage:
        """What was executed so far."""
        total = Coverage(
            notes=tuple(
                f"{what}: {count_text(count, of)} not observed"
                for (what, of), count in self._unobserved.items()
            )
        )
        absent: dict[int, set[str]] = {}
        for program in self._programs.values():
            absent.setdefault(id(program.image), set(program.left_out)).intersection_update(
                program.left_out
            )
        for program in self._programs.values():
            folders = (self._folder, program.folder)
            total = merge(
                total,
                coverage_of(
                    name_of(program.image),
                    program.image,
                    program.counts,
                    program.windows,
                    program.left_out,
                    cache(partial(_path, folders)),
                    absent[id(program.image)],
                ),
            )
        return total


def _path(folders: Collection[str], name: str) -> str:
    """The full path of a source; in the first folder when it is in none."""
    paths = [os.path.abspath(os.path.join(folder, name)) for folder in folders]
    return next((path for path in paths if os.path.exists(path)), paths[0])
