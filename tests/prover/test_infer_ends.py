"""Ends of requirements: a run beyond one leaves the object that an access is meant for."""

from __future__ import annotations

from pathlib import Path

import pytest
from infer_programs import field, inferred, rom_6502, rom_sm83

from romproof.contract.nouns.model import Contract
from romproof.isa.microcode import StepKind
from romproof.prover.infer.addresses import Need
from romproof.prover.infer.infer import Grade
from romproof.prover.infer.settings import is_allowed, is_possible
from romproof.prover.infer.straying import find_strays
from romproof.prover.replay.run import ReplayInputs, ReplayRun
from romproof.symbolic.execute.layout import MemoryObject
from romproof.symbolic.terms.origin import byte_name, register_variable

PUSH = """\
.segment "ZEROPAGE"
.exportzp items, count
items: .res 4
count: .res 1
.segment "CODE"
.export push
push:
  ldx count
  sta items,x
  inc count
  rts
"""


def test_a_byte_behind_an_array_is_not_meant_though_it_is_listed(tmp_path: Path) -> None:
    """With count == 4 the array's access writes ``count``, which the contract lists."""
    found = inferred(rom_6502(tmp_path, PUSH), "push")["push"]
    assert " ".join(field(found, "requires")) == "count in 0..3"
    assert "count[1]" in field(found, "out")
    assert found.grade is Grade.TIGHT, found.loose


FILL = """\
SECTION "c", ROM0[$0150]
;; Fill – sets C bytes, 256 for 0.
; in:        A C HL
; requires:  HL + (C - 1) % 256 in $C000..$C0FF
; out:       none
; clobbers:  C HL F $C000[256]
Fill::
  ld [hl+], a
  dec c
  jr nz, Fill
  ret
"""


@pytest.mark.parametrize(
    ("value", "possible"), [(-1, False), (0, True), (0x100FE, True), (0x100FF, False)]
)
def test_a_sum_has_the_limits_of_its_parts(tmp_path: Path, value: int, possible: bool) -> None:
    contract: Contract = rom_sm83(tmp_path, FILL).contracts["Fill"]
    text = "HL + (C - 1) % 256"
    need = Need(text, 0xC000, 0xC0FF, frozenset(map(register_variable, "chl")), "HL")
    assert is_possible(need, value, contract.requires) is possible
    other = Need(
        "DE", 0, 1, frozenset(map(register_variable, "de")), "DE"
    )  # not among the requirements: nothing is known
    assert is_possible(other, value, contract.requires)


def test_only_accesses_outside_of_their_objects_areelsewhere() -> None:
    array, other = MemoryObject("array", 0x10, 4), MemoryObject("other", 0x14, 1)
    touched = (
        (StepKind.FETCH, 0x200),
        (StepKind.WRITE, 0x13),
        (StepKind.FETCH, 0x202),
        (StepKind.DUMMY_READ, 0x20),
        (StepKind.WRITE, 0x14),
    )
    done = ReplayRun({}, b"", 5, touched, True)
    assert list(find_strays(done, {0x200: {array}, 0x202: {other}})) == []
    assert list(find_strays(done, {0x200: {array}, 0x202: {array}})) == [(0x202, 0x14)]
    assert list(find_strays(done, {})) == []


ONE_VALUE = """\
SECTION "v", WRAM0[$C100]
wMode:: ds 1
SECTION "c", ROM0[$0150]
;; Mode – needs the lowest bit clear.
; in:        A B wMode[1]
; requires:  (wMode[0] & 1) == 0, A + B in 0..199
; out:       none
; clobbers:  none
Mode::
  ret
"""


def test_a_sum_of_two_bytes_can_be_beyond_one_byte_and_one_value_is_a_range(tmp_path: Path) -> None:
    requires = rom_sm83(tmp_path, ONE_VALUE).contracts["Mode"].requires
    total = Need("A + B", 0, 199, frozenset(map(register_variable, "ab")))
    assert [is_possible(total, value, requires) for value in (-1, 256, 510, 511)] == [
        False,
        True,
        True,
        False,
    ]
    bit = Need("(wMode[0] & 1)", 0, 0, frozenset([byte_name(0xC100)]))
    assert [is_possible(bit, value, requires) for value in (-1, 0, 1, 2)] == [
        False,
        True,
        True,
        False,
    ]


@pytest.mark.parametrize(
    ("mode", "a", "allowed"), [(2, 100, True), (3, 100, False), (2, 101, False)]
)
def test_an_input_is_allowed_if_it_fulfils_all_that_is_required(
    tmp_path: Path, mode: int, a: int, allowed: bool
) -> None:
    requires = rom_sm83(tmp_path, ONE_VALUE).contracts["Mode"].requires
    memory = bytearray(0x10000)
    memory[0xC100] = mode
    given = ReplayInputs({"a": a, "b": 99}, bytes(memory))
    assert is_allowed(given, requires) is allowed
