from __future__ import annotations

import json

from report_programs import program, report_on

from romproof.harness.rom import Rom
from romproof.report.call import call_report
from romproof.report.json import JsonReporter, diagnostics_json
from romproof.text.diagnostic import Diagnostic, Severity
from romproof.text.span import Source, Span


def test_a_cycle_report() -> None:
    data = json.loads(JsonReporter().cycles(report_on("10..12")))
    assert list(data) == [
        "schema",
        "rom",
        "cpu",
        "engine",
        "clock",
        "entry",
        "runs",
        "cycles",
        "instructions",
        "microseconds",
        "frames",
        "routines",
        "calls",
        "lines",
        "paths",
        "waiting",
        "waits",
        "frame_loads",
    ]
    assert (data["waiting"], data["waits"], data["frame_loads"]) == (0, [], [])
    assert data["schema"] == "romproof.report/1"
    assert data["clock"] == {"name": "nes-ntsc", "hz": 1789773, "cycles_per_frame": 29780.5}
    wait = data["routines"][0]
    assert wait == {
        "name": "wait",
        "also": [],
        "kind": "routine",
        "file": "program.s",
        "line": 15,
        "address": wait["address"],
        "bank": None,
        "calls": 2,
        "exclusive": 44,
        "share": 44 / 62,
        "inclusive": 44,
        "minimum": 22,
        "mean": 22.0,
        "maximum": 22,
        "frames": 22 / 29780.5,
        "claim": {"minimum": 10, "maximum": 12, "kept": False},
        "clobbers": ["X", "N", "Z"],
    }
    assert data["routines"][1]["claim"] is data["routines"][1]["clobbers"] is None
    assert data["calls"] == [
        {
            "caller": "a_routine_with_a_rather_long_name",
            "callee": "wait",
            "calls": 2,
            "cycles": 44,
        }
    ]
    assert data["lines"][0] == {
        "file": "program.s",
        "line": 18,
        "text": "        bne loop",
        "count": 6,
        "cycles": 16,
    }


def test_an_open_claim() -> None:
    data = json.loads(JsonReporter().cycles(report_on("22..", clock="2mhz")))
    assert data["routines"][0]["claim"] == {"minimum": 22, "maximum": None, "kept": True}
    assert data["frames"] is None
    assert data["microseconds"] == 31.0


def test_a_call() -> None:
    rom = Rom(program())
    result = rom.call(
        "a_routine_with_a_rather_long_name", a=1, y=2, flags={"c": 1}, mem={"count": b"\xff\xff"}
    )
    data = json.loads(JsonReporter().call(call_report(result, {"count": result.read("count")})))
    assert data == {
        "schema": "romproof.run/1",
        "symbol": "a_routine_with_a_rather_long_name",
        # flags: C as given, Z by the last dex, N V D I as every call begins and dex leaves them
        "registers": {"a": 1, "x": 0, "y": 2, "s": 255, "p": 0x67},
        "flags": {"n": 0, "v": 1, "d": 0, "i": 1, "z": 1, "c": 1},
        "cycles": 31,
        "instructions": 10,
        "stack": 0,
        "changed": [
            {"address": rom.image.address("count"), "symbol": "count", "old": 255, "new": 0}
        ],
        "memory": {"count": "00ff"},
    }


def test_diagnostics() -> None:
    source = Source("x.s", " foo\n")
    found = diagnostics_json(
        [
            Diagnostic(Severity.ERROR, "bad", Span(source, 1, 2, 3), "fix it"),
            Diagnostic(Severity.WARNING, "odd"),
        ]
    )
    assert found == [
        {
            "severity": "error",
            "message": "bad",
            "file": "x.s",
            "line": 1,
            "column": 2,
            "length": 3,
            "help": "fix it",
            "option": None,
        },
        {
            "severity": "warning",
            "message": "odd",
            "file": None,
            "line": None,
            "column": None,
            "length": None,
            "help": None,
            "option": None,
        },
    ]
