"""The same SM83 program, built by the project's own assembler and linker."""

from __future__ import annotations

from pathlib import Path

import pytest
from handmade_sm83 import assemble
from programs_sm83 import PROGRAM

from romproof.harness.errors import ContractViolation, Runaway
from romproof.harness.rom import Rom
from romproof.harness.state.values import BadValue
from romproof.projects import Manifest, build

BANKS = """
SECTION "low", ROM0[$0150]
first_bank::
    jp one
SECTION "one", ROMX[$4000], BANK[1]
;; one – bank 1.
; out: A F
one::
    ld a, 1
    ret
SECTION "two", ROMX[$4000], BANK[2]
;; two – bank 2.
; out: A
two::
    ld a, 2
    ret
"""


def _build(folder: Path, text: str) -> Rom:
    (folder / "prog.asm").write_text(text, "utf-8")
    return Rom(build(Manifest("prog", (folder / "prog.asm",), cpu="sm83")).image)


@pytest.fixture
def rom(tmp_path: Path) -> Rom:
    """The program, assembled and linked."""
    return _build(tmp_path, PROGRAM)


def test_the_tests_own_assembler_agrees_with_the_real_one(rom: Rom) -> None:
    by_hand = assemble(PROGRAM)
    code = [block.data for block in rom.image.blocks if block.address == 0x150]
    assert code == [by_hand.blocks[0].data]
    ours = {s.name: (s.value, s.size) for s in by_hand.symbols if s.exported}
    assert ours == {s.name: (s.value, s.size) for s in rom.image.symbols if s.exported}
    assert list(rom.contracts) == list(Rom(by_hand).contracts)


def test_calls_and_contracts_work_on_a_built_image(rom: Rom) -> None:
    r = rom.call("rotate", mem={"lfsr": 0x80000001}, check="deep")
    assert r.mem["lfsr"] == b"\2\0\0\0"
    assert r.flags.c == 1
    assert rom.call("outer", a=1).a == 6
    assert rom.machine().run_from("reset", until="done").mem["sum"] == b"\x0a"


def test_failures_point_into_the_source_file(rom: Rom) -> None:
    with pytest.raises(ContractViolation) as violation:
        rom.call("liar")
    text = str(violation.value)
    assert f"prog.asm:{1 + PROGRAM.splitlines().index('; cycles:   5')}:3: error:" in text
    with pytest.raises(Runaway) as runaway:
        rom.call("deeper", limit=500)
    assert "|     jr .loop" in str(runaway.value)
    assert "(forever), called at" in str(runaway.value)


def test_bank_1_is_there_unless_another_is_named(tmp_path: Path) -> None:
    rom = _build(tmp_path, BANKS)
    assert rom.call("first_bank").a == 1
    assert rom.loaded.describe(0x4000) == "$4000 (one)"
    with pytest.raises(BadValue, match=r"'two' is in area 'ROMX\[2\]', which is not loaded"):
        rom.call("two")
    other = Rom(rom.image, banks=["ROMX[2]"])
    assert other.call("two").a == 2
    assert other.loaded.describe(0x4000) == "$4000 (two)"
    # the contract at $4000 is that of the bank that is there
    assert other.call("first_bank", check="deep").a == 2
