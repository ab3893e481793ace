"""The one thing all forms of reports have in common."""

from __future__ import annotations

from typing import Protocol

from romproof.report.call import CallReport
from romproof.report.cycles import CycleReport


class Reporter(Protocol):
    """One form reports can take; every method gives text that ends its last line."""

    def cycles(self, report: CycleReport) -> str:
        """Where the cycles went."""

    def call(self, report: CallReport) -> str:
        """What one call left behind."""
