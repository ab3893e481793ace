"""Which packages there are where a distribution and some of its extras are installed."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, distributions, requires
from inspect import getmodulename
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PYTOOLS = ROOT / "pytools"
FILES = {
    "romproof": ROOT / "pyproject.toml",
    "fairdeck": PYTOOLS / "fairdeck" / "pyproject.toml",
}
FOR_DEVELOPERS = "dev"


@cache
def project(distribution: str) -> dict[str, Any]:
    """The table [project] of one of ours."""
    table: dict[str, Any] = tomllib.loads(FILES[distribution].read_text("utf-8"))["project"]
    return table


def extras(distribution: str) -> set[str]:
    """The extras that bring something by themselves."""
    return set(project(distribution)["optional-dependencies"]) - {"all", FOR_DEVELOPERS}


def required(wanted: Iterable[str], left_out: frozenset[str] = frozenset()) -> set[str]:
    """The distributions, by canonical names, that are installed with ``wanted``: requirements.

    ``left_out`` are extras of ours, such as ``romproof[fast]``, that ``all`` does not bring.
    """
    found: set[str] = set()
    done: set[tuple[str, str]] = set()
    open_ = [Requirement(text) for text in wanted]
    while open_:
        one = open_.pop()
        name = canonicalize_name(one.name)
        found.add(name)
        for extra in ("", *sorted(one.extras)):
            if (name, extra) in done or f"{name}[{extra}]" in left_out:
                continue
            done.add((name, extra))
            open_ += _brought(name, extra)
    return found


def _brought(name: str, extra: str) -> list[Requirement]:
    """What a distribution, or an extra of it, requires directly on this machine."""
    if name in FILES:
        table = project(name)
        given = table["optional-dependencies"][extra] if extra else table["dependencies"]
        return [r for r in map(Requirement, given) if not r.marker or r.marker.evaluate()]
    try:
        every = [Requirement(text) for text in requires(name) or ()]
    except PackageNotFoundError:  # nothing of it is here to be hidden or found
        return []
    if not extra:
        return [r for r in every if not r.marker or r.marker.evaluate({"extra": ""})]
    return [r for r in every if r.marker and r.marker.evaluate({"extra": extra})]


@cache
def packages() -> dict[str, set[str]]:
    """By the names that they are imported by: the distributions that hold them, extensions too.

    ``importlib.metadata.packages_distributions`` leaves these out before Python 3.12. The lists of
    files are read here: an object for each of 20,000 files takes seconds.
    """
    found: dict[str, set[str]] = {}
    for one in distributions():
        owner = canonicalize_name(one.name)  # which reads the metadata, each time
        rows = csv.reader((one.read_text("RECORD") or "").splitlines())
        tops = {row[0].partition("/")[::2] for row in rows if row}
        for top in {folder if inside else getmodulename(folder) for folder, inside in tops}:
            if top and top.isidentifier():
                found.setdefault(top, set()).add(owner)
    return found


def importable(wanted: set[str]) -> set[str]:
    """The names by which these distributions are imported."""
    return {name for name, owners in packages().items() if owners & wanted}


@dataclass(frozen=True)
class Came:
    """What came of a command line."""

    line: Sequence[str]
    code: int
    out: str
    err: str


def without(
    there: set[str],
    folder: Path,
    lines: Sequence[Sequence[str]] = (),
    modules: Sequence[str] = (),
) -> tuple[list[Came], dict[str, str]]:
    """Command lines and imports, in a process with no other packages than ``there``.

    Of the modules the errors are given, "" where there was none.
    """
    known = importable(there) | set(FILES)
    hidden = sorted(set(packages()) - known)
    task = {
        "hidden": hidden,
        "there": sorted(there),
        "lines": [list(line) for line in lines],
        "modules": list(modules),
    }
    kept = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "NO_COLOR", "FORCE_COLOR")}
    done = subprocess.run(
        [sys.executable, Path(__file__).with_name("lacking.py")],
        input=json.dumps(task),
        cwd=folder,
        env={**kept, "PYTHONPATH": str(PYTOOLS), "PYTHONIOENCODING": "utf-8"}
        | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        encoding="utf-8",
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    came = [Came(line, *one) for line, one in zip(lines, told["lines"], strict=True)]
    for one in came:
        assert "Traceback" not in one.out + one.err, one
        assert "internal fault" not in one.err, one
    return came, told["modules"]
