"""Routines as people write them: indices that are used a byte further on, pointers that callers are
not seen to set, loops at unnamed labels."""

from __future__ import annotations

from pathlib import Path

import pytest
from infer_programs import field, inferred, rom_6502, rom_sm83

import romproof
from romproof.prover.infer.addresses import Need
from romproof.prover.infer.edit import with_blocks
from romproof.prover.infer.infer import Grade, Inferred
from romproof.prover.infer.settings import settings
from romproof.prover.results import Verdict
from romproof.symbolic.terms.origin import VariableName, byte_name, register_variable

OBJECTS = """\
.segment "ZEROPAGE"
.exportzp used
used: .res 1
.segment "BSS"
.align 256
.export sprites, line
sprites: .res 256
line: .res 40
.segment "CODE"
.export sprite, digits, length

; the last of four bytes is stored third
.proc sprite
  ldx used
  sta sprites+1,x
  sta sprites,x
  sta sprites+3,x
  sta sprites+2,x
  rts
.endproc

.proc digits
  sta line,y
  iny
  sta line,y
  rts
.endproc

.proc length
  ldy #0
: lda sprites,y
  beq :+
  iny
  bne :-
: rts
.endproc
"""


@pytest.mark.slow_cases("sprite-used in 0..252-sprites[256]")
@pytest.mark.parametrize(
    ("name", "required", "written"),
    [("sprite", "used in 0..252", "sprites[256]"), ("digits", "Y in 0..38", "line[40]")],
)
def test_an_index_may_be_as_large_as_all_its_accesses_allow(
    name: str, required: str, written: str, tmp_path: Path
) -> None:
    found = inferred(rom_6502(tmp_path, OBJECTS), name)[name]
    assert " ".join(field(found, "requires")) == required
    assert written in field(found, "out")
    assert found.grade is Grade.TIGHT, found.loose


@pytest.mark.slow
def test_a_loop_at_an_unnamed_label_is_cut_there(tmp_path: Path) -> None:
    found = inferred(rom_6502(tmp_path, OBJECTS), "length")["length"]
    assert found.grade in (Grade.TIGHT, Grade.SOUND), found.reason
    assert "decreases: length+2: 256 - Y\n" in found.block


LENGTH = """\
;; length – how long a string is.
; in:        sprites[256]
; out:       A Y N Z
; invariant: {place}: {invariant}
; decreases: {place}: {number}
"""


@pytest.mark.quick_cases("length+5-Y >= 1-256 - Y-None", "length+7-Y >= 1-256 - Y-None")
@pytest.mark.parametrize(
    ("place", "invariant", "number", "verdict"),
    [
        ("length+2", "0 == 0", "256 - Y", Verdict.PROVED),
        ("length+$2", "0 == 0", "256 - Y", Verdict.PROVED),
        ("length+2", "0 == 0", "255 - Y", Verdict.PROVED),
        ("length+2", "0 == 0", "254 - Y", None),
        ("length+2", "Y <= 254", "256 - Y", None),
        ("length+2", "0 == 0", "Y", None),
        ("length+5", "Y >= 1", "256 - Y", None),  # the first time it is 0
        ("length+7", "0 == 0", "256 - Y", Verdict.PROVED),  # every iteration comes there, too
        ("length+7", "Y >= 1", "256 - Y", None),
    ],
)
def test_slips_at_a_place_without_a_name(
    place: str, invariant: str, number: str, verdict: Verdict | None, tmp_path: Path
) -> None:
    contract = LENGTH.format(place=place, invariant=invariant, number=number)
    source = OBJECTS.replace(".proc length", f"{contract}.proc length")
    rom = rom_6502(tmp_path, source + '.segment "CODE"\n')
    (proof,) = romproof.prove(rom, "length")
    assert (proof.verdict is Verdict.PROVED) is (verdict is Verdict.PROVED), proof.findings


FLAGS = """\
.segment "ZEROPAGE"
.exportzp seed, state
seed: .res 1
state: .res 1
.segment "CODE"
.export random, half, uses

; C is what it was where seed is 0
.proc random
  lda seed
  beq @eor
  asl a
  bcc @done
@eor:
  eor #$1D
@done:
  sta seed
  rts
.endproc

; here it is a result: a caller reads it
.proc half
  lda seed
  beq @done
  lsr a
@done:
  rts
.endproc

.proc uses
  jsr half
  rol state
  rts
.endproc
"""


def test_a_flag_that_some_path_leaves_as_it_was_is_no_result(tmp_path: Path) -> None:
    rows = inferred(rom_6502(tmp_path, FLAGS))
    assert field(rows["random"], "in") == ["seed[1]"]
    assert field(rows["random"], "clobbers") == ["C"]
    assert "C" in field(rows["half"], "in")
    assert "C" in field(rows["half"], "out")
    assert "C" in field(rows["uses"], "in")
    assert {row.grade for row in rows.values()} == {Grade.TIGHT}


SM83 = """\
SECTION "v", WRAM0[$C100]
wObjects:: ds 40
wState:: ds 1
wText:: ds 12
wFrom:: ds 2

SECTION "c", ROM0[$0400]
ClearEach4th::
  ld hl, wObjects
  ld b, 10
  ld de, 4
  xor a
.loop
  ld [hl], a
  add hl, de
  dec b
  jr nz, .loop
  ret

Dispatch::
  ld a, [wState]
  add a
  ld e, a
  ld d, 0
  ld hl, .table
  add hl, de
  ld a, [hl+]
  ld h, [hl]
  ld l, a
  jp hl
.table
  dw .up, .down, .stay
.up
  ld hl, wState
  inc [hl]
  ret
.down
  ld hl, wState
  dec [hl]
.stay
  ret

Message::
  add a
  ld e, a
  ld d, 0
  ld hl, Messages
  add hl, de
  ld a, [hl+]
  ld h, [hl]
  ld l, a
  ld de, wText
.copy
  ld a, [hl+]
  ld [de], a
  inc de
  or a
  jr nz, .copy
  ret

Through::
  ld a, [wFrom]
  ld l, a
  ld a, [wFrom + 1]
  ld h, a
  ld a, [hl]
  ret

Compare::
  ld a, [de]
  cp [hl]
  ret nz
  or a
  ret z
  inc hl
  inc de
  jr Compare

Pieces::
  ld hl, wText
  ld [hl], a
  inc hl
  inc hl
  ld [hl], a
  ret

Messages:: dw Hello, Over, Win
Hello:: db "HELLO", 0
Over:: db "GAME OVER", 0
Win:: db "YOU WIN", 0
"""


@pytest.mark.slow_cases(
    "Dispatch-requires-(wState & 127) in 0..2", "Message-requires-(A & 127) in 0..2"
)
@pytest.mark.parametrize(
    ("name", "which", "words"),
    [
        ("ClearEach4th", "out", "A B DE HL F wObjects[37]"),
        ("Pieces", "out", "HL wText[1] $C12B[1]"),  # two are told one by one
        ("Dispatch", "requires", "(wState & 127) in 0..2"),
        ("Message", "requires", "(A & 127) in 0..2"),
        ("Through", "requires", "wFrom in 0..$3FFF"),
    ],
)
def test_contracts_say_it_as_people_do(name: str, which: str, words: str, tmp_path: Path) -> None:
    found = inferred(rom_sm83(tmp_path, SM83), name)[name]
    assert " ".join(field(found, which)) == words
    assert found.grade is Grade.TIGHT, found.loose


TITLED = """\
;; next - the title is there{eol}; and more{eol}.export next{eol}{eol}.proc next{eol}  rts{eol}\
.endproc{eol}{eol};; other - of what is no routine{eol}.export last{eol}last:\trts{eol}"""


@pytest.mark.parametrize("eol", ["\n", "\r\n"])
def test_fields_go_below_a_title_where_commands_stand_between(eol: str) -> None:
    rows = [
        (5, Inferred("next", 0x1000, Grade.TIGHT, ("; in:        none", "; out:       none"))),
        (11, Inferred("last", 0x1001, Grade.TIGHT, ("; in:        none",))),
    ]
    text = with_blocks(TITLED.format(eol=eol), rows)
    assert text.split(eol)[:7] == [
        ";; next - the title is there",
        "; and more",
        "; in:        none",
        "; out:       none",
        ".export next",
        "",
        ".proc next",
    ]
    assert text.split(eol)[10:14] == [
        ";; other - of what is no routine",
        ".export last",
        ";; last – (inferred, tight)",
        "; in:        none",
    ]


@pytest.mark.slow
def test_two_strings_end_where_one_does(tmp_path: Path) -> None:
    rom = rom_sm83(tmp_path, SM83)
    found = inferred(rom, "Compare")["Compare"]
    assert found.grade in (Grade.TIGHT, Grade.SOUND), found.reason
    last = max(at for at, byte in enumerate(rom.memory_map.initial[:0x4000]) if not byte)
    assert f"DE in 0..${last:04X}, HL in 0..$3FFF, HL + ({last} - DE) in 0..$3FFF" in " ".join(
        field(found, "requires")
    )


@pytest.mark.parametrize(
    ("text", "names", "value", "given"),
    [
        ("wFrom", {byte_name(0xC135), byte_name(0xC134)}, 0x4000, {"$C135": 0x40, "$C134": 0}),
        ("HL", {register_variable("h"), register_variable("l")}, 0x1234, {"h": 0x12, "l": 0x34}),
        ("wState", {byte_name(0xC128)}, 3, {"$C128": 3}),
        ("wState", {byte_name(0xC128)}, 256, None),
        ("wFrom", {byte_name(0xC136), byte_name(0xC134)}, 3, None),  # no word
        ("(wFrom & 7)", {byte_name(0xC135), byte_name(0xC134)}, 3, None),
    ],
)
def test_inputs_with_which_a_requirement_has_a_value(
    text: str, names: set[VariableName], value: int, given: dict[str, int] | None
) -> None:
    need = Need(text, 0, 0xFF, frozenset(names))
    assert list(settings(need, value)) == ([] if given is None else [given])
