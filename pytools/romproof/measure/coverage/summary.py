"""Coverage by line: what tables, lcov files and pages are made of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from itertools import groupby

from romproof.measure.coverage.model import Coverage, CoverageSpot, FileHits, Hits

_C_ENDINGS = (".c", ".h")


@dataclass(frozen=True, slots=True)
class Branch:
    """The two outcomes of a branch, of all expansions of its line together."""

    column: int
    taken: int
    passed: int

    @property
    def missing(self) -> tuple[str, ...]:
        """The outcomes that it never had."""
        return (*(["taken"] if not self.taken else []), *(["not taken"] if not self.passed else []))


@dataclass(frozen=True, slots=True)
class LineReport:
    """A line with code: how often it was executed, and its branches.

    ``spots`` are the instructions that came of it, one for each expansion; ``executed`` of these
    were. ``calls`` says that it has them by the macro that it calls.
    """

    line: int
    count: int
    branches: tuple[Branch, ...]
    spots: int
    executed: int
    calls: bool


@dataclass(frozen=True)
class FileReport:
    """A source by lines; of each what is counted: (executed, all)."""

    path: str
    text: str
    lines: tuple[LineReport, ...]
    functions: tuple[tuple[int, str, int], ...]
    instructions: tuple[int, int]
    labels_only: bool

    @property
    def line_counts(self) -> tuple[int, int]:
        """How many lines with code were executed, and how many there are."""
        return sum(1 for line in self.lines if line.count), len(self.lines)

    @property
    def branch_counts(self) -> tuple[int, int]:
        """How many outcomes branches had, and how many they may have: two for each."""
        branches = [branch for line in self.lines for branch in line.branches]
        return sum(2 - len(b.missing) for b in branches), 2 * len(branches)

    @property
    def missing_lines(self) -> tuple[int, ...]:
        """The lines with code that were not executed."""
        return tuple(line.line for line in self.lines if not line.count)

    @property
    def missing_outcomes(self) -> tuple[tuple[int, str], ...]:
        """The outcomes that branches of executed lines never had, by line."""
        return tuple(
            (line.line, outcome)
            for line in self.lines
            if line.count
            for branch in line.branches
            for outcome in branch.missing
        )


@dataclass(frozen=True)
class CoverageReport:
    """All sources, by path."""

    files: tuple[FileReport, ...]
    notes: tuple[str, ...]

    @property
    def line_counts(self) -> tuple[int, int]:
        """As of a file."""
        return _sums(file.line_counts for file in self.files)

    @property
    def branch_counts(self) -> tuple[int, int]:
        """As of a file."""
        return _sums(file.branch_counts for file in self.files)

    @property
    def instructions(self) -> tuple[int, int]:
        """As of a file: each expansion by itself."""
        return _sums(file.instructions for file in self.files)

    @property
    def percent(self) -> float:
        """Executed lines and branch outcomes in percent of all; 0 where nothing is known."""
        return percent(self.line_counts, self.branch_counts) if self.files else 0.0


def percent(*counts: tuple[int, int]) -> float:
    """What was executed in percent of all."""
    done, there = _sums(counts)
    return 100.0 * done / there if there else 100.0


def report_of(coverage: Coverage, omit: Sequence[str] = ()) -> CoverageReport:
    """The coverage by line, without files whose paths match one of the patterns ``omit``."""
    called: dict[str, dict[int, list[Hits]]] = {}
    for file in coverage.files.values():
        for spot, hits in file.spots.items():
            for path, line in spot.chain:
                called.setdefault(path, {}).setdefault(line, []).append(hits)
    nothing = FileHits("", {}, {})
    files = [
        _file(path, coverage.files.get(path, nothing), called.get(path, {}))
        for path in sorted({*coverage.files, *called})
        if not any(fnmatch(path, pattern) for pattern in omit)
    ]
    return CoverageReport(tuple(file for file in files if file.lines), coverage.notes)


def ranges(lines: Iterable[int], known: Iterable[int]) -> list[str]:
    """Numbers of lines as people write them, ``3-7``: from one to the next, if all lines ``known``
    to have code in between are among them."""
    place = {line: number for number, line in enumerate(sorted(set(known)))}
    wanted = sorted(set(lines))
    texts = []
    for _, group in groupby(enumerate(wanted), lambda each: place[each[1]] - each[0]):
        run = [line for _, line in group]
        texts.append(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}")
    return texts


def _sums(counts: Iterable[tuple[int, int]]) -> tuple[int, int]:
    done = there = 0
    for one, other in counts:
        done, there = done + one, there + other
    return done, there


def _file(path: str, file: FileHits, called: Mapping[int, Sequence[Hits]]) -> FileReport:
    written: dict[int, list[tuple[CoverageSpot, Hits]]] = {}
    for spot, hits in file.spots.items():
        written.setdefault(spot.line, []).append((spot, hits))
    is_c = path.endswith(_C_ENDINGS)
    lines = [_line(number, spots, is_c) for number, spots in written.items()]
    lines += [_call(number, all_) for number, all_ in called.items() if number not in written]
    lines.sort(key=lambda line: line.line)
    executed = sum(1 for hits in file.spots.values() if hits.executed)
    functions = tuple((line, name, count) for (line, name), count in sorted(file.functions.items()))
    return FileReport(
        path, file.text, tuple(lines), functions, (executed, len(file.spots)), file.labels_only
    )


def _line(number: int, spots: Sequence[tuple[CoverageSpot, Hits]], is_c: bool) -> LineReport:
    """One line: instructions beside each other (``::``) count apart, expansions together. Those of
    a line of C come one after the other."""
    by_column: dict[int, list[Hits]] = {}
    for spot, hits in spots:
        by_column.setdefault(spot.column, []).append(hits)
    together = max if is_c else sum
    count = max(together(hits.executed for hits in all_) for all_ in by_column.values())
    branches = tuple(
        Branch(column, sum(h.taken for h in outcomes), sum(h.passed for h in outcomes))
        for column, all_ in sorted(by_column.items())
        if (outcomes := [h for h in all_ if h.branches])
    )
    executed = sum(1 for _, hits in spots if hits.executed)
    return LineReport(number, count, branches, len(spots), executed, False)


def _call(number: int, all_: Sequence[Hits]) -> LineReport:
    """A line that calls a macro: executed when anything of it was. Branches are the macro's."""
    count = max(hits.executed for hits in all_)
    return LineReport(number, count, (), len(all_), sum(1 for h in all_ if h.executed), True)
