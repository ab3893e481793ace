"""Comparisons of programs as text and as JSON; docs/json.md describes the keys."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from romproof.harness.comparing import Comparison, Figures, Whole
from romproof.isa.abi import abi_of
from romproof.report.tables import Column, table


@dataclass(frozen=True, slots=True)
class ComparisonReport:
    """Programs, the first of which the others are compared with."""

    programs: tuple[Whole, ...]
    routines: tuple[Comparison, ...]

    @property
    def ok(self) -> bool:
        """Whether no call failed, and every routine was called on all sides."""
        return all(
            routine.calls and not any(one.failures for one in routine.figures)
            for routine in self.routines
        )


def comparison_json(report: ComparisonReport) -> dict[str, Any]:
    """See docs/json.md, "romproof compare"."""
    return {
        "ok": report.ok,
        "programs": [
            {"name": whole.side, "cpu": whole.cpu, "bytes": whole.bytes, "ram": whole.ram}
            for whole in report.programs
        ],
        "routines": [
            {
                "name": routine.routine,
                "calls": routine.calls,
                "tried": routine.tried,
                "drawn": routine.drawn,
                "sides": [_side(one) for one in routine.figures],
            }
            for routine in report.routines
        ],
    }


def _side(one: Figures) -> dict[str, Any]:
    return {
        "program": one.side,
        "minimum": one.minimum,
        "mean": one.mean,
        "maximum": one.maximum,
        "code": one.code,
        "ram": one.ram,
        "stack": one.stack,
        "on_front": one.on_front,
        "refused": one.refused,
        "failures": one.failures,
        "message": one.failed or None,
    }


def comparison_parts(report: ComparisonReport, width: int) -> list[RenderableType]:
    """The programs, a table of the routines, and what was refused."""
    rows = [(Text(w.side, "bold"), w.cpu, f"{w.bytes:,}", f"{w.ram:,}") for w in report.programs]
    columns = [Column("program", "left", True), Column("cpu", "left"), Column("bytes")]
    parts: list[RenderableType] = [table([*columns, Column("variables")], rows, width)]
    units = {abi_of(whole.cpu).cycles for whole in report.programs}
    if len(units) > 1:
        parts += [
            "",
            "cycles of the SM83 are M-cycles: compare times, not cycles, between the CPUs",
        ]
    for routine in report.routines:
        calls = f"{routine.calls:,} calls" if routine.calls != 1 else "1 call"
        title = Text(routine.routine, "bold")
        drawn = f", of {routine.drawn:,} drawn" if routine.drawn > routine.tried else ""
        title.append(f"  {calls} with the same inputs{drawn}", "not bold")
        parts += ["", title, _table(routine, width), *_notes_of(routine)]
    return parts


def _table(routine: Comparison, width: int) -> RenderableType:
    first = routine.figures[0]
    rows = [
        (
            Text(one.side, "bold" if one.on_front else ""),
            _number(one.minimum),
            "-" if one.mean is None else f"{one.mean:,.1f}",
            _number(one.maximum),
            _change(first, one),
            _number(one.code),
            _number(one.ram),
            _number(one.stack),
            "yes" if one.on_front else "no",
        )
        for one in routine.figures
    ]
    titles = ("min", "mean", "max", "mean %", "code", "RAM", "stack")
    columns = [Column("program", "left", True), *(Column(title) for title in titles)]
    return table([*columns, Column("front", "left")], rows, width)


def _notes_of(routine: Comparison) -> list[RenderableType]:
    """What did not come to a call on every side."""
    parts: list[RenderableType] = []
    for one in routine.figures:
        counts = [
            f"{count:,} of {routine.tried:,} calls {what}"
            for count, what in ((one.refused, "refused"), (one.failures, "failed"))
            if count
        ]
        if counts:
            parts.append(Text(f"{one.side}: {', '.join(counts)}; the first: {one.failed}"))
    return parts


def _number(value: int | None) -> str:
    return "-" if value is None else f"{value:,}"


def _change(first: Figures, one: Figures) -> str:
    if one is first or not first.mean or one.mean is None:
        return ""
    return f"{100 * (one.mean - first.mean) / first.mean:+.1f}"
