"""Loops that end at a byte of ROM: how far it is to the last such byte limits their pointers."""

from __future__ import annotations

from pathlib import Path

import pytest
from infer_programs import field, inferred, rom_sm83

from romproof.prover.infer.infer import Grade

SM83 = """\
SECTION "v", WRAM0[$C100]
wText:: ds 40
wAfter:: ds 1

SECTION "c", ROM0[$0150]
Start::
  ld hl, Words
  call Skip
  jp Start

Skip::
  ld a, [hl+]
  or a
  jr nz, Skip
  ret

SECTION "w", ROM0[$0200]
Words:: db "some", 0, "words", 1, 7, 8
"""


@pytest.mark.slow
def test_a_pointer_begins_no_later_than_the_last_byte_that_ends_the_loop(tmp_path: Path) -> None:
    """The end of the first string: behind it there is no other zero, so the loop would run into
    whatever is there."""
    rom = rom_sm83(tmp_path, SM83)
    row = inferred(rom, "Skip")["Skip"]
    assert row.grade in (Grade.TIGHT, Grade.SOUND), row.reason
    assert field(row, "requires") == ["HL", "in", "0..$0204"]
    assert field(row, "decreases")[-3:] == ["516", "-", "HL"]
