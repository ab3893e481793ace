"""Commands on images of other build systems: NAME is a path."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from cli_programs import Run
from every_case import every_case
from foreign_projects import Project, banked_project, gameboy_project, nes_project, prg_project

FLAT = ("--symbols", "build/game.dbg", "--machine", "flat")


@pytest.fixture
def game(tmp_path: Path) -> Project:
    return nes_project(tmp_path)


@pytest.mark.usefixtures("game")
def test_run(romproof: Run) -> None:
    call = ("--call", "add_points", "--reg", "a=5", "--mem", "score=0100", "--read", "score")
    done = romproof("run", "build/game.nes", *FLAT, *call, "--json")
    assert done.returncode == 0, done.stderr
    shown = json.loads(done.stdout)
    assert (shown["memory"], shown["cycles"]) == ({"score": "0600"}, 17)


@pytest.mark.usefixtures("game")
def test_report(romproof: Run) -> None:
    call = ("--call", "count_up", "--mem", "score=FF00")
    done = romproof("report", "build/game.nes", *FLAT, *call)
    assert done.returncode == 0, done.stderr
    assert "NES (NTSC)" in done.stdout
    assert "inc cell" in done.stdout, "the line of the macro"


@pytest.mark.usefixtures("game")
def test_bounds(romproof: Run) -> None:
    done = romproof("bounds", "build/game.nes:add_points", "--symbols", "build/game.dbg", "--json")
    assert done.returncode == 0, done.stderr
    (rom,) = json.loads(done.stdout)["roms"]
    (row,) = rom["routines"]
    assert (row["name"], row["best"], row["worst"]) == ("add_points", 17, 21)


@pytest.mark.usefixtures("game")
@pytest.mark.parametrize("command", ["prove", "infer"])
def test_without_symbols_it_says_so(romproof: Run, command: str) -> None:
    pytest.importorskip("z3")
    bare = romproof(command, "build/game.nes")
    assert bare.returncode == 2
    assert bare.stderr.rstrip().endswith(
        "there are no symbols: name a file of symbols with --symbols"
    )


@pytest.mark.usefixtures("game")
def test_prove_with_contracts_of_their_own(romproof: Run, tmp_path: Path) -> None:
    pytest.importorskip("z3")
    contract = ";; tools::double - twice A.\n; in: A\n; out: A\n; ensures: A == (2 * old A) % 256\n"
    contract += "; clobbers: N Z C\n; cycles: 8\n"
    (tmp_path / "c.s").write_text(contract, "utf-8")
    done = romproof(
        "prove", "build/game.nes:tools::double", "--symbols", "build/game.dbg", "--contracts", "c.s"
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "proved" in done.stdout


@pytest.mark.slow
def test_disassembly_of_banks_assembles_to_the_same_bytes(romproof: Run, tmp_path: Path) -> None:
    if not (shutil.which("ca65") and shutil.which("ld65")):
        pytest.skip("ca65 and ld65 are not installed")
    project = banked_project(tmp_path)
    done = romproof("disasm", "build/banked.nes", "--symbols", "build/banked.dbg")
    assert done.returncode == 0, done.stderr
    assert "two:\n        lda #$02" in done.stdout
    (tmp_path / "again.s").write_text(done.stdout, "utf-8")
    head = [line[1:] for line in done.stdout.splitlines() if line.startswith(";")][2:]
    config = "\n".join(head).partition("SEGMENTS")
    (tmp_path / "again.cfg").write_text(config[0] + "SEGMENTS" + config[2].partition("}")[0] + "}")
    subprocess.run(["ca65", "again.s"], cwd=tmp_path, check=True)
    subprocess.run(
        ["ld65", "-C", "again.cfg", "-o", "again.nes", "again.o"], cwd=tmp_path, check=True
    )
    assert (tmp_path / "again.nes").read_bytes() == project.image.read_bytes()


@pytest.mark.slow
def test_disassembly_of_other_images(romproof: Run, tmp_path: Path) -> None:
    prg_project(tmp_path)
    done = romproof(
        "disasm", "build/prg.prg", "--symbols", "build/prg.lbl", "--range", "$0802-$0803"
    )
    assert "add_three:\n        clc                     ; 0802  18" in done.stdout
    gameboy_project(tmp_path)
    done = romproof("disasm", "build/gb.gb", "--symbols", "build/gb.sym")
    assert "InBank2:" in done.stdout
    assert "InBank3:" in done.stdout


@every_case("command", [("run", "--call", "x"), ("report",), ("bounds",), ("disasm",)])
def test_images_that_cannot_be_loaded(
    command: tuple[str, ...], romproof: Run, tmp_path: Path
) -> None:
    (tmp_path / "game.d64").write_bytes(bytes(174_848))
    done = romproof(command[0], "game.d64", *command[1:], *(("--machine", "c64")))
    assert done.returncode == 2
    assert "a disk image: extract the program" in done.stderr


def test_options_of_images_for_other_programs(romproof: Run, project: Path) -> None:
    assert project.is_dir()
    done = romproof("run", "demo", "--call", "step", "--symbols", "x.dbg")
    assert done.returncode == 2
    assert "--symbols is for images" in done.stderr


def test_an_image_that_is_not_there(romproof: Run) -> None:
    done = romproof("run", "game.nes", "--call", "x")
    assert (done.returncode, done.stdout) == (2, "")
    assert "there is no image game.nes: build it first" in done.stderr


@pytest.mark.usefixtures("game")
def test_symbols_that_cannot_be_read(romproof: Run, tmp_path: Path) -> None:
    (tmp_path / "bad.lbl").write_text("al C000 .start\nal what\n", "utf-8")
    done = romproof("run", "build/game.nes", "--symbols", "bad.lbl", "--call", "start")
    assert done.returncode == 2
    assert done.stderr.startswith("bad.lbl:2:1: error: cannot read this label\n    2 | al what\n")
    done = romproof("run", "build/game.nes", "--symbols", "gone.lbl", "--call", "start")
    assert "gone.lbl: No such file" in done.stderr


@pytest.mark.usefixtures("game")
def test_notes_are_shown(romproof: Run, tmp_path: Path) -> None:
    (tmp_path / "x.mlb").write_text("NesPrgRom:0:add\nNesPrgRom:5000:far\n", "utf-8")
    done = romproof(
        "run", "build/game.nes", "--symbols", "x.mlb", "--machine", "flat", "--call", "add"
    )
    assert done.returncode == 0
    assert "warning: x.mlb: 1 symbol outside of build/game.nes, left out: far" in done.stderr


def test_files_for_debuggers(romproof: Run, project: Path) -> None:
    done = romproof("build", "demo", "--also", "dbg", "--json")
    assert done.returncode == 0, done.stderr
    (rom,) = json.loads(done.stdout)["roms"]
    assert [Path(f["path"]).suffix for f in rom["files"]][-1] == ".dbg"
    text = (project / "build" / "rom" / "demo.dbg").read_text("utf-8")
    assert text.startswith("version\tmajor=2,minor=0\n")
    done = romproof("build", "demo", "--also", "mlb")
    assert done.returncode == 1
    assert "labels for Mesen need an image for the NES" in done.stderr
