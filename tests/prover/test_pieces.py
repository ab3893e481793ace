"""Pieces of code that end where they begin: a counterexample is a whole turn."""

from __future__ import annotations

from typing import Any

import pytest
from claims import REFUTED, Said, rom_of, source

from romproof.prover.refinement.fragment import piece_of, prove_piece
from romproof.prover.routines.program_proof import LemmaStore
from romproof.prover.routines.routine import ProofOptions
from romproof.prover.states.program import program_of

pytest.importorskip("z3", reason="proofs need it")

TURN = """
    ;; turn – of a loop.
    ; in:       X
    ; out:      X
    ; clobbers: N Z{more}
    """


@pytest.mark.parametrize(("code", "more"), [("inx", ""), ("pha/inx", " S")])
def test_a_turn_that_is_not_as_its_model_says_is_executed(code: str, more: str) -> None:
    said = Said("in: X; out: none; clobbers: X N Z", f"@l: {code}/jmp @l")
    program = program_of(rom_of("6502", source("6502", said)))
    piece = piece_of(program.image, TURN.format(more=more), "it@l", "it@l")

    def model(x: Any) -> Any:
        return x + 2 & 0xFF

    proof = prove_piece(LemmaStore(program, ProofOptions()), piece, model, {"x": "x"}, ("x",))
    (finding,) = [each for each in proof.findings if each.verdict is REFUTED]
    assert finding.replayed is True
    assert finding.example is not None
    assert finding.example.registers["x"] == 0
