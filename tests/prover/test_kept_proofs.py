"""Proofs are kept between runs, and several processes prove the same."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import romproof
from romproof.prover.results import Verdict
from romproof.prover.routines import survey
from romproof.prover.routines.jobs import job_of, prove_job
from romproof.prover.routines.routine import ProofOptions
from romproof.prover.routines.survey import SurveyRow, Work, work_on

SOURCE = """\
.zeropage
n: .res 1
.code
.export outer, inner, alone, wrong
;; outer – calls inner.
; in: n
; out: A
; clobbers: N Z
; stack: 2
; cycles: 23
.proc outer
  jsr inner
  rts
.endproc
;; inner – some bits of n.
; in: n
; out: A
; clobbers: N Z
; ensures: A < 128
; cycles: 11
.proc inner
  lda n
  and #$7F
  rts
.endproc
;; alone – nothing.
; in: A
; out: A
; clobbers: none
; cycles: 6
.proc alone
  rts
.endproc
;; wrong – says too little.
; in: n
; out: A
; clobbers: Z
; cycles: 9
.proc wrong
  lda n
  rts
.endproc
"""


def work(folder: Path, source: str = SOURCE) -> Work:
    """The routines of a program, built anew."""
    folder.mkdir(exist_ok=True)
    (folder / "p.s").write_text(source, "utf-8")
    (folder / "pyproject.toml").write_text('[tool.romproof]\nsources = ["p.s"]\n', "utf-8")
    return work_on("p", romproof.load(folder))


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """The routines that were really proved, in a cache of its own."""
    names: list[str] = []
    prove = survey.LemmaStore.prove
    monkeypatch.setenv("ROMPROOF_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(
        survey.LemmaStore, "prove", lambda self, c: (names.append(c.name), prove(self, c))[1]
    )
    return names


def rows(made: Work, options: ProofOptions | None = None) -> dict[str, SurveyRow]:
    """The rows by routine."""
    every = made.rows(options or ProofOptions(), lambda name: None)
    return {row.proof.routine: row for row in every}


def test_what_was_proved_is_not_proved_again_and_says_the_same(
    tmp_path: Path, begun: list[str]
) -> None:
    first = rows(work(tmp_path / "p"))
    assert set(begun) == {"outer", "inner", "alone", "wrong"}
    assert not any(row.kept for row in first.values())
    assert first["wrong"].proof.verdict is Verdict.REFUTED
    begun.clear()
    second = rows(work(tmp_path / "p"))
    assert begun == []
    assert all(row.kept for row in second.values())
    assert {name: replace(row, kept=False) for name, row in second.items()} == first


@pytest.mark.quick_cases("ensures: A < 128-ensures: A < 127")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("and #$7F", "and #$3F"),
        ("ensures: A < 128", "ensures: A < 127"),
        ("says too little", "says little"),
        ("n: .res 1", "other: .res 1\nn: .res 1"),
    ],
)
def test_a_change_of_code_contract_or_layout_is_proved_anew(
    tmp_path: Path, begun: list[str], old: str, new: str
) -> None:
    rows(work(tmp_path / "p"))
    begun.clear()
    again = rows(work(tmp_path / "p", SOURCE.replace(old, new)))
    assert set(begun) == {"outer", "inner", "alone", "wrong"}
    refuted = {name for name, row in again.items() if row.proof.verdict is Verdict.REFUTED}
    assert refuted == ({"wrong", "inner"} if "127" in new else {"wrong"})


@pytest.mark.slow
def test_other_options_and_another_romproof_prove_anew(
    tmp_path: Path, begun: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = work(tmp_path / "p")
    rows(made)
    for options in (ProofOptions(loose=True), ProofOptions(effort=2), ProofOptions(cross=True)):
        begun.clear()
        rows(made, options)
        assert len(begun) == 4
    begun.clear()
    rows(made, ProofOptions(timeout=50))  # seconds decide no verdict that is kept
    assert begun == []
    monkeypatch.setattr(
        "romproof.prover.routines.routine.digest_of_packages", lambda *names: "another"
    )
    rows(made)
    assert len(begun) == 4
    monkeypatch.setenv("ROMPROOF_CACHE", "")
    begun.clear()
    rows(made)
    assert len(begun) == 4


def test_what_the_seconds_ended_is_not_kept(tmp_path: Path, begun: list[str]) -> None:
    made = work(tmp_path / "p")
    ended = rows(made, ProofOptions(timeout=1e-9))
    open_ = {name for name, row in ended.items() if row.proof.verdict is Verdict.UNKNOWN}
    assert "outer" in open_
    begun.clear()
    assert rows(made)["outer"].proof.verdict is Verdict.PROVED
    assert open_ <= set(begun)


def test_a_caller_of_what_is_kept_is_proved_with_it(tmp_path: Path, begun: list[str]) -> None:
    made = work(tmp_path / "p")
    first = rows(made)
    for file in (tmp_path / "cache").glob("*.proof"):
        kept = file.read_bytes()
        if b'"outer"' in kept:
            file.write_bytes(kept.replace(b'"proved"', b'"unkown"'))  # damaged: not there
    begun.clear()
    second = rows(made)
    assert begun == ["inner", "outer"]
    assert second["outer"].proof.lemmas == first["outer"].proof.lemmas == ("inner",)


def test_parts_have_no_routine_in_common_and_prove_the_same(
    tmp_path: Path, begun: list[str]
) -> None:
    made = work(tmp_path / "p")
    parts = made.parts()
    assert {c.name for c in parts[0].contracts} == {"outer", "inner"}
    assert sorted(c.name for part in parts for c in part.contracts) == sorted(
        c.name for c in made.contracts
    )
    apart = {
        row.proof.routine: row for part in parts for row in prove_job(job_of(part), ProofOptions())
    }
    begun.clear()
    together = rows(made)
    assert begun == []  # another process has kept them
    for name, row in apart.items():
        assert together[name].proof.findings == row.proof.findings
