"""Loops that end at the last byte of a variable, or by a bit that callers set in a register."""

from __future__ import annotations

from pathlib import Path

import pytest
from infer_programs import field, inferred, rom_6502, rom_sm83

import romproof
from romproof.prover.infer.infer import Grade
from romproof.prover.results import Verdict

QUEUE_6502 = """\
.segment "ZEROPAGE"
.exportzp queue, after
queue: .res 5
after: .res 1
.segment "CODE"
.export append
{contract}
.proc append
  ldx #$FF
@next:
  inx
  ldy queue,x
  bpl @next
  sta queue,x
  rts
.endproc
"""

QUEUE_SM83 = """\
SECTION "v", WRAM0[$C100]
wQueue:: ds 5
wAfter:: ds 1
SECTION "c", ROM0[$0150]
Twice::
  ld b, 1
  call Append
  ld b, 2
Append::
  ld hl, wQueue - 1
.next
  inc hl
  bit 7, [hl]
  jr z, .next
  ld [hl], b
  ret
"""


@pytest.mark.slow
def test_the_last_byte_of_a_queue_has_to_end_it(tmp_path: Path) -> None:
    found = inferred(rom_6502(tmp_path, QUEUE_6502.format(contract="")), "append")["append"]
    assert " ".join(field(found, "requires")) == "queue[4] in 128..255"
    assert "after[1]" not in [*field(found, "in"), *field(found, "out")]
    assert found.grade is Grade.TIGHT, found.loose


@pytest.mark.slow
def test_what_appends_twice_needs_two_free_places(tmp_path: Path) -> None:
    """After the first call the last byte may be 1: the second one would go beyond it."""
    found = inferred(rom_sm83(tmp_path, QUEUE_SM83), "Append", "Twice")
    once = " ".join(field(found["Append"], "requires"))
    assert once == "wQueue[4] in 128..255"
    assert found["Append"].grade is Grade.TIGHT, found["Append"].loose
    twice = " ".join(field(found["Twice"], "requires"))
    assert twice == "wQueue[4] in 128..255, wQueue[3] in 128..255"
    assert found["Twice"].grade is Grade.TIGHT, found["Twice"].loose


APPENDS = """\
; in:        A queue[5]
; requires:  {requires}
; out:       queue[5]
; clobbers:  X Y N Z
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("requires", "right"),
    [
        ("queue[4] in 128..255", True),
        ("queue[3] in 128..255", True),  # no need to come to the last one
        ("queue[4] in 127..255", False),
        ("queue[4] in 0..127", False),
        ("after in 128..255", False),  # the byte behind the queue
    ],
)
def test_slips_in_the_byte_that_ends_a_queue(tmp_path: Path, requires: str, right: bool) -> None:
    contract = f";; append – a byte at the end.\n{APPENDS.format(requires=requires)}"
    rom = rom_6502(tmp_path, QUEUE_6502.format(contract=contract))
    (proof,) = romproof.prove(rom, "append")
    assert (proof.verdict is Verdict.PROVED) is right, proof.findings


BITS = """\
SECTION "v", WRAM0[$C100]
wBits:: ds 8
SECTION "c", ROM0[$0150]
Start::
  ld de, wBits
  ld c, {first}
  call Pull
  ld c, {second}
  call Pull
  jp Start
{contract}
Pull::
{shifts}
  ret c
{read}
  and $C0
  or c
  ld c, a
  jr Pull
"""
READ, PORT = "  ld a, [de]\n  inc de", "  ldh a, [$FF04]"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("passed", "shifts", "requires"),
    [
        (("$20", "$80"), 2, "(C & 170) in 1..170"),
        (("$20", "$02"), 1, "(C & 127) in 1..127"),
        (("$20", "$50"), 2, ""),  # 5 times 16 has none of the bits
    ],
)
def test_a_bit_that_all_callers_set_ends_a_loop(
    tmp_path: Path, passed: tuple[str, str], shifts: int, requires: str
) -> None:
    source = BITS.format(
        first=passed[0], second=passed[1], shifts="  srl c\n" * shifts, contract="", read=READ
    )
    found = inferred(rom_sm83(tmp_path, source), "Pull")["Pull"]
    assert " ".join(field(found, "requires")).endswith(requires)
    assert (found.grade in (Grade.TIGHT, Grade.SOUND)) is bool(requires), found.reason


PULLS = """\
;; Pull – two bits at a time.
; in:        C $FF04[1]
; requires:  {requires}
; out:       C
; clobbers:  A F
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("requires", "right"),
    [
        ("(C & 170) in 1..170", True),
        ("C in 32..63", True),
        ("(C & 170) in 0..170", False),  # with none of the bits nothing ends it
        ("(C & 85) in 1..85", False),  # the bits beside them
        ("C in 1..255", False),
    ],
)
def test_slips_in_the_bits_that_end_a_loop(tmp_path: Path, requires: str, right: bool) -> None:
    contract = PULLS.format(requires=requires)
    source = BITS.format(first=32, second=128, shifts="  srl c\n" * 2, contract=contract, read=PORT)
    (proof,) = romproof.prove(rom_sm83(tmp_path, source), "Pull")
    assert (proof.verdict is Verdict.PROVED) is right, proof.findings
