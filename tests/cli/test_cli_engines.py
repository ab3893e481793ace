"""``romproof engines``, and choosing an engine for the other commands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_programs import Run, romproof_in

from romproof.engine.engines import ENGINES, choose_engine
from romproof.isa.cpus import CPUS

HERE = [name for name, row in ENGINES.items() if row.missing() is None]
HIDDEN = (
    "import sys; sys.modules['llvmlite'] = sys.modules['numpy'] = None\n"
    "from romproof.cli import main; main()"
)
REPORT = "report demo --call step --mem lfsr=81000040 --json"
CALL = "run demo --call step --mem lfsr=81000040 --read lfsr --json"


def test_the_table(romproof: Run) -> None:
    done = romproof("engines")
    assert (done.returncode, done.stderr) == (0, "")
    rows = [line.split() for line in done.stdout.splitlines()]
    assert rows[0] == list(ENGINES)
    (trace,) = [row[2:] for row in rows if row[:2] == ["bus", "trace"]]
    marks = dict(zip(ENGINES, trace, strict=True))
    assert marks == {name: "yes" if name == "plain" else "-" for name in ENGINES}
    assert f"auto chooses {choose_engine()} for" in done.stdout
    assert all(len(line) <= 80 for line in done.stdout.splitlines())


def test_one_cpu_in_a_narrow_terminal(romproof: Run) -> None:
    text = romproof("engines", "--cpu", "sm83", env={"COLUMNS": "40"}).stdout
    assert "mos6502" not in text
    assert all(len(line) <= 40 for line in text.splitlines())


def test_json(romproof: Run) -> None:
    data = json.loads(romproof("engines", "--json").stdout)
    assert data["schema"] == "romproof.engines/1"
    assert data["auto"] == {cpu: choose_engine(cpu) for cpu in CPUS}
    assert [row["name"] for row in data["engines"]] == list(ENGINES)
    plain = next(row for row in data["engines"] if row["name"] == "plain")
    assert plain == {
        "name": "plain",
        "about": ENGINES["plain"].about,
        "usable": True,
        "reason": None,
        "cpus": list(CPUS),
        "bus_trace": True,
        "devices": True,
        "interrupts": True,
        "undocumented": True,
        "batch": False,
        "speeds": [],
    }


@pytest.mark.slow
def test_measuring(romproof: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("romproof.engine.speed.measure_speed.__defaults__", (0.001,))
    done = romproof("engines", "--measure", "--cpu", "mos6502")
    assert done.returncode == 0
    rows = [line.split() for line in done.stdout.splitlines()]
    (rates,) = [row[-len(HERE) :] for row in rows if row[:2] == ["million", "instructions"]]
    assert all(float(rate.replace(",", "")) > 0 for rate in rates)
    data = json.loads(romproof("engines", "--measure", "--cpu", "sm83", "--json").stdout)
    for row in data["engines"]:
        known = ENGINES[row["name"]].refusal("sm83") is None
        assert [speed["cpu"] for speed in row["speeds"]] == (["sm83"] if known else [])
        assert all(s["cycles_per_second"] > s["instructions_per_second"] for s in row["speeds"])


def test_an_unknown_cpu(romproof: Run) -> None:
    done = romproof("engines", "--cpu", "mos6503")
    assert done.returncode == 2
    assert "no CPU 'mos6503'; did you mean 'mos6502'?" in done.stderr


@pytest.mark.slow_cases("llvm")
@pytest.mark.parametrize("name", ["auto", *HERE])
def test_every_engine_gives_the_same_result(romproof: Run, project: Path, name: str) -> None:
    done = romproof(*CALL.split(), "--engine", name)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == romproof(*CALL.split(), "--engine", "plain").stdout


def test_a_report_names_the_engine_that_was_taken(romproof: Run, project: Path) -> None:
    chosen = choose_engine()
    # a profile is of what is told of: translated code tells nothing, its interpreter does
    taken = "llvm" if chosen == "recompiled" else chosen
    assert json.loads(romproof(*REPORT.split()).stdout)["engine"] == taken
    named = romproof(*REPORT.split(), "--engine", chosen)
    assert json.loads(named.stdout)["engine"] == taken
    assert json.loads(romproof(*REPORT.split(), "--engine", "plain").stdout)["engine"] == "plain"


def test_the_project_names_the_engine(romproof: Run, project: Path) -> None:
    with (project / "pyproject.toml").open("a") as file:
        file.write('engine = "plain"\n')
    assert json.loads(romproof(*REPORT.split()).stdout)["engine"] == "plain"
    assert json.loads(romproof(*REPORT.split(), "--engine", "py65").stdout)["engine"] == "py65"


def test_an_engine_of_the_project_that_does_not_exist(romproof: Run, project: Path) -> None:
    with (project / "pyproject.toml").open("a") as file:
        file.write('engine = "plan"\n')
    done = romproof("run", "demo", "--call", "step")
    assert (done.returncode, done.stdout) == (1, "")
    assert "no engine 'plan'; did you mean 'plain'?" in done.stderr


@pytest.mark.slow
def test_without_llvmlite_one_line_says_what_to_install(project: Path) -> None:
    refused = romproof_in(project, *CALL.split(), "--engine", "llvm", program=HIDDEN)
    assert refused.returncode == 2
    assert refused.stderr == (
        "error: the engine 'llvm' cannot be used: the package llvmlite is not installed; "
        'pip install "romproof[fast]"\n'
    )
    for engine in ("auto", "plain", "py65"):
        done = romproof_in(project, *CALL.split(), "--engine", engine, program=HIDDEN)
        assert (done.returncode, done.stderr) == (0, "")
        assert json.loads(done.stdout)["cycles"] == 29


@pytest.mark.slow
def test_without_llvmlite_the_table_says_what_to_install(tmp_path: Path) -> None:
    done = romproof_in(tmp_path, "engines", "--json", program=HIDDEN)
    data = json.loads(done.stdout)
    assert set(data["auto"].values()) == {"plain"}
    reasons = {row["name"]: row["reason"] for row in data["engines"] if not row["usable"]}
    assert reasons.keys() == {"recompiled", "llvm"}
    assert all('pip install "romproof[fast]"' in reason for reason in reasons.values())
    text = romproof_in(tmp_path, "engines", program=HIDDEN).stdout
    assert "llvm: the package llvmlite is not installed" in text
