"""Counters of which only the most is known, and pointers that a loop hands to a callee."""

from __future__ import annotations

from pathlib import Path

import pytest
from infer_programs import field, inferred, rom_sm83

from romproof.prover.infer.addresses import Form
from romproof.prover.infer.counts import Count, needs_of
from romproof.prover.infer.infer import Grade
from romproof.prover.infer.regions import MemorySpan
from romproof.prover.refinement.fragment import piece_of
from romproof.prover.results import Verdict
from romproof.prover.routines.program_proof import LemmaStore
from romproof.prover.states.program import program_of

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
    proof, _ = LemmaStore(program_of(rom)).prove(contract, address)
    assert (proof.verdict is Verdict.PROVED) is is_proved, proof.findings


def test_what_a_callee_requires_is_required_of_the_last_packet() -> None:
    """The first of up to seven packets begins so far before the last place that is allowed, or
    behind the first one, where they lie downwards."""
    pointer = Form("HL", 0, 0, 0, 0xFFFF, frozenset("hl"), 0xFFFF)
    span, count = MemorySpan(0x100, 0x801), Count("6", 6, frozenset(), frozenset("c"))
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


STEPS = """\
SECTION "v", WRAM0[$C100]
wStep:: ds 1
wQueue:: ds 3
wAfter:: ds 1
SECTION "c", ROM0[$0150]
Start::
  call Step
  jp Start
Step::
  ld a, [wStep]
  ld de, Handlers
  call Word
  jp hl
Word::
  ld l, a
  ld h, 0
  add hl, hl
  add hl, de
  ld a, [hl+]
  ld h, [hl]
  ld l, a
  ret
SECTION "d", ROM0[$0200]
Handlers:: dw One, Two
Behind:: dw Start, Start
SECTION "e", ROM0[$0300]
One::
  xor a
  ld [wStep], a
  ret
Two::
  ld a, 1
  ld [wStep], a
  ret
Queue::
  ld hl, wQueue - 1
.next
  inc hl
  bit 7, [hl]
  jr z, .next
  ld [hl], a
  ret
Put::
  ld a, 3
  jp Queue
"""


def test_a_callee_reads_the_table_of_a_jump(tmp_path: Path) -> None:
    """The index stays within the table, and what it leads to is inferred before."""
    found = inferred(rom_sm83(tmp_path, STEPS), "Step")
    assert list(found) == ["Two", "One", "Word", "Step"]
    assert found["Step"].grade is Grade.TIGHT, (found["Step"].reason, found["Step"].loose)
    assert " ".join(field(found["Step"], "requires")) == "wStep in 0..1"


@pytest.mark.slow
def test_a_callee_that_asks_of_memory_stands_for_its_code(tmp_path: Path) -> None:
    """What is passed to it is constant; its loop ends where it requires a byte to be."""
    found = inferred(rom_sm83(tmp_path, STEPS), "Put")
    assert " ".join(field(found["Put"], "requires")) == "wQueue[2] in 128..255"
    assert found["Put"].grade is Grade.TIGHT, (found["Put"].reason, found["Put"].loose)


RUNS = """\
SECTION "v", WRAM0[$C100]
wBuf:: ds 256
SECTION "c", ROM0[$0150]
Start::
  ld hl, wBuf
  call Twice
  jp Start
Twice::
  ld c, 20
  call Fill
  ld c, 20
  call Fill
  ret
Fill::
  ld [hl+], a
  dec c
  jr nz, Fill
  ret
"""


@pytest.mark.slow
def test_what_is_passed_with_a_constant_is_a_range_of_the_other_input(tmp_path: Path) -> None:
    """Two ranges of 20 bytes, one behind the other: no condition has the count in it."""
    row = inferred(rom_sm83(tmp_path, RUNS), "Twice")["Twice"]
    assert row.grade in (Grade.TIGHT, Grade.SOUND), row.reason
    assert " ".join(field(row, "requires")) == "HL in $8000..$9FD8"
