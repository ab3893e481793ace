"""C64 programs for the tests, assembled from source by the project's own ca65."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from romproof.machine.c64.machine import C64
from romproof.projects import Manifest, build

ORIGIN = 0x0810
LIMIT = 5_000_000
"""Cycles that are enough for each of the programs."""
_LAYOUT = f"""\
MEMORY {{
  HEAD: start = $07FF, size = 2, file = %O;
  MAIN: start = $0801, size = $C7FF, type = rw, file = %O;
}}
SEGMENTS {{
  LOADADDR: load = HEAD, type = ro;
  BASIC:    load = MAIN, type = ro;
  CODE:     load = MAIN, type = ro, start = ${ORIGIN:04X};
}}
"""
_BASIC = f"""\
.segment "LOADADDR"
        .word $0801
.segment "BASIC"
        .word next, 10
        .byte $9E, "{ORIGIN}", 0
next:   .word 0
.segment "CODE"
CHROUT = $FFD2
CHRIN  = $FFCF
GETIN  = $FFE4
SETLFS = $FFBA
SETNAM = $FFBD
OPEN   = $FFC0
CLOSE  = $FFC3
CHKIN  = $FFC6
CHKOUT = $FFC9
CLRCHN = $FFCC
READST = $FFB7
LOAD   = $FFD5
SAVE   = $FFD8
"""


@cache
def prg(source: str) -> bytes:
    """A .prg whose line of BASIC leads to ``source``, at ORIGIN."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "layout.cfg").write_text(_LAYOUT)
        (folder / "main.s").write_text(_BASIC + source)
        config = folder / "layout.cfg"
        manifest = Manifest("main", (folder / "main.s",), config=config, output="main.prg")
        return build(manifest).image.files[0].data


def run(source: str, engine: str = "plain", limit: int = LIMIT, **options: str) -> C64:
    """The machine after ``source`` was started and has returned."""
    machine = C64(prg(source), engine=engine, **options)
    machine.start()
    to_the_end(machine, limit)
    return machine


def to_the_end(machine: C64, limit: int = LIMIT) -> None:
    """Let the program run until it returns."""
    machine.run({machine.nowhere}, limit)
    assert machine.registers.pc == machine.nowhere, "the program did not end"
