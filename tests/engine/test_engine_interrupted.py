"""Machine code that is loaded while signal handlers raise: what comes after must still work."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from thorough import THOROUGH

from romproof.engine.engines import ENGINES

if ENGINES["llvm"].missing() is not None:
    pytest.skip("needs llvmlite", allow_module_level=True)

MOMENTS = 10_000 if THOROUGH else 300
# a process of its own: the fault was one of its memory, or came at its end
LOADS = """
import ctypes, random, signal, sys
import romproof.engine.llvm.compile as compile
from llvmlite import binding, ir

def module():
    made = ir.Module("answer")
    function = ir.Function(made, ir.FunctionType(ir.IntType(32), ()), "answer")
    ir.IRBuilder(function.append_basic_block()).ret(ir.IntType(32)(42))
    return made

def ask(address):
    return ctypes.CFUNCTYPE(ctypes.c_int32)(address)()

class Late(BaseException):
    pass

def late(*_):
    raise Late

assert ask(compile.compile_module("answer", "answer", module, optimise=False).address) == 42
data = compile._compile(module(), False)
"""
RAISES_ANYWHERE = (
    LOADS
    + """
signal.signal(signal.SIGALRM, late)
moments = random.Random(int(sys.argv[2]))
interrupted = 0
for number in range(int(sys.argv[1])):
    try:
        signal.setitimer(signal.ITIMER_REAL, moments.uniform(1e-6, 1.5e-3))
        address = compile._load(data, "answer")
        signal.setitimer(signal.ITIMER_REAL, 0)
        assert ask(address) == 42
    except Late:
        interrupted += 1
    try:
        signal.setitimer(signal.ITIMER_REAL, 0)
    except Late:
        interrupted += 1
assert ask(compile._load(data, "answer")) == 42
print(interrupted, "of", number + 1)
"""
)
RAISES_IN_LLVM = (
    LOADS
    + """
engine = binding.ExecutionEngine
for name in ("add_object_file", "finalize_object", "get_function_address"):
    before = getattr(engine, name)
    setattr(engine, name, late)
    try:
        compile._load(data, "answer")
        sys.exit("nothing was raised")
    except Late:
        pass
    setattr(engine, name, before)
    assert ask(compile._load(data, "answer")) == 42
print("3 of 3")
"""
)


def _told(program: str, *words: object) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program, *map(str, words)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONFAULTHANDLER": "1"},
        timeout=100,
    )
    assert done.returncode == 0, f"exit code {done.returncode}\n{done.stderr[-2000:]}"
    assert "Traceback" not in done.stderr, done.stderr
    return done.stdout


@pytest.mark.skipif(not hasattr(os, "fork"), reason="signals that raise at a moment")
def test_loads_that_are_interrupted_at_random_moments() -> None:
    interrupted, _, moments = _told(RAISES_ANYWHERE, MOMENTS, 40).split()
    assert int(moments) == MOMENTS
    assert int(interrupted) > 0


def test_loads_that_fail() -> None:
    assert _told(RAISES_IN_LLVM) == "3 of 3\n"
