"""Programs for the tests of the harness that are assembled from real source, on any engine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from romproof.harness.errors import ContractViolation
from romproof.harness.rom import Rom
from romproof.projects import Manifest, build

Make = Callable[..., Rom]

LAYOUT = """\
MEMORY {
  ZP:  start = $10,   size = $80,   type = rw;
  RAM: start = $300,  size = $400,  type = rw;
  ROM: start = $8000, size = $8000, type = ro, fill = yes, file = %O;
}
SEGMENTS {
  ZEROPAGE: load = ZP,  type = zp;
  BSS:      load = RAM, type = bss;
  CODE:     load = ROM, type = ro;
}
"""
HEAD_6502 = """\
.segment "ZEROPAGE"
count:   .res 1
other:   .res 1
.segment "BSS"
n:       .res 4
arr:     .res 4
alias = arr
.segment "CODE"
"""
HEAD_SM83 = """\
SECTION "work", WRAM0
count: ds 1
other: ds 1
arr: ds 4
SECTION "code", ROM0[$0150]
"""


def rom_6502(folder: Path, text: str, engine: str = "auto") -> Rom:
    """A 6502 program; ``count``, ``other``, ``n``, ``arr`` and ``alias`` are there."""
    (folder / "layout.cfg").write_text(LAYOUT)
    return _rom(folder, "prog.s", HEAD_6502 + text, "6502", folder / "layout.cfg", engine)


def rom_sm83(folder: Path, text: str, engine: str = "auto") -> Rom:
    """A Game Boy program; ``count``, ``other`` and ``arr`` are there."""
    return _rom(folder, "prog.asm", HEAD_SM83 + text, "sm83", None, engine)


def _rom(folder: Path, name: str, text: str, cpu: str, config: Path | None, engine: str) -> Rom:
    source = folder / name
    source.write_text(text, "utf-8")
    manifest = Manifest("prog", (source,), (), (), cpu, config, "prog.bin")
    return Rom(build(manifest).image, engine)


def breaches(rom: Rom, routine: str = "go", **given: object) -> list[str]:
    """What a call breaks, each with the text of the contract that it breaks."""
    with pytest.raises(ContractViolation) as caught:
        rom.call(routine, **given)  # type: ignore[arg-type]
    return [
        f"{b.span.source.line(b.span.line)[b.span.col - 1 :][: b.span.length]} | {b.sentence}"
        for b in caught.value.breaches
    ]
