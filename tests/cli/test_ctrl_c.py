"""Ctrl-C ends every command with one line and exit code 130, whatever it is doing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from cli_programs import PYTOOLS, write_rom

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals")

SPIN = """\
        .export spin, main
main:   rts
.proc spin
        inx
        bne spin
        jmp spin
.endproc
"""
COMPILED = """
from romproof.engine.llvm.engine import LlvmEngine
call = LlvmEngine._call
def told(self, run):
    if not hasattr(self, 'told'):
        self.told = True
        print('at work', flush=True)
    return call(self, run)
LlvmEngine._call = told
from romproof.__main__ import main
main()
"""
COMPILING = """
import romproof.engine.llvm.compile as compile
make = compile._object
def told(*given):
    print('at work', flush=True)
    import ctypes
    ctypes.CDLL(None).sleep(100)
compile._object = told
from romproof.__main__ import main
main()
"""
NATIVE = """
import hashlib, threading
from romproof.support.ctrl_c import take_over
take_over()
threading.Timer(0.2, print, ("at work",), {"flush": True}).start()
hashlib.pbkdf2_hmac('sha256', b'', b'', (1 << 31) - 1)  # half an hour
"""
LOST = """
import sys
from romproof.support.ctrl_c import take_over
take_over()
class Deaf:
    def __del__(self):
        print('at work', flush=True)
        while not heard:
            pass
heard = []
before = sys.unraisablehook
def hook(what):
    heard.append(1)
    before(what)
sys.unraisablehook = hook
from romproof.support.ctrl_c import end_now
try:
    deaf = Deaf()
    del deaf
    while True:
        pass
except KeyboardInterrupt:
    end_now(report=False)
"""
HEARS = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
"""Who runs in the background of a shell ignores Ctrl-C, and so do its children."""
RUN = ("run", "demo", "--call", "spin", "--limit", "1000000000000", "--engine")


def interrupted(folder: Path, program: str, *args: str, **environment: str) -> None:
    """Begin a program, interrupt it when it says that it is at work, and look how it ends."""
    process = subprocess.Popen(
        [sys.executable, "-c", HEARS + program, *args],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(PYTOOLS), **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "at work\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert (process.returncode, out, err) == (130, "", "interrupted\n")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    write_rom(tmp_path, "demo", SPIN)
    (tmp_path / "pyproject.toml").write_text('[tool.romproof]\nfolders = ["rom"]\n')
    return tmp_path


def test_compiled_code(project: Path) -> None:
    pytest.importorskip("llvmlite")
    interrupted(project, COMPILED, *RUN, "llvm")


@pytest.mark.slow
def test_while_code_is_compiled(project: Path) -> None:
    pytest.importorskip("llvmlite")
    interrupted(project, COMPILING, *RUN, "llvm", ROMPROOF_CACHE="")


def test_code_that_does_not_come_back(tmp_path: Path) -> None:
    interrupted(tmp_path, NATIVE)


def test_an_interrupt_that_is_lost_comes_again(tmp_path: Path) -> None:
    interrupted(tmp_path, LOST)
