"""What a wheel says of itself: compiled, or why not."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from romproof.support.version import read_build_note

ROOT = Path(__file__).parents[2]
SOURCE = """
.macro twice what
    .byte what, <(what + label)
.endmacro
label: lda #start - label + 1
    jmp other
start: twice 3
.export other := label
"""


@pytest.fixture(scope="module")
def hook() -> ModuleType:
    """The module hatch_build.py."""
    pytest.importorskip("hatchling")
    spec = importlib.util.spec_from_file_location("romproof_hatch_build", ROOT / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def build_data(
    hook: ModuleType, monkeypatch: pytest.MonkeyPatch, version: str, fails: bool = False
) -> tuple[dict[str, Any], str, list[str]]:
    """The build data, the note that goes into the wheel, and the warnings of one build."""

    def compile_modules(package: Path, folder: Path) -> list[Path]:
        if fails:
            raise subprocess.CalledProcessError(3, ["gcc"], "x.c:1: error: no")
        (folder / "x.so").write_bytes(b"")
        return [folder / "x.so"]

    warnings: list[str] = []
    monkeypatch.setattr(hook, "compile_modules", compile_modules)
    app = SimpleNamespace(display_warning=warnings.append)
    made = hook.CustomBuildHook(str(ROOT), {}, None, None, "", "wheel", app)
    data: dict[str, Any] = {"force_include": {}}
    made.initialize(version, data)
    inside = {there: Path(here) for here, there in data["force_include"].items()}
    note = inside.pop("romproof/compiled.txt", None)
    said = read_build_note(note.parent) if note else ""
    data["force_include"] = sorted(inside)
    made.finalize(version, data, "")
    assert note is None or not note.exists()
    return data, said, warnings


def test_a_compiled_wheel_says_so(hook: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hook, "obstacle", lambda: None)
    data, note, warnings = build_data(hook, monkeypatch, "standard")
    assert data == {"force_include": ["x.so"], "pure_python": False, "infer_tag": True}
    assert (note, warnings) == ("compiled", [])


def test_a_wheel_that_is_not_says_why(hook: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hook, "obstacle", lambda: None)
    data, note, warnings = build_data(hook, monkeypatch, "standard", fails=True)
    assert data == {"force_include": []}
    assert note == "not compiled: mypyc or the C compiler fails (exit code 3)"
    assert len(warnings) == 1


def test_an_editable_installation_is_never_compiled(
    hook: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hook, "obstacle", lambda: None)
    assert build_data(hook, monkeypatch, "editable") == ({"force_include": []}, "", [])


def test_where_nothing_can_be_compiled_nothing_is_tried(
    hook: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ROMPROOF_COMPILE", raising=False)
    monkeypatch.setenv("CC", "no-such-compiler -m64")
    if os.name == "posix" and sys.implementation.name == "cpython":
        assert hook.obstacle() == "there is no C compiler 'no-such-compiler'"
        monkeypatch.setenv("CC", sys.executable)
        assert hook.obstacle() is None
        made = hook.CustomBuildHook(str(ROOT), {}, None, None, "", "wheel", None)
        assert made.dependencies() == ["mypy>=1.11", "setuptools>=68"]
    monkeypatch.setenv("ROMPROOF_COMPILE", "0")
    data, note, warnings = build_data(hook, monkeypatch, "standard", fails=True)
    assert (data, note, warnings) == (
        {"force_include": []},
        "not compiled: ROMPROOF_COMPILE is 0",
        [],
    )
    made = hook.CustomBuildHook(str(ROOT), {}, None, None, "", "wheel", None)
    assert made.dependencies() == []


def test_what_is_compiled_is_there(hook: ModuleType) -> None:
    files = [f"{place}/{name}.py" for place, names in hook.MODULES.items() for name in names]
    assert [path for path in files if not (ROOT / "pytools" / path).is_file()] == []


def test_nothing_is_said_where_no_wheel_was_built(tmp_path: Path) -> None:
    assert read_build_note(tmp_path) == ""


def _linked(package_path: Path, folder: Path) -> dict[str, bytes]:
    """What ca65 and ld65 of a package make of a program, but for the object, which has a time.

    The source's own time is set: the debug file has it, and the second of two sources
    may be written a second later.
    """
    folder.mkdir()
    (folder / "x.s").write_text(SOURCE, "utf-8")
    os.utime(folder / "x.s", (1_000_000_000, 1_000_000_000))
    for words in (
        "ca65 -g x.s -o x.o",
        "ld65 -t none x.o -o x -Ln x.lbl -m x.map --dbgfile x.dbg",
    ):
        subprocess.run(
            [sys.executable, "-m", "romproof", *words.split()],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(package_path)},
            check=True,
        )
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.suffix != ".o"}


@pytest.mark.slow
def test_compiled_modules_make_the_same_files(hook: ModuleType, tmp_path: Path) -> None:
    """Compiling takes a minute; what comes of it links a program as plain Python does."""
    pytest.importorskip("mypyc")
    pytest.importorskip("setuptools")
    if hook.obstacle() not in (None, "ROMPROOF_COMPILE is 0"):
        pytest.skip(hook.obstacle())
    built = tmp_path / "built"
    made = hook.compile_modules(ROOT / "pytools" / "romproof", built)
    count = sum(map(len, hook.MODULES.values()))
    assert len([path for path in made if path.parent != built]) >= count
    (built / "setup.py").unlink()
    plain = _linked(ROOT / "pytools", tmp_path / "plain")
    assert _linked(built, tmp_path / "fast") == plain
    assert plain["x"][:2] == bytes((0xA9, 6))  # lda #5 + 1
