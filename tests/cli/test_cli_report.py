from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_programs import DEMO, Run


@pytest.fixture(autouse=True)
def _project(project: Path) -> None:
    pass


def test_the_program_from_its_entry(romproof: Run) -> None:
    done = romproof("report", "demo", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    data = json.loads(done.stdout)
    # main: jsr 6; fill: 2 + 3 * (6 + 5 + 2) + 3 + 3 + 2 + 6 = 55; step: 3 * 29
    routines = {r["name"]: (r["calls"], r["exclusive"], r["inclusive"]) for r in data["routines"]}
    assert routines == {"step": (3, 87, 87), "fill": (1, 55, 142), "main": (1, 6, 148)}
    assert (data["rom"], data["entry"], data["runs"], data["cycles"]) == ("demo", "main", 1, 148)
    assert data["clock"]["name"] == "c64-pal"
    assert data["frames"] == pytest.approx(148 / 19656)
    step = next(r for r in data["routines"] if r["name"] == "step")
    assert step["claim"] == {"minimum": 29, "maximum": 29, "kept": True}


def test_a_routine_again_and_again(romproof: Run) -> None:
    args = "report demo --call step --mem lfsr=12345678 --repeat 10 --clock nes-ntsc --lines 1"
    done = romproof(*args.split(), env={"COLUMNS": "120"})
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == "demo  step  10 calls"
    assert "NES (NTSC) at 1,789,773 Hz" in lines[1]
    assert lines[2].startswith("290 cycles, 60 instructions, 162.0 µs")
    row = next(line for line in lines if line.startswith("step "))
    assert " ".join(row.split()) == "step 10 290 100.0% ████████ 290 29 29.0 29 0.1% 29 ok"


@pytest.mark.parametrize("columns", ["40", "80", "120"])
def test_it_fits_the_terminal(romproof: Run, columns: str) -> None:
    done = romproof("report", "demo", env={"COLUMNS": columns, "NO_COLOR": "1"})
    assert max(len(line) for line in done.stdout.splitlines()) <= int(columns)


def test_a_broken_claim_is_shown_and_fails(romproof: Run, project: Path) -> None:
    source = DEMO.replace("cycles:   29", "cycles:   28")
    (project / "rom/demo/demo.s").write_text(source, "utf-8")
    # called by another routine: only the table knows
    inner = romproof("report", "demo")
    assert inner.returncode == 1
    assert "claim broken: step claims 28 cycles, took 29..29" in inner.stdout
    # called directly: the harness finds it, too
    direct = romproof("report", "demo", "--call", "step", "--json")
    assert direct.returncode == 1
    assert json.loads(direct.stdout)["routines"][0]["claim"]["kept"] is False
    assert "the call took 29 cycles; the claim is 28" in direct.stderr


def test_a_program_without_end_is_cut(romproof: Run, project: Path) -> None:
    source = DEMO.replace("halt:   jmp halt", "halt:   jmp main")
    (project / "rom/demo/demo.s").write_text(source, "utf-8")
    done = romproof("report", "demo", "--limit", "1000", "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["cycles"] >= 1000
    assert "stopped after 1,000 cycles" in done.stderr


@pytest.mark.parametrize(
    ("args", "code", "told"),
    [
        ("--clock nes", 2, "no clock 'nes'"),
        ("--clock nes-ntcs", 2, "did you mean 'nes-ntsc'?"),
        ("--repeat 3", 2, "need a routine: add"),
        ("--repeat 0 --call step", 2, "not within 1.."),
        ("--call stp", 2, "did you mean 'step'?"),
        ("--call lfsr", 2, "there is no code at $0080 (lfsr)"),
        ("--call step --mem lfs=00", 2, "did you mean 'lfsr'?"),
        ("--mem lfs=00", 2, "did you mean 'lfsr'?"),
        ("--call main --limit 100", 1, "did not end"),
    ],
)
def test_what_is_refused(romproof: Run, args: str, code: int, told: str) -> None:
    done = romproof("report", "demo", *args.split())
    assert done.returncode == code
    assert told in done.stderr


def test_a_manifest_without_an_entry(romproof: Run, project: Path) -> None:
    (project / "rom/demo/manifest.toml").write_text('[rom]\nsources = ["demo.s"]\n')
    done = romproof("report", "demo")
    assert done.returncode == 1
    assert "names no entry; use --call SYMBOL" in done.stderr
