"""FCEUX's name lists: ``$C000#name#comment``, in a file for each 16 KiB of PRG.

Such files are called game.nes.ram.nl and game.nes.N.nl, N a number in hexadecimal digits; addresses
are those of the CPU (fceux.com/web/help/NLFilesFormat.html).
"""

from __future__ import annotations

import re
from pathlib import PurePath

from romproof.formats.errors import BadSymbols
from romproof.formats.labels import Label, Space, SymbolFile
from romproof.formats.reading import number_lines, span_of, unreadable
from romproof.text.numbers import whole
from romproof.text.span import Source

KIND = "an FCEUX name list"
LINE = re.compile(
    r"\s*\$(?P<address>[0-9A-Fa-f]{1,4})(?:/(?P<size>[0-9A-Fa-f]{1,4}))?#(?P<name>[^#]*)(?:#.*)?$"
)
_HELP = "a line looks like this: $C000#name#comment"
_ARRAY_NAME = re.compile(r"[^\s\[\]]+")


def read_name_list(source: Source) -> SymbolFile:
    """The names of a list. Raises BadSymbols, also where the file's name says no bank."""
    page = _page(source.name)
    labels: list[Label] = []
    continued = False
    for number, text in number_lines(source):
        if continued:  # the line above ends with a backslash: this is more of its comment
            continued = text.endswith("\\")
            continue
        match = LINE.match(text)
        if match is None:
            raise unreadable(source, number, "this is not a line of a name list", _HELP)
        continued = text.endswith("\\")
        name = _ARRAY_NAME.match(match["name"].strip())
        if name is None:
            continue  # a comment without a name
        size = whole(match["size"], 16) if match["size"] else None
        span = span_of(source, number, name[0])
        address = whole(match["address"], 16)
        labels.append(Label(name[0], address, Space.ADDRESS, span, size=size, page=page))
    return SymbolFile(KIND, source.name, tuple(labels))


def _page(name: str) -> int | None:
    """The bank of 16 KiB that a list is for; None for that of RAM."""
    word = PurePath(name).stem.rpartition(".")[2]
    if word.lower() == "ram":
        return None
    if re.fullmatch(r"[0-9A-Fa-f]{1,3}", word) is None or "." not in PurePath(name).stem:
        raise BadSymbols(
            f"{name}: the name of a name list must contain its bank",
            help="game.nes.0.nl is for the first 16 KiB of PRG, game.nes.ram.nl for RAM",
        )
    return int(word, 16)
