"""How the time for a translation grows with the program. The interpreter needs no such time."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rows import Row, best, without_llvm

from romproof.build import Manifest, build
from romproof.machine.memory import load_image
from romproof.obj.image import Image

INSTRUCTIONS = (1_000, 2_000, 4_000, 8_000)
TURNS = 2
_CACHE = "ROMPROOF_CACHE"
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
  sta $0300 + {n},x
@kept:
  eor $10 + {n} .mod 64
  ror a
  dex
  bpl @next
  sta $10 + {n} .mod 64
  rts
.endproc
"""
_EACH = 13
"""Instructions a part adds: those above, and its call."""


def translations() -> list[Row]:
    """The first run of a program that is translated at once, per instruction."""
    absent = without_llvm()
    if absent is not None:
        return [Row("translate a program", absent, "a small program", None)]
    images = [_program(count) for count in INSTRUCTIONS]
    with _nothing_kept():
        _first_run(_program(_EACH))  # the interpreter is compiled here
        taken = best(*(lambda i=i: _first_run(i) for i in images), turns=TURNS)  # type: ignore[misc]
    seconds = [time / count for time, count in zip(taken, INSTRUCTIONS, strict=True)]
    return [
        Row(
            "translate one instruction",
            f"of {count:,}",
            f"of {INSTRUCTIONS[0]:,}",
            each,
            seconds[0],
        )
        for count, each in zip(INSTRUCTIONS[1:], seconds[1:], strict=True)
    ]
