"""The one thing all forms of reports have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from romproof.conformance.model import SuiteRow
from romproof.report.call import CallReport
from romproof.report.comparison import ComparisonReport
from romproof.report.cycles import CycleReport
from romproof.report.engines import EngineReport
from romproof.report.frames import FramesReport
from romproof.timing.budgets import BudgetRow
from romproof.timing.survey import Survey

if TYPE_CHECKING:  # provers take time to import
    from romproof.prover.infer.survey import InferenceSurvey
    from romproof.prover.routines.survey import Survey as ProofSurvey
    from romproof.prover.same.same import Sameness


class Reporter(Protocol):
    """One form reports can take; every method gives text that ends its last line."""

    def cycles(self, report: CycleReport) -> str:
        """Where the cycles went."""

    def engines(self, report: EngineReport) -> str:
        """Which engines there are."""

    def conformance(self, rows: Sequence[SuiteRow]) -> str:
        """How public test suites went."""

    def bounds(
        self,
        surveys: Sequence[Survey],
        loops: bool,
        budgets: Mapping[str, Sequence[BudgetRow]] | None = None,
    ) -> str:
        """The fewest and the most cycles of routines; with ``loops`` their turns. ``budgets`` are
        shown by program, None: they were not asked for."""

    def proofs(self, surveys: Sequence[ProofSurvey], verbose: bool) -> str:
        """What was proved of routines; with ``verbose`` every statement."""

    def inferred(self, surveys: Sequence[InferenceSurvey], verbose: bool) -> str:
        """Contracts that were inferred, and why others have none."""

    def same(self, result: Sameness, test: tuple[str, ...], verbose: bool) -> str:
        """Two versions of a routine; ``test`` is one that shows how they differ."""

    def comparison(self, report: ComparisonReport) -> str:
        """Several programs called with the same inputs."""

    def call(self, report: CallReport) -> str:
        """What one call left behind."""

    def frames(self, report: FramesReport) -> str:
        """What a program came to that ran for some frames."""
