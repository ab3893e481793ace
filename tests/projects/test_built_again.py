"""Files of a ROM are left as they are only where a build would write the same."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from romproof.projects import Built, Manifest, build
from romproof.projects.unchanged import MadeFiles, make
from romproof.support import cache
from romproof.text.diagnostic import render

CONFIG = "MEMORY { M: start = $1000, size = $100, file = %O; } SEGMENTS { CODE: load = M; }\n"
Again = Callable[..., MadeFiles]


@pytest.fixture
def again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Again:
    """Makes a ROM of a source, a file that it includes, and a configuration."""
    monkeypatch.setenv("ROMPROOF_CACHE", str(tmp_path / "kept"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)
    Path("main.s").write_text('.include "a.inc"\n.byte VALUE\n')
    Path("inc").mkdir()
    Path("inc/a.inc").write_text(".byte 1\n")
    Path("c.cfg").write_text(CONFIG)

    def act(value: int = 3, asked: str = "") -> MadeFiles:
        manifest = Manifest(
            "m", (Path("main.s"),), (Path("inc"),), (("VALUE", value),), config=Path("c.cfg")
        )
        return make(manifest, asked, partial(_build, manifest))

    assert not act().reused
    return act


def _build(manifest: Manifest) -> Built:
    return build(manifest, Path("out"))


def _image() -> bytes:
    return Path("out/m.bin").read_bytes()


def test_the_same_files_are_named(again: Again) -> None:
    made = again()
    assert made.reused
    assert [(path.name, size) for path, size in made.files] == [
        (path.name, path.stat().st_size) for path, _ in made.files
    ]
    assert made.files[: made.images] == ((Path("out/m.bin"), 2),)


def test_an_included_file_decides(again: Again) -> None:
    Path("inc/a.inc").write_text(".byte 2\n")
    assert not again().reused
    assert _image() == b"\2\3"


def test_a_file_that_would_be_included_instead_decides(again: Again) -> None:
    Path("a.inc").write_text(".byte 7\n")  # beside the source: it comes first
    assert not again().reused
    assert _image() == b"\7\3"


def test_settings_decide(again: Again) -> None:
    assert not again(4).reused
    assert _image() == b"\1\4"
    assert not again().reused  # its file is that of the other one
    assert not again(asked="--also").reused


@pytest.mark.parametrize("written", [b"\1", None])
def test_a_file_that_was_written_decides(again: Again, written: bytes | None) -> None:
    if written is None:
        Path("out/m.lst").unlink()
    else:
        Path("out/m.bin").write_bytes(written)
    assert not again().reused
    assert _image() == b"\1\3"
    assert again().reused


@pytest.mark.parametrize("at", [0, 40, -2])
def test_a_damaged_note_is_not_used(again: Again, at: int, tmp_path: Path) -> None:
    (note,) = (tmp_path / "kept").glob("*.built")
    data = bytearray(note.read_bytes())
    data[at] ^= 1
    note.write_bytes(data)
    assert not again().reused
    assert again().reused


def test_a_note_of_someone_else_is_not_used(again: Again, tmp_path: Path) -> None:
    (key,) = (path for path in (tmp_path / "state").rglob("*") if path.is_file())
    key.write_bytes(bytes(reversed(key.read_bytes())))
    assert not again().reused


def test_another_romproof_builds_again(again: Again, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "digest_of_packages", lambda *packages: "another")
    assert not again().reused


def test_warnings_and_prints_are_told_again(
    again: Again, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("main.s").write_text('.out "hello"\n.warning "careful"\n.byte 1\n')
    first, printed = again(), capsys.readouterr().out
    second = again()
    assert (first.reused, second.reused) == (False, True)
    assert capsys.readouterr().out == printed == "hello\n"
    assert [render(each) for each in second.diagnostics] == [
        render(each) for each in first.diagnostics
    ]
    assert "careful" in render(second.diagnostics[0])
