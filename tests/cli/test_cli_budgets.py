"""``romproof bounds --budget --prove``: budgets that static bounds leave open, settled by proof."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_programs import Run

SOURCE = """\
.segment "BSS"
.export count
count: .res 1

.segment "CODE"
.export nmi, wait, clamp, slow

;; nmi – what every frame has to do
; in:       none
; out:      count
; clobbers: A X N Z
; budget:   0.01 frames
.proc nmi
  lda #8
  sta count
  jsr wait
  rts
.endproc

.proc wait
  ldx count
@next:
  dex
  bne @next
  rts
.endproc

;; clamp - A is at least 3
; in: A
; requires: A < 10
; out: A
; clobbers: N Z C X
; budget: 30 cycles
.proc clamp
  cmp #10
  bcs never
  rts
never:
  ldx #200
@l: dex
  bne @l
  rts
.endproc
;; slow - more for large A
; in: A
; requires: A in 1..20
; out: none
; clobbers: A X N Z
; budget: 60 cycles
.proc slow
  tax
@l: dex
  bne @l
  rts
.endproc
"""
PROJECT = """\
[tool.romproof]
name = "demo"
sources = ["nmi.s"]
clock = "nes-ntsc"

[tool.romproof.budgets]
wait = "60 cycles"
"""


@pytest.fixture(autouse=True)
def _project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "nmi.s").write_text(SOURCE, "utf-8")
    (tmp_path / "pyproject.toml").write_text(PROJECT)
    monkeypatch.chdir(tmp_path)


def test_budgets_are_proved_or_refuted(romproof: Run) -> None:
    pytest.importorskip("z3")
    done = romproof("bounds", "--budget", "--prove", "--github", "--json")
    assert done.returncode == 1, done.stderr
    data = json.loads(done.stdout)
    budgets = {row["routine"]: row for row in data["roms"][0]["budgets"]}
    assert {name: row["verdict"] for name, row in budgets.items()} == {
        "clamp": "ok, proved",
        "nmi": "ok, proved",
        "slow": "exceeded",
        "wait": "may exceed",
    }
    # lda, sta, jsr, ldx, 8 times dex and bne, rts, rts
    assert budgets["nmi"]["note"].startswith("it takes 67; the upper static bound is 1,307")
    # tax, 20 times dex and bne, rts
    assert budgets["slow"]["note"].startswith("it can take 107 for A=$14;")
    assert "not proved: no routine 'wait' with a contract" in budgets["wait"]["note"]
    errors = [line for line in done.stderr.splitlines() if line.startswith("::error")]
    assert [line.split("::")[2].split(":")[0] for line in errors] == ["slow", "wait"]


def test_without_proofs_they_stay_open(romproof: Run) -> None:
    done = romproof("bounds", "--budget", "--json")
    budgets = json.loads(done.stdout)["roms"][0]["budgets"]
    assert done.returncode == 1
    assert {row["verdict"] for row in budgets} == {"may exceed"}


def test_all_that_are_kept_are_no_failure(romproof: Run) -> None:
    pytest.importorskip("z3")
    text = SOURCE.replace("budget: 60 cycles", "budget: 107 cycles")
    Path("nmi.s").write_text(text, "utf-8")
    Path("pyproject.toml").write_text(PROJECT.replace("60", "1289"))
    assert romproof("bounds", "--budget", "--prove").returncode == 0


def test_a_contract_that_does_not_hold_settles_nothing(romproof: Run) -> None:
    """What is proved of a routine's cycles rests on its contract."""
    pytest.importorskip("z3")
    Path("nmi.s").write_text(SOURCE.replace("; clobbers: N Z C X", "; clobbers: N Z"), "utf-8")
    done = romproof("bounds", "demo:clamp", "--budget", "--prove", "--json")
    (row,) = json.loads(done.stdout)["roms"][0]["budgets"]
    assert row["verdict"] == "may exceed"
    assert "not proved: refuted: " in row["note"]
