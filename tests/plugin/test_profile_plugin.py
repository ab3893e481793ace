"""``--romproof-profile``, seen from a user's test files."""

from __future__ import annotations

import importlib
import json
from importlib.metadata import entry_points
from pathlib import Path

import pytest

TESTS = """
import pytest

@pytest.mark.parametrize("value", range(8))
def test_add_five(rom, value):
    assert rom.call("add_five", a=value).a == value + 5

def test_a_machine(rom):
    machine = rom.machine()
    assert machine.call("add_five", a=1).a == 6
    assert machine.call("add_five", a=2).a == 7
"""


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.syspath_prepend(str(Path(__file__).parents[1] / "harness"))
    programs = importlib.import_module("programs")
    (pytester.path / "prog.s").write_text(programs.PROGRAM, "utf-8")
    (pytester.path / "prog.cfg").write_text(programs.LAYOUT, "utf-8")
    pytester.makepyprojecttoml("[tool.romproof]\nsources = ['prog.s']\nconfig = 'prog.cfg'\n")
    pytester.makepyfile(TESTS)
    return pytester


def run(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    installed = entry_points(group="pytest11", name="romproof")
    plugin = () if installed else ("-p", "romproof.pytest_plugin")
    return pytester.runpytest_inprocess(
        *plugin, "-p", "no:cacheprovider", "--romproof-engine=plain", *arguments
    )


def test_a_test_run_is_profiled(project: pytest.Pytester) -> None:
    options = [f"--romproof-profile={name}" for name in ("p.json", "p.html", "callgrind.out.p")]
    result = run(project, *options)
    result.assert_outcomes(passed=9)
    result.stdout.fnmatch_lines(["* in 10 runs, 1 routines", "written: *p.json"])
    (program,) = json.loads((project.path / "p.json").read_text())["programs"]
    (routine,) = program["routines"]
    # clc (2) adc #5 (2) rts (6)
    assert (routine["name"], routine["calls"], routine["exclusive"]) == ("add_five", 10, 100)
    assert (routine["minimum"], routine["maximum"]) == (10, 10)
    assert program["runs"] == 10
    assert "totals: 100" in (project.path / "callgrind.out.p").read_text()
    page = (project.path / "p.html").read_text()
    assert "add_five" in page
    # the return address: pulled in page 1 by each of the ten calls
    (access,) = program["accesses"]
    assert access == {"routine": 0, "page": 1, "reads": 20, "writes": 0}
    assert "Each cell is a page of 256 bytes" in page


def test_accesses_are_told_for_a_page_only(project: pytest.Pytester) -> None:
    """They take several times as long."""
    run(project, "--romproof-profile=p.json")
    (program,) = json.loads((project.path / "p.json").read_text())["programs"]
    assert "accesses" not in program


@pytest.mark.slow
def test_workers_are_put_together(project: pytest.Pytester) -> None:
    pytest.importorskip("xdist")
    run(project, "--romproof-profile=one.json")
    result = run(project, "-n", "2", "--romproof-profile=two.json")
    result.assert_outcomes(passed=9)
    one, two = (json.loads((project.path / f"{n}.json").read_text()) for n in ("one", "two"))
    assert one == two


def test_files_that_cannot_be(project: pytest.Pytester) -> None:
    result = run(project, "--romproof-profile=p.txt")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "p.txt: the name does not select a format" in str(result.stderr)
    (project.path / "p.html").mkdir()
    result = run(project, "--romproof-profile=p.html")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["ERROR: the profile is not written: *p.html: Is a directory"])


def test_without_the_option_nobody_listens(project: pytest.Pytester) -> None:
    from romproof.harness.calls.listening import LISTENERS

    result = run(project)
    result.assert_outcomes(passed=9)
    assert not LISTENERS
