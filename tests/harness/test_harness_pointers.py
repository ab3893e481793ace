"""Calls of routines with pointers: their blocks are where the pointers of the call lead."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from source_programs import rom_6502, rom_sm83

from romproof.harness.errors import ContractViolation, RequirementBroken
from romproof.harness.rom import Rom

CODE_6502 = """\
.segment "ZEROPAGE"
from: .res 2
into: .res 2
.exportzp from, into, count
.segment "BSS"
buffer: .res 64
.export buffer
.segment "CODE"
.export copy, twice
;; copy – bytes from one place to another.
; in:       from into count src
; pointer:  from -> src[count <= 32]
; pointer:  into -> dst[count]
; out:      dst
; ensures:  all j in 0..31: j < count -> dst[j] == old src[j]
; clobbers: A Y N Z C
; stack:    0
.proc copy
  ldy #0
@l:
  cpy count
  beq @done
  lda (from),y
  sta (into),y
  iny
  bne @l
@done:
  EXTRA
  rts
.endproc
;; twice – calls it with what it has.
; in:       from into count
; out:      buffer[64]
; clobbers: A Y N Z C
.proc twice
  jsr copy
  rts
.endproc
"""
CODE_SM83 = """\
;; fill – B bytes at HL.
; in:       A HL B
; requires: B in 1..32
; pointer:  HL -> dst[B]
; out:      dst
; ensures:  all j in 0..31: j < old B -> dst[j] == A
; clobbers: B HL F
; stack:    0
fill::
  ld [hl+], a
  dec b
  jr nz, fill
  EXTRA
  ret
"""


def _copy(rom: Rom, count: int = 8, source: int = 0x9000, target: int = 0x500, **more: Any) -> Any:
    mem = {"from": source.to_bytes(2, "little"), "into": target.to_bytes(2, "little")}
    return rom.call("copy", mem={**mem, "count": bytes([count])}, **more)


@pytest.fixture
def rom(tmp_path: Path) -> Rom:
    """The program of the 6502."""
    return rom_6502(tmp_path, CODE_6502.replace("EXTRA", ""))


@pytest.mark.parametrize(
    ("source", "target"), [(0x9000, 0x500), (0x500, 0x520), (0xFFF8, 0x7F8), (0x80, 0x20)]
)
def test_it_may_be_anywhere(rom: Rom, source: int, target: int) -> None:
    _copy(rom, 8, source, target)
    _copy(rom, 0, source, target)


@pytest.mark.parametrize(
    ("source", "target", "message"),
    [
        (0x500, 0x501, "dst lies apart from src"),
        (0xFFF9, 0x500, "src lies within 64 KiB"),
        (0x500, 0xC000, "dst lies apart from code and read-only data"),
        (0x500, 0x1F8, "dst lies apart from the stack"),
        (0x1F8, 0x500, "src lies apart from the stack"),
        (0x500, 0x0A, "dst lies apart from count"),
    ],
)
def test_where_it_may_not_be_is_refused(rom: Rom, source: int, target: int, message: str) -> None:
    with pytest.raises(RequirementBroken) as caught:
        _copy(rom, 8, source, target)
    assert message in str(caught.value)
    _copy(rom, 0, source, target)


def test_its_size_is_refused_where_it_is_too_large(rom: Rom) -> None:
    with pytest.raises(RequirementBroken) as caught:
        _copy(rom, 33)
    assert "count <= 32" in str(caught.value)


@pytest.mark.parametrize(
    "extra", ["sta (into),y", "sta $700", "ldy #0/lda (into),y/eor #1/sta (into),y"]
)
def test_a_byte_too_many_or_a_wrong_one_breaks_it(tmp_path: Path, extra: str) -> None:
    rom = rom_6502(tmp_path, CODE_6502.replace("EXTRA", extra.replace("/", "\n")))
    with pytest.raises(ContractViolation):
        _copy(rom, 8, 0x9000, 0x500)


def test_callees_are_checked_in_deep_calls(rom: Rom) -> None:
    at = rom.image.address("buffer")
    mem = {"from": b"\x00\x90", "into": at.to_bytes(2, "little"), "count": b"\x08"}
    rom.call("twice", mem=mem, check="deep")
    with pytest.raises(ContractViolation) as caught:
        rom.call("twice", mem={**mem, "count": b"\x30"}, check="deep")
    assert "the caller violates requires:" in str(caught.value)


@pytest.mark.parametrize("place", [0xC100, 0xDF00, 0xFF80])
def test_pairs_are_pointers_too(tmp_path: Path, place: int) -> None:
    rom = rom_sm83(tmp_path, CODE_SM83.replace("EXTRA", ""))
    result = rom.call("fill", a=7, hl=place, b=32)
    assert result.after[place : place + 32] == b"\7" * 32


@pytest.mark.parametrize("place", [0x2000, 0xFEF0, 0xFFF0, 0xDFF0])
def test_it_lies_in_memory_that_can_be_written(tmp_path: Path, place: int) -> None:
    rom = rom_sm83(tmp_path, CODE_SM83.replace("EXTRA", ""))
    with pytest.raises(RequirementBroken):
        rom.call("fill", a=7, hl=place, b=32)


def test_a_byte_too_many_breaks_it_there_too(tmp_path: Path) -> None:
    rom = rom_sm83(tmp_path, CODE_SM83.replace("EXTRA", "ld [hl], a"))
    with pytest.raises(ContractViolation):
        rom.call("fill", a=7, hl=0xC100, b=32)
