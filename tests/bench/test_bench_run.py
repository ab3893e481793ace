"""bench/run.py: one benchmark that fails takes no results of others along."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RUN = """
import sys
sys.path.insert(0, {folder!r})
import run
from rows import Row

def good(name):
    return lambda: [Row(name, "ours", "theirs", 1.0, 2.0)]

def fails():
    raise {raised}

run.BENCHMARKS = {{"first": good("first"), "broken": fails, "last": good("last")}}
sys.exit(run.main(["--small", *{names!r}]))
"""


def _run(folder: Path, raised: str, *names: str) -> subprocess.CompletedProcess[str]:
    text = RUN.format(folder=str(ROOT / "bench"), raised=raised, names=list(names))
    return subprocess.run(
        [sys.executable, "-c", text], cwd=folder, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("raised", ["ValueError('no such image')", "SystemExit('no such image')"])
def test_results_of_the_others_are_kept(tmp_path: Path, raised: str) -> None:
    done = _run(tmp_path, raised)
    assert done.returncode == 1, done.stderr
    assert "first" in done.stdout
    assert "last" in done.stdout
    (told,) = [line for line in done.stderr.splitlines() if line.startswith("failed: ")]
    assert told.startswith("failed: broken: ")
    assert told.endswith("no such image")
    rows = json.loads((tmp_path / "build" / "bench.json").read_text("utf-8"))
    assert [row["name"] for row in rows] == ["first", "last", "broken"]
    assert [row.get("ratio") for row in rows] == [2.0, 2.0, None]
    assert rows[-1]["failed"].endswith("no such image")


def test_only_what_is_named_is_run(tmp_path: Path) -> None:
    done = _run(tmp_path, "ValueError", "last")
    assert done.returncode == 0, done.stderr
    rows = json.loads((tmp_path / "build" / "bench.json").read_text("utf-8"))
    assert [row["name"] for row in rows] == ["last"]


def test_a_name_that_is_none(tmp_path: Path) -> None:
    done = _run(tmp_path, "ValueError", "lats")
    assert done.returncode == 2
    assert "no benchmark lats; there are: first, broken, last" in done.stderr
    assert not (tmp_path / "build").exists()
