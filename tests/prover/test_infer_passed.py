"""Counters of which only the most is known, and pointers that a loop hands to a callee."""

from __future__ import annotations

from pathlib import Path

import pytest
from infer_programs import field, inferred, rom_sm83

from romproof.prover.bank import Bank
from romproof.prover.infer.addresses import Form
from romproof.prover.infer.counts import Count, needs_of
from romproof.prover.infer.infer import Grade
from romproof.prover.infer.regions import Span
from romproof.prover.piece import piece_of
from romproof.prover.program import program_of
from romproof.prover.results import Verdict

SM83 = """\
SECTION "c", ROM0[$0150]
Start::
  jp Start

Walk::
  ld a, b
  xor c
  and 63
  ret z
  ld c, a
  ld de, 16
.step
  add hl, de
  dec c
  jr nz, .step
  ret
"""
CONTRACT = """\
;; Walk – goes up to 63 steps of 16.
; in:        BC HL
; requires:  HL <= $1000
; out:       HL
; ensures:   HL >= old HL, HL <= old HL + {far}
; clobbers:  A C DE F
"""


@pytest.mark.slow
@pytest.mark.parametrize(("far", "is_proved"), [(63 * 16, True), (63 * 16 - 1, False)])
def test_how_far_a_loop_goes_that_is_gone_round_so_often_at_most(
    tmp_path: Path, far: int, is_proved: bool
) -> None:
    """What the counter begins with is no plain expression; one byte less is too little."""
    rom = rom_sm83(tmp_path, SM83)
    address = rom.image.address("Walk")
    contract = piece_of(rom.image, CONTRACT.format(far=far), address).contract
    proof, _ = Bank(program_of(rom)).prove_at(contract, address)
    assert (proof.verdict is Verdict.PROVED) is is_proved, proof.findings


def test_what_a_callee_requires_is_required_of_the_last_packet() -> None:
    """The first of up to seven packets begins so far before the last place that is allowed, or
    behind the first one, where they lie downwards."""
    pointer = Form("HL", 0, 0, 0, 0xFFFF, frozenset("hl"), 0xFFFF)
    span, count = Span(0x100, 0x801), Count("6", 6, frozenset(), frozenset("c"))
    (up,) = needs_of(pointer, 0, 16, span, count)
    assert (up.low, up.high) == (0x100, 0x800 - 6 * 16)
    (down,) = needs_of(pointer, 0, -16, span, count)
    assert (down.low, down.high) == (0x100 + 6 * 16, 0x800)


IN_PAGE = """\
SECTION "c", ROM0[$0150]
Start::
  ld hl, $FF11
  call Third
  ld hl, $FF16
  call Third
  ld hl, $FF13
  call Put
  jp Start
Third::
  ld [hl], d
  inc l
  inc l
  jp Put
Put::
  ld [hl], d
  ret
"""


def test_what_a_callee_requires_of_a_pair_is_asked_of_the_half_that_moves(tmp_path: Path) -> None:
    """The low byte is two less than what is passed, and not 65,282 less than nothing."""
    found = inferred(rom_sm83(tmp_path, IN_PAGE), "Put", "Third")
    assert " ".join(field(found["Put"], "requires")) == "HL in $FF00..$FF7F"
    third = " ".join(field(found["Third"], "requires"))
    assert third == "HL in $FF00..$FF7F, L in 0..125"
    assert found["Third"].grade is Grade.TIGHT, found["Third"].loose
