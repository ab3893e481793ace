"""``--timeout`` and what is executed after a proof: too little of it is no proof."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, repeat

import pytest
from claims import PROVED, UNKNOWN, Said, rom_of, source

from romproof.prover import executed
from romproof.prover.bank import prove_rom
from romproof.prover.executed import EXECUTED
from romproof.prover.results import Proof
from romproof.prover.routine import ProofOptions
from romproof.symbolic.solve.deadline import Deadline

pytest.importorskip("z3", reason="proofs need it")

WIDE = Said("in: A X Y; out: A; clobbers: N Z", "txa/rts")
NARROW = Said("in: A; requires: A < 3; out: A; clobbers: N V Z C", "clc/adc #1/rts")


def proof_with(said: Said, left: Iterator[float], monkeypatch: pytest.MonkeyPatch) -> Proof:
    """A proof that has as many seconds left, each time somebody asks while it is executed."""
    witness = executed.witness

    def timed(*given: object, **named: object) -> object:
        named["left"] = lambda: next(left)
        return witness(*given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(executed, "witness", timed)
    (proof,) = prove_rom(rom_of("6502", source("6502", said)), (), ProofOptions(timeout=1000.0))
    return proof


def test_fewer_than_a_thousand_inputs_are_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    proof = proof_with(WIDE, repeat(0.0), monkeypatch)
    assert proof.verdict is UNKNOWN
    (open_,) = [each for each in proof.findings if each.verdict is not PROVED]
    assert open_.statement == EXECUTED
    assert "the time limit of 1000 seconds was reached when 1 of 1,000 inputs" in open_.detail
    assert proof.runs == 2


def test_a_thousand_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    proof = proof_with(WIDE, chain(repeat(1e9, 20), repeat(0.0)), monkeypatch)
    assert proof.verdict is PROVED
    assert not proof.all_inputs


def test_all_there_are_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    proof = proof_with(NARROW, chain(repeat(1e9, 3), repeat(0.0)), monkeypatch)
    assert proof.verdict is PROVED
    assert proof.all_inputs


def test_a_deadline_knows_how_late_it_is() -> None:
    now = iter([0.0, 3.0, 7.0])
    deadline = Deadline(5.0, lambda: next(now))
    assert deadline.late == 0
    assert deadline.late == 2
