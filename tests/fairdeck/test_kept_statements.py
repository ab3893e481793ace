"""Statements are kept between runs while nothing of what proved them has changed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from fairdeck import data
from fairdeck.cli import fairdeck as cli
from fairdeck.proofs import every
from fairdeck.proofs.proof_cache import recall_or_prove
from fairdeck.proofs.statement import Statement
from romproof import Proof, ProofOptions, Verdict
from romproof.prover.catalogue import Property, Reason
from romproof.prover.results import CycleProof, Example, Finding

STATED = Property.ENSURES(condition="A == 1")
EXAMPLE = Example({"a": 1}, {"c": 0}, {0x10: b"\x01\xff"}, {0x10: "n"}, 0xF8)
PROOF = Proof(
    "it",
    (Finding(STATED, Verdict.PROVED, Reason.GIVEN(text="why"), EXAMPLE),),
    CycleProof(8, 12, EXAMPLE, None),
    1.5,
    ("A < 3",),
    runs=7,
)


class Proving:
    """A statement whose proving is counted."""

    def __init__(self, proof: Proof = PROOF) -> None:
        self.count = 0
        self.proof = proof
        self.statement = Statement("tarot", "6502", "counted", "it holds", self._prove)

    def _prove(self, options: ProofOptions) -> Proof:
        self.count += 1
        return self.proof


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ROMPROOF_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_what_was_proved_is_taken_from_the_first_run() -> None:
    proving = Proving()
    assert recall_or_prove(proving.statement, ProofOptions()) == (PROOF, False)
    assert recall_or_prove(proving.statement, ProofOptions(timeout=3.0)) == (PROOF, True)
    assert proving.count == 1


def test_fresh_proves_again() -> None:
    proving = Proving()
    for _ in range(2):
        assert recall_or_prove(proving.statement, ProofOptions(fresh=True)) == (PROOF, False)
    assert proving.count == 2


@pytest.mark.parametrize("verdict", [Verdict.UNKNOWN, Verdict.REFUTED, Verdict.PARTIAL])
def test_only_what_is_shown_is_kept(verdict: Verdict) -> None:
    proving = Proving(replace(PROOF, findings=(Finding(STATED, verdict),)))
    for _ in range(2):
        assert not recall_or_prove(proving.statement, ProofOptions())[1]
    assert proving.count == 2


@pytest.mark.parametrize("options", [ProofOptions(effort=2.0), ProofOptions(cross=True)])
def test_other_options_are_another_proof(options: ProofOptions) -> None:
    proving = Proving()
    recall_or_prove(proving.statement, ProofOptions())
    assert not recall_or_prove(proving.statement, options)[1]


def test_another_source_of_the_machine_programs_proves_all_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "rom").mkdir()
    (tmp_path / "asm").mkdir()
    source = tmp_path / "asm" / "flip.s"
    source.write_text("  rts\n")
    monkeypatch.setattr(data, "rom_folder", lambda: tmp_path / "rom")
    proving = Proving()
    for text in ("  rts\n", "  nop\n  rts\n"):
        source.write_text(text)
        data.digest_of_sources.cache_clear()
        assert not recall_or_prove(proving.statement, ProofOptions())[1]
        assert recall_or_prove(proving.statement, ProofOptions())[1]
    data.digest_of_sources.cache_clear()
    assert proving.count == 2


def test_a_damaged_record_is_proved_anew(own_cache: Path) -> None:
    proving = Proving()
    recall_or_prove(proving.statement, ProofOptions())
    (record,) = own_cache.glob("*.statement")
    record.write_bytes(record.read_bytes().replace(b"proved", b"Proved"))
    assert not recall_or_prove(proving.statement, ProofOptions())[1]
    for text in ("", "[]", "{}", '{"findings": 3, "cycles": null}', "null"):
        with pytest.raises(ValueError, match=r"no proof|Expecting value"):
            Proof.from_json(text)


def test_the_command_says_what_was_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    proving = Proving()
    table = {proving.statement.name: proving.statement}
    monkeypatch.setattr(every, "every", lambda: table)
    first, second = (
        CliRunner().invoke(cli, ["prove", "--jobs", "1"], catch_exceptions=False) for _ in range(2)
    )
    assert "kept" not in first.output
    assert ", kept\n" in second.output
    assert "1 statements: 1 proved, 1 of them kept from earlier runs" in second.output
    as_json = CliRunner().invoke(cli, ["prove", "--jobs", "1", "--json"]).output
    assert [row["kept"] for row in json.loads(as_json)["statements"]] == [True]
    fresh = CliRunner().invoke(cli, ["prove", "--jobs", "1", "--json", "--fresh"]).output
    assert [row["kept"] for row in json.loads(fresh)["statements"]] == [False]
    assert proving.count == 2
