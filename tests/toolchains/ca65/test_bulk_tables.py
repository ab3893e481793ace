"""Tables that are read by patterns are those that are read row by row."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from romproof.text.diagnostic import BuildFailed, Diagnostics
from romproof.text.span import Source
from romproof.toolchains.ca65.asm import Options, assemble
from romproof.toolchains.ca65.asm.assembler import assemble_source
from romproof.toolchains.ca65.obj import bulk
from romproof.toolchains.ca65.obj.decode import decode_object
from romproof.toolchains.ca65.obj.encode import encode_object
from romproof.toolchains.ca65.obj.tables import BadObjectFile, ObjectFile

CASES = Path(__file__).parents[2] / "cases" / "ca65"
NOTHING = re.compile(b"(?!)")
UNUSUAL = """\
.import one, two
.macro m1 x1
        .byte x1
.endmacro
.macro m2 x1
        m1 x1
.endmacro
.macro m3 x1
        m2 x1
.endmacro
.segment "CODE"
        .byte <(<one), >(one-(two-1)), <(one+two+1-2+one-1)
        .word one-two, (one-1)-(two-2)-one, -one
        .dword 1, one
        .byte "a text of more than eight bytes"
        .res 300
        .res 20, 1
        m3 5
        m3 {<one}
        lda one
"""


def objects() -> list[tuple[str, bytes]]:
    made = [assemble_source(Source("unusual.s", UNUSUAL), OPTIONS, Diagnostics())]
    for path in sorted(CASES.glob("*.s"))[::12]:
        try:
            made.append(assemble(path, OPTIONS, Diagnostics()))
        except BuildFailed:
            continue
    return [(each.name, encode_object(each.tables)) for each in made if each.tables is not None]


OPTIONS = Options(tables=True, debug_info=True, include=(CASES,), out=lambda text: None)


def tables_of(data: bytes) -> ObjectFile | None:
    try:
        return decode_object(data, "x.o")
    except BadObjectFile:
        return None


def row_by_row(data: bytes, monkeypatch: pytest.MonkeyPatch) -> ObjectFile | None:
    with monkeypatch.context() as patched:
        for name in ("_one_fragment", "_many_fragments", "_one_line", "_many_lines"):
            patched.setattr(bulk, name, NOTHING)
        return tables_of(data)


def test_both_ways_of_reading_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, data in objects():
        quick, slow = decode_object(data, "x.o"), row_by_row(data, monkeypatch)
        assert slow is not None
        assert quick == slow, name
        assert [s.contents for s in quick.segments] == [s.contents for s in slow.segments]
        assert encode_object(quick) == data, name


def test_damage_is_found_by_both(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bytes are changed: what one way of reading refuses, the other does, too."""
    _, data = objects()[0]
    assert decode_object(data, "x.o") == row_by_row(data, monkeypatch)
    for at in range(96, len(data), 3):
        changed = data[:at] + bytes((data[at] ^ 0x55,)) + data[at + 1 :]
        assert tables_of(changed) == row_by_row(changed, monkeypatch), at
