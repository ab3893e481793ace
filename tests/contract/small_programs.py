"""Small programs for tests of contracts, the same text for both CPUs."""

from __future__ import annotations

import re
from pathlib import Path

from romproof.program.image import Image
from romproof.projects import build
from romproof.projects.manifest import manifest_from

HEADS = {
    "6502": """\
.segment "ZEROPAGE"
.exportzp one, pair, four, ptr
one:  .res 1
pair: .res 2
four: .res 4
ptr:  .res 2
.segment "CODE"
.export _stop
_stop: rts
""",
    "sm83": """\
SECTION "vars", HRAM[$FF90]
one:: ds 1
pair:: ds 2
four:: ds 4
ptr:: ds 2
SECTION "code", ROM0[$150]
""",
}
CALL = {"6502": "jsr", "sm83": "call"}
JUMP = {"6502": "jmp", "sm83": "jp"}
RETURN = {"6502": "rts", "sm83": "ret"}


def program_of(cpu: str, folder: Path, text: str) -> Image:
    """The program; in ``text`` a routine begins with its name and a colon, ``CALL``, ``JUMP`` and
    ``RETURN`` are the CPU's. Names that begin with an underscore are private."""
    for word, table in (("CALL", CALL), ("JUMP", JUMP), ("RETURN", RETURN)):
        text = text.replace(word, table[cpu])
    if cpu == "6502":
        text = re.sub(r"^([a-z]\w*):", r".export \1\n\1:", text, flags=re.MULTILINE)
    else:
        text = re.sub(r"^([a-z]\w*):", r"\1::", text, flags=re.MULTILINE)
    name = "prog.s" if cpu == "6502" else "prog.asm"
    (folder / name).write_text(HEADS[cpu] + text, "utf-8")
    table = {"name": "demo", "cpu": cpu, "sources": [name]}
    return build(manifest_from(table, folder, "demo", "test")).image
