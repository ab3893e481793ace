"""Coverage as a table for a terminal."""

from __future__ import annotations

import os
from collections.abc import Iterator

from romproof.measure.coverage.summary import CoverageReport, FileReport, percent, ranges

_MAX_MISSING = 48
"""Ranges of missing lines, and missing outcomes, that a row shows; the others are counted."""
_HEADS = ("source", "lines", "missed", "branches", "missed", "cover", "instructions")


def coverage_lines(report: CoverageReport, folder: str, width: int) -> Iterator[str]:
    """The table, line by line; paths are shown from ``folder`` (see show_path).

    ``cover`` is the share of lines and branch outcomes together; of ``instructions`` each expansion
    of a macro or repeat has its own.
    """
    if not report.files:
        yield "no source lines are known for the code that was executed"
        yield from report.notes
        return
    rows = [_row(show_path(file.path, folder), file) for file in report.files]
    total = _cells(
        "all", report.line_counts, report.branch_counts, report.instructions, report.percent
    )
    table = [_HEADS, *(row for row, _ in rows), total]
    widths = [max(len(row[n]) for row in table) for n in range(len(_HEADS))]
    room = sum(widths) + 2 * len(widths)
    yield _line(_HEADS, widths) + "  missing"
    yield "-" * min(max(room + 7, 40), max(width, 40))
    for cells, missing in rows:
        first = _line(cells, widths)
        lines = _wrap(missing, max(width - room, 24))
        yield f"{first}  {lines[0]}".rstrip()
        for more in lines[1:]:
            yield " " * room + more
    if len(rows) > 1:
        yield "-" * min(max(room + 7, 40), max(width, 40))
        yield _line(total, widths)
    yield (
        "lines, branches (two outcomes each): all expansions of a macro or repeat count as one; "
        "instructions: executed/all, each expansion counts"
    )
    yield from report.notes


def show_path(path: str, folder: str) -> str:
    """A path as it is shown: from ``folder``, also where that leads out of it first (a game beside
    its tests); as it is where that is shorter, as for a library of the system."""
    ways = []
    for base in (folder, os.path.realpath(folder)):  # a source may be known by either
        try:
            ways.append(os.path.relpath(path, base))
        except ValueError:  # on another drive
            continue
    return min([*ways, path], key=len)


def missing_of(file: FileReport) -> list[str]:
    """Ranges of lines that were not executed, and branch outcomes: ``12 not taken``."""
    lines = ranges(file.missing_lines, (line.line for line in file.lines))
    return [*lines, *(f"{line} {outcome}" for line, outcome in file.missing_outcomes)]


def _row(name: str, file: FileReport) -> tuple[tuple[str, ...], list[str]]:
    share = percent(file.line_counts, file.branch_counts)
    name += " (labels)" if file.labels_only else ""
    cells = _cells(name, file.line_counts, file.branch_counts, file.instructions, share)
    return cells, missing_of(file)


def _cells(
    name: str,
    lines: tuple[int, int],
    branches: tuple[int, int],
    expanded: tuple[int, int],
    share: float,
) -> tuple[str, ...]:
    return (
        name,
        f"{lines[1]:,}",
        f"{lines[1] - lines[0]:,}",
        f"{branches[1]:,}",
        f"{branches[1] - branches[0]:,}",
        percent_text(share),
        f"{expanded[0]:,}/{expanded[1]:,}",
    )


def percent_text(share: float) -> str:
    """A share as whole percent; what is not all is never 100, what is not nothing never 0."""
    whole = round(share)
    if whole == 100 and share < 100:
        whole = 99
    if whole == 0 and share > 0:
        whole = 1
    return f"{whole}%"


def _line(cells: tuple[str, ...], widths: list[int]) -> str:
    first = cells[0].ljust(widths[0])
    others = (cell.rjust(width) for cell, width in zip(cells[1:], widths[1:], strict=True))
    return "  ".join([first, *others])


def _wrap(missing: list[str], width: int) -> list[str]:
    """What is missing in lines of some width."""
    shown_ = missing[:_MAX_MISSING]
    if len(missing) > len(shown_):
        shown_.append(f"and {len(missing) - len(shown_):,} more")
    lines = [""]
    for number, item in enumerate(shown_):
        text = item + ("," if number + 1 < len(shown_) else "")
        if lines[-1] and len(lines[-1]) + 1 + len(text) > width:
            lines.append("")
        lines[-1] += f" {text}" if lines[-1] else text
    return lines
