"""Where files are looked for, and what happens without them."""

from __future__ import annotations

from pathlib import Path

import pytest

from romproof.text.diagnostic import Diagnostics
from romproof.toolchains.rgbds.asm.files import Files, StopQuietly
from romproof.toolchains.rgbds.asm.options import MissingInclude, RgbdsOptions
from romproof.toolchains.rgbds.asm.report import Reporter


class Desk:
    """Files with what was reported and what was told as a dependency."""

    def __init__(self, *include: Path, missing: MissingInclude = MissingInclude.ERROR) -> None:
        self.told: list[str] = []
        self.diagnostics = Diagnostics()
        options = RgbdsOptions(include=include, missing_include=missing, reading=self.told.append)
        self.files = Files(options, Reporter(self.diagnostics))

    @property
    def messages(self) -> list[str]:
        return [item.message for item in self.diagnostics.items]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with two folders to search."""
    monkeypatch.chdir(tmp_path)
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "both.bin").write_bytes(name.encode())
    (tmp_path / "two" / "late.bin").write_bytes(b"0123456789")
    (tmp_path / "two" / "ä.bin").write_bytes(b"umlaut")
    (tmp_path / "one" / "late.bin").mkdir()
    return tmp_path


def test_folders_in_their_order(folder: Path) -> None:
    desk = Desk(Path("one"), Path("two"))
    assert desk.files.slice("both.bin") == b"one"
    # a folder of that name is none
    assert desk.files.slice("late.bin") == b"0123456789"
    (folder / "both.bin").write_bytes(b"here")
    assert desk.files.slice("both.bin") == b"here"
    assert desk.told == ["one/both.bin", "two/late.bin", "both.bin"]
    assert desk.files.dependencies == desk.told
    assert desk.messages == []


def test_names_are_bytes(folder: Path) -> None:
    name = "ä.bin".encode().decode("latin-1")
    assert Desk(Path("two")).files.slice(name) == b"umlaut"
    assert Desk().files.find("a\0b") is None


@pytest.mark.parametrize(
    ("start", "length", "data", "messages"),
    [
        (3, None, b"3456789", []),
        (10, None, b"", []),
        (3, 2, b"34", []),
        (99, 0, b"", []),
        (
            11,
            None,
            b"",
            ['Specified start position (11) is greater than length of "late.bin" (10)'],
        ),
        (
            8,
            3,
            b"",
            ['Specified range in `INCBIN` file "late.bin" is out of bounds (8 + 3 > 10)'],
        ),
    ],
)
def test_slices(
    folder: Path, start: int, length: int | None, data: bytes, messages: list[str]
) -> None:
    desk = Desk(Path("two"))
    assert desk.files.slice("late.bin", start, length) == data
    assert desk.messages == messages


def test_text(folder: Path) -> None:
    files = Desk(Path("two")).files
    assert (files.text("late.bin"), files.text("late.bin", 4)) == ("0123456789", "0123")


def test_missing_is_an_error(folder: Path) -> None:
    desk = Desk()
    assert desk.files.text("none.txt") == ""
    assert desk.messages == ['Error opening `READFILE` file "none.txt": No such file or directory']
    assert desk.told == []
    assert not desk.files.failed


def test_missing_stops(folder: Path) -> None:
    desk = Desk(missing=MissingInclude.EXIT)
    with pytest.raises(StopQuietly):
        desk.files.read("none.inc", "`INCLUDE`")
    assert (desk.told, desk.messages, desk.files.failed) == (["none.inc"], [], True)


def test_missing_is_passed_over(folder: Path) -> None:
    desk = Desk(missing=MissingInclude.CONTINUE)
    assert desk.files.slice("none.bin") == b""
    assert (desk.told, desk.messages, desk.files.failed) == (["none.bin"], [], True)
