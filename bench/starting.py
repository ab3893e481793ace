"""How long it takes until the first run is over, in a new process: cold, or with compiled code of
an earlier one on the disk. Times are those people wait, not processor time."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import tarot_loop
from rows import WALL, Row, best, without_llvm

TURNS = 3
_RUN = Path(__file__).with_name("first_run.py")
_CALL = Path(__file__).with_name("first_call.py")
_CACHE = "ROMPROOF_CACHE"


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
        return rows + _rows("first Rom.call()", "llvm", _CALL)


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
