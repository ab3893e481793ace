"""Contracts of which all is proved but that their limits of cycles are reached."""

from __future__ import annotations

from pathlib import Path

import pytest
from infer_programs import rom_6502

from romproof.contract.nouns.model import Contract
from romproof.harness.rom import Rom
from romproof.prover.conditions.termination import ending
from romproof.prover.cycles.bounds import limits
from romproof.prover.refinement.fragment import piece_of
from romproof.prover.results import Attained, Proof, Verdict
from romproof.prover.routines.program_proof import LemmaStore
from romproof.prover.states.program import program_of
from romproof.symbolic.terms.node import using

SOURCE = """\
.segment "ZEROPAGE"
.exportzp from, to
from: .res 8
to: .res 8
.segment "CODE"
.export halves
.proc halves
  ldx #8
@l:
  txa
  lsr a
  bcc @even
  lda from-1,x
  sta to-1,x
@even:
  dex
  bne @l
  rts
.endproc
"""
"""Each iteration may be a long or a short one, as far as the invariant tells; every other is."""

CONTRACT = """\
;; halves – copies every other byte.
; in:        from[8]
; out:       X
; clobbers:  {lost}
; cycles:    {cycles}
; invariant: @l: X in 1..8
; decreases: @l: X
"""


def _contract(rom: Rom, cycles: str, lost: str = "A N Z C to[8]") -> Contract:
    text = CONTRACT.format(cycles=cycles, lost=lost)
    if not cycles:
        text = "".join(line for line in text.splitlines(True) if "cycles:" not in line)
    return piece_of(rom.image, text, "halves").contract


def _limits(bank: LemmaStore, rom: Rom) -> tuple[int, int]:
    """What the prover knows of cycles: other than those of any run."""
    _, explored = bank.prove(_contract(rom, ""))
    assert explored is not None
    with using(explored.terms):
        known = limits(explored.case, (None, None), ending(explored.case))
    assert known.least is not None
    assert known.most is not None
    return known.least, known.most


def _says_of_cycles(proof: Proof) -> bool:
    return any(str(each.statement).startswith("takes ") for each in proof.findings)


@pytest.mark.slow
def test_limits_that_are_not_reached_are_proved_all_the_same(tmp_path: Path) -> None:
    """Nobody has to leave them out: that no input is known for them is another word."""
    rom = rom_6502(tmp_path, SOURCE)
    bank, address = LemmaStore(program_of(rom)), rom.image.address("halves")
    low, high = _limits(bank, rom)
    contract = _contract(rom, f"{low}..{high}")
    for needed in (True, False):
        proof, explored = bank.prove(contract, address, cycles_needed=needed)
        assert (proof.verdict, proof.attained) == (Verdict.PROVED, Attained.UNKNOWN)
        assert _says_of_cycles(proof)
        assert explored is not None
        assert explored.case.contract.cycles == (low, high)


def test_nothing_else_is_left_out(tmp_path: Path) -> None:
    """Not what is changed and not listed, and no cycles that some input does not keep to: those
    were not executed with the rest."""
    rom = rom_6502(tmp_path, SOURCE)
    bank, address = LemmaStore(program_of(rom)), rom.image.address("halves")
    low, high = _limits(bank, rom)
    taken = rom.call("halves").cycles
    for cycles, lost in (
        (f"{low}..{high}", "A N Z to[8]"),
        (f"{low}..{high}", "A N Z C to[6]"),
        (f"{low}..{taken - 1}", "A N Z C to[8]"),
        (f"{taken + 1}..{high}", "A N Z C to[8]"),
    ):
        proof, _ = bank.prove(_contract(rom, cycles, lost), address, cycles_needed=False)
        assert proof.verdict is not Verdict.PROVED, (cycles, lost)
        assert _says_of_cycles(proof)
