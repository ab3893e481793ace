"""What a wheel says of itself: compiled, or why not; and what was compiled is kept."""

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


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROMPROOF_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def build_data(
    hook: ModuleType, monkeypatch: pytest.MonkeyPatch, version: str, fails: bool = False
) -> tuple[dict[str, Any], str, list[str]]:
    """The build data, the note that goes into the wheel, and the warnings of one build."""

    def compile_modules(package: Path, folder: Path) -> list[Path]:
        if fails:
            raise subprocess.CalledProcessError(3, ["gcc"], "x.c:1: error: no")
        folder.mkdir()
        (folder / "x.so").write_bytes(b"")
        return [folder / "x.so"]

    warnings: list[str] = []
    monkeypatch.setattr(hook.hatch_compile, "compile_modules", compile_modules)
    monkeypatch.setattr(hook.hatch_compile, "find_sources", lambda package: [])
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
    monkeypatch.setattr(hook.hatch_compile, "obstacle", lambda: None)
    data, note, warnings = build_data(hook, monkeypatch, "standard")
    assert data == {"force_include": ["x.so"], "pure_python": False, "infer_tag": True}
    assert (note, warnings) == ("compiled", [])


def test_a_wheel_that_is_not_says_why(hook: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hook.hatch_compile, "obstacle", lambda: None)
    data, note, warnings = build_data(hook, monkeypatch, "standard", fails=True)
    assert data == {"force_include": []}
    assert note == "not compiled: mypyc or the C compiler fails (exit code 3)"
    assert len(warnings) == 1


def test_an_editable_installation_is_never_compiled(
    hook: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hook.hatch_compile, "obstacle", lambda: None)
    assert build_data(hook, monkeypatch, "editable") == ({"force_include": []}, "", [])


def test_where_nothing_can_be_compiled_nothing_is_tried(
    hook: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ROMPROOF_COMPILE", raising=False)
    monkeypatch.setenv("CC", "no-such-compiler -m64")
    monkeypatch.setattr(hook.hatch_compile, "find_sources", lambda package: [])
    if os.name == "posix" and sys.implementation.name == "cpython":
        assert hook.hatch_compile.obstacle() == "there is no C compiler 'no-such-compiler'"
        monkeypatch.setenv("CC", sys.executable)
        assert hook.hatch_compile.obstacle() is None
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


@pytest.fixture
def package(hook: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package of which ``fast`` is compiled; what mypyc reads for it is not all of it."""
    files = {
        "__init__.py": "from romproof.other import y",
        "asm/__init__.py": "",
        "asm/fast.py": "from romproof.text import places\nimport romproof.support.kinds as kinds",
        "text/__init__.py": "",
        "text/places.py": "def find() -> int:\n    from romproof.text.deep import x\n    return x",
        "text/deep.py": "x = 1",
        "support/__init__.py": "",
        "support/kinds.py": "import os",
        "other.py": "from romproof.asm import fast\ny = 2",
    }
    folder = tmp_path / "pytools" / "romproof"
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text + "\n", "utf-8")
    monkeypatch.setattr(hook.hatch_compile, "MODULES", {"romproof/asm": ("fast",)})
    return folder


def test_sources_are_what_compiled_modules_import(hook: ModuleType, package: Path) -> None:
    """The package itself is left out: what it imports mypyc does not see."""
    assert [path.as_posix() for path in hook.hatch_compile.find_sources(package)] == [
        "romproof/asm/__init__.py",
        "romproof/asm/fast.py",
        "romproof/support/__init__.py",
        "romproof/support/kinds.py",
        "romproof/text/__init__.py",
        "romproof/text/deep.py",
        "romproof/text/places.py",
    ]


class Compiler:
    """What is called instead of mypyc: it notes that, and makes modules of another content each
    time."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, package: Path, folder: Path) -> list[Path]:
        self.calls += 1
        made = [folder / "x__mypyc.so", folder / "romproof" / "isa" / "encodings.so"]
        for path in made:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(path.name.encode() + bytes([self.calls]))
        (folder / "setup.py").write_text("")
        return made


@pytest.fixture
def compiler(hook: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Compiler:
    made = Compiler()
    monkeypatch.setattr(hook.hatch_compile, "compile_modules", made)
    return made


def obtain(hook: ModuleType, package: Path, folder: Path) -> dict[str, bytes]:
    """What a build puts into the wheel."""
    folder.mkdir()
    made = hook.hatch_compile.obtain_modules(package, folder)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in made}


def test_what_was_compiled_is_not_compiled_again(
    hook: ModuleType,
    compiler: Compiler,
    package: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nor are mypy and setuptools fetched for it."""
    monkeypatch.setattr(hook.hatch_compile, "obstacle", lambda: None)
    build = hook.CustomBuildHook(str(tmp_path), {}, None, None, "", "wheel", None)
    assert build.dependencies() == ["mypy>=1.11", "setuptools>=68"]
    first = obtain(hook, package, tmp_path / "first")
    assert first == {
        "x__mypyc.so": b"x__mypyc.so\1",
        "romproof/isa/encodings.so": b"encodings.so\1",
    }
    assert build.dependencies() == []
    (package / "other.py").write_text("y = 3\n")  # nothing that is compiled imports it
    assert obtain(hook, package, tmp_path / "second") == first
    assert compiler.calls == 1


@pytest.mark.parametrize("name", ["asm/fast.py", "text/deep.py"])
def test_it_is_compiled_again_where_a_source_of_it_changed(
    hook: ModuleType, compiler: Compiler, package: Path, tmp_path: Path, name: str
) -> None:
    """A module that is compiled, and one of which mypyc only reads the types."""
    obtain(hook, package, tmp_path / "first")
    with (package / name).open("a") as file:
        file.write("# another\n")
    obtain(hook, package, tmp_path / "second")
    assert compiler.calls == 2


def test_it_is_compiled_again_with_other_flags(
    hook: ModuleType,
    compiler: Compiler,
    package: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    obtain(hook, package, tmp_path / "first")
    monkeypatch.setenv("CFLAGS", "-O0 -march=native")
    obtain(hook, package, tmp_path / "second")
    assert compiler.calls == 2


@pytest.mark.parametrize("where", ["", "file"])
def test_what_cannot_be_kept_is_compiled_each_time(
    hook: ModuleType,
    compiler: Compiler,
    package: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    where: str,
) -> None:
    """Keeping is switched off, or there is no folder for it: the build goes on."""
    (tmp_path / "file").write_text("no folder\n")
    monkeypatch.setenv("ROMPROOF_CACHE", str(tmp_path / where / "cache") if where else "")
    first = obtain(hook, package, tmp_path / "first")
    assert sorted(first) == ["romproof/isa/encodings.so", "x__mypyc.so"]
    assert not hook.hatch_compile.is_kept(package)
    obtain(hook, package, tmp_path / "second")
    assert compiler.calls == 2


def test_what_somebody_else_put_there_is_compiled_again(
    hook: ModuleType, compiler: Compiler, package: Path, tmp_path: Path
) -> None:
    obtain(hook, package, tmp_path / "first")
    kept = tmp_path / "cache" / hook.hatch_compile.name_of(package)
    kept.write_bytes(kept.read_bytes()[:-1] + b"?")
    obtain(hook, package, tmp_path / "second")
    assert compiler.calls == 2


def test_what_is_compiled_is_there(hook: ModuleType) -> None:
    files = [
        f"{place}/{name}.py"
        for place, names in hook.hatch_compile.MODULES.items()
        for name in names
    ]
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
    if hook.hatch_compile.obstacle() not in (None, "ROMPROOF_COMPILE is 0"):
        pytest.skip(hook.hatch_compile.obstacle())
    built = tmp_path / "built"
    made = hook.hatch_compile.compile_modules(ROOT / "pytools" / "romproof", built)
    count = sum(map(len, hook.hatch_compile.MODULES.values()))
    assert len([path for path in made if path.parent != built]) >= count
    (built / "setup.py").unlink()
    plain = _linked(ROOT / "pytools", tmp_path / "plain")
    assert _linked(built, tmp_path / "fast") == plain
    assert plain["x"][:2] == bytes((0xA9, 6))  # lda #5 + 1
