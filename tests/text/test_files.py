"""Results are written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from romproof.text.files import write_atomically


def test_writes_bytes_and_text_and_makes_folders(tmp_path: Path) -> None:
    target = tmp_path / "deep" / "rom.bin"
    write_atomically(target, b"\x01\x02")
    assert target.read_bytes() == b"\x01\x02"
    write_atomically(target, "ä")
    assert target.read_bytes() == "ä".encode()
    assert os.listdir(target.parent) == ["rom.bin"]


def test_a_failure_keeps_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "rom.bin"
    target.write_bytes(b"old")

    def fail(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        write_atomically(target, b"new")
    assert target.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["rom.bin"]


def test_a_new_file_has_ordinary_permissions(tmp_path: Path) -> None:
    plain, ours = tmp_path / "plain", tmp_path / "ours"
    plain.write_bytes(b"")
    write_atomically(ours, b"")
    assert ours.stat().st_mode == plain.stat().st_mode
