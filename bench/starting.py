"""How long it takes until the first run is over, in a new process: cold, or with compiled code of
an earlier one on the disk, in the time that people wait; and how long a tool takes to start."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import tarot_loop
from rows import WALL, Row, best, command, without_llvm

TURNS = 3
_RUN = Path(__file__).with_name("first_run.py")
_CALL = Path(__file__).with_name("first_call.py")
_FIRST_TEST = Path(__file__).with_name("first_test.py")
_EXAMPLE = Path(__file__).parents[1] / "examples" / "serial-board"
_TEST = """\
def test_the_digits(rom):
    assert rom.call("to_decimal", a=123).mem["digits"] == bytes([1, 2, 3])
"""
_CACHE = "ROMPROOF_CACHE"


def tool_starts() -> list[Row]:
    """Assembling and linking nothing to speak of, in plain Python, beside what Python takes to
    import the parts of its library that every one of our modules is written with."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "x.s").write_text(" lda #1\n")
        (place / "x.asm").write_text('SECTION "x", ROM0\n ld a, 1\n')
        tools = {
            "ca65": ("x.s", "-o", "x.o"),
            "ld65": ("-t", "none", "x.o", "-o", "x.bin"),
            "rgbasm": ("x.asm", "-o", "y.o"),
            "rgblink": ("y.o", "-o", "y.gb"),
        }
        library = "import re, dataclasses, enum, functools"
        peer = command(sys.executable, "-c", library)
        rows = []
        for tool, words in tools.items():
            files = [place / word if "." in word else word for word in words]
            ours = command(sys.executable, "-m", "romproof", tool, *files)
            ours()  # its modules are compiled to bytecode once
            rows.append(
                Row(
                    f"start of {tool}",
                    "plain Python",
                    f"python -c '{library}'",
                    *best(ours, peer, turns=15),
                )
            )
        return rows


def starts() -> list[Row]:
    """Cold, then warm: of each compiled engine, and of a call as tests make it, which begins with
    assembling the ROM."""
    absent = without_llvm()
    if absent is not None:
        return [Row("first run of a process", absent, "engine py65", None)]
    image = tarot_loop.image()
    with tempfile.TemporaryDirectory() as folder:
        memory = Path(folder, "memory")
        memory.write_bytes(tarot_loop.memory(1))
        ends = [f"{image.address(name):x}" for name in ("reset", "finished")]
        rows = []
        for engine in ("llvm", "recompiled"):
            rows += _rows("first run", engine, _RUN, memory, *ends)
        return [*rows, *_rows("first Rom.call()", "llvm", _CALL), *_first_test(folder)]


def _first_test(folder: str) -> list[Row]:
    """The first test of a run that calls a routine, without pytest's own start: with nothing kept
    of earlier runs, then with what these have kept."""
    place = Path(folder, "project")
    shutil.copytree(_EXAMPLE, place, ignore=shutil.ignore_patterns("__pycache__"))
    for path in (place / "tests").iterdir():
        path.unlink()
    (place / "tests" / "test_first.py").write_text(_TEST)
    seconds: dict[tuple[str, str], float] = {}
    for turn in range(TURNS):
        environment = {**os.environ, _CACHE: str(Path(folder, f"cache{turn}"))}
        for engine in ("auto", "py65"):
            words = [sys.executable, str(_FIRST_TEST), str(place), f"--romproof-engine={engine}"]
            for state in ("cold", "warm"):
                ended = subprocess.run(words, env=environment, check=True, stdout=subprocess.PIPE)
                known = seconds.get((state, engine), float("inf"))
                seconds[state, engine] = min(known, float(ended.stdout))
    return [
        Row(
            f"first call of a test run, {state}",
            "engine auto",
            "engine py65",
            seconds[state, "auto"],
            seconds[state, "py65"],
        )
        for state in ("cold", "warm")
    ]


def _rows(what: str, engine: str, script: Path, *words: str | Path) -> list[Row]:
    """The row without compiled code on the disk, and the row with it."""
    labels = (f"engine {engine}", "engine py65")
    with tempfile.TemporaryDirectory() as cache:
        ours = _process(cache, script, engine, *words)
        peer = _process(cache, script, "py65", *words)

        def cold() -> None:
            with tempfile.TemporaryDirectory() as empty:
                _process(empty, script, engine, *words)()

        cold_s = best(cold, peer, clock=WALL, turns=TURNS)
        ours()
        warm_s = best(ours, peer, clock=WALL, turns=TURNS)
    return [
        Row(f"{what}, cold", *labels, *cold_s),
        Row(f"{what}, warm", *labels, *warm_s),
    ]


def _process(cache: str, *words: str | Path) -> Callable[[], object]:
    """Running a script of Python that keeps compiled code in the folder ``cache``."""
    environment = {**os.environ, _CACHE: cache}
    return lambda: subprocess.run([sys.executable, *words], env=environment, check=True)
