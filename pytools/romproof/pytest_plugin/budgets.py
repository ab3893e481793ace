"""The budgets of all programs of a project, against static bounds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from romproof.contract.reading.parse import parse_contracts
from romproof.harness.calls.listening import name_of
from romproof.measure.clocks import find_clock
from romproof.projects.program_cache import build_cached
from romproof.projects.project import find_project, manifests
from romproof.timing.budgets import BudgetRow, budget_rows


def rows_of_project(folders: Sequence[Path]) -> list[tuple[str, str, BudgetRow]]:
    """Each budget with the names of its program and of its image. Raises RomproofError, OSError."""
    project = next(filter(None, map(find_project, folders)), None)
    rows = []
    for manifest in manifests(project) if project is not None else ():
        program = build_cached(manifest)
        per_frame = find_clock(manifest.clock_name).cycles_per_frame
        contracts = parse_contracts(program.image)
        rows += [
            (manifest.name, name_of(program.image), row)
            for row in budget_rows(
                program.image, contracts, program.manifest.budgets, per_frame, manifest.banks
            )
        ]
    return rows
