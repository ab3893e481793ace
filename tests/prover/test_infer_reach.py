"""What infers contracts of long loops of constants, of counts in memory, and of accesses that no
simple condition limits: the contracts say what executing shows."""

from __future__ import annotations

from pathlib import Path

import pytest
from infer_programs import field, inferred, rom_6502, rom_sm83

from romproof.prover.infer.examine import EFFORT
from romproof.prover.infer.infer import Grade, Inference
from romproof.prover.routines.routine import ProofOptions

SM83 = """\
SECTION "v", WRAM0[$C100]
wRow:: ds 160
wUsed:: ds 1
wWidth:: ds 1
wMap:: ds 40
wBytes:: ds 5

SECTION "stack", WRAM0[$CF00]
wStack:: ds 256

SECTION "c", ROM0[$0150]
Start::
  call Delay
  call Ones
  call Spread
  call ClearRest
  call Bits2
  call Flips
  jp Start

Delay::
  ld de, $F400
.loop
  inc e
  jr nz, .loop
  inc d
  jr nz, .loop
  ret

Ones::
  ld hl, wBytes
  ld b, 5
  ld d, 0
.byte
  ld a, [hl+]
  ld c, 8
.bit
  rra
  jr nc, .zero
  inc d
  nop
.zero
  dec c
  jr nz, .bit
  dec b
  jr nz, .byte
  ret

Spread::
  xor b
  add a
  ld hl, wMap
  add l
  ld l, a
  ld a, [hl]
  ret

ClearRest::
  ld hl, wUsed
  ld a, [hl]
  and $FC
  ld l, a
  rrca
  rrca
  add 256 - 40
  ld c, a
  xor a
.row
  ld [hl+], a
  inc l
  inc l
  inc l
  inc c
  jr nz, .row
  ret

Bits2::
  ld hl, wMap
  ld a, [wWidth]
  ld b, a
  xor a
.loop
  bit 2, [hl]
  jr nz, .no
  inc a
.no
  inc hl
  dec b
  jr nz, .loop
  ret

Flips::
  ld hl, wRow
  ld b, 3
.again
  ld a, [hl]
  inc a
  ld [hl], a
  dec b
  jr nz, .again
  ret
"""

MOS = """\
.segment "ZEROPAGE"
.exportzp counter, places
counter: .res 1
places: .res 16
.segment "CODE"
.export delay, thrice, times, power
delay:
  ldy #13
  ldx #0
@l:
  dex
  bne @l
  dey
  bne @l
  rts
thrice:
  ldx #3
@l:
  inc counter
  dex
  bne @l
  rts
times:
  lda #0
  ldx #8
@l:
  lsr places
  bcc @n
  clc
  adc counter
@n:
  asl counter
  dex
  bne @l
  sta counter
  rts
power:
  ldy #40
@l:
  lda counter
  sta places
  jsr times
  dey
  bne @l
  rts
"""


@pytest.mark.proof
def test_a_delay_of_constants_is_executed(tmp_path: Path) -> None:
    """Far more instructions than any other loop may have; they cost next to nothing."""
    rom = rom_sm83(tmp_path, SM83)
    row = inferred(rom, "Delay")["Delay"]
    done = rom.call("Delay")
    assert row.grade is Grade.TIGHT, row
    assert field(row, "cycles") == [str(done.cycles)]
    assert done.cycles > 6_000 * 1.5
    old = rom_6502(tmp_path, MOS)
    assert field(inferred(old, "delay")["delay"], "cycles") == [str(old.call("delay").cycles)]


def test_the_same_numbers_and_other_memory(tmp_path: Path) -> None:
    """What instructions read is read each time, also where all their registers are the same."""
    rom = rom_sm83(tmp_path, SM83)
    row = inferred(rom, "Flips")["Flips"]
    assert row.grade is Grade.TIGHT, row
    assert "wRow[1]" in field(row, "out")
    assert rom.call("Flips", mem={0xC100: 7}).mem[0xC100] == 10
    old = rom_6502(tmp_path, MOS)
    row = inferred(old, "thrice")["thrice"]
    assert row.grade is Grade.TIGHT, row
    assert "counter[1]" in field(row, "out")


@pytest.mark.slow
def test_a_branch_within_a_loop_leaves_no_loop(tmp_path: Path) -> None:
    """Forty times undecided, and known to be gone through forty times all the same."""
    rom = rom_sm83(tmp_path, SM83)
    row = inferred(rom, "Ones")["Ones"]
    assert row.grade in (Grade.TIGHT, Grade.SOUND), row
    assert "invariant" not in row.block
    low, high = (int(n) for n in field(row, "cycles")[0].split(".."))
    counted = [rom.call("Ones", mem={"wBytes": bytes([n] * 5)}) for n in (0, 255)]
    assert [each.d for each in counted] == [0, 40]
    assert {low, high} == {each.cycles for each in counted}


def test_an_index_that_no_condition_limits_may_be_anywhere_near(tmp_path: Path) -> None:
    """Also behind the last variable, where the machine has memory."""
    rom = rom_sm83(tmp_path, SM83)
    row = inferred(rom, "Spread")["Spread"]
    assert row.grade in (Grade.TIGHT, Grade.SOUND), row
    assert field(row, "in")[-1] == "$C100[255]"  # an even number of up to 254


@pytest.mark.proof
def test_a_pointer_that_moves_within_a_page(tmp_path: Path) -> None:
    rom = rom_sm83(tmp_path, SM83)
    row = inferred(rom, "ClearRest")["ClearRest"]
    assert row.grade in (Grade.TIGHT, Grade.SOUND), row
    assert "L % 4 == 0" in row.block
    done = rom.call("ClearRest", mem={0xC100: b"\x55" * 160 + b"\x98"})
    zeros = [a for a in range(0xC100, 0xC100 + 160) if not done.mem[a]]
    assert zeros == [0xC198, 0xC19C]  # those before it are left


@pytest.mark.proof
def test_a_count_in_memory(tmp_path: Path) -> None:
    row = inferred(rom_sm83(tmp_path, SM83), "Bits2")["Bits2"]
    assert row.grade in (Grade.TIGHT, Grade.SOUND), row
    assert "wWidth in 1..40" in row.block


@pytest.mark.proof
def test_callees_by_contract_where_what_they_do_is_too_much(tmp_path: Path) -> None:
    """Forty products, one of the other, with a twentieth of the terms that may be made."""
    rom = rom_6502(tmp_path, MOS)
    work = Inference(rom)
    rows = {}
    for row in work.infer(work.order(["power"])):
        rows[row.name] = row
        work.options = ProofOptions(effort=EFFORT / 20)
    assert rows["times"].grade is Grade.TIGHT, rows
    power = rows["power"]
    assert power.grade is Grade.SOUND, power
    assert {"counter[1]", "places[1]"} <= {*field(power, "out"), *field(power, "clobbers")}
    assert rom.call("power", mem={"counter": 3}).mem["counter"] == bytes([pow(3, 1 << 40, 256)])
