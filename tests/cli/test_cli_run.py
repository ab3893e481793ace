from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_programs import DEMO, Run


@pytest.fixture(autouse=True)
def _project(project: Path) -> None:
    pass


def test_json(romproof: Run) -> None:
    args = "run demo --call step --mem lfsr=81000040 --reg x=$0C --reg c=1 --read lfsr --json"
    done = romproof(*args.split())
    assert (done.returncode, done.stderr) == (0, "")
    # 81 00 00 40 is $40000081: shifted left $80000102, nothing shifted out
    assert json.loads(done.stdout) == {
        "schema": "romproof.run/1",
        "symbol": "step",
        "registers": {"a": 2, "x": 0x0C, "y": 0x96, "s": 0xFF, "p": 0x64},
        "flags": {"n": 0, "v": 1, "d": 0, "i": 1, "z": 0, "c": 0},
        "cycles": 29,
        "instructions": 6,
        "stack": 0,
        "changed": [
            {"address": 0x80, "symbol": "lfsr", "old": 0x81, "new": 0x02},
            {"address": 0x81, "symbol": "lfsr+1", "old": 0x00, "new": 0x01},
            {"address": 0x83, "symbol": "lfsr+3", "old": 0x40, "new": 0x80},
        ],
        "memory": {"lfsr": "02010080"},
    }


def test_text(romproof: Run) -> None:
    args = "run demo --call fill --mem $80=01000000 --read deck --read deck:2 --read $82:1"
    done = romproof(*args.split())
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("fill  142 cycles, ")
    assert "\x1b" not in done.stdout
    rows = [line.split() for line in done.stdout.splitlines()]
    assert ["deck", "08", "04", "02"] in rows
    assert ["deck:2", "08", "04"] in rows
    assert ["$0082:1", "00"] in rows


def test_a_broken_contract_fails(romproof: Run, project: Path) -> None:
    source = DEMO.replace("cycles:   29", "cycles:   28")
    (project / "rom/demo/demo.s").write_text(source, "utf-8")
    done = romproof("run", "demo", "--call", "step")
    assert (done.returncode, done.stdout) == (1, "")
    assert "the call took 29 cycles; the claim is 28" in done.stderr


@pytest.mark.parametrize(
    ("args", "code", "told"),
    [
        ("--call stop", 2, "did you mean 'step'?"),
        ("--call step --mem lfs=12345678", 2, "did you mean 'lfsr'?"),
        ("--call step --mem lfsr=1234", 2, "'lfsr' has 4 bytes, the value given has 2"),
        ("--call step --mem lfsr=123", 2, "lfsr=12345678"),
        ("--call step --mem lfsr", 2, "lfsr=12345678"),
        ("--call step --reg q=1", 2, "registers a x y, flags n v d i z c"),
        ("--call step --reg a=256", 2, "a=256 is not within 0..255"),
        ("--call step --reg c=2", 2, "c=2 is not within 0..1"),
        ("--call step --read lfsr:x", 2, "write deck or deck:78"),
        ("--call step --read lfs", 2, "did you mean 'lfsr'?"),
        ("--call step --read 0xFFFF:2", 2, "2 bytes from $FFFF are not a range"),
        ("--call lfsr", 2, "there is no code at $0080 (lfsr)"),
        ("--call 0x0300", 2, "there is no code at $0300"),
        ("--call step --engine py66", 2, "did you mean 'py65'?"),
        ("--call step --limit 0", 2, "not within 1.."),
        ("--call main --limit 500", 1, "did not end within 500 cycles"),
        ("", 2, "Missing option '--call'"),
    ],
)
def test_what_is_refused(romproof: Run, args: str, code: int, told: str) -> None:
    done = romproof("run", "demo", *args.split())
    assert done.returncode == code
    assert told in done.stderr
    assert done.stdout == ""
