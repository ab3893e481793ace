"""A benchmark's result, and how times are taken."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

TURNS = 5


@dataclass(frozen=True, slots=True)
class Row:
    """One result; times are in seconds, None where the peer is missing."""

    name: str
    ours: str
    peer: str
    ours_s: float
    peer_s: float | None = None

    @property
    def ratio(self) -> float | None:
        """Our time divided by the peer's."""
        return None if self.peer_s is None else self.ours_s / self.peer_s


def best(*works: Callable[[], object]) -> list[float]:
    """The shortest time of each, in seconds; they take turns."""
    times: list[list[float]] = [[] for _ in works]
    for _ in range(TURNS):
        for work, taken in zip(works, times, strict=True):
            start = time.perf_counter()
            work()
            taken.append(time.perf_counter() - start)
    return [min(taken) for taken in times]


def missing(*programs: str) -> str | None:
    """The words for a peer that is not there; None when it is."""
    absent = [program for program in programs if shutil.which(program) is None]
    return f"{' and '.join(absent)}: not installed" if absent else None


def command(*words: str | Path) -> Callable[[], object]:
    """Running a program, start-up included."""
    return lambda: subprocess.run(words, check=True, capture_output=True)
