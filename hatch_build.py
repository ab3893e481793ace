"""Compiles the inner loops of the assembler when a wheel is built, where there is a C compiler.

mypyc makes C of the modules below, which takes a minute; ``ROMPROOF_COMPILE=0 pip install
path/to/romproof`` leaves it out. The Python files are installed as well, and where compiling fails
they are what is used: docs/decisions/0070-wheels-are-compiled.md.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import hatchling.build
from hatchling.build import *  # noqa: F403 - what pip asks a build system for
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_PACKAGE = "romproof/toolchains/ca65"
_ASM = (
    "address_sizes", "assembler", "assertions", "conditions", "expressions", "feed", "files",
    "finish", "for_linker", "functions", "instructions", "lexer", "macro", "macros", "messages",
    "mnemonics", "object_tables", "operands", "record", "record_rows", "record_spans", "segments",
    "settings", "silent", "study", "symbol", "symbols", "targets", "tokens",
)  # fmt: skip
_QUICK = ("bodies", "branches", "commands", "lines", "plans", "templates", "tokens", "values")
_DIRECTIVES = ("conditionals", "linkage", "text")
_OBJ = ("bulk", "decode", "encode", "reader")
MODULES = (
    *(f"{_PACKAGE}/asm/{name}.py" for name in _ASM),
    *(f"{_PACKAGE}/asm/directives/{name}.py" for name in _DIRECTIVES),
    *(f"{_PACKAGE}/asm/quick/{name}.py" for name in _QUICK),
    *(f"{_PACKAGE}/obj/{name}.py" for name in _OBJ),
    "romproof/isa/encodings.py",
)
"""What is compiled: most of the time of ca65 and ld65 is spent there. Not the nodes of expressions:
what is compiled cannot be taken apart by ``match`` in modules that are not."""

_FUTURE = "from __future__ import annotations"

_SETUP = """
import os
import sys
from mypyc.build import mypycify
from setuptools import setup

setup(
    name="romproof",
    packages=[],
    ext_modules=mypycify(
        [
            *sys.argv.pop().split(","),
            "--follow-imports=silent",
            "--ignore-missing-imports",
            "--no-site-packages",  # nothing of them is needed, and all would be read
            f"--cache-dir={os.devnull}",
        ],
        opt_level="2",
        debug_level="0",
    ),
)
"""


_SCRIPT = """#!python
# As installers write it, but for the modules that some of them import there.
import sys

from romproof.__main__ import main

sys.exit(main())
"""

_TRANSLATE = """
import importlib
import sys

from romproof.text.patterns import named
from romproof.text.translate import translated

for module in sys.argv[2:]:
    importlib.import_module(module)
with open(sys.argv[1], "x", encoding="utf-8") as file:
    file.write(translated(named))
"""


_BUNDLE = """
import __future__
import ast
import sys
from marshal import dumps
from pathlib import Path

from romproof.text.bundle import file_in, packed


def is_future(statement):
    # said to the compiler instead: where it is imported somebody looks for its module
    return isinstance(statement, ast.ImportFrom) and statement.module == "__future__"


package = Path(sys.argv[1])
flag = __future__.annotations.compiler_flag
modules = []
for name in sorted(sys.argv[2:]):
    path = package.parent.joinpath(*name.split("."))
    compiled = [*path.parent.glob(f"{path.name}.*.so"), *path.parent.glob(f"{path.name}.*.pyd")]
    if compiled:
        modules.append((name, compiled[0].relative_to(package.parent).as_posix(), b""))
        continue
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    inside = path.relative_to(package.parent).as_posix()
    tree = ast.parse(path.read_text("utf-8"))
    tree.body = [each for each in tree.body if not is_future(each)]
    code = compile(tree, inside, "exec", flag, dont_inherit=True)
    modules.append((name, inside, dumps(code)))
Path(file_in(str(package))).write_bytes(packed(modules))
"""


class NotCompiled(Exception):
    """Compiling failed, or what came of it does; the text says which and why."""


def one_line(text: str, longest: int = 300) -> str:
    """``text`` in one line of at most ``longest`` characters."""
    joined = " ".join(text.split())
    return joined if len(joined) <= longest else joined[: longest - 3] + "..."


def reason(what: str, code: int, output: str) -> str:
    """Why a command failed: ``what``, and the last line with an error of its ``output``."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if "error" in line.lower()]
    last = (errors or lines or ["it printed nothing"])[-1]
    return one_line(f"{what} (exit code {code}): {last}")


def carried_out(what: str, command: list[str], folder: Path, environment: dict[str, str]) -> str:
    """Carry ``command`` out in ``folder``; gives what it says. Raises NotCompiled with its reason
    where it fails."""
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, errors="replace"
    )
    output = done.stdout + done.stderr
    if done.returncode:
        sys.stderr.write(output[-4000:])  # all of it for pip -v, one line for romproof --version
        raise NotCompiled(reason(what, done.returncode, output))
    return output


def obstacle() -> str:
    """Why nothing can be compiled here; "" where it seems that it can."""
    if os.environ.get("ROMPROOF_COMPILE", "") == "0":
        return "ROMPROOF_COMPILE is 0"
    if sys.implementation.name != "cpython":
        return f"mypyc makes modules for CPython, not for {sys.implementation.name}"
    if os.name == "nt":
        return ""  # setuptools knows where to look for a compiler
    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()[0]
    if shutil.which(compiler) is None:
        return f"there is no C compiler '{compiler}'"
    folders = (sysconfig.get_path("include"), sysconfig.get_path("platinclude"))
    if not any((Path(folder) / "Python.h").is_file() for folder in folders):
        return f"Python's headers for C are not in {folders[0]}"
    return ""


def get_requires_for_build_editable(config_settings: dict[str, Any] | None = None) -> list[str]:
    """What an editable installation needs (PEP 660): nothing to compile with. Hooks are not told
    which kind of wheel is asked for when they say what they depend on."""
    with patch.dict(os.environ, ROMPROOF_COMPILE="0"):
        return hatchling.build.get_requires_for_build_editable(config_settings)


class CustomBuildHook(BuildHookInterface[Any]):
    """Adds the compiled modules to a wheel; an editable installation stays as it is."""

    def dependencies(self) -> list[str]:
        """What compiling needs besides a C compiler."""
        wanted = self.target_name == "wheel" and not obstacle()
        return ["mypy>=1.11", "setuptools>=68"] if wanted else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, or note why not and go on without."""
        if self.target_name != "wheel" or version == "editable":
            return
        self._folder = tempfile.mkdtemp(prefix="romproof-compile-")
        made: list[Path] = []
        if why := obstacle():
            note = f"not compiled: {one_line(why)}"
        else:
            try:
                made = compiled(Path(self.root) / "pytools" / "romproof", Path(self._folder))
            except (OSError, NotCompiled) as fault:
                self.app.display_warning(f"romproof is not compiled, but complete: {fault}")
                note = f"not compiled: {one_line(str(fault))}"
            else:
                note = "compiled"
                build_data["pure_python"] = False
                build_data["infer_tag"] = True
                if os.name == "posix":  # elsewhere a script is no command
                    self._bring_script(build_data)
        for path in made:
            build_data["force_include"][str(path)] = str(path.relative_to(self._folder))
        written = Path(self._folder) / "compiled.txt"
        written.write_text(note + "\n", "utf-8")
        build_data["force_include"][str(written)] = "romproof/compiled.txt"

    def _bring_script(self, build_data: dict[str, Any]) -> None:
        """The command as a script of our own, instead of one that the installer writes."""
        script = Path(self._folder) / "romproof.script"
        script.write_text(_SCRIPT, "utf-8")
        script.chmod(0o755)
        build_data["shared_scripts"][str(script)] = "romproof"
        self.metadata.core.scripts.pop("romproof", None)

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Throw away what was compiled: it is in the wheel."""
        folder = getattr(self, "_folder", None)
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)


_SOURCE = """
.macro twice what
    .byte what, <(what + label)
.endmacro
label: lda #start - label + 1
    jmp other
start: twice 3
.export other := label
"""


_TRIALS = (
    ("ca65", "-g", "x.s", "-o", "x.o"),
    ("ld65", "-t", "none", "x.o", "-o", "x", "-Ln", "x.lbl", "-m", "x.map", "--dbgfile", "x.dbg"),
)


def trial(what: str, path: Path, place: Path) -> dict[str, bytes]:
    """The files that the romproof in ``path`` makes of a small program in ``place``, linked.

    Objects are left out: they hold the time at which they were made.

    Raises NotCompiled, which begins with ``what``, where it fails.
    """
    environment = {**os.environ, "PYTHONPATH": str(path), "ROMPROOF_TRACEBACK": "1"}
    for words in _TRIALS:
        command = [sys.executable, "-m", "romproof", *words]
        carried_out(f"{what} fails as {words[0]}", command, place, environment)
    made = sorted(place.iterdir())
    return {file.name: file.read_bytes() for file in made if file.suffix != ".o"}


def _try_out(package: Path, folder: Path) -> None:
    """Raises NotCompiled where what was compiled makes other files than ``package`` in Python."""
    place = folder / "tried"
    shutil.rmtree(place)
    place.mkdir()
    (place / "x.s").write_text(_SOURCE, "utf-8")
    plain = trial("the trial in plain Python", package.parent, place)
    for name in [*(plain.keys() - {"x.s"}), "x.o"]:
        (place / name).unlink()
    fast = trial("what was compiled", folder, place)
    other = sorted(name for name in plain.keys() | fast.keys() if plain.get(name) != fast.get(name))
    if other:
        raise NotCompiled(f"what was compiled makes other files: {', '.join(other)}")


def compiled(package: Path, folder: Path) -> list[Path]:
    """Compile the modules of ``package``; gives the extension modules, in ``folder``.

    Raises OSError and NotCompiled.
    """
    ignored = shutil.ignore_patterns("__pycache__")
    alone = folder / "alone"
    shutil.copytree(package, alone / "romproof", ignore=ignored)
    # mypyc reads what it imports, which is all of romproof: 45 seconds instead of 7
    (alone / "romproof" / "__init__.py").write_text("", "utf-8")
    for name in MODULES:  # what is compiled would import it at each start
        text = (alone / name).read_text("utf-8")
        (alone / name).write_text(text.replace(_FUTURE, "", 1), "utf-8")
    (alone / "setup.py").write_text(_SETUP, "utf-8")
    command = [sys.executable, "setup.py", "build_ext", "--inplace", ",".join(MODULES)]
    # hidden: what calls within the one library calls directly, and may be put in line
    flags = f"{os.environ.get('CFLAGS', '')} -Wno-error -fvisibility=hidden"
    environment = {**os.environ, "CFLAGS": flags}
    carried_out("mypyc or the C compiler fails", command, alone, environment)
    shutil.copytree(package, folder / "romproof", ignore=ignored)
    made = []
    for path in sorted(_compiled(alone.rglob)):
        inside = path.relative_to(alone)
        if "build" not in inside.parts:
            made.append(folder / inside)
            shutil.copyfile(path, made[-1])
    made += translated(folder)
    made += bundled(folder, folder / "tried")
    _try_out(package, folder)
    return made


def _compiled(glob: Callable[[str], Iterable[Path]]) -> list[Path]:
    """The compiled modules among the files that ``glob`` finds."""
    return [path for ending in ("*.so", "*.pyd") for path in glob(ending)]


def translated(folder: Path) -> list[Path]:
    """The patterns of the copy of the package in ``folder``, translated: text/patterns.py."""
    made = folder / "romproof" / "text" / "translated.py"
    modules = [
        ".".join(path.relative_to(folder).with_suffix("").parts)
        for path in sorted((folder / "romproof").rglob("*.py"))
        if "romproof.text.patterns import" in path.read_text("utf-8") and path.parent != made.parent
    ]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    command = [sys.executable, "-c", _TRANSLATE, str(made), *modules]
    carried_out("translating patterns fails", command, folder, environment)
    return [made]


def bundled(folder: Path, place: Path) -> list[Path]:
    """The modules in Python that a start asks for, of the copy of the package in ``folder``, in one
    file: text/bundle.py. ``place`` is a folder for the trial that tells which these are."""
    place.mkdir()
    (place / "x.s").write_text(_SOURCE, "utf-8")
    package = folder / "romproof"
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    names = {
        ".".join(path.relative_to(folder).with_suffix("").parts)
        for path in (folder / _PACKAGE / "asm" / "directives").glob("[a-z]*.py")
    }
    for words in _TRIALS:
        command = [sys.executable, "-X", "importtime", "-m", "romproof", *words]
        said = carried_out(f"what was compiled fails as {words[0]}", command, place, environment)
        names |= {line.split("|")[-1].strip() for line in said.splitlines() if "|" in line}
    chosen = [name for name in names if _is_plain(folder, name)]
    for path in [found for top in (folder.glob, package.rglob) for found in _compiled(top)]:
        inside = path.relative_to(folder)
        chosen.append(".".join([*inside.parts[:-1], inside.name.partition(".")[0]]))
    command = [sys.executable, "-c", _BUNDLE, str(package), *chosen]
    carried_out("bundling modules fails", command, folder, environment)
    return sorted(package.glob("start.*.bin"))


def _is_plain(folder: Path, name: str) -> bool:
    """Whether there is a module of this name, in Python alone, that does not find the others."""
    first, *others = name.split(".")
    if first != "romproof" or others in ([], ["text"], ["text", "bundle"], ["__main__"]):
        return False
    path = folder.joinpath(first, *others)
    if path.is_dir():
        return (path / "__init__.py").is_file()
    there = [each for each in path.parent.glob(f"{path.name}.*") if each.suffix != ".pyc"]
    return [each.suffix for each in there] == [".py"]
