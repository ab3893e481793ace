"""Contracts of computations whose large values are forgotten."""

from __future__ import annotations

from pathlib import Path

import pytest

from romproof.harness.rom import Rom
from romproof.projects import build, find_manifest
from romproof.prover.results import Finding, Verdict
from romproof.prover.routines.program_proof import LemmaStore
from romproof.prover.routines.routine import ProofOptions
from romproof.prover.states.program import program_of

SOURCE = """\
        .segment "ZEROPAGE"
word:   .res 2
        .exportzp word
        .segment "CODE"
;; stir – something of a word that is no longer plain to see.
; in:       word
; out:      word
; clobbers: A X N V Z C
; ensures:  {ensures}
; stack:    0
; cycles:   {cycles} constant
.export stir
.proc stir
  ldx #8
@again:
    lda word
    asl
    adc word+1
    sta word
    eor #$5A
    adc word
    sta word+1
    dex
    bne @again
  rts
.endproc
"""
TURN = 3 + 2 + 3 + 3 + 2 + 3 + 3 + 2 + 3
CYCLES = 2 + 8 * TURN - 1 + 6


@pytest.fixture(autouse=True)
def _z3() -> None:
    pytest.importorskip("z3", reason="what is asked of these routines needs it")


def findings(folder: Path, ensures: str, cycles: int) -> dict[str, Finding]:
    (folder / "demo.s").write_text(SOURCE.format(ensures=ensures, cycles=cycles), "utf-8")
    table = '[tool.romproof]\nname = "demo"\ncpu = "6502"\nsources = ["demo.s"]\n'
    (folder / "pyproject.toml").write_text(table)
    rom = Rom(build(find_manifest("demo")).image)
    own = LemmaStore(program_of(rom), ProofOptions(keeping=20))
    proof, _ = own.prove(rom.contracts["stir"])
    return {str(finding.statement): finding for finding in proof.findings}


def test_a_contract_is_proved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = findings(tmp_path, "word <= $FFFF", CYCLES)
    assert {finding.verdict for finding in found.values()} == {Verdict.PROVED}, found


def test_what_does_not_hold_is_refuted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = findings(tmp_path, "word <= $FFFF", CYCLES + 1)
    refuted = [finding for finding in found.values() if finding.verdict is Verdict.REFUTED]
    assert len(refuted) == 1
    assert str(CYCLES) in refuted[0].detail


def stirred(word: int) -> int:
    """The word after the routine; the V flag is of no interest."""
    low, high = word & 0xFF, word >> 8
    for _ in range(8):
        total = (low << 1 & 0xFF) + high + (low >> 7)
        low = total & 0xFF
        high = ((low ^ 0x5A) + low + (total >> 8)) & 0xFF
    return high << 8 | low


def test_what_was_forgotten_refutes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No word becomes this one, but with values that are not known it could be."""
    monkeypatch.chdir(tmp_path)
    never = min(set(range(1 << 16)) - set(map(stirred, range(1 << 16))))
    ensures = f"word != {never}"
    found = findings(tmp_path, ensures, CYCLES)
    assert found[f"ensures {ensures}"].verdict is Verdict.UNKNOWN
    never_kept = {name for name, each in found.items() if each.verdict is not Verdict.PROVED}
    assert never_kept == {f"ensures {ensures}"}
