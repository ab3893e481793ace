"""Linking objects of SDCC, whose areas get their memory from a linker script."""

from __future__ import annotations

import pytest

from romproof.text.diagnostic import BuildFailed, Diagnostics
from romproof.text.span import Source
from romproof.toolchains.rgbds.link import Linked, LinkOptions, link, rom_bytes
from romproof.toolchains.rgbds.obj.sdcc import read_sdcc

ONE = """\
XL3
H 2 areas 1 global symbols
S _two Ref000000
A _CODE size 3 flags 0 addr 0
A _DATA size 2 flags 0 addr 0
T 00 00 00 CD 01 00
R 00 00 00 00 02 04 00 00
"""
TWO = """\
XL3
H 2 areas 1 global symbols
A _CODE size 3 flags 0 addr 0
S _two Def000001
A _DATA size 2 flags 0 addr 0
T 00 00 00 00 01 00
R 00 00 00 00 00 04 01 00
"""


def linked(script: str) -> Linked:
    objects = [read_sdcc(text.encode(), name) for text, name in ((ONE, "1.rel"), (TWO, "2.rel"))]
    return link(objects, LinkOptions(script=Source("x.link", script)), Diagnostics())


def test_areas_of_one_name_become_one_section() -> None:
    result = linked('ROM0\nORG $10\n"_CODE"\nWRAM0\n"_DATA"')
    assert {s.name: (s.type.name, s.at, s.size) for s in result.sections} == {
        "_CODE": ("ROM0", 0x10, 6),
        "_DATA": ("WRAM0", 0xC000, 4),
    }
    # call _two+1; a 0 byte; the second byte of the second object's data, $C003
    assert rom_bytes(result)[0x10:0x16].hex() == "cd1500" + "0003c0"


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ('ROM0\n"_CODE"', '"_DATA" has not been assigned a type by a linker script'),
        ('WRAM0\n"_CODE"', '"_CODE" is specified to be a WRAM0 section, but it contains data'),
        ('ROM0\n"_DATA"', '"_DATA" is specified to be a ROM0 section, but it does not contain'),
    ],
)
def test_areas_without_memory(script: str, message: str) -> None:
    with pytest.raises(BuildFailed, match=message):
        linked(script)
