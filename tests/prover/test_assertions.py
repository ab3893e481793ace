"""``assert:`` in contracts: proved at its place, known from there on, checked in calls."""

from __future__ import annotations

from pathlib import Path

import pytest

import romproof
from romproof.harness.errors import ContractViolation
from romproof.prover.results import Proof, Verdict
from romproof.text.diagnostic import BuildFailed

ROUTINE = """\
.zeropage
n: .res 1
m: .res 1
.code
.export half
;; half – n halved, and halved again.
; in: n
; requires: n < 200
; out: A m
{said}; clobbers: X N Z C V
.proc half
  lda n
  lsr a
@once:
  sta m
  lsr a
@twice:
  ldx #2
@loop:
  clc
  adc #1
@in:
  dex
  bne @loop
@done:
  rts
.endproc
"""


def proof_of(folder: Path, said: str) -> Proof:
    """The proof with some lines in the contract."""
    (folder / "p.s").write_text(ROUTINE.format(said=said), "utf-8")
    (folder / "pyproject.toml").write_text('[tool.romproof]\nsources = ["p.s"]\n', "utf-8")
    (proof,) = romproof.prove(romproof.load(folder), "half")
    return proof


def verdicts(proof: Proof) -> dict[str, Verdict]:
    """By statement."""
    return {str(each.statement): each.verdict for each in proof.findings}


def test_what_is_asserted_is_proved_where_it_stands(tmp_path: Path) -> None:
    said = (
        "; assert: @once: A < 100, A * 2 <= n\n"
        "; assert: @twice: A < 50, m < 100\n"
        "; assert: @in: A <= 51, X >= 1\n"
        "; ensures: A < 52\n"
    )
    proof = proof_of(tmp_path, said)
    assert proof.verdict is Verdict.PROVED, proof.findings
    asserted = [each for each in verdicts(proof) if each.startswith("assert at ")]
    assert len(asserted) == 6
    assert any("(half@once): A < 100" in each for each in asserted)
    assert proof.all_inputs  # and so it is, executed for all of them


@pytest.mark.parametrize(
    ("said", "broken"),
    [
        ("; assert: @once: A < 99\n", "(half@once): A < 99"),
        ("; assert: @once: A != 77\n", "(half@once): A != 77"),
        ("; assert: @in: X == 2\n", "(half@in): X == 2"),  # in the first iteration only
        ("; assert: @in: A != 30\n; ensures: A != 200\n", "(half@in): A != 30"),
        ("; assert: @done: A == old n >> 2\n", "half@done"),
        ("; assert: @once: A < 100, A < 50\n", "(half@once): A < 50"),
    ],
)
def test_what_does_not_hold_is_refuted_by_an_input_that_is_executed(
    tmp_path: Path, said: str, broken: str
) -> None:
    proof = proof_of(tmp_path, said)
    finding = next(each for each in proof.findings if str(each.statement).startswith("assert at "))
    wrong = [each for each in proof.findings if each.verdict is Verdict.REFUTED]
    assert wrong, proof.findings
    assert any(broken in str(each.statement) for each in wrong)
    assert all(each.replayed for each in wrong)
    assert str(finding.statement)
    rom = romproof.load(tmp_path)
    given = next(each.example for each in wrong if each.example is not None)
    with pytest.raises(ContractViolation, match="at '@"):
        rom.call("half", mem=dict(given.memory))


def test_nothing_rests_on_an_assertion_that_does_not_hold(tmp_path: Path) -> None:
    proof = proof_of(tmp_path, "; assert: @twice: A == 7\n; ensures: A == 9\n")
    found = verdicts(proof)
    assert Verdict.PROVED not in {v for s, v in found.items() if s.startswith("ensures")}
    assert proof.verdict is Verdict.REFUTED


def test_an_assertion_where_nothing_comes_is_vacuous(tmp_path: Path) -> None:
    source = ROUTINE.replace("@done:\n  rts", "@done:\n  rts\n@never:\n  rts")
    (tmp_path / "p.s").write_text(source.format(said="; assert: @never: A == 1\n"), "utf-8")
    (tmp_path / "pyproject.toml").write_text('[tool.romproof]\nsources = ["p.s"]\n', "utf-8")
    (proof,) = romproof.prove(romproof.load(tmp_path), "half")
    (finding,) = [each for each in proof.findings if str(each.statement).startswith("assert at ")]
    assert finding.verdict is Verdict.VACUOUS
    assert "(half@never)" in finding.detail


def test_an_assertion_makes_a_hard_claim_easy_for_what_follows(tmp_path: Path) -> None:
    # what is known at a place reaches the branch behind it: the other side is never executed
    source = """\
.zeropage
n: .res 1
.code
.export pick
;; pick – 1 where the bits of n that are left are few.
; in: n
; out: A
; assert: @here: A < 16
; ensures: A == 1
; clobbers: N Z C
.proc pick
  lda n
  lsr a
  lsr a
  lsr a
  lsr a
@here:
  cmp #16
  bcs @many
  lda #1
  rts
@many:
  jmp @many
.endproc
"""
    (tmp_path / "p.s").write_text(source, "utf-8")
    (tmp_path / "pyproject.toml").write_text('[tool.romproof]\nsources = ["p.s"]\n', "utf-8")
    (proof,) = romproof.prove(romproof.load(tmp_path), "pick")
    assert proof.verdict is Verdict.PROVED, proof.findings


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("; assert: A < 5\n", "the assertion begins with a label"),
        ("; assert: @nowhere: A < 5\n", "nowhere"),
        ("; assert: @once: A <\n", ""),
        ("; asserts: @once: A < 5\n", "did you mean 'assert'"),
    ],
)
def test_a_malformed_assertion_is_told_with_its_place(
    tmp_path: Path, said: str, message: str
) -> None:
    with pytest.raises(BuildFailed) as caught:
        proof_of(tmp_path, said)
    assert message in str(caught.value)
    assert "p.s:10:" in str(caught.value)


GHOSTS = "; ghost: whole = n\n; ghost: rest = n % 4\n"


def test_ghosts_are_proved_for_all_inputs(tmp_path: Path) -> None:
    said = (
        GHOSTS + "; assert: @twice: 4 * A + rest == whole\n; ensures: 4 * (A - 2) == whole - rest\n"
    )
    proof = proof_of(tmp_path, said)
    assert proof.verdict is Verdict.PROVED, proof.findings


@pytest.mark.parametrize(
    "said",
    [
        "; ensures: 4 * (A - 2) == whole\n",
        "; ensures: 4 * (A - 2) == whole - rest + 4\n",
        "; ensures: m == whole\n",
        "; ensures: whole < 199\n",
    ],
)
def test_what_is_not_true_of_ghosts_is_refuted_and_breaks_a_call(tmp_path: Path, said: str) -> None:
    proof = proof_of(tmp_path, GHOSTS + said)
    (wrong,) = [each for each in proof.findings if each.verdict is Verdict.REFUTED]
    assert wrong.replayed
    assert wrong.example is not None
    with pytest.raises(ContractViolation):
        romproof.load(tmp_path).call("half", mem=dict(wrong.example.memory))
