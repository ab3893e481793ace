"""What make can do is done by continuous integration; lists of tests name tests."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

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


def test_lines_of_slow_txt_name_tests() -> None:
    """Functions by their source; what parameters there are, pytest alone knows."""
    lines = (ROOT / "tests" / "slow.txt").read_text("utf-8").splitlines()
    nodes = [line for line in lines if line and not line.startswith("#")]
    assert len(nodes) > 100
    sources: dict[str, str] = {}
    unknown = []
    for node in nodes:
        file, _, rest = node.partition("::")
        path = ROOT / file
        if file not in sources:
            sources[file] = path.read_text("utf-8") if path.is_file() else ""
        name = re.split(r"\[", rest, maxsplit=1)[0].rsplit("::", 1)[-1]
        if not re.search(rf"\b{re.escape(name)}\b", sources[file]):
            unknown.append(node)
    assert not unknown, "\n".join(unknown)
    assert len(set(nodes)) == len(nodes)


@pytest.mark.slow
def test_lines_of_slow_txt_name_parameters() -> None:
    """As pytest collects them, where everything that tests need is installed."""
    lines = (ROOT / "tests" / "slow.txt").read_text("utf-8").splitlines()
    nodes = {line for line in lines if line and not line.startswith("#")}
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "--collect-only",
            "-q",
            "-m",
            "",
            "-p",
            "no:cacheprovider",
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-2000:]
    unknown = nodes - set(done.stdout.splitlines())
    assert not unknown, "\n".join(sorted(unknown))


def test_floors_are_named() -> None:
    """Each requirement begins with a release, which make floors installs."""
    done = subprocess.run(
        [sys.executable, "tools/floors.py"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    pins = done.stdout.splitlines()
    assert any(pin.startswith("click==8") for pin in pins)
    assert all(re.fullmatch(r"[\w.-]+(\[[\w,]+\])?==[\w.]+", pin) for pin in pins)


def test_a_line_that_names_no_test_is_told(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of files that were collected, and of those that are not there; by a test of each worker."""
    conftest = request.config.pluginmanager.get_plugin(str(ROOT / "conftest.py"))
    assert conftest is not None
    (tmp_path / "tests").mkdir()
    for name in ("a", "b"):
        (tmp_path / "tests" / f"test_{name}.py").touch()
    slow = tmp_path / "tests" / "slow.txt"
    monkeypatch.setattr(conftest, "SLOW", slow)
    items = [SimpleNamespace(nodeid="tests/test_a.py::test_it")]
    for line, gone in {
        "tests/test_a.py::test_it": False,
        "tests/test_a.py::test_other": True,
        "tests/test_b.py::test_other": False,  # of it nothing was collected
        "tests/test_c.py::test_other": True,
    }.items():
        slow.write_text(f"# words\n{line}\n", "utf-8")
        assert conftest._gone(items) == (f"slow.txt: there is no test {line}" if gone else "")
    request.config.stash[conftest.GONE] = "it is gone"
    with pytest.raises(pytest.fail.Exception, match="it is gone"):
        conftest.pytest_runtest_setup(request.node)
    assert conftest.GONE not in request.config.stash
