"""What a callee writes at an index that it is given: a caller knows it for its own index."""

from __future__ import annotations

from pathlib import Path

import pytest

import romproof
from romproof.prover.conditions.memory import find_stored
from romproof.prover.results import Verdict
from romproof.prover.routines.program_proof import prove_rom
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.term import Term


def test_a_cell_that_is_stored_on_one_of_two_ways_is_not_known_to_be() -> None:
    array, which, value = t.array_var("array"), t.var("which", 1), t.var("value", 8)

    def cells(*addresses: int) -> Term:
        stored = array
        for address in addresses:
            stored = t.store(stored, t.const(address, 16), value)
        return stored

    assert find_stored(cells(1, 2)) == {1, 2}
    assert find_stored(t.array_ite(which, cells(1, 2), cells(2, 3))) == {2}
    assert find_stored(t.array_ite(which, cells(1), array)) == set()
    anywhere = t.store(cells(1), t.var("address", 16), value)
    assert find_stored(anywhere) == {1}


SOURCE = """\
.zeropage
.exportzp cells
cells: .res 4
.code
.export put, total, caller
;; put – a cell.
; in:       A X
; requires: X in 0..3
; out:      cells[4]
; clobbers: none
.proc put
  sta cells,x
  rts
.endproc
;; total – of all cells.
; in:       cells[4]
; out:      A
; clobbers: X N V Z C
.proc total
  ldx #3
  lda #0
  clc
@cell:
  adc cells,x
  dex
  bpl @cell
  rts
.endproc
;; caller – fills one and adds.
; in:       {inputs}
; requires: {requires}
; out:      A cells[4]
; clobbers: X N V Z C
.proc caller
  {code}
  jsr put
  jmp total
.endproc
"""


@pytest.mark.quick_cases("A $0081[3]-A <= 255-ldx #1-Verdict.UNKNOWN")
@pytest.mark.parametrize(
    ("inputs", "requires", "code", "verdict"),
    [
        ("A $0081[3]", "A <= 255", "ldx #0", Verdict.PROVED),
        ("A cells[1] $0082[2]", "A <= 255", "ldx #1", Verdict.PROVED),
        ("A $0081[3]", "A <= 255", "ldx #1", Verdict.UNKNOWN),
        ("A X $0081[3]", "X in 0..1", "nop", Verdict.UNKNOWN),
        ("A X $0082[2]", "X in 0..1", "nop", Verdict.UNKNOWN),
        ("A X cells[4]", "X in 0..1", "nop", Verdict.PROVED),
    ],
)
def test_only_the_cell_that_is_written_is_known_to_be(
    tmp_path: Path, inputs: str, requires: str, code: str, verdict: Verdict
) -> None:
    source = SOURCE.replace("{inputs}", inputs).replace("{requires}", requires)
    (tmp_path / "cells.s").write_text(source.replace("{code}", code))
    (tmp_path / "pyproject.toml").write_text('[tool.romproof]\nsources = ["cells.s"]\n')
    rom = romproof.load(tmp_path)
    proofs = {proof.routine: proof for proof in prove_rom(rom, ["caller"])}
    assert proofs["put"].verdict is Verdict.PROVED
    found = proofs["caller"]
    # what a callee may read by its contract refutes nothing: an input may still do so
    assert (found.verdict is Verdict.PROVED) == (verdict is Verdict.PROVED), found.findings
    assert found.lemmas == ("put", "total")
