"""What is kept between runs is used only if this user wrote it."""

from __future__ import annotations

import ast
import hashlib
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from romproof.support import cache

PYTOOLS = Path(__file__).parents[2] / "pytools"
DATA = b"machine code"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ROMPROOF_CACHE", str(tmp_path / "kept"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "state"))
    cache.keep("a.o", DATA)
    assert cache.recall("a.o") == DATA
    return tmp_path / "kept"


def test_nobody_else_can_read_the_key_or_write_what_is_kept(folder: Path, tmp_path: Path) -> None:
    key = tmp_path / "state" / "romproof" / "cache.key"
    assert len(key.read_bytes()) == 32
    assert [path.stat().st_mode & 0o777 for path in (key, folder / "a.o")] == [0o600] * 2


def _old_form(file: Path) -> None:
    file.write_bytes(hashlib.sha256(DATA).digest() + DATA)


def _without_key(file: Path) -> None:
    digest = hashlib.blake2b(b"a.o\n" + DATA, digest_size=32).digest()
    file.write_bytes(b"romproof kept 1\n" + digest + DATA)


def _renamed(file: Path) -> None:
    cache.keep("b.o", b"other code")
    os.replace(file.with_name("b.o"), file)


def _linked(file: Path) -> None:
    file.rename(file.with_name("elsewhere"))
    file.symlink_to(file.with_name("elsewhere"))


CHANGES: dict[str, Callable[[Path], object]] = {
    "another digest": _old_form,
    "a digest without the key": _without_key,
    "another one's contents": _renamed,
    "a bit": lambda file: file.write_bytes(file.read_bytes()[:-1] + b"f"),
    "cut off": lambda file: file.write_bytes(file.read_bytes()[:-1]),
    "empty": lambda file: file.write_bytes(b""),
    "writable for the group": lambda file: file.chmod(0o620),
    "writable for all": lambda file: file.chmod(0o602),
    "a link": _linked,
    "a folder": lambda file: (file.unlink(), file.mkdir()),
    "a pipe": lambda file: (file.unlink(), os.mkfifo(file)),
}


@pytest.mark.skipif(os.name != "posix", reason="files have no owners here")
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_this_user_did_not_write_is_not_there(
    folder: Path, change: Callable[[Path], object]
) -> None:
    change(folder / "a.o")
    assert cache.recall("a.o") is None


def test_another_user_s_file_is_not_there(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not hasattr(os, "geteuid"):
        pytest.skip("files have no owners here")
    me = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: me + 1)
    assert cache.recall("a.o") is None


def test_where_files_have_no_owners_the_key_decides(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "_OWNERS", False)
    assert cache.recall("a.o") == DATA
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "another"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "another"))
    assert cache.recall("a.o") is None, "another user has another key"
    cache.keep("a.o", b"theirs")
    assert cache.recall("a.o") == b"theirs"


@pytest.mark.parametrize("damage", [b"", b"short", bytes(33)])
def test_a_key_that_is_none_is_made_anew(folder: Path, tmp_path: Path, damage: bytes) -> None:
    key = tmp_path / "state" / "romproof" / "cache.key"
    key.write_bytes(damage)
    assert cache.recall("a.o") is None
    cache.keep("a.o", DATA)
    assert cache.recall("a.o") == DATA


def test_without_a_home_the_key_is_beside_what_is_kept(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "file"))
    cache.keep("a.o", DATA)
    assert cache.recall("a.o") == (DATA if os.name == "posix" else None)


def _names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def _name(first: str, number: int, ending: str = ".o") -> str:
    return first + hashlib.sha256(bytes([number])).hexdigest()[1:] + ending


def test_what_was_not_used_for_longest_goes_when_all_is_too_much(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ten files of 1,000 bytes and their heads; then a limit of five of them."""
    names = [_name("f", n) for n in range(10)]
    size = 1000 + len(b"romproof kept 1\n") + 32
    for age, name in enumerate(names):
        cache.keep(name, bytes(1000))
        os.utime(folder / name, (1000 + age, 1000 + age))
    others = ("notes.txt", "0" * 64, "g" * 64 + ".o", "A" * 64 + ".o")
    for other in others:
        (folder / other).write_bytes(bytes(5000))
        os.utime(folder / other, (1, 1))
    os.utime(folder / "a.o", (1, 1))
    assert cache.recall(names[2]) == bytes(1000)  # it is used now
    monkeypatch.setattr(cache, "MAX_BYTES", 5 * size)
    cache.keep(_name("1", 77), bytes(1000))
    assert _names(folder).issuperset(names)  # it is not looked at each time
    newest = _name("0", 78)
    cache.keep(newest, bytes(1000))
    left = _names(folder)
    # nine tenths of five are four: the new ones, and of the others those used last
    kept = [n for n in left if n in {*names, newest, _name("1", 77)}]
    assert (len(kept), newest in kept, names[2] in kept) == (4, True, True)
    assert names[0] not in kept
    # what has another name was put there by somebody else, or says what it is
    assert left.issuperset((*others, "a.o"))


def test_links_are_not_followed_when_the_cache_shrinks(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "mine"
    target.write_bytes(bytes(10_000))
    link = folder / _name("e", 5)
    link.symlink_to(target)
    monkeypatch.setattr(cache, "MAX_BYTES", 10)
    newest = _name("0", 1)
    cache.keep(newest, b"new")
    assert target.exists()
    assert link.is_symlink()
    assert cache.recall(newest) == b"new"


def test_with_no_place_nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    for chosen in ("", "/proc/nowhere"):
        monkeypatch.setenv("ROMPROOF_CACHE", chosen)
        cache.keep("a.o", DATA)
        assert cache.recall("a.o") is None


def test_nothing_unpickles_and_only_one_module_names_the_folder() -> None:
    suspicious = re.compile("pickle|marshal|shelve|cache_folder")
    for path in PYTOOLS.rglob("*.py"):
        imported = set[str]()
        text = path.read_text("utf-8")
        if not suspicious.search(text):  # parsing all modules takes seconds
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                imported |= {str(getattr(node, "module", "")), *(a.name for a in node.names)}
        assert not {"pickle", "marshal", "shelve"} & imported, path
        assert path.name == "cache.py" or "cache_folder" not in imported, f"{path}: keep, recall"
