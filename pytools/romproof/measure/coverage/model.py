"""What was executed of sources: the nouns of coverage, and how those of several runs are one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple


class CoverageSpot(NamedTuple):
    """An instruction that a source has: where it is written, and in which expansion.

    ``line`` and ``column`` are where it stands; ``chain`` are the calls of macros that
    brought it, the innermost first, each as ``(path, line)``. ``ordinal`` numbers those that all of
    that is the same for: the iterations of a repeat, and the instructions of a line of C.
    """

    line: int
    column: int
    chain: tuple[tuple[str, int], ...]
    ordinal: int


class Hits(NamedTuple):
    """How often an instruction was executed; of a branch, how often it was ``taken`` and how often
    it was ``passed``. Both are -1 for what is no branch."""

    executed: int
    taken: int = -1
    passed: int = -1

    @property
    def branches(self) -> bool:
        """Whether it has two outcomes."""
        return self.taken >= 0

    def plus(self, other: Hits) -> Hits:
        """Both together."""
        taken, passed = self.taken, self.passed
        if other.branches:
            taken, passed = max(taken, 0) + other.taken, max(passed, 0) + other.passed
        return Hits(self.executed + other.executed, taken, passed)


@dataclass(frozen=True, slots=True)
class FileHits:
    """What was executed of one source, ``text``; ``functions`` has by line and name how often the
    routines were entered.

    ``labels_only``: no line of it is known, but those of labels (see
    romproof.measure.coverage.labels).
    """

    text: str = field(repr=False)
    spots: Mapping[CoverageSpot, Hits]
    functions: Mapping[tuple[int, str], int]
    labels_only: bool = False


@dataclass(frozen=True, slots=True)
class Coverage:
    """What was executed of some programs: ``files`` by their paths; ``notes`` are for people, what
    could not be seen."""

    files: Mapping[str, FileHits] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def merge(one: Coverage, other: Coverage) -> Coverage:
    """The coverage of all runs of both: of two programs, or of two processes."""
    files = dict(one.files)
    for path, file in other.files.items():
        files[path] = _merge_file(files[path], file) if path in files else file
    return Coverage(files, tuple(dict.fromkeys([*one.notes, *other.notes])))


def _merge_file(one: FileHits, other: FileHits) -> FileHits:
    spots, functions = dict(one.spots), dict(one.functions)
    for spot, hits in other.spots.items():
        known = spots.get(spot)
        spots[spot] = hits if known is None else known.plus(hits)
    for function, count in other.functions.items():
        functions[function] = functions.get(function, 0) + count
    return FileHits(one.text or other.text, spots, functions, one.labels_only and other.labels_only)


def as_plain(coverage: Coverage) -> dict[str, Any]:
    """The coverage as JSON has it, for another process. See ``from_plain``."""
    return {
        "notes": list(coverage.notes),
        "files": [
            [
                path,
                file.text,
                file.labels_only,
                [[*spot, *hits] for spot, hits in file.spots.items()],
                [[*function, count] for function, count in file.functions.items()],
            ]
            for path, file in coverage.files.items()
        ],
    }


def from_plain(plain: Mapping[str, Any]) -> Coverage:
    """What ``as_plain`` made, once more."""
    files = {
        path: FileHits(
            text,
            {
                CoverageSpot(line, column, tuple((p, n) for p, n in chain), ordinal): Hits(*hits)
                for line, column, chain, ordinal, *hits in spots
            },
            {(line, name): count for line, name, count in functions},
            labels_only,
        )
        for path, text, labels_only, spots, functions in plain["files"]
    }
    return Coverage(files, tuple(plain["notes"]))
