"""Callees with a pointer, called with one address: what they could reach elsewhere is not the
caller's to read; and pointers through which is read first and then written."""

from __future__ import annotations

from pathlib import Path

import pytest
from infer_programs import field, inferred, rom_sm83

from romproof.prover.infer.infer import Grade

SM83 = """\
SECTION "v", WRAM0[$C100]
wBefore:: ds 1024
wPacket:: ds 4
wOther:: ds 1024
wAfter:: ds 1

SECTION "c", ROM0[$0150]
Start::
  ld hl, wBefore
  call Sum
  ld hl, wOther
  call Sum
  call Packet
  ld a, 1
  call Any
  ld c, 3
  ld hl, wOther
  ld de, wPacket
  call Mix
  jp Start

Sum::
  ld b, 4
  xor a
.loop
  add [hl]
  inc hl
  dec b
  jr nz, .loop
  ret

Packet::
  ld hl, wPacket
  jp Sum

Any::
  ld h, $C1
  ld l, a
  jp Sum

Mix::
  ld a, [de]
  xor [hl]
  ld [de], a
  inc hl
  inc de
  dec c
  jr nz, Mix
  ret
"""


@pytest.mark.slow
def test_what_a_callee_could_read_elsewhere_is_no_input_of_its_caller(tmp_path: Path) -> None:
    rows = inferred(rom_sm83(tmp_path, SM83), "Packet", "Any")
    assert "wBefore[1024]" in field(rows["Sum"], "in")  # it may read all that is passed
    assert rows["Packet"].grade is Grade.TIGHT
    assert field(rows["Packet"], "in") == ["wPacket[4]"]
    # with any address in a page it reads a page and three bytes more
    assert field(rows["Any"], "in") == ["wBefore[259]"]


@pytest.mark.slow  # many questions: the routine's pointers may be anywhere in 2 KiB
def test_a_pointer_that_is_read_and_then_written_is_meant_for_memory(tmp_path: Path) -> None:
    rom = rom_sm83(tmp_path, SM83)
    row = inferred(rom, "Mix")["Mix"]
    assert row.grade in (Grade.TIGHT, Grade.SOUND), row
    assert "DE in $C100..$C904" in " ".join(field(row, "requires"))
    memory = {0xC500: bytes((1, 2, 4)), 0xC504: bytes((7, 7, 7))}
    done = rom.call("Mix", c=3, hl=0xC504, de=0xC500, mem=memory)
    assert bytes(done.mem[0xC500:0xC503]) == bytes((6, 5, 3))
