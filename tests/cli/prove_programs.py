"""What the tests of ``romproof prove`` share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from romproof.harness.errors import CallError
from romproof.harness.rom import Rom
from romproof.projects import build, find_manifest


def project_of(folder: Path, cpu: str, source: str) -> None:
    name = "demo.asm" if cpu == "sm83" else "demo.s"
    (folder / name).write_text(source, "utf-8")
    table = f'[tool.romproof]\nname = "demo"\ncpu = "{cpu}"\nsources = ["{name}"]\n'
    (folder / "pyproject.toml").write_text(table)


def fails(test: str, folder: Path) -> None:
    """Hold that a test, pasted, fails, and because of the program."""
    scope: dict[str, Any] = {}
    exec(test, scope)
    (function,) = (each for name, each in scope.items() if name.startswith("test_"))
    rom = Rom(build(find_manifest("demo")).image)
    with pytest.raises((AssertionError, CallError)):
        function(rom)
