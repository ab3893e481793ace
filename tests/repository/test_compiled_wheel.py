"""What a wheel says of itself: compiled, or why not. Nothing is compiled here."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from romproof.text.version import compiled_note

ROOT = Path(__file__).parents[2]


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


def metadata() -> Any:
    """What is known of the distribution: the command that an installer writes a script for."""
    return SimpleNamespace(core=SimpleNamespace(scripts={"romproof": "romproof.__main__:main"}))


PLAIN = {"force_include": [], "shared_scripts": {}, "entry_points": ["romproof"]}
"""The build data of a wheel that is not compiled."""


def built(
    hook: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    version: str,
    failing: str,
    obstacle: str = "",
) -> tuple[dict[str, Any], str, list[str]]:
    """The build data, the note that goes into the wheel, and the warnings of one build."""

    def compiled(package: Path, folder: Path) -> list[Path]:
        if failing:
            raise hook.NotCompiled(failing)
        (folder / "x.so").write_bytes(b"")
        return [folder / "x.so"]

    warnings: list[str] = []
    monkeypatch.setattr(hook, "compiled", compiled)
    monkeypatch.setattr(hook, "obstacle", lambda: obstacle)
    app = SimpleNamespace(display_warning=warnings.append)
    made = hook.CustomBuildHook(str(ROOT), {}, None, metadata(), "", "wheel", app)
    data: dict[str, Any] = {"force_include": {}, "shared_scripts": {}}
    made.initialize(version, data)
    inside = {there: Path(here) for here, there in data["force_include"].items()}
    note = inside.pop("romproof/compiled.txt", None)
    said = compiled_note(note.parent) if note else ""
    data["force_include"] = sorted(inside)
    scripts = {name: Path(here).read_text("utf-8") for here, name in data["shared_scripts"].items()}
    data["shared_scripts"] = scripts
    data["entry_points"] = sorted(made.metadata.core.scripts)
    made.finalize(version, data, "")
    return data, said, warnings


def test_a_wheel_that_is_compiled_says_so(
    hook: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, note, warnings = built(hook, monkeypatch, "standard", "")
    script = data.pop("shared_scripts")
    entries = data.pop("entry_points")
    assert data == {"force_include": ["x.so"], "pure_python": False, "infer_tag": True}
    if os.name == "posix":
        assert (list(script), entries) == (["romproof"], [])
    else:
        assert (script, entries) == ({}, ["romproof"])
    assert (note, warnings) == ("compiled", [])


def test_the_command_of_a_compiled_wheel_is_the_command(hook: ModuleType, tmp_path: Path) -> None:
    script = tmp_path / "romproof"
    script.write_text(hook._SCRIPT, "utf-8")
    assert hook._SCRIPT.startswith("#!python\n"), "an installer puts its own Python there"
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "pytools")}
    said = [
        subprocess.run(
            [sys.executable, *command, "ca65", "nothing.s"],
            env=environment,
            capture_output=True,
            text=True,
        )
        for command in ([str(script)], ["-m", "romproof"])
    ]
    assert said[0].returncode == said[1].returncode == 1
    assert said[0].stderr == said[1].stderr
    assert "nothing.s" in said[0].stderr


def test_a_wheel_that_is_not_says_why(hook: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    data, note, warnings = built(hook, monkeypatch, "standard", "no gcc\nat all")
    assert data == PLAIN
    assert note == "not compiled: no gcc at all"
    assert len(warnings) == 1


def test_an_editable_installation_is_never_compiled(
    hook: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert built(hook, monkeypatch, "editable", "") == (PLAIN, "", [])


def test_where_nothing_can_be_compiled_nothing_is_tried(
    hook: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, note, warnings = built(hook, monkeypatch, "standard", "it was tried", "there is no cc")
    assert (data, note, warnings) == (PLAIN, "not compiled: there is no cc", [])
    made = hook.CustomBuildHook(str(ROOT), {}, None, None, "", "wheel", None)
    assert made.dependencies() == []


def test_what_keeps_from_compiling(
    hook: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("ROMPROOF_COMPILE", "0")
    assert hook.obstacle() == "ROMPROOF_COMPILE is 0"
    monkeypatch.delenv("ROMPROOF_COMPILE")
    if hook.os.name == "nt" or sys.implementation.name != "cpython":
        return
    monkeypatch.setenv("CC", "no-such-compiler -m64")
    assert hook.obstacle() == "there is no C compiler 'no-such-compiler'"
    monkeypatch.setenv("CC", sys.executable)
    monkeypatch.setattr(hook.sysconfig, "get_path", lambda name: str(tmp_path))
    assert hook.obstacle() == f"Python's headers for C are not in {tmp_path}"
    (tmp_path / "Python.h").write_text("", "utf-8")
    assert hook.obstacle() == ""
    made = hook.CustomBuildHook(str(ROOT), {}, None, None, "", "wheel", None)
    assert made.dependencies() == ["mypy>=1.11", "setuptools>=68"]


def test_what_is_compiled_is_there(hook: ModuleType) -> None:
    assert [path for path in hook.MODULES if not (ROOT / "pytools" / path).is_file()] == []


def test_the_reason_is_the_last_error_of_what_failed(hook: ModuleType, tmp_path: Path) -> None:
    script = "import sys; print('x.c:1: error: no'); print('that was all'); sys.exit(3)"
    with pytest.raises(hook.NotCompiled) as caught:
        hook.carried_out("gcc fails", [sys.executable, "-c", script], tmp_path, {})
    assert str(caught.value) == "gcc fails (exit code 3): x.c:1: error: no"
    assert hook.reason("ld65 fails", 1, "") == "ld65 fails (exit code 1): it printed nothing"
    assert len(hook.one_line("a" * 999)) == 300


def test_nothing_is_said_where_no_wheel_was_built(tmp_path: Path) -> None:
    assert compiled_note(tmp_path) == ""


def test_plain_python_passes_the_trial_of_what_is_compiled(
    hook: ModuleType, tmp_path: Path
) -> None:
    (tmp_path / "x.s").write_text(hook._SOURCE, "utf-8")
    made = hook.trial("plain Python", ROOT / "pytools", tmp_path)
    assert sorted(made) == ["x", "x.dbg", "x.lbl", "x.map", "x.s"]
    assert made["x"][:2] == bytes((0xA9, 6))  # lda #5 + 1


@pytest.mark.slow
def test_a_start_with_what_a_build_adds_is_the_same_and_looks_for_little(
    hook: ModuleType, tmp_path: Path
) -> None:
    """Translated patterns and the file of modules, here without anything that is compiled."""
    shutil.copytree(
        ROOT / "pytools" / "romproof",
        tmp_path / "romproof",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    made = hook.translated(tmp_path) + hook.bundled(tmp_path, tmp_path / "tried")
    assert [path.parent.name for path in made] == ["text", "romproof"]
    places = tmp_path / "new", tmp_path / "old"
    for place in places:
        place.mkdir()
        (place / "x.s").write_text(hook._SOURCE, "utf-8")
    new = hook.trial("with what a build adds", tmp_path, places[0])
    assert new == hook.trial("plain Python", ROOT / "pytools", places[1])
    script = tmp_path / "script"
    script.write_text(hook._SCRIPT, "utf-8")
    command = [sys.executable, "-S", "-X", "importtime", str(script), "ca65", "x.s"]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    said = hook.carried_out("it", command, places[0], environment)
    asked = {line.split("|")[-1].strip() for line in said.splitlines() if "|" in line}
    assert "romproof.toolchains.ca65.asm.quick.lines" in asked
    assert not asked & {
        "__future__",
        "re",
        "enum",
        "functools",
        "dataclasses",
        "typing",
    }


def test_only_what_is_compiled_fetches_a_compiler(
    hook: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.delenv("ROMPROOF_COMPILE", raising=False)
    editable = hook.get_requires_for_build_editable()
    assert not [name for name in editable if name.startswith(("mypy", "setuptools"))]
    if not hook.obstacle():  # as it was before
        wheel = hook.get_requires_for_build_wheel()
        assert [name for name in wheel if name.startswith("mypy")]
