"""The exported functions on images that other build systems made."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from foreign_projects import banked_project, gameboy_project, nes_project

import romproof


def test_load(tmp_path: Path) -> None:
    project = nes_project(tmp_path)
    rom = romproof.load(project.image, symbols=[project.symbols["dbg"]], machine="flat")
    assert rom.call("add_points", a=200, mem={"score": 100}).read("score") == b"\x2c\1"
    (row,) = romproof.bounds(rom, "add_points")
    assert (row.bounds.best, row.bounds.worst) == (17, 21)


def test_the_machine_is_what_the_image_says(tmp_path: Path) -> None:
    project = nes_project(tmp_path / "nes")
    rom = romproof.load(str(project.image), symbols=str(project.symbols["dbg"]))
    assert rom.machine_name == "nes"
    cartridge = gameboy_project(tmp_path / "gb")
    rom = romproof.load(cartridge.image, symbols=cartridge.symbols["sym"], engine="plain")
    assert rom.machine_name == "gameboy"
    assert rom.call("InBank2").a == 2
    assert rom.call("InBank3").a == 3


def test_a_bank_in_flat_memory(tmp_path: Path) -> None:
    project = banked_project(tmp_path)
    debug = project.symbols["dbg"]
    rom = romproof.load(project.image, symbols=debug, machine="flat", banks=["PRG[2]"])
    machine = rom.machine()
    machine.call("two")
    assert machine.read("value") == b"\2"
    with pytest.raises(romproof.RomproofError, match=r'banks=\["PRG\[1\]"\]'):
        rom.call("one")


def test_bare_bytes(tmp_path: Path) -> None:
    code = tmp_path / "code.bin"
    code.write_bytes(bytes.fromhex("a92a60"))
    assert romproof.load(code, load_address=0x8000).call(0x8000).a == 42
    with pytest.raises(romproof.BadInput, match="load_address = 0x8000"):
        romproof.load(code)


def test_a_command(tmp_path: Path) -> None:
    code = "open('made.bin', 'wb').write(bytes.fromhex('a92a60'))"
    image = tmp_path / "made.bin"
    command = [sys.executable, "-c", f"import os; os.chdir({str(tmp_path)!r}); {code}"]
    assert romproof.load(image, load_address=0x8000, command=command).call(0x8000).a == 42


def test_contracts_of_their_own(tmp_path: Path) -> None:
    project = nes_project(tmp_path)
    contracts = tmp_path / "contracts.s"
    contracts.write_text(";; tools::double - twice A.\n; in: A\n; out: A\n; clobbers: N Z C\n")
    rom = romproof.load(
        project.image, symbols=project.symbols["dbg"], contracts=contracts, machine="flat"
    )
    assert rom.contracts["tools::double"].summary == "twice A."
    assert rom.call("tools::double", a=4).a == 8


def test_what_is_strange_is_a_warning(tmp_path: Path) -> None:
    project = nes_project(tmp_path)
    labels = tmp_path / "x.mlb"
    labels.write_text("NesPrgRom:0:add\nNesPrgRom:9000:far\n")
    with pytest.warns(UserWarning, match="1 symbol outside of"):
        romproof.load(project.image, symbols=labels, machine="flat")
    built = romproof.build(project.image, symbols=labels)
    assert ["left out: far" in note.message for note in built.diagnostics] == [True]


def test_what_is_for_images_only(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.romproof]\nsources = ["x.s"]\n')
    with pytest.raises(romproof.BadInput, match="symbols= is for images"):
        romproof.load(tmp_path, symbols="x.dbg")
    with pytest.raises(romproof.BadInput, match="not a project with several programs"):
        romproof.load(tmp_path / "game.nes", "name")
    with pytest.raises(romproof.BadInput, match="there is no image"):
        romproof.load(tmp_path / "game.nes")


def test_images_that_are_refused(tmp_path: Path) -> None:
    disk = tmp_path / "game.d64"
    disk.write_bytes(bytes(174_848))
    with pytest.raises(romproof.BadInput, match="a disk image: extract the program"):
        romproof.load(disk)
