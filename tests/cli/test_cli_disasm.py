from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_programs import Run

CODE = bytes.fromhex("a205cad0fd60")


@pytest.fixture(autouse=True)
def image(tmp_path: Path) -> None:
    (tmp_path / "x.bin").write_bytes(CODE)


def test_disassemble_and_assemble_again(romproof: Run, tmp_path: Path) -> None:
    done = romproof("disasm", "x.bin", "--start", "$C000")
    assert (done.returncode, done.stderr) == (0, "")
    assert "bne LC002               ; C003  D0 FD     2/3" in done.stdout
    (tmp_path / "x.s").write_text(done.stdout)
    again = romproof("asm", "x.s", "-o", "y.bin")
    assert (again.returncode, again.stderr) == (0, "")
    assert (tmp_path / "y.bin").read_bytes() == CODE


def test_labels_and_a_range(romproof: Run, tmp_path: Path) -> None:
    (tmp_path / "x.lbl").write_text("al C:c002 .loop\nal 00C005 .done\n")
    args = "disasm x.bin --start 0xc000 --labels x.lbl --range $C002-$C004 --json"
    assert json.loads(romproof(*args.split()).stdout) == {
        "schema": "romproof.disasm/1",
        "start": 0xC002,
        "rows": [
            {
                "address": 0xC002,
                "bytes": "ca",
                "label": "loop",
                "source": "dex",
                "cycles": "2",
                "note": None,
            },
            {
                "address": 0xC003,
                "bytes": "d0fd",
                "label": None,
                "source": "bne loop",
                "cycles": "2/3",
                "note": None,
            },
        ],
        "equates": [],
    }


@pytest.mark.parametrize(
    ("args", "code", "told"),
    [
        ("disasm nope.bin", 1, "nope.bin: No such file or directory"),
        ("disasm x.bin --start $FFFF", 1, "do not fit into 64 KiB"),
        ("disasm x.bin --start q", 2, "'q' is not a number"),
        ("disasm x.bin --range 1", 2, "write 0x8000-0x80FF"),
        ("disasm x.bin --range 5-1", 2, "is empty"),
        ("disasm x.bin --start 5 --range 1-2", 2, "has no bytes at $0001-$0002"),
        ("disasm x.bin --labels nope.lbl", 1, "nope.lbl: No such file or directory"),
        ("disasm .", 2, "is a directory"),
    ],
)
def test_what_is_refused(romproof: Run, args: str, code: int, told: str) -> None:
    done = romproof(*args.split())
    assert done.returncode == code
    assert told in done.stderr


def test_a_label_file_with_a_fault(romproof: Run, tmp_path: Path) -> None:
    (tmp_path / "x.lbl").write_text("al zzz\n")
    done = romproof("disasm", "x.bin", "--labels", "x.lbl")
    assert done.returncode == 1
    assert "x.lbl:1:1: error: cannot read this label" in done.stderr


REFUSED = {
    "game.zip": (b"PK\x03\x04" + bytes(60), "this is packed"),
    "any.dat": (b"FDS\x1a" + bytes(60), "a disk of the Famicom Disk System"),
    "game.hex": (b":00000001FF\n", "an image as text"),
    "disk.dat": (bytes(174_848), "a disk image"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_image_is_refused_unless_its_bytes_are_meant(
    romproof: Run, tmp_path: Path, name: str
) -> None:
    data, reason = REFUSED[name]
    (tmp_path / name).write_bytes(data)
    done = romproof("disasm", name)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"error: {name}: this is" in done.stderr
    assert reason in done.stderr
    assert "--start ADDR" in done.stderr
    meant = romproof("disasm", name, "--start", "0", "--range", "0-$A")
    assert (meant.returncode, meant.stderr) == (0, "")
    assert len(meant.stdout.splitlines()) > 3
