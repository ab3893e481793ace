"""Engines side by side, and test suites one below the other, as tables for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich.console import RenderableType
from rich.text import Text

from romproof.conformance.model import FailedFile, SuiteOutcome, SuiteRow
from romproof.engine.engines import Ability
from romproof.isa.abi import abi_of
from romproof.report.engines import EngineLine, EngineReport
from romproof.report.tables import Column, table

_MILLION = 1_000_000
_MAX_FILES = 12
"""Files with failures that are listed, for each suite."""


def engines_parts(report: EngineReport, width: int) -> list[RenderableType]:
    """One column for each engine; beneath, what "auto" takes and what is missing."""
    lines = report.engines
    columns = [Column("", "left", True), *(Column(line.name) for line in lines)]
    rows: list[list[str | Text]] = [["usable here", *(_mark(x.refusal is None) for x in lines)]]
    for cpu in report.cpus:
        rows.append([cpu, *(_mark(cpu in line.cpus) for line in lines)])
    for ability in Ability:
        rows.append([ability.value, *(_mark(ability in line.abilities) for line in lines)])
    for cpu in report.cpus:
        if any(cpu in line.speeds for line in lines):
            unit = abi_of(cpu).cycles
            rows.append([f"million {unit} a second, {cpu}", *(_cycles(x, cpu) for x in lines)])
            rows.append(["million instructions a second", *(_rate(x, cpu) for x in lines)])
    parts: list[RenderableType] = [table(columns, rows, width), ""]
    for name in dict.fromkeys(report.chosen.values()):
        cpus = ", ".join(cpu for cpu, chosen in report.chosen.items() if chosen == name)
        parts.append(Text.assemble("auto chooses ", (name, "bold"), f" for {cpus}"))
    for line in lines:
        if line.refusal is not None:
            parts.append(Text.assemble((line.name, "bold"), f": {line.refusal}"))
    return parts


def _mark(yes: bool) -> Text:
    return Text("yes", "green") if yes else Text("-", "dim")


def _cycles(line: EngineLine, cpu: str) -> str:
    return _millions(line.speeds[cpu].cycles) if cpu in line.speeds else ""


def _rate(line: EngineLine, cpu: str) -> str:
    return _millions(line.speeds[cpu].instructions) if cpu in line.speeds else ""


def _millions(number: float) -> str:
    """Three digits that count."""
    value = number / _MILLION
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def conformance_parts(rows: Sequence[SuiteRow], width: int) -> list[RenderableType]:
    """A row for each suite and engine; beneath, what did not count and what failed.

    "translated" is the share of the instructions that translated code executed, on an engine that
    translates.
    """
    titles = ("cases", "passed", "failed", "apart", "translated", "seconds")
    columns = [Column("suite", "left", True), Column("engine", "left"), *map(Column, titles)]
    cells: list[list[str | Text]] = []
    for row in rows:
        outcome = row.outcome
        failed = Text(f"{outcome.failed:,}", "bold red" if outcome.failed else "")
        cells.append(
            [
                Text(row.suite, "bold"),
                row.engine,
                f"{outcome.cases:,}",
                f"{outcome.passed:,}",
                failed,
                f"{sum(outcome.apart.values()):,}",
                share_text(outcome),
                f"{row.seconds:,.1f}",
            ]
        )
    parts: list[RenderableType] = [table(columns, cells, width)]
    for row in rows:
        if row.outcome.apart:
            parts += ["", Text.assemble((row.suite, "bold"), f" on {row.engine}, apart:")]
            parts += _reasons(row.outcome.apart)
    for row in rows:
        if row.failed_files:
            parts += ["", Text.assemble((row.suite, "bold red"), f" on {row.engine}, failed:")]
            parts += _write_failures(row.failed_files)
    return parts


def share_text(outcome: SuiteOutcome) -> str:
    """How much of what was executed translated code has executed; "" where nothing is translated.

    Never rounded to all or to nothing.
    """
    if not outcome.instructions:
        return ""
    share = outcome.translated / outcome.instructions
    if 0 < outcome.translated < outcome.instructions:
        share = min(max(share, 0.001), 0.999)
    return f"{share:.1%}"


def _reasons(apart: Mapping[str, int]) -> Iterator[Text]:
    width = max(len(f"{count:,}") for count in apart.values())
    for reason, count in apart.items():
        yield Text(f"  {count:>{width},}  {reason}")


def _write_failures(files: Sequence[FailedFile]) -> Iterator[Text]:
    for file in files[:_MAX_FILES]:
        outcome = file.outcome
        if outcome.cases > 1:
            yield Text(f"  {file.name}: {outcome.failed:,} of {outcome.cases:,} cases")
        indent = "    " if outcome.cases > 1 else "  "
        for failure in outcome.failures:
            yield Text(f"{indent}{failure.case}: {failure.what}")
    if len(files) > _MAX_FILES:
        yield Text(f"  ... and {len(files) - _MAX_FILES:,} more files (all of them: --json)")
