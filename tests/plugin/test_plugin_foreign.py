"""Images of other build systems in pytest: the command that makes them, notes, the fixture."""

from __future__ import annotations

import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from foreign_projects import nes_project

from romproof.projects.command import DONE

COMMAND = """\
import os, sys
with open("ran.txt", "a") as file:
    file.write("x")
if os.path.exists("broken"):
    print("line 13: something is wrong")
    sys.exit(3)
os.makedirs("out", exist_ok=True)
for name in ("game.nes", "game.dbg"):
    with open("build/" + name, "rb") as one, open("out/" + name, "wb") as other:
        other.write(one.read())
"""
TESTS = """\
def test_points(rom):
    result = rom.call("add_points", a=200, mem={"score": 100})
    assert result.read("score") == (300).to_bytes(2, "little")

def test_contract(rom):
    assert rom.contracts["add_points"].cycles == (17, 21)
"""


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A project whose image a command makes."""
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.delenv(DONE, raising=False)
    nes_project(pytester.path)
    (pytester.path / "make.py").write_text(COMMAND, "utf-8")
    command = [sys.executable, "make.py"]
    pytester.makepyprojecttoml(
        f'[tool.romproof]\nimage = "out/game.nes"\nsymbols = ["out/game.dbg"]\n'
        f'machine = "flat"\ncommand = {command!r}\n'
    )
    pytester.makepyfile(TESTS)
    return pytester


def run(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    installed = entry_points(group="pytest11", name="romproof")
    plugin = () if installed else ("-p", "romproof.pytest_plugin")
    return pytester.runpytest_inprocess(*plugin, "-p", "no:cacheprovider", *arguments)


def runs_of(pytester: pytest.Pytester) -> int:
    """How often the command ran."""
    path = pytester.path / "ran.txt"
    return len(path.read_text("utf-8")) if path.exists() else 0


def test_the_command_runs_once_before_the_tests(project: pytest.Pytester) -> None:
    result = run(project)
    result.assert_outcomes(passed=2)
    assert runs_of(project) == 1
    run(project).assert_outcomes(passed=2)
    assert runs_of(project) == 2, "once for each run"


@pytest.mark.slow
def test_workers_do_not_run_it(project: pytest.Pytester) -> None:
    result = run(project, "-n", "2", "-p", "xdist")
    result.assert_outcomes(passed=2)
    assert runs_of(project) == 1


def test_it_does_not_run_to_collect(project: pytest.Pytester) -> None:
    run(project, "--collect-only").assert_outcomes()
    assert runs_of(project) == 0


def test_its_failure_is_one_error_with_its_output(project: pytest.Pytester) -> None:
    (project.path / "broken").touch()
    result = run(project)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    text = result.stdout.str() + result.stderr.str()
    assert text.count("failed in") == 1
    assert "with exit code 3:\nline 13: something is wrong" in text
    assert "Traceback" not in text
    assert "passed" not in text


def test_a_command_that_is_not_there(project: pytest.Pytester) -> None:
    text = (project.path / "pyproject.toml").read_text("utf-8")
    text = text.partition("command")[0] + 'command = ["no-such-program"]\n'
    (project.path / "pyproject.toml").write_text(text, "utf-8")
    result = run(project)
    assert "the command 'no-such-program' cannot be run in" in result.stderr.str()


def test_what_is_strange_in_the_files_is_a_warning(project: pytest.Pytester) -> None:
    (project.path / "more.mlb").write_text("NesPrgRom:8000:far\n", "utf-8")
    text = (project.path / "pyproject.toml").read_text("utf-8")
    text = text.replace('"out/game.dbg"', '"out/game.dbg", "more.mlb"')
    (project.path / "pyproject.toml").write_text(text, "utf-8")
    result = run(project, "-W", "default")
    result.assert_outcomes(passed=2, warnings=1)
    result.stdout.fnmatch_lines(["*SymbolWarning: *1 symbol outside of out?game.nes*"])


def test_an_image_that_is_missing(project: pytest.Pytester) -> None:
    project.makepyprojecttoml('[tool.romproof]\nimage = "gone/game.nes"\n')
    result = run(project)
    result.assert_outcomes(errors=2)
    result.stdout.fnmatch_lines(["*there is no image gone?game.nes: build it first*"])


def test_one_of_several_programs(project: pytest.Pytester) -> None:
    (project.path / "pyproject.toml").write_text(
        "[tool.romproof.roms.one]\n"
        'image = "build/game.nes"\nsymbols = ["build/game.mlb"]\nmachine = "flat"\n',
        "utf-8",
    )
    project.makepyfile(
        """
        import pytest

        @pytest.mark.rom("one")
        def test_points(rom):
            assert rom.call("add_points", a=1, mem={"score": b"\\1\\0"}).a == 2
        """
    )
    run(project).assert_outcomes(passed=1)


def test_the_project_stays_as_it_was(project: pytest.Pytester) -> None:
    """Nothing is written beside what the command writes."""
    run(project)
    before = {path: path.stat().st_mtime_ns for path in project.path.rglob("*")}
    run(project, "-p", "no:cacheprovider")
    after = {path: path.stat().st_mtime_ns for path in project.path.rglob("*")}
    changed = {p.relative_to(project.path) for p in after if before.get(p) != after[p]}
    made = {Path("ran.txt"), Path("out/game.nes"), Path("out/game.dbg"), Path("__pycache__")}
    assert {p for p in changed if "__pycache__" not in p.parts} <= made
