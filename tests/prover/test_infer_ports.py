"""Pointers to ports whose number is in a register, and sums that wrap around below 0."""

from __future__ import annotations

from pathlib import Path

import pytest
from infer_programs import field, inferred, rom_sm83

from romproof.prover.infer.addresses import Form, need_of_form
from romproof.prover.infer.infer import Grade
from romproof.prover.infer.regions import MemorySpan
from romproof.symbolic.terms.origin import register_variable

SM83 = """\
SECTION "c", ROM0[$0150]
Start::
  ld hl, Colors
  ld bc, $0468
  ld a, $80
  call Palette
  jp Start

Palette::
  ldh [c], a
  inc c
.loop
  ld a, [hl+]
  ldh [c], a
  dec b
  jr nz, .loop
  ret

SECTION "d", ROM0[$0200]
Colors:: db 1, 2, 3, 4
"""

WAITS = """\
SECTION "c", ROM0[$0150]
Start::
  call WaitLine
  jp Start

WaitLine::
  ld c, $44
.loop
  ldh a, [c]
  cp b
  ret z
  jr .loop
"""


@pytest.mark.slow
def test_a_loop_waits_for_the_line_in_a_register(tmp_path: Path) -> None:
    row = inferred(rom_sm83(tmp_path, WAITS), "WaitLine")["WaitLine"]
    assert row.grade is Grade.WAITS, row.reason
    assert " ".join(field(row, "assumes")) == "$FF44 changes"
    assert " ".join(field(row, "in")) == "B $FF44[1]"


NEIGHBOURS = """\
SECTION "c", ROM0[$0150]
Start::
  call Both
  jp Start

Both::
.one
  ldh a, [$FF40]
  rlca
  jr c, .one
.two
  ldh a, [$FF41]
  and 3
  jr nz, .two
  ret
"""


@pytest.mark.slow
def test_ports_that_are_neighbours_are_waited_for(tmp_path: Path) -> None:
    """They are listed as one range, of which both are assumed to change."""
    row = inferred(rom_sm83(tmp_path, NEIGHBOURS), "Both")["Both"]
    assert row.grade is Grade.WAITS, row.reason
    assert " ".join(field(row, "assumes")) == "$FF40 changes, $FF41 changes"
    assert " ".join(field(row, "in")) == "$FF40[2]"


PORTS = """\
SECTION "v", HRAM[$FF80]
hMore:: ds 8
SECTION "c", ROM0[$0150]
Start::
  call Two
  call Background
  jp Start

Background::
  ld c, $68
Two::
  ldh [c], a
  inc c
  ldh [c], a
  ret
"""


def test_high_memory_by_a_register_is_meant_for_ports(tmp_path: Path) -> None:
    """There are variables there as well; a pointer that may be anywhere is meant for those."""
    rows = inferred(rom_sm83(tmp_path, PORTS), "Background", "Two")
    assert rows["Background"].grade is Grade.TIGHT, rows["Background"].reason
    assert " ".join(field(rows["Two"], "requires")) == "C in 0..126"


def test_ports_that_are_far_apart_are_listed_one_by_one(tmp_path: Path) -> None:
    """A callee may write all ports; what it writes here are two of them, and the caller a third."""
    source = PORTS.replace("call Background", "call Shade").replace(
        "Background::", "Shade::\n  ldh [$FF47], a\nBackground::"
    )
    row = inferred(rom_sm83(tmp_path, source), "Shade")["Shade"]
    assert row.grade is Grade.TIGHT, row.reason
    written = [*field(row, "out"), *field(row, "clobbers")]
    assert [item for item in written if item.startswith("$")] == ["$FF47[1]", "$FF68[2]"]


COPIES = """\
SECTION "c", ROM0[$0150]
Start::
  ld hl, Data
  ld de, $8000
  ld b, 16
  call {name}
  jp Start

Same::
.wait
  ldh a, [$FF41]
  and 2
  jr nz, .wait
  ld a, [hl+]
  ld [de], a
  inc de
  dec b
  jr nz, .wait
  ret

ByRegister::
  ld c, $41
.loop
  ldh a, [c]
  bit 1, a
  jr nz, .loop
  ld a, [hl+]
  ld [de], a
  inc de
  dec b
  jr nz, .loop
  ret

Within::
.loop
  ld a, [hl+]
  ld c, a
.wait
  ldh a, [$FF41]
  and 2
  jr nz, .wait
  ld a, c
  ld [de], a
  inc de
  dec b
  jr nz, .loop
  ret

Twice::
.loop
  ldh a, [$FF41]
  and 2
  jr nz, .loop
  ld a, [hl+]
  ld [de], a
  dec b
  jr nz, .loop
  ld b, 3
.again
  ldh a, [$FF44]
  cp 144
  jr nz, .again
  dec b
  jr nz, .again
  ret

SECTION "d", ROM0[$0200]
Data:: ds 64
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Same", "ByRegister", "Within", "Twice"])
def test_a_copy_that_waits_for_each_byte(name: str, tmp_path: Path) -> None:
    """The commonest loop of the Game Boy: it goes on, or waits, and comes back to one place."""
    row = inferred(rom_sm83(tmp_path, COPIES.format(name=name)), name)[name]
    assert row.grade is Grade.WAITS, row.reason
    assert "$FF41 changes" in " ".join(field(row, "assumes"))
    needed = " ".join(field(row, "requires"))
    assert "HL + (B - 1) % 256" in needed
    assert "DE" in needed


@pytest.mark.slow
def test_a_loop_writes_to_the_port_behind_the_one_that_is_named(tmp_path: Path) -> None:
    """The second port is the last one where the first is the one before it."""
    row = inferred(rom_sm83(tmp_path, SM83), "Palette")["Palette"]
    assert row.grade in (Grade.TIGHT, Grade.SOUND), row.reason
    assert "C in 0..126" in " ".join(field(row, "requires"))


@pytest.mark.parametrize("least", [-255, -1, 0, 1, 0xFF00, 0x100 - 0x10000])
@pytest.mark.parametrize(
    "span", [MemorySpan(0xFF00, 0xFF80), MemorySpan(0, 0x80), MemorySpan(0xC000, 0xC100)]
)
@pytest.mark.parametrize("factor", [1, 3])
def test_what_is_needed_keeps_the_sum_within(least: int, span: MemorySpan, factor: int) -> None:
    """With every value that is allowed, and with none next to those where the register has it."""
    form = Form("C", least, least + 2, 0, 0xFF, frozenset({register_variable("c")}), 0xFF, factor)
    good = [
        all(span.has(factor * c + more & 0xFFFF) for more in (least, least + 2))
        for c in range(0x100)
    ]
    need = need_of_form(form, span)
    if need is None:
        assert not any(good)
        return
    assert all(good[need.low : need.high + 1])
    assert not any(good[c] for c in (need.low - 1, need.high + 1) if 0 <= c <= 0xFF)
