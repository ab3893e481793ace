"""What inferring takes: seconds are a routine's own, and nothing is asked twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from infer_programs import field, inferred, rom_6502, rom_sm83

import romproof
from romproof.prover.conditions.cone_of_influence import find_relevant
from romproof.prover.infer.examine import EFFORT, examine
from romproof.prover.infer.flows import flows_of
from romproof.prover.infer.hints import hints_of
from romproof.prover.infer.infer import Grade, Inference
from romproof.prover.infer.obstacles import ObstacleKind
from romproof.prover.infer.regions import Regions
from romproof.prover.infer.subject import Subject
from romproof.prover.refinement.fragment import piece_of
from romproof.prover.routines.program_proof import LemmaStore
from romproof.prover.routines.routine import ProofOptions
from romproof.prover.states.program import program_of
from romproof.symbolic.solve.deadline import Deadline, OutOfTime
from romproof.symbolic.solve.oracle import Oracle
from romproof.symbolic.solve.solver import Model
from romproof.symbolic.terms.node import using

FALLS = """\
SECTION "v", WRAM0[$C100]
wTable:: ds 8
SECTION "c", ROM0[$0150]
Main::
  ld hl, wTable
  call Two
  ld de, wTable + 4
  call One
  jp Main
Two::
  ld de, wTable
One::
  ld a, [de]
  add [hl]
  ret
"""
COPIES = """\
.segment "ZEROPAGE"
.exportzp from, to
from: .res 8
to: .res 8
.segment "CODE"
.export copies
;; copies – moves eight bytes.
; in:        from[8]
; out:       X
; clobbers:  A N Z to[8]
; invariant: @l: X in 1..8
; decreases: @l: X
.proc copies
  ldx #8
@l:
  lda from-1,x
  sta to-1,x
  dex
  bne @l
  rts
.endproc
"""
LISTS = """\
.segment "ZEROPAGE"
.exportzp table
table: .res 20
.segment "CODE"
.export sums, twice
;; sums – adds three bytes of a table.
; in:        table[20]
; out:       A
; clobbers:  X N V Z C
; invariant: @l: X in 1..3
; decreases: @l: X
.proc sums
  lda #0
  ldx #3
@l:
  clc
  adc table-1,x
  dex
  bne @l
  rts
.endproc
;; twice – does so twice.
; in:        table[20]
; out:       A
; clobbers:  X N V Z C
.proc twice
  jsr sums
  jsr sums
  rts
.endproc
"""


def test_a_share_of_the_time_says_how_long_the_whole_was() -> None:
    now = [100.0]
    whole = Deadline(10, clock=lambda: now[0])
    half = whole.share(0.5)
    now[0] = 105.0
    assert half.is_over
    assert not whole.is_over
    with pytest.raises(OutOfTime, match="10 seconds"):
        half.check()
    assert whole.share(0.5).left == 2.5
    assert not Deadline().share(0.5).is_over


def test_all_attempts_at_a_routine_have_its_seconds_together(tmp_path: Path) -> None:
    """With no time there is no contract, and the reason says which limit it was."""
    work = Inference(rom_6502(tmp_path), ProofOptions(timeout=1e-6))
    rows = list(work.infer(work.order(["twice"])))
    assert {row.grade for row in rows} == {Grade.NONE}
    assert {row.reason and row.reason.kind for row in rows} == {ObstacleKind.EFFORT}
    assert all(row.reason and "1e-06 seconds" in row.reason.detail for row in rows)


def test_what_falls_into_a_routine_passes_it_constants(tmp_path: Path) -> None:
    flows = flows_of(rom_sm83(tmp_path, FALLS))
    names = {symbol.name: address for address, symbol in flows.routines.items()}
    assert hints_of(flows, names["One"])["DE"] == (0xC104, 0xC100)
    assert hints_of(flows, names["Two"])["HL"] == (0xC100,)
    assert flows.find_all_reached(names["Main"]) >= {names["One"], names["Two"]}


def test_bytes_that_a_loop_moves_make_no_difference(tmp_path: Path) -> None:
    """What depends on nothing has not to be shown to be the same in two runs."""
    rom = rom_6502(tmp_path, COPIES)
    contract = rom.contract_of("copies")
    assert contract is not None
    proof, explored = LemmaStore(program_of(rom)).prove(contract)
    assert proof.verdict.value == "proved"
    assert explored is not None
    with using(explored.terms):
        (names,) = find_relevant(explored.case, ()).values()
        back = range(rom.image.address("to"), rom.image.address("to") + 8)
        (also,) = find_relevant(explored.case, back).values()
    assert "x" in names
    assert not any(name.startswith("$") for name in names)
    assert any(name.startswith("$") for name in also)


def test_what_a_callee_lists_is_read_once_on_a_path(tmp_path: Path) -> None:
    rom = rom_6502(tmp_path, LISTS)
    bank = LemmaStore(program_of(rom))
    for name in ("sums", "twice"):
        contract = rom.contract_of(name)
        assert contract is not None
        proof, explored = bank.prove(contract)
        assert proof.verdict.value == "proved", proof
    assert explored is not None
    listed = [event for event in explored.exploration.events if event.by_contract]
    assert len(explored.exploration.calls) == 2
    assert len(listed) <= 20


INDEXED = """\
SECTION "v", WRAM0[$C100]
wMap:: ds 64
wGap:: ds 1
wX:: ds 1
wY:: ds 1
SECTION "c", ROM0[$0150]
At::
  ld d, 0
  ld hl, wMap
  ld a, [wY]
  add a
  add a
  add a
  ld e, a
  add hl, de
  ld a, [wX]
  ld e, a
  add hl, de
  ld a, [hl]
  ret
"""


def test_a_requirement_on_two_inputs_is_shown_to_be_tight(tmp_path: Path) -> None:
    """No input of its own says where 8 * y + x ends: one that does is looked for."""
    row = inferred(rom_sm83(tmp_path, INDEXED), "At")["At"]
    assert row.grade is Grade.TIGHT, row
    assert "in 0..63\n" in row.block


PASSES = """\
SECTION "v", WRAM0[$C100]
wTable:: ds 16
SECTION "c", ROM0[$0150]
Main::
  ld hl, wTable
  ld c, 16
  call Fill
  jp Main
Clear::
  xor a
Fill::
  ld [hl+], a
  dec c
  jr nz, Fill
  ret
Behind::
  ld c, b
  inc hl
  call Fill
  ret
"""


@pytest.mark.proof
@pytest.mark.parametrize(
    ("name", "pointer", "count"), [("Clear", "HL", "C"), ("Behind", "(HL + 1)", "B")]
)
def test_what_a_callee_requires_of_inputs_is_passed_on(
    tmp_path: Path, name: str, pointer: str, count: str
) -> None:
    """A sum of a pointer and a count is no simple condition, but the callee has it already: with
    what the caller passes in place of what the callee calls it."""
    rom = rom_sm83(tmp_path, PASSES)
    row, program, flows = inferred(rom, "Fill")["Fill"], program_of(rom), flows_of(rom)
    bank = LemmaStore(program)
    contract = piece_of(program.image, row.block, row.address).contract
    bank.prove(contract, row.address)
    place = rom.image.address(name)
    lemmas = {at: lemma for at, (_, lemma) in bank.lemmas(contract, place).items()}
    regions = Regions(program, flows.steps.keys())
    subject = Subject(program, regions, flows, name, place, False, frozenset(), {})
    draft = examine(subject, ProofOptions(effort=EFFORT), lemmas, Deadline())
    required = [condition.text for condition in contract.requires]
    assert any("HL + (C - 1) % 256 in" in text for text in required)
    passed = [text.replace("C -", f"{count} -").replace("HL", pointer) for text in required]
    if name == "Behind":  # a number that is added to one register alone is taken to the other side
        assert passed[0] == "(HL + 1) in $C100..$C10F"
        passed[0] = "HL in $C0FF..$C10E"
    assert [str(need) for need in draft.needs] == passed


FAR = """\
SECTION "v", WRAM0[$C100]
wBig:: ds 2048
SECTION "c", ROM0[$0150]
Main::
  ld de, wBig
  ld a, 1
  call Twice
  ld de, wBig
  call Put
  jp Main
Twice::
  call Put
Put::
  ld [de], a
  inc de
  ret
"""


@pytest.mark.slow
def test_what_callees_write_through_a_pointer_is_asked_of_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not of one of 2,048 bytes after the other."""
    asked = []
    always = Oracle.always

    def counted(self: Oracle, *given: Any) -> Model | None:
        asked.append(given)
        return always(self, *given)

    monkeypatch.setattr(Oracle, "always", counted)
    rows = inferred(rom_sm83(tmp_path, FAR), "Twice")
    assert rows["Twice"].grade is Grade.TIGHT, rows["Twice"]
    assert "; requires:  DE in $C100..$C8" in rows["Twice"].block
    assert len(asked) < 500


PAGE = """\
SECTION "v", WRAM0[$C100]
wPage:: ds 256
wOut:: ds 64
SECTION "c", ROM0[$0150]
Main::
  ld de, wPage
  ld hl, wOut
  ld c, 5
  call Copy
  jp Main
Copy::
  sla c
.l
  ld a, [de]
  inc e
  ld [hl+], a
  dec c
  jr nz, .l
  ret
"""


@pytest.mark.proof
def test_a_count_that_is_doubled_and_a_pointer_within_a_page(tmp_path: Path) -> None:
    row = inferred(rom_sm83(tmp_path, PAGE), "Copy")["Copy"]
    assert row.grade in (Grade.TIGHT, Grade.SOUND), row
    required = row.block.partition("; requires:")[2].partition("; out:")[0]
    assert "D " in required
    assert "(2 * (C & 127) - 1) % 256" in required.replace(
        "((2 * (C & 127)) - 1)", "(2 * (C & 127) - 1)"
    )


SYMBOLS = """\
00:0140 Main
00:0150 Put
00:c100 wTable
00:c104 wAfter
00:ffb3 hCount
"""


def test_the_last_label_of_a_segment_has_no_size_that_contracts_know(tmp_path: Path) -> None:
    """Of a .sym file each variable reaches to the next one; the last one of HRAM has none."""
    code = bytes.fromhex("f0b3 4f 0600 21 00c1 09 3605 c9")
    image = bytearray(0x8000)
    image[0x140:0x145] = bytes.fromhex("cd5001 18fb")  # call Put, again and again
    image[0x150 : 0x150 + len(code)] = code  # ldh a, [hCount]: wTable[hCount] = 5
    (tmp_path / "x.gb").write_bytes(image)
    (tmp_path / "x.sym").write_text(SYMBOLS)
    rom = romproof.load(tmp_path / "x.gb", symbols=[tmp_path / "x.sym"])
    found = inferred(rom, "Put")["Put"]
    assert " ".join(field(found, "requires")) == "hCount[0] in 0..3"
    assert found.grade is Grade.TIGHT, found.loose
