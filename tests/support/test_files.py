"""Results are written whole or not at all."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from romproof.support.files import write_all, write_atomically, writing


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


def test_what_is_no_file_is_written_to_and_stays_what_it_is(tmp_path: Path) -> None:
    pipe, got = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    blocked = tmp_path / "folder"
    blocked.mkdir()
    with pytest.raises(OSError, match="folder"):
        write_all([(pipe, b"image"), (blocked, b"new")])
    reader.join(10)
    assert got == [b"image"]
    assert pipe.is_fifo()


def test_a_link_stays_and_its_file_is_replaced(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_bytes(b"old")
    link.symlink_to("real")
    write_atomically(link, b"new")
    assert link.is_symlink()
    assert real.read_bytes() == b"new"


def test_errors_name_the_file_that_was_wanted(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError) as folder:
        write_atomically(tmp_path, b"")
    assert folder.value.filename == str(tmp_path)
    long = tmp_path / ("x" * 300)
    with pytest.raises(OSError, match=r"x{300}"):
        write_atomically(long, b"")


def test_a_name_may_be_as_long_as_the_file_system_takes(tmp_path: Path) -> None:
    target = tmp_path / ("x" * 255)
    write_atomically(target, b"new")
    assert target.read_bytes() == b"new"
    assert len(os.listdir(tmp_path)) == 1


def test_a_file_that_is_written_bit_by_bit_appears_whole(tmp_path: Path) -> None:
    target = tmp_path / "new" / "trace.log"
    with writing(target) as file:
        file.write("one\n")
        assert not target.exists()
        file.write("zwei ä\n")
    assert target.read_text("utf-8") == "one\nzwei ä\n"
    with pytest.raises(UnicodeEncodeError), writing(target) as file:
        file.write("three\n\ud800")
    assert target.read_text("utf-8") == "one\nzwei ä\n"
    assert list(target.parent.iterdir()) == [target]
    assert target.stat().st_mode & 0o777 == 0o666 & ~_umask()
    with pytest.raises(IsADirectoryError), writing(tmp_path):
        pass
    with writing(Path("/dev/null")) as file:
        file.write("gone")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


@pytest.mark.parametrize("name", ["fresh/", "fresh/sub/"])
def test_what_is_written_as_a_folder_is_no_file_and_none_is_made(tmp_path: Path, name: str) -> None:
    path = f"{tmp_path}/{name}"
    with pytest.raises(IsADirectoryError) as fault:
        write_atomically(path, b"x")
    assert fault.value.filename == path
    with pytest.raises(IsADirectoryError), writing(path):
        pass
    assert list(tmp_path.iterdir()) == []
