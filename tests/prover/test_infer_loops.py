"""Loops whose number of iterations is an input: their contracts say what executing shows."""

from __future__ import annotations

from pathlib import Path

import pytest
from infer_programs import field, inferred, rom_6502, rom_sm83

from romproof.prover.infer.infer import Grade

SM83 = """\
SECTION "v", WRAM0[$C100]
wBefore:: ds 1
wTable:: ds 16
wAfter:: ds 1

SECTION "c", ROM0[$0150]
Start::
  ld hl, wTable
  ld c, 16
  call Fill
  ld de, wTable
  ld bc, 3
  call Clear
  jp Start

Fill::
  ld [hl+], a
  dec c
  jr nz, Fill
  ret

Clear::
  dec bc
  inc b
  inc c
  xor a
.loop
  ld [de], a
  inc de
  dec c
  jr nz, .loop
  dec b
  jr nz, .loop
  ret

Wait::
  ldh a, [$FF44]
  cp 144
  jr nz, Wait
  ret

Waits::
  call Wait
  ld a, 1
  ret
"""

MOS = """\
.segment "ZEROPAGE"
.exportzp table, after
table: .res 20
after: .res 1
.segment "CODE"
.export clear
clear:
  lda #0
@l:
  sta table-1,x
  dex
  bne @l
  rts
"""


@pytest.mark.slow
def test_a_pointer_and_a_count_stay_in_what_callers_pass(tmp_path: Path) -> None:
    """The last allowed inputs write the last byte, and one more writes what is not listed."""
    rom = rom_sm83(tmp_path, SM83)
    row = inferred(rom, "Fill")["Fill"]
    assert row.grade in (Grade.TIGHT, Grade.SOUND), row
    assert "; requires:  HL in $C100..$C111, HL + (C - 1) % 256 in $C100..$C111\n" in row.block
    assert "$C100[18]" in field(row, "out")
    assert "decreases: Fill:" in row.block
    for first, count in ((0xC100, 18), (0xC111, 1), (0xC105, 3)):
        done = rom.call("Fill", a=7, c=count, hl=first, mem={0xC100: bytes(18), 0xC112: b"\x55"})
        assert done.mem[0xC100:0xC112].count(7) == count
        assert done.mem[0xC112] == 0x55
    strays = rom.call("Fill", a=7, c=19, hl=0xC100, mem={0xC100: bytes(18), 0xC112: b"\x55"})
    assert strays.mem[0xC112] == 7


@pytest.mark.proof
def test_a_count_in_two_halves(tmp_path: Path) -> None:
    row = inferred(rom_sm83(tmp_path, SM83), "Clear")["Clear"]
    assert row.grade in (Grade.TIGHT, Grade.SOUND), row
    assert "; requires:  DE in $C100..$C111, DE + (BC - 1) % 65536 in $C100..$C111\n" in row.block


@pytest.mark.slow
def test_an_index_that_counts_itself(tmp_path: Path) -> None:
    rom = rom_6502(tmp_path, MOS)
    row = inferred(rom, "clear")["clear"]
    assert row.grade is Grade.TIGHT, row
    assert field(row, "requires") == ["X", "in", "1..20"]
    assert "table[20]" in field(row, "out")
    low, high = (int(n) for n in field(row, "cycles")[0].split(".."))
    assert low == rom.call("clear", x=1).cycles
    assert high == rom.call("clear", x=20).cycles


@pytest.mark.proof
def test_what_waits_is_proved_if_the_port_changes(tmp_path: Path) -> None:
    rows = inferred(rom_sm83(tmp_path, SM83), "Waits")
    assert rows["Wait"].grade is Grade.WAITS
    assert "; assumes:   $FF44 changes\n" in rows["Wait"].block
    assert rows["Waits"].grade is Grade.WAITS
    assert "assumes" not in rows["Waits"].block
