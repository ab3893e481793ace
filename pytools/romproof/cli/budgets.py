"""The budgets of a program for ``romproof bounds --budget``."""

from __future__ import annotations

from collections.abc import Mapping

from romproof.contract.nouns.model import Contract
from romproof.measure.clocks import find_clock
from romproof.projects.built import Built
from romproof.timing.budgets import BudgetRow, budget_rows


def check_budgets(
    built: Built, contracts: Mapping[str, Contract], routine: str | int | None
) -> list[BudgetRow]:
    """The budgets of a program, or of one routine of it. Raises BadBudget, UnknownClock,
    OverlappingAreas and NoAbi."""
    manifest = built.manifest
    per_frame = find_clock(manifest.clock_name).cycles_per_frame
    rows = budget_rows(built.image, contracts, manifest.budgets, per_frame, manifest.banks)
    if routine is None:
        return rows
    address = routine if isinstance(routine, int) else built.image.address(routine)
    return [row for row in rows if built.image.address(row.routine) == address]
