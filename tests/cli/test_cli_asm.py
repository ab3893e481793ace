from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_programs import Run

SOURCE = "        .export main\nmain:   lda #VALUE\n        rts\n"


@pytest.fixture(autouse=True)
def source(tmp_path: Path) -> None:
    (tmp_path / "main.s").write_text(SOURCE)


@pytest.mark.parametrize("value", ["VALUE=12", "VALUE=$0C", "VALUE=0x0c", "VALUE=%1100"])
def test_an_image(romproof: Run, tmp_path: Path, value: str) -> None:
    done = romproof("asm", "main.s", "-o", "main.bin", "-D", value)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (tmp_path / "main.bin").read_bytes() == b"\xa9\x0c\x60"


def test_a_define_without_a_value_is_zero(romproof: Run, tmp_path: Path) -> None:
    assert romproof("asm", "main.s", "-o", "main.bin", "-D", "VALUE").returncode == 0
    assert (tmp_path / "main.bin").read_bytes() == b"\xa9\x00\x60"


def test_everything_that_goes_along(romproof: Run, tmp_path: Path) -> None:
    args = "asm main.s -o out/main.bin -D VALUE=1 --start-address $2000 --json "
    args += "--listing out/main.lst --labels out/main.lbl --map out/main.map"
    done = romproof(*args.split())
    assert done.returncode == 0
    data = json.loads(done.stdout)
    assert (data["schema"], data["ok"], data["diagnostics"]) == ("romproof.asm/1", True, [])
    names = ["out/main.bin", "out/main.lst", "out/main.lbl", "out/main.map"]
    assert [file["path"] for file in data["files"]] == names
    assert [file["size"] for file in data["files"]] == [
        (tmp_path / name).stat().st_size for name in names
    ]
    code = next(s for s in data["segments"] if s["name"] == "CODE")
    assert code == {
        "name": "CODE",
        "run": 0x2000,
        "load": 0x2000,
        "size": 3,
        "kind": "rw",
        "area": "MAIN",
    }
    assert "2000     A9 01" in (tmp_path / "out/main.lst").read_text()
    assert "al 002000 .main\n" in (tmp_path / "out/main.lbl").read_text()
    assert "MAIN" in (tmp_path / "out/main.map").read_text()


def test_files_named_by_the_configuration(romproof: Run, tmp_path: Path) -> None:
    (tmp_path / "two.cfg").write_text(
        "MEMORY { A: start = $8000, size = $10, file = %O; "
        'B: start = 0, size = 4, file = "b.chr"; }\n'
        "SEGMENTS { CODE: load = A, type = ro; CHARS: load = B, type = ro; }\n"
    )
    (tmp_path / "chars.s").write_text('        .segment "CHARS"\n        .byte 1, 2\n')
    done = romproof(*["asm", "main.s", "chars.s", "-o", "a.bin", "-C", "two.cfg", "-D", "VALUE=2"])
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "a.bin").read_bytes() == b"\xa9\2\x60"
    assert (tmp_path / "b.chr").read_bytes() == b"\1\2"


def test_cpu_feature_and_include(romproof: Run, tmp_path: Path) -> None:
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "x.inc").write_text("        lax $10\nstart\n        rts\n")
    (tmp_path / "u.s").write_text('        .include "x.inc"\n')
    args = "asm u.s -o u.bin -I inc --cpu 6502x --feature labels_without_colons"
    assert romproof(*args.split()).stderr == ""
    assert (tmp_path / "u.bin").read_bytes() == b"\xa7\x10\x60"


def test_a_failed_build_tells_all_and_writes_nothing(romproof: Run, tmp_path: Path) -> None:
    (tmp_path / "bad.s").write_text("        lda #300\n        foo\n")
    (tmp_path / "main.bin").write_bytes(b"old")
    done = romproof(*["asm", "main.s", "bad.s", "-o", "main.bin", "--listing", "a.lst", "--json"])
    assert done.returncode == 1
    for place in ("main.s:2:", "bad.s:1:", "bad.s:2:9: error: ", "3 errors"):
        assert place in done.stderr
    assert "\x1b" not in done.stderr
    data = json.loads(done.stdout)
    assert (data["ok"], data["files"]) == (False, [])
    assert [(d["file"], d["line"]) for d in data["diagnostics"]] == [
        ("main.s", 2),
        ("bad.s", 1),
        ("bad.s", 2),
    ]
    assert (tmp_path / "main.bin").read_bytes() == b"old"
    assert not (tmp_path / "a.lst").exists()


def test_warnings_go_to_stderr_and_do_not_fail(romproof: Run, tmp_path: Path) -> None:
    (tmp_path / "w.s").write_text('        .warning "mind the gap"\n        .out "hello"\n')
    done = romproof("asm", "w.s", "-o", "w.bin")
    assert done.returncode == 0
    assert "w.s:1:9: warning: " in done.stderr
    assert "mind the gap" in done.stderr
    assert done.stdout == "hello\n"
    assert (tmp_path / "w.bin").exists()
    as_json = romproof("asm", "w.s", "-o", "w.bin", "--json")
    assert [d["severity"] for d in json.loads(as_json.stdout)["diagnostics"]] == ["warning"]
    assert "hello" in as_json.stderr


@pytest.mark.parametrize(
    ("args", "code", "told"),
    [
        ("asm nope.s -o x", 1, "nope.s"),
        ("asm main.s -o x -C nope.cfg -D VALUE", 1, "nope.cfg"),
        ("asm main.s -o x -D VALUE=q", 2, "'q' is not a number; write VALUE=12 or VALUE=0x0C"),
        ("asm main.s -o x -D 1=1", 2, "'1' is not a valid name of a symbol"),
        ("asm main.s -o x --cpu 6503", 2, "did you mean '6502'?"),
        ("asm main.s -o x --feature at_in_ident", 2, "did you mean 'at_in_identifiers'?"),
        ("asm main.s -o x --start-address $10000", 2, "not within 0..65535"),
        ("asm main.s", 2, "Missing option '-o'"),
        ("asm -o x", 2, "Missing argument 'FILES...'"),
        ("asm main.s -o main.s", 2, "cannot write 'main.s': this file is an input of the command"),
        (
            "asm main.s -o x --map x",
            2,
            "cannot write 'x': this file is another output of the command",
        ),
    ],
)
def test_what_is_refused(romproof: Run, tmp_path: Path, args: str, code: int, told: str) -> None:
    done = romproof(*args.split())
    assert done.returncode == code
    assert told in done.stderr
    assert not (tmp_path / "x").exists()
    assert (tmp_path / "main.s").read_text() == SOURCE


def test_an_output_that_cannot_be_written(romproof: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = romproof("asm", "main.s", "-o", "file/x.bin", "-D", "VALUE")
    assert done.returncode == 1
    assert done.stderr.startswith("error: ")
    assert len(done.stderr.splitlines()) == 1
