"""``romproof conformance``: the table, what is told beneath it, JSON, exit codes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from small_suites import DECIMAL, mooneye, program, steps_6502, steps_sm83

from romproof.cli import run
from romproof.engine.engines import ENGINES

PYTOOLS = Path(__file__).parents[2] / "pytools"
Capture = pytest.CaptureFixture[str]


def small(folder: Path) -> None:
    """6502-steps with two wrong cases in two files, and one suite of each other kind."""
    for opcode in (0x6D, 0x9C, 0xEA):
        cases = steps_6502(folder, opcode)
        if opcode != 0x9C:
            cases[3]["final"]["x"] ^= 0x81
            steps_6502(folder, opcode, cases)
    program(folder, "6502_decimal_test.bin", DECIMAL)
    mooneye(folder, "acceptance/one.gb")
    mooneye(folder, "acceptance/boot_regs-sgb.gb")


def call(capsys: Capture, *args: str | Path) -> tuple[int, str, str]:
    code = run(["conformance", *map(str, args), "--jobs", "1"])
    shown = capsys.readouterr()
    assert "internal fault" not in shown.err
    return code, shown.out, shown.err


def test_a_failure_is_shown_and_gives_exit_code_1(tmp_path: Path, capsys: Capture) -> None:
    small(tmp_path)
    code, out, err = call(capsys, tmp_path, "--engine", "plain")
    assert (code, err) == (1, "")
    table = [line.split() for line in out.splitlines()[:5]]
    assert table[0] == [
        "suite",
        "engine",
        "cases",
        "passed",
        "failed",
        "apart",
        "translated",
        "seconds",
    ]
    assert [row[:-1] for row in table[2:]] == [
        ["6502-steps", "plain", "24", "22", "2", "12"],
        ["6502-klaus", "plain", "1", "1", "0", "0"],
        ["gb-mooneye", "plain", "1", "1", "0", "1"],
    ]
    assert "gb-mooneye on plain, apart:\n  1  not run on this machine: for another model: " in out
    told = out[out.index("6502-steps on plain, failed:") :].splitlines()
    assert told[1] == "  6d.json: 1 of 12 cases"
    assert told[2].startswith("    6d 03: register X is $")
    assert told[3] == "  ea.json: 1 of 12 cases"


def test_without_failures_the_exit_code_is_0(tmp_path: Path, capsys: Capture) -> None:
    small(tmp_path)
    code, out, _ = call(capsys, tmp_path, "--only", "6502-klaus", "--only", "gb-mooneye")
    assert code == 0
    assert "6502-steps" not in out
    assert "failed:" not in out


def test_json(tmp_path: Path, capsys: Capture) -> None:
    small(tmp_path)
    code, out, _ = call(capsys, tmp_path, "--engine", "plain", "--only", "6502-steps", "--json")
    data = json.loads(out)
    assert code == 1
    assert (data["schema"], data["ok"]) == ("romproof.conformance/1", False)
    (suite,) = data["suites"]
    assert {key: suite[key] for key in ("suite", "engine", "cases", "passed", "failed")} == {
        "suite": "6502-steps",
        "engine": "plain",
        "cases": 24,
        "passed": 22,
        "failed": 2,
    }
    assert suite["seconds"] > 0
    assert sum(apart["cases"] for apart in suite["apart"]) == 12
    assert [(f["name"], f["cases"], f["failed"]) for f in suite["failed_files"]] == [
        ("6d.json", 12, 1),
        ("ea.json", 12, 1),
    ]
    (failure,) = suite["failed_files"][0]["failures"]
    assert failure["case"] == "6d 03"
    assert failure["what"].startswith("register X is $")


def test_many_files_with_failures_are_cut_short(tmp_path: Path, capsys: Capture) -> None:
    cases = steps_6502(tmp_path, 0x00)
    cases[0]["cycles"].pop()
    for opcode in range(0x20):
        steps_6502(tmp_path, opcode, cases[:1])
    code, out, _ = call(capsys, tmp_path, "--engine", "plain")
    assert code == 1
    assert "  ... and 20 more files (all of them: --json)" in out
    _, out, _ = call(capsys, tmp_path, "--engine", "plain", "--json")
    assert len(json.loads(out)["suites"][0]["failed_files"]) == 32


@pytest.mark.slow
def test_a_narrow_terminal(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    small(tmp_path)
    monkeypatch.setenv("COLUMNS", "60")
    _, out, _ = call(capsys, tmp_path, "--engine", "plain")
    assert all(len(line) <= 60 for line in out.splitlines())


def test_nothing_to_run_is_one_clear_line(tmp_path: Path, capsys: Capture) -> None:
    code, out, err = call(capsys, tmp_path)
    assert (code, out) == (1, "")
    assert err.startswith(f"error: no test suite below {tmp_path}; looked for: 6502/v1/*.json")
    for part in ("6502_decimal_test.bin", "nestest.log", "sm83/v1/*.json", "mooneye", "blargg"):
        assert part in err
    assert err.count("\n") == 1
    code, out, _ = call(capsys, tmp_path, "--json")
    assert (code, json.loads(out)["ok"]) == (1, False)


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["missing"], "Directory 'missing' does not exist"),
        ([".", "--only", "6502-step"], "no suite '6502-step'; did you mean '6502-steps'?"),
        ([".", "--engine", "fast"], "no engine 'fast'"),
        ([".", "--sample", "0"], "0 is not within 1..1000000"),
        ([], "Missing argument 'DIR'"),
    ],
)
def test_a_wrong_command_line(
    args: list[str],
    message: str,
    tmp_path: Path,
    capsys: Capture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = call(capsys, *args)
    assert (code, out) == (2, "")
    assert message in err


@pytest.mark.slow
def test_in_several_processes(tmp_path: Path) -> None:
    steps_sm83(tmp_path)
    steps_6502(tmp_path, 0x6D)
    done = subprocess.run(
        [
            *(sys.executable, "-c", "from romproof.cli import main; main()"),
            *("conformance", str(tmp_path), "--jobs", "2", "--json"),
        ],
        env={**os.environ, "PYTHONPATH": str(PYTOOLS)},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, "")
    suites = json.loads(done.stdout)["suites"]
    fast = [name for name in ("llvm",) if ENGINES[name].missing() is None]
    assert [(row["suite"], row["engine"], row["passed"]) for row in suites] == [
        *(("6502-steps", engine, 12) for engine in ("plain", *fast)),
        *(("sm83-steps", engine, 3) for engine in ("plain", *fast)),
    ]
