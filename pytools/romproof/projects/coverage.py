"""What a project says of coverage: the table [tool.romproof.coverage].

[tool.romproof.coverage]
lcov = "lcov.info"          # written with pytest --romproof-cov
html = "build/coverage"
fail_under = 90
omit = ["tests/*", "lib/*"]
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from romproof.projects.project import BadProject, Project
from romproof.text.diagnostic import suggest

KEYS = ("lcov", "html", "fail_under", "omit")


@dataclass(frozen=True, slots=True)
class CoverageSettings:
    """Where coverage is written to, None: nowhere; what is too little of it, in percent; patterns
    of paths that are left out."""

    lcov: Path | None = None
    html: Path | None = None
    fail_under: float | None = None
    omit: tuple[str, ...] = ()


def coverage_settings(project: Project | None) -> CoverageSettings:
    """The settings of a project; paths and patterns start at its folder. Raises BadProject."""
    if project is None or "coverage" not in project.table:
        return CoverageSettings()
    table, where = project.table["coverage"], f"{project.pyproject}: [tool.romproof.coverage]"
    if not isinstance(table, dict):
        raise BadProject(f"{where} must be a table")
    for key in table:
        if key not in KEYS:
            hint = suggest(key, KEYS) or "the keys are " + ", ".join(KEYS)
            raise BadProject(f"{where}: unknown key '{key}'; {hint}")
    for key in ("lcov", "html"):
        if key in table and (not isinstance(table[key], str) or not table[key]):
            raise BadProject(f"{where}: '{key}' must be a path")
    least = table.get("fail_under")
    if least is not None:
        number = isinstance(least, int | float) and not isinstance(least, bool)
        if not number or not 0 <= least <= 100:
            raise BadProject(f"{where}: 'fail_under' must be a number from 0 to 100, in percent")
    omit = table.get("omit", [])
    if not isinstance(omit, list) or not all(isinstance(item, str) for item in omit):
        raise BadProject(f"{where}: 'omit' must be a list of patterns of paths")
    root = project.root.resolve()
    lcov, html = (root / table[key] if key in table else None for key in ("lcov", "html"))
    return CoverageSettings(
        lcov, html, None if least is None else float(least), tuple(str(root / o) for o in omit)
    )
