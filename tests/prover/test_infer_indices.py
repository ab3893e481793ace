"""Indices of the 6502: each array has its own limits, and loops count up to bytes, too."""

from __future__ import annotations

from pathlib import Path

import pytest
from infer_programs import field, inferred, rom_6502

import romproof
from romproof.prover.infer.infer import Grade

SOURCE = """\
.bss
.export before, one, two, count
before: .res 1
one:    .res 20
two:    .res 30
count:  .res 1
.code
.export both, behind, last, up_to, up_while, down_to_one, down_to_zero, total, given

both:
  sta one,x
  sta two,x
  rts

behind:
  sta one-1,x
  rts

last:
  ldx count
  dex
  lda one,x
  rts

up_to:
  ldy #0
@l:
  sta one,y
  iny
  cpy count
  bne @l
  rts

up_while:
  ldy #0
@l:
  cpy count
  beq @done
  sta one,y
  iny
  bne @l
@done:
  rts

down_to_one:
  ldx count
@l:
  dex
  sta one,x
  bne @l
  rts

down_to_zero:
  ldx count
@l:
  lda two,x
  sta one,x
  dex
  bpl @l
  rts

total:
  lda #0
  ldx count
  beq @done
@l:
  clc
  adc one-1,x
  dex
  bne @l
@done:
  rts

given:
  stx count
  ldx #0
@l:
  sta one,x
  inx
  cpx count
  bcc @l
  rts
"""


@pytest.fixture
def rom(tmp_path: Path) -> romproof.Rom:
    return rom_6502(tmp_path, SOURCE)


def test_one_index_of_two_arrays_stays_in_the_smaller(rom: romproof.Rom) -> None:
    row = inferred(rom, "both")["both"]
    assert row.grade is Grade.TIGHT, row
    assert field(row, "requires") == ["X", "in", "0..19"]
    assert {"one[20]", "two[20]"} <= set(field(row, "out"))


def test_an_index_from_one_on_is_into_what_lies_behind_its_base(rom: romproof.Rom) -> None:
    row = inferred(rom, "behind")["behind"]
    assert row.grade is Grade.TIGHT, row
    assert field(row, "requires") == ["X", "in", "1..20"]


def test_an_index_that_is_one_less_than_an_input(rom: romproof.Rom) -> None:
    row = inferred(rom, "last")["last"]
    assert row.grade is Grade.TIGHT, row
    assert field(row, "requires") == ["count", "in", "1..20"]


LOOPS = [  # what is required of the count; the slow ones differ in where the count is compared
    ("up_to", "1..20"),
    ("down_to_one", "1..20"),
    pytest.param("up_while", "0..20", marks=pytest.mark.slow),
    pytest.param("down_to_zero", "0..19", marks=pytest.mark.slow),
]


@pytest.mark.slow_cases("down_to_one-1..20")
@pytest.mark.parametrize(("name", "required"), LOOPS)
def test_a_loop_that_a_byte_of_memory_counts(rom: romproof.Rom, name: str, required: str) -> None:
    """With the ends of what is required runs stay in the array and take the cycles stated; with one
    more they go beyond it."""
    row = inferred(rom, name)[name]
    assert row.grade is Grade.TIGHT, row
    assert field(row, "requires") == ["count", "in", required]
    assert "one[20]" in field(row, "out")
    one = rom.image.symbol("one").value
    low, high = (int(n) for n in required.split(".."))
    behind, cycles = bytes(range(100, 130)), []
    for number in (low, high, high + 1):
        mem = {"one": b"\x55" * 20, "two": behind, "count": bytes([number])}
        done = rom.call(name, a=0x77, mem=mem)
        assert (done.mem[one + 20 : one + 50] == behind) is (number <= high)
        cycles.append(done.cycles)
    assert field(row, "cycles") == [f"{cycles[0]}..{cycles[1]}"]


@pytest.mark.slow
def test_a_count_that_is_looked_at_before_the_loop_may_be_none(rom: romproof.Rom) -> None:
    row = inferred(rom, "total")["total"]
    assert row.grade is Grade.TIGHT, row
    assert field(row, "requires") == ["count", "in", "0..20"]


@pytest.mark.slow
def test_a_count_that_the_routine_has_stored_is_its_input(rom: romproof.Rom) -> None:
    row = inferred(rom, "given")["given"]
    assert row.grade in (Grade.TIGHT, Grade.SOUND), row
    assert field(row, "requires") == ["X", "in", "1..20"]
    assert "one[20]" in [*field(row, "out"), *field(row, "clobbers")]


TWO_MODULES = """\
.bss
{more}
line: .res 8
.code
.export put{number}
.proc put{number}
  and #7
  tax
  lda table,x
  sta line,x
  rts
table: .byte 1, 2, 3, 4, 5, 6, 7, 8
.endproc
"""


def test_names_are_used_that_mean_one_thing(tmp_path: Path) -> None:
    """Exported or not; what two modules have of that name is listed by its address."""
    for number in (1, 2):
        text = TWO_MODULES.format(number=number, more=f"own{number}: .res 1")
        (tmp_path / f"{number}.s").write_text(text.replace("line:", f"line:\nown_line{number}:"))
    (tmp_path / "pyproject.toml").write_text('[tool.romproof]\nsources = ["1.s", "2.s"]\n')
    row = inferred(romproof.load(tmp_path), "put1")["put1"]
    assert row.grade is Grade.TIGHT, row
    assert field(row, "in") == ["A", "put1::table[8]"]
    assert "own_line1[8]" in field(row, "out")
    source = (tmp_path / "2.s").read_text()
    (tmp_path / "2.s").write_text(source.replace("own_line2:", "own_line1:"))
    row = inferred(romproof.load(tmp_path), "put1")["put1"]
    assert row.grade is Grade.TIGHT, row
    assert not {"own_line1[8]", "line[8]"} & set(field(row, "out"))


LAST_BYTE = """\
.segment "ZEROPAGE"
.exportzp head, tail
head: .res 3
tail: .res 4
.segment "CODE"
.export fill, behind
fill:
  sta head,x
  sta head+1,x
  sta head+2,x
  rts
behind:
  sta head+2,x
  rts
"""


def test_the_last_byte_of_an_array_belongs_to_it_where_its_others_do(tmp_path: Path) -> None:
    """Alone it is what lies before the array that an index from 1 on is into."""
    found = inferred(rom_6502(tmp_path, LAST_BYTE), "fill", "behind")
    assert field(found["fill"], "requires") == ["X", "==", "0"]
    assert field(found["fill"], "out") == ["head[3]"]
    assert field(found["behind"], "requires") == ["X", "in", "1..4"]
    assert field(found["behind"], "out") == ["tail[4]"]
