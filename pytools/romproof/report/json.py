"""Reports as JSON. docs/json.md describes the keys; they stay as they are.

New keys may come; the meaning of a present one never changes without a new
number in ``schema``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from romproof.conformance.model import SuiteRow
from romproof.conformance.run import all_passed
from romproof.engine.engines import Ability
from romproof.report.bounds import bounds_json
from romproof.report.call import CallReport
from romproof.report.comparison import ComparisonReport, comparison_json
from romproof.report.cycles import CycleReport, RoutineRow
from romproof.report.engines import EngineReport
from romproof.report.frames import FramesReport, frames_json
from romproof.report.inference import inference_json
from romproof.report.json_object import JsonObject
from romproof.report.profiles.tables import calls_json, paths_json, routine_json
from romproof.report.proofs import proofs_json
from romproof.report.sameness import sameness_json
from romproof.report.waits import waits_json
from romproof.text.diagnostic import Diagnostic
from romproof.timing.budgets import BudgetRow
from romproof.timing.survey import Survey

if TYPE_CHECKING:  # provers take time to import
    from romproof.prover.infer.survey import InferenceSurvey
    from romproof.prover.routines.survey import Survey as ProofSurvey
    from romproof.prover.same.same import Sameness

VERSIONS = {"bounds": 2, "prove": 2}
"""The numbers of schemas that are not 1."""


def dumps(kind: str, fields: JsonObject) -> str:
    """``fields`` as an indented JSON object whose first key names its schema."""
    schema = f"romproof.{kind}/{VERSIONS.get(kind, 1)}"
    return json.dumps({"schema": schema, **fields}, indent=2, ensure_ascii=False)


def diagnostics_json(diagnostics: Sequence[Diagnostic]) -> list[JsonObject]:
    """Findings with their places; ``file``, ``line``, ``column`` are null without one."""
    return [
        {
            "severity": d.severity.value,
            "message": d.message,
            "file": d.span.source.name if d.span else None,
            "line": d.span.line if d.span else None,
            "column": d.span.col if d.span else None,
            "length": d.span.length if d.span else None,
            "help": d.help,
            "option": d.option,
        }
        for d in diagnostics
    ]


@dataclass(frozen=True, slots=True)
class JsonReporter:
    """Reports for programs. ``unread`` are comments that look like contracts and are none."""

    unread: Sequence[JsonObject] = ()

    def _dumps(self, kind: str, fields: JsonObject) -> str:
        lost = {"unread": list(self.unread)} if self.unread else {}
        return dumps(kind, {**fields, **lost})

    def cycles(self, report: CycleReport) -> str:
        """See docs/json.md, "romproof report"."""
        header, clock = report.header, report.header.clock
        return (
            self._dumps(
                "report",
                {
                    "rom": header.rom,
                    "cpu": header.cpu,
                    "engine": header.engine,
                    "clock": {
                        "name": clock.name,
                        "hz": clock.hz,
                        "cycles_per_frame": clock.cycles_per_frame,
                    },
                    "entry": header.entry,
                    "runs": header.runs,
                    "cycles": report.cycles,
                    "instructions": report.instructions,
                    "microseconds": clock.microseconds(report.cycles),
                    "frames": clock.frames(report.cycles),
                    "routines": [_routine(row) for row in report.rows],
                    "calls": calls_json(report.recorded.profile),
                    "lines": [
                        {
                            "file": line.source,
                            "line": line.line,
                            "text": line.text,
                            "count": line.count,
                            "cycles": line.cycles,
                        }
                        for line in report.lines
                    ],
                    **paths_json(report.recorded.profile),
                    **waits_json(report.recorded),
                },
            )
            + "\n"
        )

    def frames(self, report: FramesReport) -> str:
        """See docs/json.md, "romproof run"."""
        return self._dumps("run", frames_json(report)) + "\n"

    def call(self, report: CallReport) -> str:
        """See docs/json.md, "romproof run"."""
        result = report.result
        abi = result.abi
        singles = [r.attribute for r in (*abi.registers, abi.stack_pointer)]
        fields: JsonObject = {
            "symbol": report.symbol,
            "registers": {name: getattr(result, name) for name in (*singles, abi.flag_byte)},
            "flags": dict(result.flags),
            "cycles": result.cycles,
            "instructions": result.instructions,
            "stack": result.stack,
            "changed": [
                {
                    "address": byte.address,
                    "symbol": byte.name,
                    "old": byte.old,
                    "new": byte.new,
                }
                for byte in report.changed
            ],
            "memory": {name: data.hex() for name, data in report.memory.items()},
            **report.followed,
        }
        return self._dumps("run", fields) + "\n"

    def engines(self, report: EngineReport) -> str:
        """See docs/json.md, "romproof engines"."""
        fields: JsonObject = {
            "auto": dict(report.chosen),
            "engines": [
                {
                    "name": line.name,
                    "about": line.about,
                    "usable": line.refusal is None,
                    "reason": line.refusal,
                    "cpus": list(line.cpus),
                    **{ability.name.lower(): ability in line.abilities for ability in Ability},
                    "speeds": [
                        {
                            "cpu": cpu,
                            "cycles_per_second": speed.cycles,
                            "instructions_per_second": speed.instructions,
                        }
                        for cpu, speed in line.speeds.items()
                    ],
                }
                for line in report.engines
            ],
        }
        return self._dumps("engines", fields) + "\n"

    def conformance(self, rows: Sequence[SuiteRow]) -> str:
        """See docs/json.md, "romproof conformance"."""
        fields: JsonObject = {
            "ok": all_passed(rows),
            "suites": [
                {
                    "suite": row.suite,
                    "engine": row.engine,
                    "cases": row.outcome.cases,
                    "passed": row.outcome.passed,
                    "failed": row.outcome.failed,
                    "apart": [
                        {"reason": reason, "cases": cases}
                        for reason, cases in row.outcome.apart.items()
                    ],
                    "instructions": row.outcome.instructions,
                    "translated": row.outcome.translated,
                    "seconds": row.seconds,
                    "failed_files": [
                        {
                            "name": file.name,
                            "cases": file.outcome.cases,
                            "failed": file.outcome.failed,
                            "failures": [
                                {"case": failure.case, "what": failure.what}
                                for failure in file.outcome.failures
                            ],
                        }
                        for file in row.failed_files
                    ],
                }
                for row in rows
            ],
        }
        return self._dumps("conformance", fields) + "\n"

    def comparison(self, report: ComparisonReport) -> str:
        """See docs/json.md, "romproof compare"."""
        return self._dumps("compare", comparison_json(report)) + "\n"

    def bounds(
        self,
        surveys: Sequence[Survey],
        loops: bool,
        budgets: Mapping[str, Sequence[BudgetRow]] | None = None,
    ) -> str:
        """See docs/json.md, "romproof bounds"; loops are always there."""
        return self._dumps("bounds", bounds_json(surveys, budgets)) + "\n"

    def proofs(self, surveys: Sequence[ProofSurvey], verbose: bool) -> str:
        """See docs/json.md, "romproof prove"; every statement is always there."""
        malformed = [each for s in surveys for faults in s.malformed.values() for each in faults]
        told = {**proofs_json(surveys), "diagnostics": diagnostics_json(malformed)}
        return self._dumps("prove", told) + "\n"

    def inferred(self, surveys: Sequence[InferenceSurvey], verbose: bool) -> str:
        """See docs/json.md, "romproof infer"."""
        return self._dumps("infer", inference_json(surveys)) + "\n"

    def same(self, result: Sameness, test: tuple[str, ...], verbose: bool) -> str:
        """See docs/json.md, "romproof same"; every statement is always there."""
        return self._dumps("same", sameness_json(result, test)) + "\n"


def _routine(row: RoutineRow) -> JsonObject:
    routine = row.routine
    claim = None
    if row.claim is not None:
        claim = {"minimum": row.claim[0], "maximum": row.claim[1], "kept": row.holds}
    return {
        **routine_json(routine),
        "share": row.share,
        "frames": row.frames,
        "claim": claim,
        "clobbers": None if row.clobbers is None else list(row.clobbers),
    }
