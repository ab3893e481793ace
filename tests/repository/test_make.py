"""What make can do is done by continuous integration; marks name the cases that are slow."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LEFT_OUT = {
    "setup": "the others do it",
    "bench": "takes an hour of an idle machine: bench-small does all of it with less",
}
"""Targets that .ci/run does not name, and why."""


def _targets() -> set[str]:
    text = (ROOT / "Makefile").read_text("utf-8")
    phony = re.search(r"^\.PHONY: (.*)$", text, re.MULTILINE)
    assert phony is not None
    return set(phony[1].split())


def test_every_target_is_run() -> None:
    run = (ROOT / ".ci" / "run").read_text("utf-8")
    named: set[str] = set()
    for line in re.findall(r"^(?:\w+=\S+ )?make (?:-C \S+ )?(.*)$", run, re.MULTILINE):
        named |= set(line.split())
    missing = _targets() - named - set(LEFT_OUT)
    assert not missing, f".ci/run does not run make {' '.join(sorted(missing))}"
    assert set(LEFT_OUT) <= _targets()


def test_every_target_is_explained() -> None:
    text = (ROOT / "Makefile").read_text("utf-8")
    explained = set(re.findall(r"^([a-z-]+):.*## ", text, re.MULTILINE))
    assert explained == _targets()


def test_floors_are_named() -> None:
    """Each requirement begins with a release, which make floors installs."""
    done = subprocess.run(
        [sys.executable, "tools/floors.py"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    pins = done.stdout.splitlines()
    assert any(pin.startswith("click==8") for pin in pins)
    assert all(re.fullmatch(r"[\w.-]+(\[[\w,]+\])?==[\w.]+", pin) for pin in pins)


MARKED = """
import pytest

@pytest.mark.slow_cases("b")
@pytest.mark.parametrize("case", ["a", "b", "c"])
def test_some_are_slow(case): pass

@pytest.mark.quick_cases("a")
@pytest.mark.parametrize("case", ["a", "b", "c"])
def test_some_are_quick(case): pass
"""


def _outcomes(pytester: pytest.Pytester, source: str, *options: str) -> dict[str, int]:
    """Of tests with this source, with the conftest of this project."""
    (pytester.mkdir("tests") / "test_marked.py").write_text(source, "utf-8")
    pytester.makeconftest((ROOT / "conftest.py").read_text("utf-8"))
    pytester.makefile(".toml", pyproject=(ROOT / "pyproject.toml").read_text("utf-8"))
    common = str(ROOT / "tests" / "common")
    return pytester.runpytest(
        "-o", f"pythonpath={common}", "-p", "no:xdist", *options
    ).parseoutcomes()


def test_marks_name_the_slow_cases(pytester: pytest.Pytester) -> None:
    assert _outcomes(pytester, MARKED, "-m", "not slow") == {"passed": 3, "deselected": 3}


@pytest.mark.parametrize("mark", ["slow_cases", "quick_cases"])
def test_a_mark_that_names_no_case_is_an_error(pytester: pytest.Pytester, mark: str) -> None:
    source = MARKED.replace(f'{mark}("', f'{mark}("gone", "')
    assert _outcomes(pytester, source, "-m", "") == {"passed": 3, "errors": 3}
