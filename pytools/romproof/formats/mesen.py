"""Mesen's labels: ``NesPrgRom:1234:name:comment``, offsets in a memory in hexadecimal digits.

Read as symbols of an image, and written for one that romproof built. After
UI/Debugger/Labels/CodeLabel.cs of Mesen 2, which reads those of Mesen 1, too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from romproof.formats.ines import MAGIC, Ines, read_ines
from romproof.formats.labels import Label, Space, SymbolFile
from romproof.formats.reading import number_lines, span_of, unreadable
from romproof.program.image import Image, Segment, Symbol
from romproof.text.errors import BadInput
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


_INVALID = re.compile(r"[^@_a-zA-Z0-9]")
_WORK_RAM, _BANKED_WORK_RAM = 0xC000, 0xD000
_CARTRIDGE_RAM, _SRAM_BANK = 0xA000, 0x2000
_HIGH_RAM = range(0xFF80, 0xFFFF)
_INTERNAL_RAM = range(0x0000, 0x0800)
_NES_CARTRIDGE_RAM = range(0x6000, 0x8000)


def mesen_labels(image: Image) -> str:
    """The labels of a program for the NES or the Game Boy, as Mesen's label files have them.

    Mesen takes letters, digits, _ and @ in names, and each name once. Sizes are given in RAM only:
    its display of code breaks over them. Raises BadInput for other images.
    """
    data = image.files[0].data if image.files else b""
    ines = read_ines(data) if data.startswith(MAGIC) else None
    if ines is None and image.cpu != "sm83":
        raise BadInput("labels for Mesen need an image for the NES (with a header) or the Game Boy")
    segments = {segment.name: segment for segment in image.segments}
    rows: list[tuple[str, int, int, str]] = []
    taken: set[str] = set()
    for symbol in sorted(image.symbols, key=lambda s: (s.value, s.name)):
        segment = segments.get(symbol.segment or "")
        if not symbol.is_label or segment is None:
            continue
        place = (
            _nes_place(symbol, segment, ines) if ines is not None else _gb_place(symbol, segment)
        )
        if place is not None:
            rows.append((*place, symbol.size or 1, _name(symbol.name, taken)))
    return "".join(_row(*row) for row in sorted(rows))


def _row(memory: str, offset: int, size: int, name: str) -> str:
    is_rom = memory.endswith("PrgRom")
    where = f"{offset:04X}" + (f"-{offset + size - 1:04X}" if size > 1 and not is_rom else "")
    return f"{memory}:{where}:{name}\n"


def _name(name: str, taken: set[str]) -> str:
    """A name that Mesen takes, and has not yet."""
    plain = _INVALID.sub("_", name.replace("::", "_"))
    if plain[:1].isdigit():
        plain = f"_{plain}"
    unique, count = plain, 2
    while unique in taken:
        unique, count = f"{plain}_{count}", count + 1
    taken.add(unique)
    return unique


def _nes_place(symbol: Symbol, segment: Segment, ines: Ines) -> tuple[str, int] | None:
    if segment.file is not None and segment.run == segment.load:
        offset = segment.file_offset + symbol.value - segment.run - ines.prg.start
        return ("NesPrgRom", offset) if 0 <= offset < ines.prg_size else None
    if symbol.value in _INTERNAL_RAM:
        return "NesInternalRam", symbol.value
    if symbol.value in _NES_CARTRIDGE_RAM:
        memory = "NesSaveRam" if ines.has_battery else "NesWorkRam"
        return memory, symbol.value - _NES_CARTRIDGE_RAM.start
    return None


def _gb_place(symbol: Symbol, segment: Segment) -> tuple[str, int] | None:
    number = segment.area.partition("[")[2].rstrip("]")
    bank = int(number) if number.isdecimal() else 0
    kind, at = segment.area.partition("[")[0], symbol.value
    if segment.file is not None:
        return "GbPrgRom", segment.file_offset + at - segment.run
    if kind == "SRAM":
        return "GbCartRam", bank * _SRAM_BANK + at - _CARTRIDGE_RAM
    if kind == "WRAM0":
        return "GbWorkRam", at - _WORK_RAM
    if kind == "WRAMX":
        return "GbWorkRam", max(bank, 1) * 0x1000 + at - _BANKED_WORK_RAM
    return ("GbHighRam", at - _HIGH_RAM.start) if at in _HIGH_RAM else None
