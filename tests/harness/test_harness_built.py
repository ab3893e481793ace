"""The same program, built by the project's own assembler and linker."""

from __future__ import annotations

from pathlib import Path

import pytest
from handmade import assemble
from programs import LAYOUT, PROGRAM

from romproof.harness.errors import ContractViolation, Runaway
from romproof.harness.rom import Rom
from romproof.projects import Manifest, build


@pytest.fixture
def rom(tmp_path: Path) -> Rom:
    """The program, assembled and linked."""
    (tmp_path / "prog.s").write_text(PROGRAM, "utf-8")
    (tmp_path / "prog.cfg").write_text(LAYOUT, "utf-8")
    manifest = Manifest(
        "prog", (tmp_path / "prog.s",), config=tmp_path / "prog.cfg", output="prog.bin"
    )
    return Rom(build(manifest).image)


def test_the_tests_own_assembler_agrees_with_the_real_one(rom: Rom) -> None:
    by_hand = assemble(PROGRAM)
    code = [block.data for block in rom.image.blocks if block.address == 0xC000]
    assert code == [by_hand.blocks[0].data]
    exported = {s.name: s.value for s in by_hand.symbols if s.exported}
    assert exported == {s.name: s.value for s in rom.image.symbols if s.exported}
    assert list(rom.contracts) == list(Rom(by_hand).contracts)


def test_calls_and_contracts_work_on_a_built_image(rom: Rom) -> None:
    r = rom.call("rotate", mem={"lfsr": 0x80000001}, check="deep")
    assert r.mem["lfsr"] == b"\2\0\0\0"
    assert r.flags.c == 1
    assert rom.call("outer", a=1).a == 11
    assert rom.machine().run_from("reset", until="done").mem["sum"] == b"\x0a"


def test_failures_point_into_the_source_file(rom: Rom) -> None:
    with pytest.raises(ContractViolation) as violation:
        rom.call("liar")
    assert len(violation.value.breaches) == 5
    assert f"prog.s:{1 + PROGRAM.splitlines().index('; cycles:   5')}:3: error:" in str(
        violation.value
    )
    with pytest.raises(Runaway) as runaway:
        rom.call("deeper", limit=500)
    assert "| loop:   dex" in str(runaway.value)
    assert "(forever), called at" in str(runaway.value)
