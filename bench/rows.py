"""A benchmark's result, and how times are taken."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import amount

from romproof.engine.engines import ENGINES

TURNS = 1 if amount.SMALL else 5


@dataclass(frozen=True, slots=True)
class Row:
    """One result; times are in seconds, None where there is nothing to be measured.

    ``ours`` and ``peer`` say what was measured, or why it could not be.
    """

    name: str
    ours: str
    peer: str
    ours_s: float | None
    peer_s: float | None = None

    @property
    def ratio(self) -> float | None:
        """How many times faster we are: the peer's time divided by ours."""
        if self.ours_s is None or self.peer_s is None:
            return None
        return self.peer_s / self.ours_s


def cpu_seconds() -> float:
    """The seconds this process and the programs it has run kept a processor busy.

    For work on one core this is what a clock would show if nothing else ran.
    """
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def best(
    *works: Callable[[], object], clock: Callable[[], float] = cpu_seconds, turns: int = TURNS
) -> list[float]:
    """The shortest time of each, in seconds; they take turns."""
    times: list[list[float]] = [[] for _ in works]
    for _ in range(1 if amount.SMALL else turns):
        for work, taken in zip(works, times, strict=True):
            start = clock()
            work()
            taken.append(clock() - start)
    return [min(taken) for taken in times]


WALL = time.perf_counter
"""The clock for what people wait for, and for work on several cores."""


def missing(*programs: str) -> str | None:
    """The words for a peer that is not there; None when it is."""
    absent = [program for program in programs if shutil.which(program) is None]
    return f"{' and '.join(absent)}: not installed" if absent else None


def without_llvm() -> str | None:
    """The words for a compiled engine that cannot be used; None when it can."""
    return ENGINES["llvm"].missing()


def command(*words: str | Path) -> Callable[[], object]:
    """Running a program, start-up included. Python keeps its bytecode, as it does for users: a
    start that compiles every module again is no start of theirs."""
    kept = {name: text for name, text in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return lambda: subprocess.run(words, check=True, capture_output=True, env=kept)
