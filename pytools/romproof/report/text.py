"""Reports as tables for a terminal, from 40 columns up."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from romproof.conformance.model import SuiteRow
from romproof.contract.nouns.model import claim_text
from romproof.isa.abi import Abi
from romproof.report.bounds import bounds_parts, budget_parts
from romproof.report.call import CallReport
from romproof.report.comparison import ComparisonReport, comparison_parts
from romproof.report.cycles import CycleReport, RoutineRow
from romproof.report.engines import EngineReport
from romproof.report.frames import FramesReport, frames_head
from romproof.report.inference import inference_text
from romproof.report.proofs import proofs_text
from romproof.report.sameness import sameness_text
from romproof.report.surveys import conformance_parts, engines_parts
from romproof.report.tables import (
    GAP,
    Column,
    bar,
    cut_left,
    hex_bytes,
    render,
    table,
    width_of,
)
from romproof.report.waits import awaited, summary, where
from romproof.timing.budgets import BudgetRow
from romproof.timing.survey import Survey

if TYPE_CHECKING:  # provers take time to import
    from romproof.prover.infer.survey import InferenceSurvey
    from romproof.prover.routines.survey import Survey as ProofSurvey
    from romproof.prover.same.same import Sameness

_LEAST_NAME = 12


@dataclass(frozen=True, slots=True)
class TextReporter:
    """Reports for people: ``width`` in characters, ``colour`` as ANSI sequences."""

    width: int = 80
    colour: bool = False

    def cycles(self, report: CycleReport) -> str:
        """A header, the routines, broken claims and the costliest source lines."""
        parts: list[RenderableType] = [*_cycles_head(report), "", self._routines(report.rows)]
        if report.broken:
            parts += ["", *(_write_broken(row, report.header.abi) for row in report.broken)]
        if report.recorded.waits:
            parts += ["", self._waits(report)]
        if report.lines:
            parts += ["", self._lines(report)]
        return render(parts, self.width, self.colour)

    def call(self, report: CallReport) -> str:
        """Registers, flags, cycles, the memory asked for, and what changed."""
        parts = [*_call_head(report), *self._memory(report.memory)]
        if report.changed:
            parts += ["", self._write_changes(report)]
        else:
            parts.append("no memory changed")
        return render(parts, self.width, self.colour)

    def frames(self, report: FramesReport) -> str:
        """Registers, the place in the picture, cycles, and the memory asked for."""
        parts = [*frames_head(report), *self._memory(report.memory)]
        return render(parts, self.width, self.colour)

    def _memory(self, memory: Mapping[str, bytes]) -> list[RenderableType]:
        """The memory asked for, if any was."""
        if not memory:
            return []
        names = [Text(name, style="bold") for name in memory]
        room = self.width - width_of("memory", names) - GAP
        rows = [
            (name, hex_bytes(data, room)) for name, data in zip(names, memory.values(), strict=True)
        ]
        columns = [Column("memory", "left"), Column("bytes", "left", True)]
        return ["", table(columns, rows, self.width)]

    def engines(self, report: EngineReport) -> str:
        """What each engine can do, and which one is taken."""
        return render(engines_parts(report, self.width), self.width, self.colour)

    def conformance(self, rows: Sequence[SuiteRow]) -> str:
        """A row for each suite and engine, and the first failures."""
        return render(conformance_parts(rows, self.width), self.width, self.colour)

    def comparison(self, report: ComparisonReport) -> str:
        """The programs, and a table for each routine."""
        return render(comparison_parts(report, self.width), self.width, self.colour)

    def bounds(
        self,
        surveys: Sequence[Survey],
        loops: bool,
        budgets: Mapping[str, Sequence[BudgetRow]] | None = None,
    ) -> str:
        """A table for each program, and what is missing or wrong."""
        parts = [*bounds_parts(surveys, self.width, loops), *budget_parts(budgets)]
        return render(parts, self.width, self.colour)

    def proofs(self, surveys: Sequence[ProofSurvey], verbose: bool) -> str:
        """A table for each program, what is not proved, and tests that show it."""
        return proofs_text(surveys, self.width, self.colour, verbose)

    def inferred(self, surveys: Sequence[InferenceSurvey], verbose: bool) -> str:
        """The contracts, a table of reasons, and counts."""
        return inference_text(surveys, self.width, self.colour, verbose)

    def same(self, result: Sameness, test: tuple[str, ...], verbose: bool) -> str:
        """The verdict on two versions, what both cost, and what tells them apart."""
        return sameness_text(result, test, self.width, self.colour, verbose)

    def _write_changes(self, report: CallReport) -> Table:
        names = []
        for block in report.blocks:
            offset = f"+{block.offset}" if block.offset else ""
            name = cut_left(f"{block.symbol}{offset}" if block.symbol else "-", self.width // 3)
            names.append(Text(name, style="bold"))
        room = (self.width - width_of("changed", names) - len("address") - 3 * GAP) // 2
        rows = [
            (
                name,
                f"${block.address:04X}",
                hex_bytes(block.old, room),
                hex_bytes(block.new, room),
            )
            for name, block in zip(names, report.blocks, strict=True)
        ]
        columns = [Column("changed", "left"), Column("address", "left")]
        columns += [Column("old", "left", True), Column("new", "left", True)]
        return table(columns, rows, self.width)

    def _routines(self, rows: Sequence[RoutineRow]) -> Table:
        fields = self._fitting(rows)
        columns = [Column("routine", "left", True)]
        columns += [Column(f.title, "right" if f.title else "left") for f in fields]
        cells = [
            [Text(row.routine.all_names, style="bold"), *(f.cell(row) for f in fields)]
            for row in rows
        ]
        return table(columns, cells, self.width)

    def _fitting(self, rows: Sequence[RoutineRow]) -> list[_Field]:
        """As many fields as the width allows; the least important go first."""
        fields = [f for f in _FIELDS if any(f.cell(row).plain for row in rows)]
        widths = {f.rank: width_of(f.title, [f.cell(row) for row in rows]) + GAP for f in fields}
        longest = width_of("routine", [row.routine.all_names for row in rows])
        name = min(longest, max(_LEAST_NAME, self.width // 3))
        while fields and name + sum(widths[f.rank] for f in fields) > self.width:
            fields.remove(max(fields, key=lambda f: f.rank))
        return fields

    def _waits(self, report: CycleReport) -> Table:
        rows = [
            (
                f"{wait.cycles:,}",
                f"{wait.cycles / report.cycles if report.cycles else 0:.1%}",
                awaited(wait),
                Text(cut_left(where(wait.spot), self.width // 3), style="cyan"),
                wait.place,
            )
            for wait in report.recorded.waits
        ]
        columns = [Column("waiting"), Column("%"), Column("for", "left", True)]
        columns += [Column("line", "left"), Column("at", "left", True)]
        return table(columns, rows, self.width)

    def _lines(self, report: CycleReport) -> Table:
        rows = [
            (
                f"{line.cycles:,}",
                f"{line.cycles / report.cycles if report.cycles else 0:.1%}",
                f"{line.count:,}",
                Text(cut_left(f"{line.source}:{line.line}", self.width // 3), style="cyan"),
                " ".join(line.text.split()),
            )
            for line in report.lines
        ]
        columns = [Column("cycles"), Column("%"), Column("count"), Column("line", "left")]
        return table([*columns, Column("source", "left", True)], rows, self.width)


@dataclass(frozen=True, slots=True)
class _Field:
    """A column of routines; those of high ``rank`` go first when there is no room."""

    title: str
    rank: int
    cell: Callable[[RoutineRow], Text]


def _cycles_head(report: CycleReport) -> list[RenderableType]:
    header, clock = report.header, report.header.clock
    title = Text(header.rom, style="bold")
    title.append(f"  {header.entry}", style="not bold cyan")
    if header.runs > 1:
        title.append(f"  {header.runs:,} {header.unit}", style="not bold")
    machine = f"{header.cpu} on {header.engine}, {clock.title} at {clock.hz:,} Hz"
    time = clock.microseconds(report.cycles)
    lasting = f"{time:,.1f} µs" if time < 10_000 else f"{time / 1000:,.1f} ms"
    cost = Text(f"{report.cycles:,} {header.abi.cycles}", style="bold")
    cost.append(f", {report.instructions:,} instructions, {lasting}", style="not bold")
    frames = clock.frames(report.cycles)
    if frames is not None:
        cost.append(
            f", {frames:,.3f} frames" if frames < 100 else f", {frames:,.0f} frames", "not bold"
        )
    waiting = summary(report.recorded)
    return [title, machine, cost, *([waiting] if waiting else [])]


def _call_head(report: CallReport) -> list[RenderableType]:
    result = report.result
    title = Text(report.symbol, style="bold")
    abi = result.abi
    title.append(
        f"  {result.cycles:,} {abi.cycles}, {result.instructions:,} instructions, "
        f"{result.stack} bytes of stack",
        style="not bold",
    )
    registers = Text()
    for name in (*abi.shown, abi.flag_byte):
        registers.append(f"{name.upper()} ", style="cyan")
        registers.append(f"${getattr(result, name):0{abi.widths[name] // 4}X}  ")
    registers.append("flags ", style="cyan")
    registers.append(repr(result.flags))
    return [title, registers]


def _write_broken(row: RoutineRow, abi: Abi) -> Text:
    text = Text("claim broken: ", style="bold red")
    text.append(
        f"{row.routine.name} claims {claim_text(row.claim or (0, None), ',')} {abi.cycles}, "
        f"took {row.routine.minimum:,}..{row.routine.maximum:,}",
        style="not bold default",
    )
    return text


def _claim(row: RoutineRow) -> Text:
    if row.claim is None:
        return Text("")
    text = claim_text(row.claim, ",")
    return Text(f"{text} ok", "green") if row.holds else Text(f"{text} !!", "bold red")


def _frame(row: RoutineRow) -> Text:
    if row.frames is None:
        return Text("")
    text = f"{row.frames:.1%}" if row.frames < 10 else f"{row.frames:,.1f}x"
    return Text(text, "red" if row.frames > 1 else "")


_FIELDS = (
    _Field("calls", 2, lambda row: Text(f"{row.routine.calls:,}")),
    _Field("self", 0, lambda row: Text(f"{row.routine.exclusive:,}")),
    _Field("self %", 1, lambda row: Text(f"{row.share:.1%}")),
    _Field("", 9, lambda row: Text(bar(row.share), "blue")),
    _Field("total", 3, lambda row: Text(f"{row.routine.inclusive:,}")),
    _Field("min", 7, lambda row: Text(f"{row.routine.minimum:,}")),
    _Field("mean", 4, lambda row: Text(f"{row.routine.mean:,.1f}")),
    _Field("max", 5, lambda row: Text(f"{row.routine.maximum:,}")),
    _Field("frame", 8, _frame),
    _Field("claim", 6, _claim),
)
