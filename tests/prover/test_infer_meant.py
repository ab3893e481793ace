"""What shows that a requirement is no stricter than it has to be, and what an index is meant for:
of callees that are known by what was proved of them, of ROM, and of indices in memory."""

from __future__ import annotations

from pathlib import Path

import pytest
from infer_programs import field, inferred, rom_6502, rom_sm83

from romproof.harness.rom import Rom
from romproof.isa.microcode import StepKind
from romproof.prover.infer.addresses import Need, need_of, need_of_condition
from romproof.prover.infer.infer import Grade, Inference
from romproof.prover.infer.regions import MemorySpan
from romproof.prover.infer.settings import by_trying, value_of
from romproof.prover.infer.stored import find_stored_constants
from romproof.prover.infer.straying import find_strays
from romproof.prover.replay.run import ReplayInputs, ReplayRun
from romproof.symbolic.execute.access import within
from romproof.symbolic.execute.layout import MemoryObject
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import Terms, using
from romproof.symbolic.terms.origin import register_variable

MAP = """\
SECTION "v", WRAM0[$C100]
wMap:: ds 16
wWidth:: ds 1
wX:: ds 1
SECTION "c", ROM0[$0150]
ReadMap::
  ld hl, wMap
  ld d, 0
  ld a, [wX]
  ld e, a
  add hl, de
  ld a, [hl]
  ret

Shown::
  call ReadMap
  ld b, a
  ld a, [wWidth]
  add b
  ret
"""


@pytest.mark.slow
def test_a_callee_leaves_its_array_for_what_the_caller_lists(tmp_path: Path) -> None:
    """With wX == 16 the callee reads wWidth, which the caller's contract lists."""
    found = inferred(rom_sm83(tmp_path, MAP), "Shown")["Shown"]
    assert " ".join(field(found, "requires")) == "wX in 0..15"
    assert "wWidth[1]" in field(found, "in")
    assert found.grade is Grade.TIGHT, found.loose


def test_of_an_instruction_of_which_nothing_is_known_nothing_is_elsewhere() -> None:
    array = MemoryObject("array", 0x10, 4)
    done = ReplayRun({}, b"", 2, ((StepKind.FETCH, 0x200), (StepKind.READ, 0x14)), True)
    assert list(find_strays(done, {0x200: {array}})) == [(0x200, 0x14)]
    assert list(find_strays(done, {0x200: None})) == []


FETCH = """\
SECTION "x", ROMX[$4000]
  db 0
SECTION "c", ROM0[$0150]
Both::
  ld hl, $4000
  ld de, $8000
  jp Fetch

Fetch::
  ld a, [de]
  xor [hl]
  inc hl
  xor [hl]
  ld [de], a
  ret
"""


@pytest.mark.slow
def test_what_reads_rom_leaves_it_though_the_memory_behind_is_listed(tmp_path: Path) -> None:
    """With HL == $7FFF it reads $8000, which it lists as it may write there."""
    found = inferred(rom_sm83(tmp_path, FETCH), "Fetch")["Fetch"]
    assert "HL in 0..$7FFE" in " ".join(field(found, "requires"))
    assert found.grade is Grade.TIGHT, found.loose


WORDS = """\
SECTION "c", ROM0[$0150]
;; Word – reads word A of the table at DE.
; in:        A DE
; requires:  2 * A + DE in 0..$7FFE
; out:       A HL NF HF CF
; clobbers:  none
Word::
  ret
"""


@pytest.mark.parametrize("value", [0x7FFF, 0x1234])
def test_a_sum_is_brought_to_a_value_by_its_pair(tmp_path: Path, value: int) -> None:
    requires = rom_sm83(tmp_path, WORDS).contracts["Word"].requires
    need = Need("2 * A + DE", 0, 0x7FFE, frozenset(map(register_variable, "ade")))
    given = ReplayInputs({"a": 0x10, "d": 2, "e": 0xFE}, bytes(0x10000))
    changed = list(by_trying(need, value, given, requires))
    assert changed
    assert all(value_of(need, each, requires) == value for each in changed)
    assert changed[0].registers == {"a": 0x10, "d": value - 32 >> 8, "e": value - 32 & 0xFF}


FILLED = """\
SECTION "b", WRAM0[$C300]
wHead:: ds 8
wBuffer:: ds 40
wUsed:: ds 1
SECTION "c", ROM0[$0150]
Clear::
  ld hl, wBuffer
  ld a, l
  ld [wUsed], a
  ret

Append::
  ld hl, wUsed
  ld e, [hl]
  inc [hl]
  ld l, e
  ld [hl], b
  ret
"""


def test_a_fill_level_counts_from_where_the_program_sets_it(tmp_path: Path) -> None:
    """The index is one into the page; the program begins at the buffer, and not at the page."""
    found = inferred(rom_sm83(tmp_path, FILLED), "Append")["Append"]
    assert " ".join(field(found, "requires")) == "wUsed in 8..47"
    assert found.grade is Grade.TIGHT, found.loose


def test_without_such_a_number_it_counts_from_its_base(tmp_path: Path) -> None:
    other = FILLED.replace("ld a, l", "ld a, [hl]")
    found = inferred(rom_sm83(tmp_path, other), "Append")["Append"]
    assert " ".join(field(found, "requires")) == "wUsed in 0..7"


STORES = """\
.segment "ZEROPAGE"
.exportzp one, two, three
one: .res 1
two: .res 1
three: .res 1
.segment "CODE"
.export start, other
start:
  lda #8
  sta one
  tax
  inx
  stx two
  jsr other
  sta three
  rts
other:
  ldx one
  stx two
  rts
"""


def _stored(rom: Rom) -> dict[str, set[int]]:
    flows = Inference(rom).flows
    found = find_stored_constants(flows, rom.memory_map.initial)
    names = {rom.image.address(name): name for name in ("one", "two", "three")}
    return {names[address]: set(numbers) for address, numbers in found.items()}


def test_numbers_that_are_stored_are_followed_to_the_next_call(tmp_path: Path) -> None:
    assert _stored(rom_6502(tmp_path, STORES)) == {"one": {8}, "two": {9}}


@pytest.mark.parametrize(
    ("holds", "made", "wanted"),
    [
        # the long run that is there by chance is shorter than that with what is not passed on
        (((0, 6), (42, 54)), (0, 128), "(A + 128) % 256 in 0..133"),
        (((0, 6), (42, 54)), (0, 256), "A in 42..53"),
        (((0, 6), (42, 54)), (0, 42), "(A + 214) % 256 in 0..219"),
        # a run that is never passed on is none that is meant
        (((60, 70),), (50, 100), "A in 60..69"),
        (((1, 4),), (1, 256), "A in 0..3"),
        (((0, 6), (250, 256)), (0, 256), "(A + 6) % 256 in 0..11"),
    ],
)
def test_a_condition_need_not_hold_where_it_is_not_asked(
    holds: tuple[tuple[int, int], ...], made: tuple[int, int], wanted: str
) -> None:
    with using(Terms()):
        a = t.var("a", 8)
        condition = t.not_(t.all_of([t.not_(within(a, *each)) for each in holds]))
        path = [within(a, *made)]
        need = need_of_condition(condition, str.upper, lambda text: None, path)
    assert str(need) == wanted


@pytest.mark.parametrize(
    ("span", "wanted"),
    [
        (MemorySpan(0x08, 0x2A), "X in 0..9"),  # 24 numbers before it are more
        (MemorySpan(0x08, 0x21), "X in 232..255"),  # 0 alone is no index
        (MemorySpan(0x21, 0x2A), "X in 1..9"),
        (MemorySpan(0x08, 0x20), "X in 232..255"),
    ],
)
def test_an_index_of_0_is_what_it_is_into(span: MemorySpan, wanted: str) -> None:
    """In the zero page an index wraps around, so numbers before the base are far up."""
    with using(Terms()):
        x = t.var("x", 8)
        address = t.concat(t.const(0, 8), t.add(x, t.const(0x20, 8)))
        need = need_of(address, span, str.upper)
    assert str(need) == wanted


DELAY = """\
SECTION "v", WRAM0[$C100]
wDelay:: ds 1
SECTION "c", ROM0[$0150]
Delay::
  ld a, [wDelay]
  or $C0
  ld b, a
.wait:
  dec b
  jr nz, .wait
  ret
"""


@pytest.mark.slow
def test_cycles_are_those_of_the_longest_and_of_the_shortest_loop(tmp_path: Path) -> None:
    """Nothing is required of the byte that says how often it goes round."""
    found = inferred(rom_sm83(tmp_path, DELAY), "Delay")["Delay"]
    assert " ".join(field(found, "cycles")) == f"{10 + 192 * 4}..{10 + 255 * 4}"
    assert found.grade is Grade.TIGHT, found.loose


ROTATED = """\
SECTION "v", WRAM0[$C100]
wMode:: ds 1
wRow:: ds 100
SECTION "c", ROM0[$0150]
ClearRow::
  ld a, [wMode]
  rra
  ret nc
  ld hl, wRow
.next:
  ld [hl], 0
  inc hl
  dec b
  jr nz, .next
  ret

Caller::
  ld b, 10
  call ClearRow
  ld a, 0
  ld hl, 0
  ret
"""


@pytest.mark.slow
def test_what_only_clobbered_registers_are_made_of_is_no_input(tmp_path: Path) -> None:
    """The carry goes into A, which nobody reads afterwards."""
    found = inferred(rom_sm83(tmp_path, ROTATED), "ClearRow")["ClearRow"]
    assert " ".join(field(found, "in")).split() == ["B", "wMode[1]"]
    assert found.grade is Grade.TIGHT, found.loose
