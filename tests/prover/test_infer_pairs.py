"""Pointers whose halves are added to apart, and what loops leave in registers."""

from __future__ import annotations

from pathlib import Path

import pytest
from infer_programs import field, inferred, rom_sm83

from romproof.prover.infer.infer import Grade

ROWS = """\
SECTION "v", WRAM0[$C0F0]
wScreen:: ds 3600
SECTION "c", ROM0[$0150]
Start::
  ld de, wScreen
  call Rows
  jp Start
Rows::
  ld c, 4
.row
  ld a, c
  ld [de], a
  ld a, e
  add {step}
  ld e, a
  jr nc, .same
  inc d
.same
  dec c
  jr nz, .row
  ret
"""


@pytest.mark.slow
@pytest.mark.parametrize("step", [32, 96])
def test_a_number_is_added_to_the_halves_of_a_pointer(tmp_path: Path, step: int) -> None:
    row = inferred(rom_sm83(tmp_path, ROWS.format(step=step)), "Rows")["Rows"]
    last = 0xC0F0 + 3600 - 3 * step - 1
    assert row.grade is Grade.TIGHT, row
    low, high = (int(n, 16) for n in field(row, "requires")[2].replace("$", "").split(".."))
    assert low == 0xC0F0
    assert last - 256 < high <= last


@pytest.mark.slow
def test_without_the_carry_it_is_no_step_of_the_pointer(tmp_path: Path) -> None:
    """Only the low byte moves: so it is no requirement on where the last row lies."""
    source = ROWS.format(step=96).replace("  inc d\n", "  nop\n")
    row = inferred(rom_sm83(tmp_path, source), "Rows")["Rows"]
    assert f"DE in $C0F0..${0xC0F0 + 3600 - 3 * 96 - 1:04X}" not in row.block


FILL = """\
SECTION "v", WRAM0[$C100]
wTable:: ds 64
SECTION "c", ROM0[$0150]
Start::
  ld hl, wTable
  ld c, 16
  call Fill
  ld a, l
  add h
  ld b, c
  ldh [$FF80], a
  ld hl, wTable
  ld c, 3
  call FillDown
  ld a, l
  add h
  ld b, c
  ldh [$FF80], a
  jp Start
Fill::
  ld [hl+], a
  inc hl
  dec c
  jr nz, Fill
  ret
FillDown::
  ld [hl-], a
  dec c
  jr nz, FillDown
  ret
"""


@pytest.mark.slow
def test_where_a_loop_leaves_its_pointer_is_ensured(tmp_path: Path) -> None:
    rows = inferred(rom_sm83(tmp_path, FILL), "Fill", "FillDown")
    for name, left in (
        ("Fill", "HL == old (HL + 2 * ((C - 1) % 256) + 2), C == 0"),
        ("FillDown", "HL == old (HL - (C - 1) % 256 - 1), C == 0"),
    ):
        assert " ".join(field(rows[name], "ensures")) == left, rows[name].block


CHANNELS = """\
SECTION "v", WRAM0[$C100]
wChannels:: ds 16
SECTION "c", ROM0[$0150]
Channels::
  ld hl, wChannels
  call One
  ld hl, wChannels + 8
  call One
  ret
One:
  ld e, [hl]
  inc hl
  ld d, [hl]
  ld a, [de]
  inc hl
  ld [hl], a
  ret
"""


def test_a_pointer_in_memory_is_required_to_lie_in_rom(tmp_path: Path) -> None:
    """Of the second one the bytes are none of those listed by the variable's name."""
    row = inferred(rom_sm83(tmp_path, CHANNELS), "Channels")["Channels"]
    assert row.grade is Grade.TIGHT, row
    assert "wChannels[0] + 256 * wChannels[1] in 0..$3FFF" in row.block
    assert "$C108[0] + 256 * $C109[0] in" in row.block


TEXTS = """\
SECTION "v", WRAM0[$C100]
wLine:: ds 16
wRoom:: ds 1
SECTION "c", ROM0[$0150]
Start::
  ld hl, Text
  ld b, 3
  call Width
  ld a, b
  ld [wRoom], a
  ld hl, wLine
  ld b, 0
  call Width
  jp Start
Width::
  ld a, [hl+]
  cp 16
  ret c
  add b
  ld b, a
  cp 128
  jr c, Width
  ret
Text:: db 20, 30, 40, 0
"""


@pytest.mark.slow
def test_texts_in_rom_where_callers_pass_others_too(tmp_path: Path) -> None:
    """What a register is at first counts, though the loop makes something else of it."""
    row = inferred(rom_sm83(tmp_path, TEXTS), "Width")["Width"]
    assert row.grade in (Grade.SOUND, Grade.TIGHT), row
    assert field(row, "in") == ["B", "HL"]
    assert "HL in 0..$" in row.block
