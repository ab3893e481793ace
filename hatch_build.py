"""Compiles the modules of ca65 and ld65 in which most of the time is spent, when a wheel is built.

mypyc makes C of them, which takes a minute; ROMPROOF_COMPILE=0 leaves it out, and an editable
installation is never compiled. The Python files are in the wheel as well, and are what is used
where compiling fails: docs/decisions/0070-wheels-are-compiled.md.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_CA65 = "romproof/toolchains/ca65"
MODULES = {
    f"{_CA65}/asm": (
        "address_sizes", "assembler", "assembly", "conditions", "expressions",
        "feed", "files", "finish", "for_linker", "functions", "instructions", "lexer",
        "line_tokens", "macro", "macros", "messages", "mnemonics", "object_tables", "operands",
        "record", "record_rows", "segments", "settings", "silent", "statements",
        "study", "symbol", "symbols", "targets", "tokens",
    ),
    f"{_CA65}/asm/directives": ("conditionals", "linkage", "text"),
    f"{_CA65}/obj": ("bulk", "decode", "encode", "reader"),
    "romproof/isa": ("encodings",),
}  # fmt: skip
"""What is compiled, by folder. Not the nodes of expressions: modules that are not compiled cannot
take compiled classes apart by ``match``. No attribute of these is called ``_asm``, which mypyc
makes a keyword of C."""
_SETUP = """
import sys
from mypyc.build import mypycify
from setuptools import setup

options = ["--follow-imports=silent", "--ignore-missing-imports", "--no-site-packages"]
setup(
    name="romproof",
    packages=[],
    ext_modules=mypycify([*sys.argv.pop().split(","), *options], opt_level="2", debug_level="0"),
)
"""


class CustomBuildHook(BuildHookInterface[Any]):
    """Adds the compiled modules to a wheel."""

    def dependencies(self) -> list[str]:
        """What compiling needs besides a C compiler."""
        wanted = self.target_name == "wheel" and obstacle() is None
        return ["mypy>=1.11", "setuptools>=68"] if wanted else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, or say why not and go on without."""
        if self.target_name != "wheel" or version == "editable":
            return
        self._folder = Path(tempfile.mkdtemp(prefix="romproof-compile-"))
        made: list[Path] = []
        why = obstacle()
        if why is None:
            try:
                made = compile_modules(Path(self.root) / "pytools" / "romproof", self._folder)
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


def obstacle() -> str | None:
    """Why nothing can be compiled here; None where it seems that it can."""
    if os.environ.get("ROMPROOF_COMPILE") == "0":
        return "ROMPROOF_COMPILE is 0"
    if sys.implementation.name != "cpython":
        return f"mypyc makes modules for CPython, not for {sys.implementation.name}"
    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()[0]
    if os.name == "posix" and shutil.which(compiler) is None:
        return f"there is no C compiler '{compiler}'"
    return None


def compile_modules(package: Path, folder: Path) -> list[Path]:
    """Compile MODULES of ``package``; gives the extension modules in a copy of it in ``folder``.

    Raises CalledProcessError with the output of the compiler.
    """
    shutil.copytree(package, folder / "romproof", ignore=shutil.ignore_patterns("__pycache__"))
    # it imports all of romproof for type checkers, which mypyc would read: 45 seconds, not 7
    (folder / "romproof" / "__init__.py").write_text("", "utf-8")
    (folder / "setup.py").write_text(_SETUP, "utf-8")
    names = ",".join(f"{place}/{name}.py" for place, names in MODULES.items() for name in names)
    subprocess.run(
        [sys.executable, "setup.py", "build_ext", "--inplace", names],
        cwd=folder, check=True, text=True, errors="replace",
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    made = [path for path in folder.rglob("*") if path.suffix in (".so", ".pyd")]
    return [path for path in made if "build" not in path.relative_to(folder).parts]
