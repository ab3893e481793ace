"""``romproof same``: two routines, or a routine and what it was."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from cli_programs import Done

from romproof.cli import run as carry_out

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
WHO = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")


Run = Callable[..., Done]


@pytest.fixture
def romproof_in(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """Run a command line in this process, in a folder."""
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", os.sep)

    def run(folder: Path, *args: str, env: Mapping[str, str] | None = None) -> Done:
        monkeypatch.chdir(folder)
        for name, value in (env or {}).items():
            monkeypatch.setenv(name, value)
        capfd.readouterr()
        code = carry_out(args)
        printed = capfd.readouterr()
        assert "internal fault" not in printed.err
        return Done(args, code, printed.out, printed.err)

    return run


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with one program, in no repository."""
    (tmp_path / "p.s").write_text(SOURCE, "utf-8")
    text = '[tool.romproof.roms.p]\nsources = ["p.s"]\n'
    (tmp_path / "pyproject.toml").write_text(text, "utf-8")
    return tmp_path


def git(folder: Path, *words: str) -> str:
    """What git prints."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    done = subprocess.run(
        ["git", *WHO, *words], cwd=folder, check=True, capture_output=True, text=True, env=kept
    )
    return done.stdout


def test_equal_routines_with_what_they_cost(project: Path, romproof_in: Run) -> None:
    done = romproof_in(project, "same", "p:step", "p:quick")
    assert done.returncode == 0
    text = " ".join(done.stdout.split())
    assert "p:step and p:quick: equal for all inputs that both contracts allow (executed: " in text
    # 3 + 2 + 5 + 3 + 3 + 6 and 5 + 5 + 3 + 6 without the carry; with it 23 and 5+5+2+3+2+3+6
    assert "cycles: from 3 fewer to 3 more, by input" in text
    assert "cycles 22..23 19..26" in text


def test_routines_that_differ_and_a_test_to_paste(project: Path, romproof_in: Run) -> None:
    done = romproof_in(project, "same", "p:step", "p:wrong")
    assert done.returncode == 1
    assert "p:step and p:wrong: not equal" in done.stdout
    assert 'one = rom.call("step", mem={"state": bytes.fromhex("0080")})' in done.stdout
    found = json.loads(romproof_in(project, "same", "p:step", "p:wrong", "--json").stdout)
    assert found["schema"] == "romproof.same/1"
    assert (found["ok"], found["verdict"]) == (False, "refuted")
    assert found["differs"]["outputs"][0] == {"place": "state[0]", "one": 0x2D, "other": 0}
    assert found["differs"]["test"][0].startswith("def test_")


def test_a_folder_that_was_not_there_yet_is_the_project_all_the_same(
    project: Path, romproof_in: Run
) -> None:
    git(project, "init", "-q")
    git(project, "add", "-A")
    git(project, "commit", "-qm", "first")
    (project / "new" / "inner").mkdir(parents=True)
    done = romproof_in(project / "new" / "inner", "same", "p:step", "--against", "HEAD")
    assert (done.returncode, done.stderr) == (0, "")
    assert "p:step at HEAD and p:step: equal" in done.stdout


def test_a_routine_and_what_it_was_leave_the_tree_alone(project: Path, romproof_in: Run) -> None:
    git(project, "init", "-q")
    git(project, "add", "-A")
    git(project, "commit", "-qm", "first")
    (project / "p.s").write_text(SOURCE.replace("eor #$2D\n@", "eor #$2F\n@"), "utf-8")
    (project / "new").write_text("not in git", "utf-8")
    before = git(project, "status", "--porcelain"), git(project, "log", "--oneline", "--all")
    done = romproof_in(project, "same", "p:step", "--against", "HEAD")
    assert done.returncode == 1
    assert "p:step at HEAD and p:step: not equal" in done.stdout
    assert 'r.mem["state"][0] == 0x2D' in done.stdout
    done = romproof_in(project, "same", "p:quick", "--against", "HEAD", "--json")
    assert done.returncode == 2  # it has no contract, then or now
    assert "has no contract" in done.stderr
    (project / "p.s").write_text(SOURCE.replace("  lda state\n  asl a", " asl state\n lda state"))
    done = romproof_in(project, "same", "p:step", "--against", "HEAD", "--json")
    found = json.loads(done.stdout)
    assert found["verdict"] == "proved"
    assert found["more_cycles"] == {"least": 3, "most": 3}  # asl a is 2, asl of memory 5
    assert (git(project, "status", "--porcelain"), git(project, "log", "--oneline", "--all")) == (
        before
    )
    assert len(git(project, "worktree", "list").splitlines()) == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["p:step"], "name a second routine, or a revision"),
        (["p:step", "p"], "'p' names no routine"),
        (["p", "p:step"], "'p' names no routine"),
        (["p:step", "p:step", "--against", "HEAD"], "name one routine only"),
        (["p:step", "p:stepp"], "stepp"),
        (["p:step", "q:step"], "no ROM 'q'"),
        (["p:step", "--against", "HEAD"], "not a git repository"),
        (["p:step", "p:quick", "--map", "state"], "is not a pair of places"),
        (["p:step", "p:quick", "--map", "stat=state"], "did you mean 'state'"),
        (["p:step", "p:quick", "--map", "state=state[0]"], "state has 16 bits"),
        (["p:quick", "p:wrong"], "'p:quick' has no contract"),
    ],
)
def test_what_is_wrong_is_one_message(
    project: Path, romproof_in: Run, words: list[str], said: str
) -> None:
    done = romproof_in(project, "same", *words, env={"GIT_CEILING_DIRECTORIES": str(project)})
    assert done.returncode == 2
    assert said in " ".join(done.stderr.split())
    assert done.stdout == ""


def test_a_revision_that_git_does_not_know(project: Path, romproof_in: Run) -> None:
    git(project, "init", "-q")
    git(project, "commit", "-qm", "nothing", "--allow-empty")
    for revision, said in (
        ("nope", "git knows no revision 'nope'"),
        ("--output=x", "is not a revision"),
        ("HEAD", "pyproject.toml"),
    ):
        done = romproof_in(project, "same", "p:step", f"--against={revision}")
        assert done.returncode == 2
        assert said in done.stderr or "no project in this folder" in done.stderr
    assert not (project / "x").exists()
    assert len(git(project, "worktree", "list").splitlines()) == 1


def test_two_images_have_symbols_of_their_own(romproof_in: Run, tmp_path: Path) -> None:
    """The second program is the first one at other addresses, its variable elsewhere too."""
    pytest.importorskip("z3")
    (tmp_path / "old.bin").write_bytes(bytes.fromhex("a5 80 18 69 05 85 80 60"))
    (tmp_path / "new.bin").write_bytes(bytes.fromhex("ea ea a5 90 38 69 04 85 90 60"))
    (tmp_path / "old.txt").write_text("add_five = $C000\nvalue = $80\n")
    (tmp_path / "new.txt").write_text("plus_five = $C002\nvalue = $90\n")
    (tmp_path / "old.s").write_text(
        ";; add_five - the value is 5 more\n; in: value[1]\n; out: value[1]\n"
        "; clobbers: A N V Z C\n"
    )
    command = (
        "same", "old.bin:add_five", "new.bin:plus_five", "--load-address", "0xC000",
        "--symbols", "old.txt", "--contracts", "old.s", "--json",
    )  # fmt: skip
    done = romproof_in(
        tmp_path, *command, "--other-symbols", "new.txt", "--other-contracts", "new.s"
    )
    assert done.returncode == 2
    assert "new.s" in done.stdout + done.stderr  # it is not there
    (tmp_path / "new.s").write_text(
        ";; plus_five - the value is 5 more\n; in: value[1]\n; out: value[1]\n"
        "; clobbers: A N V Z C\n"
    )
    done = romproof_in(
        tmp_path, *command, "--other-symbols", "new.txt", "--other-contracts", "new.s"
    )
    assert (done.returncode, json.loads(done.stdout)["verdict"]) == (0, "proved"), done.stderr
    # without them it has those of the first
    done = romproof_in(tmp_path, *command)
    assert done.returncode == 2
    assert "no symbol 'plus_five'" in done.stdout


def test_options_for_images_are_for_images(romproof_in: Run, tmp_path: Path) -> None:
    (tmp_path / "old.s").write_text(SOURCE)
    (tmp_path / "pyproject.toml").write_text('[tool.romproof]\nname = "old"\nsources = ["old.s"]\n')
    done = romproof_in(tmp_path, "same", "old:step", "old:quick", "--other-symbols", "x.lbl")
    assert done.returncode == 2
    assert "--symbols is for images such as game.nes" in done.stderr


CARRY = """\
SECTION "c", ROM0
;; first
; in:       A C CF
; out:      A
; clobbers: F
first::
  adc a, c
  ret
;; second
; in:       A C CF
; out:      A
; clobbers: F
second::
  adc a, c
  inc a
  ret
"""


def test_a_flag_is_no_register_and_the_verdict_comes_first(romproof: Run, tmp_path: Path) -> None:
    (tmp_path / "g.asm").write_text(CARRY)
    table = '[tool.romproof]\nname = "g"\ncpu = "sm83"\nsources = ["g.asm"]\n'
    (tmp_path / "pyproject.toml").write_text(table)
    shown = romproof("same", "g:first", "g:second").stdout
    assert "\n  refuted: a is the same: A is $" in shown
    assert re.search(r"\n  in  A=\$..?, C=\$.., CF=[01]\n", shown)
