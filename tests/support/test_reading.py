"""What a user names is read within limits, whatever it is."""

from __future__ import annotations

import io
import os
import threading
from pathlib import Path

import pytest

from romproof.support import files, reading
from romproof.support.reading import input_lines, read_bounded_lines, read_input, read_text
from romproof.text.numbers import HUGE, whole

needs_posix = pytest.mark.skipif(os.name != "posix", reason="links, pipes and devices")


def test_a_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"\xff\0a")
    assert read_input(path) == b"\xff\0a"
    assert read_text(path) == "\udcff\0a"
    assert read_input(path, 3) == b"\xff\0a"
    with pytest.raises(OSError, match="larger than 0 MiB") as caught:
        read_input(path, 2)
    assert caught.value.filename == str(path)


@pytest.mark.parametrize("name", ["a\0b", "\ud800"])
def test_a_name_that_no_file_has(name: str) -> None:
    with pytest.raises(OSError, match="Not a valid file name"):
        read_input(name)


@needs_posix
@pytest.mark.parametrize("device", ["/dev/zero", "/dev/urandom"])
def test_a_device_without_an_end(device: str) -> None:
    with pytest.raises(OSError, match="File is endless"):
        read_input(device, 1 << 20)


@needs_posix
def test_links_folders_and_pipes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loop, pipe = tmp_path / "loop", tmp_path / "pipe"
    loop.symlink_to("loop")
    os.mkfifo(pipe)
    with pytest.raises(OSError, match="symbolic links"):
        read_input(loop)
    with pytest.raises(IsADirectoryError):
        read_input(tmp_path)
    writer = threading.Thread(target=lambda: pipe.write_bytes(b"x" * 100_000))
    writer.start()
    assert read_input(pipe) == b"x" * 100_000
    writer.join()
    monkeypatch.setattr(reading, "_PATIENCE", 0)
    for read in (read_input, lambda name: list(input_lines(str(name)))):
        with pytest.raises(OSError, match="No process writes") as caught:
            read(pipe)
        assert not isinstance(caught.value, BrokenPipeError)  # of which no command says anything
    monkeypatch.setattr(files, "_PATIENCE", 0)
    with pytest.raises(OSError, match="pipe"):
        files.write_atomically(pipe, b"x")


@needs_posix
def test_lines_come_while_they_are_written(tmp_path: Path) -> None:
    pipe, file = tmp_path / "pipe", tmp_path / "file"
    os.mkfifo(pipe)
    first_was_read = threading.Event()

    def write() -> None:
        with pipe.open("wb", buffering=0) as end:
            end.write(b"one\n")
            assert first_was_read.wait(60)
            end.write(b"tw\xff\n" + b"last")

    writer = threading.Thread(target=write)
    writer.start()
    lines = input_lines(str(pipe))
    assert next(lines) == "one\n"
    first_was_read.set()
    assert list(lines) == ["tw\ufffd\n", "last"]
    writer.join()
    file.write_bytes(b"one\ntw\xff\n")
    assert list(input_lines(str(file))) == ["one\n", "tw\ufffd\n"]
    with pytest.raises(IsADirectoryError):
        next(input_lines(str(tmp_path)))
    with pytest.raises(OSError, match="Not a valid file name"):
        next(input_lines("a\0b"))


def test_a_line_without_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MAX_LINE", 4)
    assert list(read_bounded_lines(io.StringIO("abc\nd\n"), "x")) == ["abc\n", "d\n"]
    with pytest.raises(OSError, match="endless"):
        list(read_bounded_lines(io.StringIO("abcde"), "x"))


def test_numbers_of_any_length() -> None:
    assert whole("0" * 9000 + "12") == 12
    assert whole("ff", 16) == 255
    assert whole("9" * 5000) == whole("F" * 9000, 16) == HUGE
