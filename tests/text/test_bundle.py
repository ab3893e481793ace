"""Modules from one file are what they are from their own."""

from __future__ import annotations

import marshal
import subprocess
import sys
from importlib.util import MAGIC_NUMBER
from pathlib import Path

import pytest

from romproof.text.bundle import file_in, packed

HERE = Path(__file__).parents[2] / "pytools"
PROGRAM = """
import importlib
import importlib.resources
import inspect
import sys
sys.path.insert(0, sys.argv[1])
from romproof.text.bundle import use_bundle
sys.path.insert(0, sys.argv[2])
use_bundle(sys.argv[2] + "/box")
import box.one
import box.inner.two
from box import inner
print(box.one.SAID, inner.two.SAID, box.one.__name__, box.inner.two.__package__)
box_ = sys.argv[2] + "/box"
print(box.one.__file__ == box_ + "/one.py", inner.__path__ == [box_ + "/inner"])
print(inspect.getsource(box.one.function).split()[1], box.one.function.__code__.co_filename[-7:])
print(importlib.resources.files(inner).joinpath("data.txt").read_text().strip())
print(importlib.import_module("box.three").SAID)
"""


def made(folder: Path, head: bytes = MAGIC_NUMBER) -> list[str]:
    """What the program says of a package whose bundle has other texts than its sources."""
    box = folder / "box"
    (box / "inner").mkdir(parents=True)
    modules = []
    for inside in ("__init__.py", "inner/__init__.py", "one.py", "inner/two.py", "three.py"):
        text = "SAID = 'source'\n\ndef function():\n    pass\n"
        (box / inside).write_text(text, "utf-8")
        name = "box." + inside.removesuffix(".py").replace("/", ".")
        code = compile(text.replace("source", "bundle"), inside, "exec")
        if inside != "three.py":
            modules.append((name.removesuffix(".__init__"), f"box/{inside}", marshal.dumps(code)))
    (box / "inner" / "data.txt").write_text("data\n", "utf-8")
    data = packed(modules)
    Path(file_in(str(box))).write_bytes(head + data[len(head) :])
    command = [sys.executable, "-c", PROGRAM, str(HERE), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_modules_come_from_the_file_and_are_those_of_their_sources(tmp_path: Path) -> None:
    assert made(tmp_path) == [
        "bundle bundle box.one box.inner",
        "True True",
        "function(): /one.py",
        "data",
        "source",
    ]


def test_a_file_of_another_python_is_left(tmp_path: Path) -> None:
    assert made(tmp_path, b"none")[0] == "source source box.one box.inner"


LIBRARY = """
import sys
sys.path.insert(0, sys.argv[1])
from romproof.text import bundle

sys.modules.pop("importlib", None)  # as at the start of a command
for name in [name for name in sys.modules if name.startswith("importlib.")]:
    del sys.modules[name]

def loading(loader, spec):
    # what the library of compiled modules does, in this order
    locks = __import__("importlib._bootstrap", None, None, [])
    machinery = sys.modules["importlib.machinery"]
    assert sys.modules["importlib._bootstrap"] is sys.modules["_frozen_importlib"]
    if sys.argv[2] == "all":
        assert machinery.ModuleSpec is bundle.ModuleSpec
        assert machinery.ExtensionFileLoader is bundle.ExtensionFileLoader
        assert "importlib" not in sys.modules
    return type(sys)("made")

usual = bundle.ExtensionFileLoader.create_module
bundle.ExtensionFileLoader.create_module = loading
made = bundle._Compiled("made", "/made.so").create_module(None)
bundle.ExtensionFileLoader.create_module = usual
print(made.__name__, [name for name in sys.modules if name.startswith("importlib")])
import importlib.machinery
import inspect
print(importlib.machinery.all_suffixes() != [], importlib.import_module("json").__name__)
"""


@pytest.mark.parametrize("taken", ["all", "nothing"])
def test_importlib_is_what_it_was_when_the_library_is_loaded(taken: str) -> None:
    """Whether the library takes what it does or another one takes nothing."""
    command = [sys.executable, "-S", "-c", LIBRARY, str(HERE), taken]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["made []", "True json"]
