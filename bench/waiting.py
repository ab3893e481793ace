"""What a test run waits for besides its tests: a program that was built before or comes with debug
information, and the checks of a call on a machine."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import amount
from large_source import LINES, large_source
from rows import Row, best, without_llvm

from romproof.harness.rom import Rom
from romproof.projects import Manifest, build
from romproof.projects.program_cache import build_cached
from romproof.support.cache import FOLDER_VARIABLE

CALLS = amount.of(100)
_VARIABLES = 30_000
"""Bytes: of so many each is changed, to see what depends on it."""
_C64 = f"""\
.segment "ZEROPAGE"
.segment "BSS"
buffer: .res {_VARIABLES}
.segment "CODE"
.export twice
;; twice – doubles a number
; in:       A
; out:      A
; ensures:  A == (old A * 2) & $FF
; clobbers: N Z C buffer[1]
; stack:    0
.proc twice
  asl a
  sta buffer
  rts
.endproc
"""
_C64_LAYOUT = """\
MEMORY {
  ZP:   start = $02, size = $80, type = rw;
  MAIN: start = $0801, size = $700, file = %O;
  RAM:  start = $1000, size = $9000, type = rw;
}
SEGMENTS {
  ZEROPAGE: load = ZP,   type = zp;
  CODE:     load = MAIN, type = ro;
  BSS:      load = RAM,  type = bss;
}
"""
_LARGE_LAYOUT = """\
MEMORY { M: start = $0200, size = $FE00, file = %O; }
SEGMENTS { CODE: load = M, type = ro; }
"""


def checks() -> list[Row]:
    """A call on a C64 with its contract checked, and the same call without any check."""
    with tempfile.TemporaryDirectory() as name:
        image = build(_manifest(Path(name), _C64, _C64_LAYOUT)).image
    rom = Rom(image, "plain" if without_llvm() else "llvm", machine="c64")
    assert rom.call("twice", a=33).a == 66

    def call(check: bool) -> None:
        for _ in range(CALLS):
            rom.call("twice", a=33, check=check)

    seconds = (taken / CALLS for taken in best(lambda: call(True), lambda: call(False)))
    return [Row("call a C64's routine", "with its contract checked", "unchecked", *seconds)]


def again() -> list[Row]:
    """A program that was built before, and the same built anew."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        before = os.environ.get(FOLDER_VARIABLE)
        os.environ[FOLDER_VARIABLE] = str(folder / "cache")
        try:
            manifest = _manifest(folder, large_source(), _LARGE_LAYOUT)
            first = build_cached(manifest).image
            assert build_cached(manifest).image.files == first.files
            seconds = best(lambda: build_cached(manifest), lambda: build(manifest))
        finally:
            if before is None:
                del os.environ[FOLDER_VARIABLE]
            else:
                os.environ[FOLDER_VARIABLE] = before
    return [Row(f"a program of {LINES:,} lines", "built before", "built anew", *seconds)]


def _manifest(folder: Path, source: str, layout: str) -> Manifest:
    (folder / "main.s").write_text(source, "utf-8")
    (folder / "layout.cfg").write_text(layout, "utf-8")
    return Manifest("main", (folder / "main.s",), config=folder / "layout.cfg")
