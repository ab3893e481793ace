"""Tables with ``image``: their keys, what is wrong with them, and the command."""

from __future__ import annotations

import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from every_case import every_case
from foreign_projects import banked_project, gameboy_project, nes_project, prg_project

import romproof
from romproof.projects import BadManifest, build, find_manifest, load
from romproof.projects.command import (
    DONE,
    CommandFailed,
    bring_up_to_date,
    key_of,
    mark_done,
    run_command,
)
from romproof.projects.manifest import Manifest, manifest_from
from romproof.text.errors import RomproofError

FOLDER = Path("project")


def manifest(**table: Any) -> Manifest:
    return manifest_from(table, FOLDER, "game", "there")


def test_all_keys() -> None:
    made = manifest(
        image="build/game.nes",
        symbols=["build/game.dbg"],
        command="make",
        machine="nes",
        contracts=["tests/contracts.s"],
        sources=["src"],
        banks=["PRG[2]"],
        entry="main",
        clock="nes-pal",
    )
    foreign = made.foreign
    assert foreign is not None
    assert foreign.image == Path("project/build/game.nes")
    assert foreign.symbols == (Path("project/build/game.dbg"),)
    assert foreign.contracts == (Path("project/tests/contracts.s"),)
    assert foreign.sources == (Path("project/src"),)
    assert (foreign.command, foreign.machine, foreign.folder) == ("make", "nes", FOLDER)
    assert (made.name, made.entry, made.clock, made.banks) == (
        "game",
        "main",
        "nes-pal",
        ("PRG[2]",),
    )


@every_case("address", [0x8000, "0x8000", "$8000", "32768"])
def test_load_addresses(address: int | str) -> None:
    foreign = manifest(image="x.bin", load_address=address).foreign
    assert foreign is not None
    assert foreign.load_address == 0x8000


@every_case(
    "table, words",
    [
        ({"symbol": ["x"]}, "did you mean 'symbols'"),
        ({"symbols": "x.dbg"}, "'symbols' must be a list of strings"),
        ({"symbols": [1]}, "'symbols' must be a list of strings"),
        ({"command": 1}, "'command' must be a string, or a list of strings"),
        ({"command": ""}, "'command' must not be empty"),
        ({"machine": "nintendo"}, "the machines are flat, nes, gameboy, c64"),
        ({"load_address": 0x10000}, "'load_address' must be an address"),
        ({"load_address": "here"}, "'load_address' must be an address"),
        ({"load_address": True}, "'load_address' must be an address"),
        ({"config": "x.cfg"}, "'config' is for programs that romproof builds"),
        ({"image": 1}, "'image' must be a string"),
        ({"cpu": "z80"}, "cpu 'z80' is not known"),
    ],
)
def test_faults(table: dict[str, Any], words: str) -> None:
    with pytest.raises(BadManifest, match=words) as caught:
        manifest(**{"image": "x.nes", **table})
    assert str(caught.value).startswith("there: ")


def test_what_the_image_says_is_in_the_manifest(tmp_path: Path) -> None:
    for project, machine, clock, banks in (
        (nes_project(tmp_path / "1"), "nes", "nes-ntsc", ("PRG[0]",)),
        (banked_project(tmp_path / "2"), "nes", "nes-ntsc", ("PRG[0]", "PRG[3]")),
        (gameboy_project(tmp_path / "3"), "gameboy", "gb", ()),
        (prg_project(tmp_path / "4"), "c64", "c64-pal", ()),
    ):
        known = build(find_manifest(str(project.image))).manifest
        assert (known.machine, known.clock, known.banks) == (machine, clock, banks)


def test_a_bank_that_is_wanted(tmp_path: Path) -> None:
    project = banked_project(tmp_path)
    table = {"image": str(project.image), "banks": ["PRG[2]"]}
    assert build(manifest_from(table, tmp_path, "x", "x")).manifest.banks == ("PRG[2]", "PRG[3]")


def test_a_project_that_names_an_image(tmp_path: Path) -> None:
    project = nes_project(tmp_path)
    file = tmp_path / "pyproject.toml"
    file.write_text('[tool.romproof]\nimage = "build/game.nes"\nsymbols = ["build/*.mlb"]\n')
    built = build(load(file))
    assert built.manifest.name == "game"
    assert built.image.files[0].data == project.image.read_bytes()
    assert built.image.address("add_points") == 0xC000


# -- the command --------------------------------------------------------------------------------


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def test_a_command_runs_in_its_folder(tmp_path: Path) -> None:
    run_command(python("open('made', 'w').close()"), tmp_path)
    assert (tmp_path / "made").exists()


def test_a_command_that_fails_shows_the_end_of_its_output(tmp_path: Path) -> None:
    code = "for n in range(1000): print('line', n)\nraise SystemExit(7)"
    with pytest.raises(CommandFailed, match="exit code 7") as caught:
        run_command(python(code), tmp_path)
    output = str(caught.value).partition("exit code 7:\n")[2].splitlines()
    assert (output[0], output[-1], len(output)) == ("…", "line 999", 201)


def test_a_command_reads_nothing_from_the_terminal(tmp_path: Path) -> None:
    run_command(python("import sys; assert sys.stdin.read() == ''"), tmp_path)


def test_what_is_done_does_not_run_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(DONE, raising=False)
    command = python("open('ran', 'a').write('x')")
    bring_up_to_date(command, tmp_path)
    mark_done([key_of(command, tmp_path)])
    bring_up_to_date(command, tmp_path)
    mark_done([])
    bring_up_to_date(command, tmp_path)
    assert (tmp_path / "ran").read_text() == "xx"


def test_a_command_may_call_romproof_on_its_own_project(tmp_path: Path) -> None:
    """It gets its own key, so that it does not run itself."""
    inner = "import os; open('keys', 'w').write(os.environ['ROMPROOF_COMMANDS_DONE'])"
    run_command(python(inner), tmp_path)
    assert key_of(python(inner), tmp_path) in (tmp_path / "keys").read_text().split(",")


def test_one_command_of_a_folder_at_a_time(tmp_path: Path) -> None:
    code = (
        "import os, time\n"
        "os.mkdir('busy')\n"
        "time.sleep(0.05)\n"
        "os.rmdir('busy')\n"
        "open('ran', 'a').write('x')"
    )
    faults: list[CommandFailed] = []

    def run() -> None:
        try:
            run_command(python(code), tmp_path)
        except CommandFailed as fault:
            faults.append(fault)

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults
    assert (tmp_path / "ran").read_text() == "xxxx"


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (["imag = 'game.nes'", "command = 'make'"], "'imag' .* did you mean 'image'"),
        (["command = 'make'"], "'command' .* it needs 'sources', 'image' or 'rom' beside it"),
    ],
)
def test_a_table_without_a_program_says_which_key_is_wrong(
    tmp_path: Path, lines: list[str], told: str
) -> None:
    (tmp_path / "pyproject.toml").write_text("\n".join(["[tool.romproof]", *lines]), "utf-8")
    with pytest.raises(RomproofError, match=told):
        romproof.load(tmp_path)
