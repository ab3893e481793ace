"""Coverage as a tracefile of lcov (geninfo(1)): editors, genhtml and services read it.

Written are the old forms of the records, which all readers know: ``FN:line,name`` and numbers for
blocks and branches. Sources have their full paths.
"""

from __future__ import annotations

from collections.abc import Iterator

from romproof.measure.coverage.summary import CoverageReport, FileReport, LineReport

TEST = "romproof"
"""The name of the test: letters, digits and underscores only."""


def lcov_text(report: CoverageReport) -> str:
    """The tracefile; expansions of a line count together."""
    return "".join(f"{line}\n" for file in report.files for line in _file(file))


def _file(file: FileReport) -> Iterator[str]:
    yield f"TN:{TEST}"
    yield f"SF:{_one_line(file.path)}"
    there = {line.line for line in file.lines}
    functions = [(line, name, count) for line, name, count in file.functions if line in there]
    names = _unlike([name for _, name, _ in functions])
    for (line, _, _), name in zip(functions, names, strict=True):
        yield f"FN:{line},{name}"
    for (_, _, count), name in zip(functions, names, strict=True):
        yield f"FNDA:{count},{name}"
    yield f"FNF:{len(functions)}"
    yield f"FNH:{sum(1 for _, _, count in functions if count)}"
    outcomes = [outcome for line in file.lines for outcome in _branches(line)]
    for line, block, branch, taken in outcomes:
        yield f"BRDA:{line},{block},{branch},{taken}"
    if outcomes:
        yield f"BRF:{len(outcomes)}"
        yield f"BRH:{sum(1 for *_, taken in outcomes if taken not in ('-', '0'))}"
    for each in file.lines:
        yield f"DA:{each.line},{each.count}"
    hit, all_ = file.line_counts
    yield f"LF:{all_}"
    yield f"LH:{hit}"
    yield "end_of_record"


def _branches(line: LineReport) -> Iterator[tuple[int, int, int, str]]:
    """Branch 0 is "taken", 1 "not taken"; ``-`` where the line never ran."""
    for block, branch in enumerate(line.branches):
        for number, count in enumerate((branch.taken, branch.passed)):
            yield line.line, block, number, str(count) if line.count else "-"


def _unlike(names: list[str]) -> list[str]:
    """Names without line ends; the same one at several lines gets a number."""
    seen: dict[str, int] = {}
    result = []
    for name in map(_one_line, names):
        seen[name] = seen.get(name, 0) + 1
        result.append(name if seen[name] == 1 else f"{name}#{seen[name]}")
    return result


def _one_line(text: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in text)
