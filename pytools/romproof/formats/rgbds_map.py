"""Map files of rgblink (-m): sections by bank, with their ranges and symbols.

The format is not specified; versions from 0.4 to 1.0 differ in their summaries only.
"""

from __future__ import annotations

import re

from romproof.formats.labels import Label, LinkerSection, Space, SymbolFile
from romproof.formats.reading import number_lines, span_of, unreadable
from romproof.text.numbers import whole
from romproof.text.span import Source

KIND = "an RGBDS map"
_BANK = re.compile(r"(?P<kind>[A-Z]+[0X]?|[A-Z]+)\s+bank #(?P<bank>\d+):")
_SECTION = re.compile(
    r"\s*SECTION:\s+\$(?P<first>[0-9A-Fa-f]{4})"
    r"(?:-\$(?P<last>[0-9A-Fa-f]{4}))?\s+\(\$(?P<size>[0-9A-Fa-f]{1,5}) bytes?\)"
    r"(?:\s+\[\"(?P<name>.*)\"\])?"
)
_EMPTY_SECTION = re.compile(
    r"\s*SECTION:\s+\$(?P<first>[0-9A-Fa-f]{4})\s+\(0 bytes\)(?:\s+\[\"(?P<name>.*)\"\])?"
)
_SYMBOL = re.compile(r"\s*\$(?P<address>[0-9A-Fa-f]{4})(?:-\$[0-9A-Fa-f]{4})?\s+=\s+(?P<name>\S+)")
_TYPES = {"ROM0", "ROMX", "VRAM", "SRAM", "WRAM0", "WRAMX", "OAM", "HRAM", "ROM", "WRAM"}
_ROM = ("ROM0", "ROMX", "ROM")


def read_rgbds_map(source: Source) -> SymbolFile:
    """The sections and symbols of a map. Raises BadSymbols."""
    labels: list[Label] = []
    sections: list[LinkerSection] = []
    kind, bank = "", 0
    for number, text in number_lines(source):
        head = _BANK.match(text)
        if head is not None and head["kind"] in _TYPES:
            kind, bank = head["kind"], whole(head["bank"])
            continue
        if not text.startswith(("\t", " ")):
            kind = ""
            continue
        if not kind:
            continue  # a summary
        symbol = _SYMBOL.match(text)
        if symbol is not None:
            span = span_of(source, number, symbol["name"])
            address = whole(symbol["address"], 16)
            labels.append(Label(symbol["name"], address, Space.ADDRESS, span, bank))
        elif text.lstrip().startswith("SECTION:"):
            section = _section(text, kind, bank)
            if section is None:
                help = 'a section looks like this: SECTION: $0150-$01ff ($00b0 bytes) ["Main"]'
                raise unreadable(source, number, "this section cannot be read", help)
            if section.size:
                sections.append(section)
    return SymbolFile(KIND, source.name, tuple(labels), tuple(sections))


def _section(text: str, kind: str, bank: int) -> LinkerSection | None:
    match = _SECTION.match(text)
    if match is not None:
        first = whole(match["first"], 16)
        size = whole(match["size"], 16)
        if match["last"] is not None and whole(match["last"], 16) + 1 - first != size:
            return None
        return LinkerSection(match["name"] or "", bank, first, size, kind in _ROM)
    match = _EMPTY_SECTION.match(text)
    if match is None:
        return None
    return LinkerSection(match["name"] or "", bank, whole(match["first"], 16), 0, kind in _ROM)
