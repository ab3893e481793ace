"""Results are written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from romproof.text.files import write_all, write_atomically


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


def test_files_that_belong_together_are_written_all_or_none(tmp_path: Path) -> None:
    first, second = tmp_path / "a", tmp_path / "b"
    first.write_bytes(b"old")
    blocked = tmp_path / "folder"
    blocked.mkdir()
    with pytest.raises(OSError, match="folder"):
        write_all([(first, b"new"), (second, b"new"), (blocked, b"new")])
    assert first.read_bytes() == b"old"
    assert not second.exists()
    assert write_all([(first, b"new"), (second, "text")]) == [first, second]
    assert first.read_bytes() == b"new"
