"""What the tests of bounds share: programs out of a few lines of source."""

from __future__ import annotations

from pathlib import Path

from romproof.contract.reading.parse import parse_contracts
from romproof.program.image import Image
from romproof.projects import Manifest, build
from romproof.timing.model import Bounds, Routine
from romproof.timing.program import TimedProgram

LAYOUT = """\
MEMORY {
  ZP:  start = $10,   size = $80, type = rw;
  RAM: start = $300,  size = $400, type = rw;
  ROM: start = $8000, size = $8000, type = ro, fill = yes, file = %O;
}
SEGMENTS {
  ZEROPAGE: load = ZP,  type = zp;
  BSS:      load = RAM, type = bss;
  CODE:     load = ROM, type = ro;
}
"""

HEAD_6502 = """\
.macpack longbranch
.segment "ZEROPAGE"
counter: .res 1
value:   .res 4
pointer: .res 2
.segment "BSS"
table:   .res 256
.segment "CODE"
"""

HEAD_SM83 = """\
SECTION "high", HRAM
counter: ds 1
value: ds 4
SECTION "work", WRAM0
table: ds 256
SECTION "code", ROM0[$0150]
"""


def image_6502(folder: Path, text: str) -> Image:
    """The image of a 6502 program; ``text`` is code, ``counter`` and others are there."""
    (folder / "layout.cfg").write_text(LAYOUT)
    return _image(folder, "prog.s", HEAD_6502 + text, "6502", folder / "layout.cfg")


def image_sm83(folder: Path, text: str) -> Image:
    """The image of a Game Boy program; ``text`` is code, ``counter`` and others are there."""
    return _image(folder, "prog.asm", HEAD_SM83 + text, "sm83", None)


def _image(folder: Path, name: str, text: str, cpu: str, config: Path | None) -> Image:
    source = folder / name
    source.write_text(text, "utf-8")
    return build(Manifest("prog", (source,), (), (), cpu, config, "prog.bin")).image


def program(image: Image) -> TimedProgram:
    """The program with its contracts."""
    return TimedProgram(image, parse_contracts(image))


def bounds(image: Image, routine: str = "main") -> Bounds:
    """The bounds of a routine."""
    return program(image).bounds(routine)


def found(image: Image, routine: str = "main") -> Routine:
    """Everything that is known of a routine."""
    return program(image).routine(image.address(routine))
