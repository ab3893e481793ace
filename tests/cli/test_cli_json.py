"""With --json a failure is an object as well."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_programs import Run, romproof_in, write_rom

from romproof.report.json import VERSIONS

FAILURES = [
    "asm nope.s -o x.bin",
    "asm rom/demo/demo.s -o x.bin -C nope.cfg",
    "asm rom/demo/demo.s -o x.bin --labels folder/x.lbl",
    "build rom/broken/manifest.toml",
    "run rom/broken/manifest.toml --call step",
    "run demo --call main --limit 500",
    "run bad --call x",
    "report bad --call x",
    "report demo --call step --limit 5",
    "bounds bad",
    "disasm nope.bin",
]


@pytest.mark.slow_cases("run demo --call main --limit 500")
@pytest.mark.parametrize("line", FAILURES)
def test_a_failure_is_told_as_json(romproof: Run, project: Path, line: str) -> None:
    write_rom(project, "bad", "        foo\n")
    (project / "folder").write_text("in the way")
    if "broken" in line:
        write_rom(project, "broken", "        rts\n", ["x = ["])
    done = romproof(*line.split(), "--json")
    assert done.returncode == 1
    data = json.loads(done.stdout)
    command = line.split()[0]
    assert data["schema"] == f"romproof.{command}/{VERSIONS.get(command, 1)}"
    assert data["ok"] is False
    found = data["diagnostics"]
    assert found[0]["severity"] == "error"
    assert found[0]["message"].partition("\n")[0] in done.stderr
    assert romproof(*line.split()).stdout == ""


NAMING_NOTHING = [
    "build nope",
    "build rom/nope/manifest.toml",
    "run rom/nope --call step",
    "run demo --call stepp",
    "run demo --call step --mem nope=00",
    "run demo --call step --read nope",
    "run demo --call step --break nope",
    "run demo --call step --until nope",
    "run demo --call step --watch nope",
    "report demo --call stepp",
    "report demo --call step --mem nope=00",
    "bounds demo:stepp",
    "bounds demo:lfsr",
    "bounds demo:stepp --prove",
    "bounds nope",
    "prove demo:stepp",
    "prove demo:0x0300",
    "prove nope",
]


@pytest.mark.parametrize("line", NAMING_NOTHING)
def test_an_argument_that_names_nothing_is_a_wrong_command_line(
    romproof: Run, project: Path, line: str
) -> None:
    done = romproof(*line.split(), "--json")
    assert (done.returncode, done.stdout) == (2, "")
    assert "Usage: romproof" in done.stderr
    assert "Invalid value for" in done.stderr


def test_a_broken_project_is_told_as_json(romproof: Run, project: Path) -> None:
    (project / "pyproject.toml").write_text("x = [")
    done = romproof("build", "--json")
    assert done.returncode == 1
    assert "pyproject.toml" in json.loads(done.stdout)["diagnostics"][0]["message"]


def test_a_rom_that_cannot_be_written_is_told_and_the_others_are_built(
    romproof: Run, project: Path
) -> None:
    write_rom(project, "tiny", "        rts\n")
    (project / "build/rom/demo.lst").mkdir(parents=True)
    done = romproof("build", "--json")
    assert done.returncode == 1
    data = json.loads(done.stdout)
    assert [(rom["name"], rom["ok"]) for rom in data["roms"]] == [("demo", False), ("tiny", True)]
    assert "demo.lst" in data["roms"][0]["diagnostics"][0]["message"]
    assert not (project / "build/rom/demo.bin").exists()


def test_two_roms_are_not_written_to_one_file(romproof: Run, project: Path) -> None:
    write_rom(project, "tiny", "        rts\n", ['output = "demo.prg"'])
    done = romproof("build")
    assert done.returncode == 1
    assert "'demo' and 'tiny' have the same outputs 'demo.*'" in done.stderr


def test_outputs_replace_no_source(romproof: Run, tmp_path: Path) -> None:
    (tmp_path / "inc.s").write_text(" rts\n")
    (tmp_path / "main.s").write_text('.include "inc.s"\n')
    done = romproof("asm", "main.s", "-o", "inc.s")
    assert done.returncode == 1
    assert "cannot write 'inc.s': this file is a source" in done.stderr
    assert (tmp_path / "inc.s").read_text() == " rts\n"


def test_a_closed_stdout_is_no_fault(tmp_path: Path) -> None:
    program = (
        "import sys; sys.stdout = None; sys.argv[1:] = ['asm', 'a.s', '-o', 'a.bin', '--json'];"
        "from romproof.cli import main; main()"
    )
    (tmp_path / "a.s").write_text(" rts\n")
    done = romproof_in(tmp_path, program=program)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "a.bin").read_bytes() == b"\x60"


BANKED = """\
        .segment "BANK0"
        .byte 0
        .segment "BANK1"
        .export get
get:    lda #1
        rts
"""
LAYOUT = """\
MEMORY {
  B0: start = $8000, size = $100, file = %O, fill = yes;
  B1: start = $8000, size = $100, file = %O, fill = yes;
}
SEGMENTS { BANK0: load = B0, type = ro; BANK1: load = B1, type = ro; }
"""


@pytest.mark.parametrize("command", ["run", "report"])
def test_the_bank_is_chosen_in_the_manifest(romproof: Run, project: Path, command: str) -> None:
    write_rom(project, "bank", BANKED, ['config = "layout.cfg"'])
    (project / "rom/bank/layout.cfg").write_text(LAYOUT)
    line = (command, "bank", "--call", "get", "--json")
    refused = romproof(*line)
    assert refused.returncode == 1
    assert 'choose with the key banks = ["B0"] or banks = ["B1"]' in refused.stderr
    with (project / "rom/bank/manifest.toml").open("a") as manifest:
        manifest.write('banks = ["B1"]\n')
    done = romproof(*line)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["cycles"] == 8
