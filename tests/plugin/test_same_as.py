"""``@romproof.same_as``: a routine and another version of it, drawn and proved."""

from __future__ import annotations

import os
import subprocess
from importlib.metadata import entry_points

import pytest

# loaded before a session within a session: numpy and the solvers can be loaded but once
import romproof.prover.same.same
import romproof.pytest_plugin.sampling  # noqa: F401

SOURCE = """\
.zeropage
state: .res 2
.code
.export step, quick, wrong
;; step – shift the state.
; in: state
; out: state
; clobbers: A N Z C
.proc step
  lda state
  asl a
  rol state+1
  bcc @done
  eor #$2D
@done:
  sta state
  rts
.endproc
.proc quick
  asl state
  rol state+1
  bcc @done
  lda state
  eor #$2D
  sta state
@done:
  rts
.endproc
.proc wrong
  asl state
  rol state+1
  rts
.endproc
"""
TESTS = """
import romproof

@romproof.same_as("quick", "step")
def test_quick(): ...

@romproof.same_as("wrong", "step")
def test_wrong(): ...

@romproof.same_as("step", "{revision}")
def test_before(): ...

@romproof.same_as("quick", "step", map={{"state": "nothing"}})
def test_mapped(): ...
"""


def _git(folder: object, *words: str) -> None:
    who = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    subprocess.run(["git", *who, *words], cwd=str(folder), check=True, env=kept)


@pytest.mark.slow
@pytest.mark.parametrize("options", [(), ("--romproof-prove",)], ids=["drawn", "proved"])
def test_versions_that_are_the_same_pass_and_others_fail(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...]
) -> None:
    monkeypatch.delenv("CI", raising=False)
    (pytester.path / "p.s").write_text(SOURCE, "utf-8")
    pytester.makepyprojecttoml('[tool.romproof]\nsources = ["p.s"]\n')
    _git(pytester.path, "init", "-q")
    _git(pytester.path, "add", "p.s", "pyproject.toml")
    _git(pytester.path, "commit", "-qm", "first")
    (pytester.path / "p.s").write_text(SOURCE.replace("eor #$2D\n@", "eor #$2F\n@"), "utf-8")
    pytester.makepyfile(TESTS.format(revision="git:HEAD"))
    installed = entry_points(group="pytest11", name="romproof")
    plugin = () if installed else ("-p", "romproof.pytest_plugin")
    result = pytester.runpytest_inprocess(*plugin, "-p", "no:cacheprovider", *options)
    text = result.stdout.str()
    # step itself was changed: quick is what step was
    result.assert_outcomes(failed=4)
    assert "step and quick: not equal" in text
    assert "step and wrong: not equal" in text
    assert "git:HEAD and step: not equal" in text
    assert "== 0x2D  # git:HEAD" in text or "# git:HEAD" in text
    assert "'nothing' is not a place of 'quick'" in text
    (pytester.path / "p.s").write_text(SOURCE, "utf-8")
    result = pytester.runpytest_inprocess(*plugin, "-p", "no:cacheprovider", *options)
    result.assert_outcomes(passed=2, failed=2)
    if options:
        assert "'quick' is the same as step: " in result.stdout.str()
