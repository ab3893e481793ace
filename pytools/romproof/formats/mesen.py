"""Mesen's labels: ``NesPrgRom:1234:name:comment``, offsets in a memory in hexadecimal digits.

After UI/Debugger/Labels/CodeLabel.cs of Mesen 2, which reads those of Mesen 1, too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from romproof.formats.labels import Label, Space, SymbolFile
from romproof.formats.reading import number_lines, span_of, unreadable
from romproof.text.numbers import whole
from romproof.text.span import Source

KIND = "Mesen labels"
MEMORIES: Mapping[str, Space] = MappingProxyType(
    {
        **dict.fromkeys(("NesMemory", "G", "GameboyMemory", "GBREG"), Space.ADDRESS),
        **dict.fromkeys(("NesPrgRom", "P", "GbPrgRom", "GBPRG"), Space.PRG),
        **dict.fromkeys(("NesInternalRam", "R", "GbWorkRam", "GBWRAM"), Space.RAM),
        **dict.fromkeys(("NesWorkRam", "W", "NesSaveRam", "S"), Space.CARTRIDGE_RAM),
        **dict.fromkeys(("GbCartRam", "GBSRAM"), Space.CARTRIDGE_RAM),
        **dict.fromkeys(("GbHighRam", "GBHRAM"), Space.HIGH_RAM),
    }
)
"""The memories of both consoles, by their names in Mesen 2 and Mesen 1."""
LINE = re.compile(
    r"(?P<memory>[A-Za-z][A-Za-z0-9]*):(?P<first>[0-9A-Fa-f]{1,8})(?:-(?P<last>[0-9A-Fa-f]{1,8}))?:"
    r"(?P<name>[^:]*)(?::.*)?$"
)
_HELP = "the line of a label looks like this: NesPrgRom:1234:name"


def read_mlb(source: Source) -> SymbolFile:
    """The labels of a file. Raises BadSymbols."""
    labels: list[Label] = []
    for number, text in number_lines(source):
        line = text.lstrip("\ufeff")
        match = LINE.match(line)
        if match is None:
            raise unreadable(source, number, "this is not a label of Mesen", _HELP)
        if not match["name"]:
            continue  # a comment without a name
        first = whole(match["first"], 16)
        last = whole(match["last"], 16) if match["last"] else first
        if last < first:
            what = "the range of this label ends before it begins"
            raise unreadable(source, number, what, _HELP)
        space = MEMORIES.get(match["memory"], Space.ELSEWHERE)
        span = span_of(source, number, match["name"])
        size = last - first + 1 if match["last"] else None
        labels.append(Label(match["name"], first, space, span, size=size))
    return SymbolFile(KIND, source.name, tuple(labels))
