"""Compiles the modules of ca65 and ld65 in which most of the time is spent, when a wheel is built.

mypyc makes C of them, which takes a minute; ROMPROOF_COMPILE=0 leaves it out, and an editable
installation is never compiled. What was compiled is kept, and the next build of the same sources
takes it (hatch_compile.py). The Python files are in the wheel as well, and are what is used
where compiling fails: docs/decisions/0070-wheels-are-compiled.md.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_ROOT = Path(__file__).parent
sys.path[:0] = [str(_ROOT), str(_ROOT / "pytools")]  # hatchling executes this file alone
import hatch_compile  # noqa: E402

del sys.path[:2]


class CustomBuildHook(BuildHookInterface[Any]):
    """Adds the compiled modules to a wheel."""

    @property
    def _package(self) -> Path:
        return Path(self.root, "pytools", "romproof")

    def dependencies(self) -> list[str]:
        """What compiling needs besides a C compiler."""
        wanted = self.target_name == "wheel" and hatch_compile.obstacle() is None
        if not wanted or hatch_compile.is_kept(self._package):
            return []
        return ["mypy>=1.11", "setuptools>=68"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, or say why not and go on without."""
        if self.target_name != "wheel" or version == "editable":
            return
        self._folder = Path(tempfile.mkdtemp(prefix="romproof-compile-"))
        made: list[Path] = []
        why = hatch_compile.obstacle()
        if why is None:
            try:
                made = hatch_compile.obtain_modules(self._package, self._folder)
                build_data |= {"pure_python": False, "infer_tag": True}
            except subprocess.CalledProcessError as fault:
                sys.stderr.write(fault.output[-4000:])
                why = f"mypyc or the C compiler fails (exit code {fault.returncode})"
                self.app.display_warning(f"romproof is not compiled, but complete: {why}")
        note = self._folder / "romproof" / "compiled.txt"
        note.parent.mkdir(exist_ok=True)
        note.write_text("compiled\n" if why is None else f"not compiled: {why}\n", "utf-8")
        for path in (*made, note):
            build_data["force_include"][str(path)] = str(path.relative_to(self._folder))

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Throw away what was compiled: it is in the wheel."""
        shutil.rmtree(getattr(self, "_folder", ""), ignore_errors=True)
