"""Compiles the inner loops of the assembler when a wheel is built, if that is asked for.

``ROMPROOF_COMPILE=1 pip install path/to/romproof`` has mypyc make C of the modules below, which
takes a minute and a C compiler. The Python files are installed as well, and where compiling fails
they are what is used: docs/decisions/0046-fast-starts-and-a-quick-path.md.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_PACKAGE = "romproof/toolchains/ca65"
_ASM = (
    "conditions", "expressions", "feed", "instructions", "lexer", "macros", "messages",
    "object_tables", "operands", "quick", "record", "record_rows", "segments", "silent", "study",
    "symbols", "tokens",
)  # fmt: skip
_OBJ = ("decode", "encode", "reader")
MODULES = tuple(
    f"{_PACKAGE}/{folder}/{name}.py"
    for folder, names in (("asm", _ASM), ("obj", _OBJ))
    for name in names
)
"""What is compiled: most of the time of ca65 and ld65 is spent there. Not the nodes of expressions:
what is compiled cannot be taken apart by ``match`` in modules that are not."""

_SETUP = """
import sys
from mypyc.build import mypycify
from setuptools import setup

setup(
    name="romproof",
    packages=[],
    ext_modules=mypycify(
        [*sys.argv.pop().split(","), "--follow-imports=silent", "--ignore-missing-imports"],
        opt_level="1",
        debug_level="0",
    ),
)
"""


class CustomBuildHook(BuildHookInterface[Any]):
    """Adds the compiled modules to a wheel; an editable installation stays as it is."""

    def _wanted(self) -> bool:
        return self.target_name == "wheel" and os.environ.get("ROMPROOF_COMPILE", "") not in (
            "",
            "0",
        )

    def dependencies(self) -> list[str]:
        """What compiling needs besides a C compiler."""
        return ["mypy>=1.11", "setuptools>=68"] if self._wanted() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, or say why not and go on without."""
        if not self._wanted() or version == "editable":
            return
        self._folder = tempfile.mkdtemp(prefix="romproof-compile-")
        try:
            made = compiled(Path(self.root) / "pytools" / "romproof", Path(self._folder))
        except (OSError, subprocess.CalledProcessError) as fault:
            self.app.display_warning(f"romproof is not compiled, but complete: {fault}")
            return
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        for path in made:
            build_data["force_include"][str(path)] = str(path.relative_to(self._folder))

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Throw away what was compiled: it is in the wheel."""
        folder = getattr(self, "_folder", None)
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)


_SOURCE = """
.macro twice what
    .byte what, <(what + label)
.endmacro
label: lda #label - start + 1
    jmp other
start: twice 3
.export other := label
"""


def _try_out(folder: Path) -> None:
    """Assemble and link with what was compiled. Raises CalledProcessError where it fails."""
    place = folder / "tried"
    place.mkdir()
    (place / "x.s").write_text(_SOURCE, "utf-8")
    environment = {**os.environ, "PYTHONPATH": str(folder), "ROMPROOF_TRACEBACK": "1"}
    for words in (
        ("ca65", "-g", "x.s", "-o", "x.o"),
        (
            "ld65",
            "-t",
            "none",
            "x.o",
            "-o",
            "x",
            "-Ln",
            "x.lbl",
            "-m",
            "x.map",
            "--dbgfile",
            "x.dbg",
        ),
    ):
        command = [sys.executable, "-m", "romproof", *words]
        subprocess.run(command, cwd=place, env=environment, check=True)


def compiled(package: Path, folder: Path) -> list[Path]:
    """Compile a copy of ``package`` in ``folder``; gives the extension modules in there.

    Raises OSError and CalledProcessError.
    """
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(package, folder / "romproof", ignore=ignored, dirs_exist_ok=True)
    (folder / "setup.py").write_text(_SETUP, "utf-8")
    command = [sys.executable, "setup.py", "build_ext", "--inplace", ",".join(MODULES)]
    flags = f"{os.environ.get('CFLAGS', '')} -Wno-error"
    environment = {**os.environ, "CFLAGS": flags}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    if done.returncode:
        sys.stderr.write(done.stdout[-2000:] + done.stderr[-2000:])
        done.check_returncode()
    _try_out(folder)
    return sorted(
        path for ending in ("*.so", "*.pyd") for path in folder.rglob(ending)
        if "build" not in path.relative_to(folder).parts
    )  # fmt: skip
