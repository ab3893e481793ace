"""How the time for a translation grows with the program. The interpreter needs no such time."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import amount
from rows import Row, best, without_llvm

from romproof.machine.memory import load_image
from romproof.projects import Manifest, build

SIZES = tuple(amount.of(size, 100) for size in (1_000, 2_000, 4_000, 8_000))
"""Instructions, or a few less."""
TURNS = 2
_CACHE = "ROMPROOF_CACHE"
_START = 0x1000
_LAYOUT = """\
MEMORY { MAIN: start = $1000, size = $F000, file = %O; }
SEGMENTS { CODE: load = MAIN, type = rw; }
"""
_PART = """\
.proc part{n}
  ldx #7
@next:
  lda $0400 + {n},x
  clc
  adc #{n} .mod 251
  bcc @kept
  sta $0300 + {n} .mod 200,x
@kept:
  eor $10 + {n} .mod 64
  ror a
  dex
  bpl @next
  sta $10 + {n} .mod 64
  rts
.endproc
"""
_INSTRUCTIONS = 13
"""Those of a part, and its call."""


def translations() -> list[Row]:
    """The first run of a program that is translated at once."""
    absent = without_llvm()
    if absent is not None:
        return [Row("translate a program", absent, f"{SIZES[0]:,} instructions", None)]
    programs = [_program(size // _INSTRUCTIONS) for size in SIZES]
    with _nothing_kept():
        _first_run(_program(1))  # the interpreter is compiled here
        times = best(*(partial(_first_run, program) for program in programs), turns=TURNS)
    each = [time / size for time, size in zip(times, SIZES, strict=True)]
    return [
        Row(
            "translate one instruction",
            f"in a program of {size:,}",
            f"in a program of {SIZES[0]:,}",
            one,
            each[0],
        )
        for size, one in zip(SIZES[1:], each[1:], strict=True)
    ]


def _program(parts: int) -> bytes:
    """An address space with a program at _START that calls ``parts`` routines, then stays."""
    calls = "".join(f"  jsr part{n}\n" for n in range(parts))
    source = calls + "end: jmp end\n" + "".join(_PART.format(n=n) for n in range(parts))
    with tempfile.TemporaryDirectory() as folder:
        main, layout = Path(folder, "main.s"), Path(folder, "layout.cfg")
        main.write_text(source, "utf-8")
        layout.write_text(_LAYOUT, "utf-8")
        image = build(Manifest("growing", (main,), config=layout)).image
    return load_image(image).initial


def _first_run(memory: bytes) -> None:
    from romproof.engine.recompiled.engine import RecompiledEngine

    engine = RecompiledEngine(warm_up=0)
    engine.memory[:] = memory
    engine.registers.pc = _START
    engine.run((), 1)
    assert engine.translations == 1


@contextmanager
def _nothing_kept() -> Iterator[None]:
    """Compiled code is not kept on the disk, nor taken from there."""
    before = os.environ.get(_CACHE)
    os.environ[_CACHE] = ""
    try:
        yield
    finally:
        if before is None:
            del os.environ[_CACHE]
        else:
            os.environ[_CACHE] = before
