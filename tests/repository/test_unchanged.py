"""tools/unchanged.py leaves out a command only where the same one passed on the same code."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The tool, on a small tree of its own."""
    monkeypatch.setenv("ROMPROOF_CACHE", str(tmp_path / "cache"))
    spec = spec_from_file_location("unchanged", ROOT / "tools" / "unchanged.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    tree = tmp_path / "tree"
    (tree / "asm" / "__pycache__").mkdir(parents=True)
    (tree / "asm" / "it.s").write_text("  rts\n")
    (tree / "pyproject.toml").write_text("")
    monkeypatch.setattr(module, "ROOT", tree)
    return module


def counting(tmp_path: Path, code: int = 0) -> tuple[list[str], Path]:
    """A command that leaves a mark each time, and where."""
    mark = tmp_path / "mark"
    text = f"open({str(mark)!r}, 'a').write('x'); raise SystemExit({code})"
    return [sys.executable, "-c", text], mark


def test_a_command_that_passed_is_not_run_again(tool: ModuleType, tmp_path: Path) -> None:
    command, mark = counting(tmp_path)
    assert [tool.main(command) for _ in range(2)] == [0, 0]
    assert mark.read_text() == "x"
    assert tool.main(["--fresh", *command]) == 0
    assert mark.read_text() == "xx"
    (tool.ROOT / "asm" / "__pycache__" / "it.pyc").write_text("written by Python")
    tool.main(command)
    assert mark.read_text() == "xx"
    (tool.ROOT / "asm" / "it.s").write_text("  nop\n")
    tool.main(command)
    assert mark.read_text() == "xxx"


def test_a_command_that_failed_is_run_again(tool: ModuleType, tmp_path: Path) -> None:
    command, mark = counting(tmp_path, 3)
    assert [tool.main(command) for _ in range(2)] == [3, 3]
    assert mark.read_text() == "xx"


def test_another_command_is_another(tool: ModuleType) -> None:
    assert tool.digest(["a", "b"]) != tool.digest(["a b"])


def test_without_a_command_it_says_how_to_call_it(
    tool: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    assert tool.main(["--fresh"]) == 2
    assert "unchanged.py [--fresh] COMMAND" in capsys.readouterr().err
