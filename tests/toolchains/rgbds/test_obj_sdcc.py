"""Objects of SDCC. Sections, symbols and expressions are what rgblink 1.0.3 makes of them."""

from __future__ import annotations

import re

import pytest

from romproof.toolchains.rgbds.obj.model import Modifier, PatchKind, SymbolKind
from romproof.toolchains.rgbds.obj.rgb9 import MalformedObject
from romproof.toolchains.rgbds.obj.rpn import RpnOp, RpnStep
from romproof.toolchains.rgbds.obj.sdcc import is_sdcc, read_sdcc
from romproof.toolchains.rgbds.obj.types import SectionType

HEAD = "XL3\nH 2 areas 2 global symbols\n"
REL = """\
XL3
; a comment
H 3 areas 3 global symbols
M game
O -msm83
S .__.ABS. Def000000
S _far Ref000000
A _CODE size 8 flags 0 addr 0
S _main Def000002
A _DATA size 4 flags 0 addr 0
A _CABS size 2 flags 8 addr 4100
T 00 00 00
R 00 00 00 00
T 00 00 00 CD 05 00 C3 01 00 3E 02 00 00
R 00 00 00 00 02 04 01 00 00 07 00 00 89 0A 01 00
T 00 41 00 11 22
R 00 00 02 00
"""


def test_an_object() -> None:
    obj = read_sdcc(REL.encode(), "game.rel")
    code, data, absolute = obj.sections
    assert (code.name, code.typeless, code.modifier) == ("_CODE", True, Modifier.FRAGMENT)
    assert code.data.hex() == "cd0500c301003e02"
    assert (data.name, data.typeless, data.size, data.data) == ("_DATA", True, 4, b"")
    assert (absolute.name, absolute.typeless) == ("game.rel _CABS", False)
    assert (absolute.type, absolute.bank, absolute.address) == (SectionType.ROMX, 0, 0x4100)
    assert [(s.name, s.kind, s.section, s.value) for s in obj.symbols[:3]] == [
        (".__.ABS.", SymbolKind.EXPORT, None, 0),
        ("_far", SymbolKind.IMPORT, None, 0),
        ("_main", SymbolKind.EXPORT, 0, 2),
    ]
    add, far = RpnStep(RpnOp.ADD), RpnStep(RpnOp.SYMBOL, 1)
    assert [(p.offset, p.kind, p.rpn) for p in code.patches] == [
        (1, PatchKind.WORD, (far, RpnStep(RpnOp.CONST, 5), add)),
        (4, PatchKind.WORD, (RpnStep(RpnOp.SYMBOL, 3), RpnStep(RpnOp.CONST, 1), add)),
        (
            7,
            PatchKind.BYTE,
            (
                RpnStep(RpnOp.SYMBOL, 4), RpnStep(RpnOp.CONST, 2), add,
                RpnStep(RpnOp.CONST, 8), RpnStep(RpnOp.USHR),
                RpnStep(RpnOp.CONST, 0xFF), RpnStep(RpnOp.AND),
            ),
        ),
    ]  # fmt: skip
    assert [(s.section, s.value) for s in obj.symbols[3:]] == [(0, 0), (1, 0), (2, 0)]


def test_what_is_one() -> None:
    assert is_sdcc(REL.encode())
    assert not is_sdcc(b"RGB9")
    assert not is_sdcc(b"")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("XH3\n", "x.rel:1: the object format 'XH3' is not supported"),
        ("XL3\n", "x.rel:2: the file ends before its areas"),
        ("XL3\nH 1 area\n", "x.rel:2: this is not a line 'H areas symbols'"),
        (HEAD + "A _CODE size 10000 flags 0 addr 0", "'10000' is not a number within 0..65535"),
        (HEAD + "A _CODE size 1 flags 10 addr 0", "paged areas are not supported"),
        (HEAD + "A _CODE", "this is not a line 'A name size flags addr'"),
        (HEAD + "A a size 0 flags 0 addr 0\n" * 2, "x.rel:4: area 'a' is already defined"),
        (HEAD + "S a Xef0", "this is not a line 'S name Def' or 'S name Ref'"),
        (HEAD + "S a Def0\n" * 3, "more than the 2 symbols announced"),
        (HEAD + "T 00 00\n", "a T line is too short"),
        (HEAD + "T 00 00 00 1G\n", "'1G' is not a number within 0..255"),
        (HEAD + "T 00 00 00\nR 00 00 00 00", "the line names area #0; there are 0"),
    ],
)
def test_faults_in_lines(text: str, message: str) -> None:
    with pytest.raises(MalformedObject, match=re.escape(message)):
        read_sdcc(text.encode(), "x.rel")


@pytest.mark.parametrize(
    ("t", "r", "message"),
    [
        ("00 00 00 01 02", "00 00 00 00", "area '_CODE' has 2 of 3 bytes"),
        ("00 00 00 01 02 03 04", "00 00 00 00", "more bytes than the 3 of area '_CODE'"),
        ("01 00 00 01 02", "00 00 00 00", "do not follow those before them"),
        ("00 00 00 01 02 03", "00 00 00 00 00 02 00 00", "at byte 2, outside of the T line"),
        ("00 00 00 01 02 03", "00 00 00 00 00 05 00 00", "behind the end of the T line"),
        ("00 00 00 01 02 03", "00 00 00 00 00 03 09 00", "the line names area #9; there are 1"),
        ("00 00 00 01 02 03", "00 00 00 00 02 03 09 00", "the line names symbol #9; there are 1"),
        ("00 00 00 01 02 03", "00 00 00 00 02 03 00 00", "asks for the bank of '_none'"),
        ("00 00 00 01 02 03", "00 00 00 00 04 03 00 00", "flags $4 are not supported"),
        ("00 00 00 01 02 03", "00 00 00 00 20 03 00 00", "relocations with pages"),
        ("00 00 00 01 02 03", "00 00 00 00 00 03", "a relocation is not complete"),
    ],
)
def test_faults_in_contents(t: str, r: str, message: str) -> None:
    head = "XL3\nH 1 areas 1 global symbols\nS b_none Ref0\nA _CODE size 3 flags 0 addr 0\n"
    text = f"{head}T {t}\nR {r}"
    with pytest.raises(MalformedObject, match=re.escape(message)):
        read_sdcc(text.encode(), "x.rel")
