"""What of romproof is compiled with mypyc, and how; compiling takes a minute, so it is kept.

What is kept is what the project keeps between runs (romproof.support.cache): in the user's cache
folder, by a digest of all that decides what comes of it, and used only if this user wrote it.
ROMPROOF_CACHE set to nothing keeps nothing.
"""

from __future__ import annotations

import ast
import hashlib
import io
import os
import platform
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

from romproof.support import cache

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
_ENDING, _MOST = ".compiled", 8
"""How the names of what is kept end, and how many of them there are at most: each has 1 MB."""
_VARIABLES = ("CC", "CFLAGS", "CPPFLAGS", "LDFLAGS", "LDSHARED")
"""What people tell the C compiler."""


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


def is_kept(package: Path) -> bool:
    """Whether ``obtain_modules`` has nothing to compile."""
    return cache.recall(name_of(package)) is not None


def obtain_modules(package: Path, folder: Path) -> list[Path]:
    """The extension modules that MODULES of ``package`` become, in ``folder``: those of an earlier
    build of the same sources, else compiled. Raises CalledProcessError with the compiler's output.
    """
    name = name_of(package)
    data = cache.recall(name)
    if data is None:
        built = folder / "built"
        made = {path.relative_to(built): path for path in compile_modules(package, built)}
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for inside, path in sorted(made.items()):
                archive.write(path, inside)
        data = packed.getvalue()
        cache.keep(name, data, _MOST)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return [Path(archive.extract(inside, folder)) for inside in archive.namelist()]


def name_of(package: Path) -> str:
    """The name under which it is kept: a digest of the sources that mypyc reads, of this Python,
    the C library and compiler, and of how these are called.

    Not mypy's version: what an older one made does the same, and looking would mean fetching it.
    """
    digest = hashlib.sha256(Path(__file__).read_bytes())
    config = [sysconfig.get_config_var(key) for key in ("EXT_SUFFIX", "CC", "CFLAGS")]
    told = [os.environ.get(key) for key in _VARIABLES]
    digest.update(repr((sys.version, sysconfig.get_platform(), config, told)).encode())
    digest.update(repr(platform.libc_ver()).encode())
    for path in find_sources(package):
        digest.update(f"{path}\n".encode() + (package.parent / path).read_bytes())
    return digest.hexdigest() + _ENDING


def find_sources(package: Path) -> list[Path]:
    """MODULES and the modules of ``package`` that they import, directly or not, as paths from the
    folder of ``package``."""
    top = Path(package.name, "__init__.py")  # which is empty for mypyc, see below
    wanted = {Path(place, f"{name}.py") for place, names in MODULES.items() for name in names}
    found: set[Path] = set()
    while wanted:
        path = wanted.pop()
        found.add(path)
        places = [folder / "__init__" for folder in path.parents]
        for node in ast.walk(ast.parse((package.parent / path).read_bytes())):
            match node:
                case ast.Import(names=names):
                    modules = [alias.name for alias in names]
                case ast.ImportFrom(module=str(module), names=names):
                    modules = [module, *(f"{module}.{alias.name}" for alias in names)]
                case _:
                    continue
            for place in (Path(*module.split(".")) for module in modules):
                places += [place, place / "__init__"]
        files = {place.with_suffix(".py") for place in places} - found - {top}
        wanted |= {file for file in files if (package.parent / file).is_file()}
    return sorted(found)


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
