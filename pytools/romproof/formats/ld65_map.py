"""Map files of ld65 (-m): what the modules export.

The format is that of cc65 2.19 (src/ld65/mapfile.c, src/ld65/exports.c): two exports a line, each
``name  00C000 RLA`` with the value in hexadecimal, whether it is referenced, whether it is a label
or an equate, and the size of its address. What a module keeps to itself is not there; without -vm
neither is what no other module imports.
"""

from __future__ import annotations

import re

from romproof.formats.errors import BadSymbols
from romproof.formats.labels import Label, Space, SymbolFile
from romproof.formats.reading import number_lines, span_of, unreadable
from romproof.formats.vice import NO_ADDRESS
from romproof.text.numbers import whole
from romproof.text.span import Source

KIND = "a map of ld65"
HEAD = re.compile(r"Modules list:")
_EXPORTS = "Exports list by name:"
_TITLE = re.compile(r"[A-Z][a-z]+ list(?: by \w+)?:\s*$")
_EXPORT = re.compile(
    r"(?P<name>\S+)\s+(?P<value>[0-9A-Fa-f]{6,8})\s"
    r"(?P<used>[R ])(?P<kind>[LE])[ZAFLD?](?:I|\s|$)\s*"
)


def read_ld65_map(source: Source) -> SymbolFile:
    """The exports of a map; equates are no addresses. Raises BadSymbols."""
    labels: list[Label] = []
    inside = seen = False
    for number, text in number_lines(source):
        if _TITLE.match(text):
            inside = text.strip() == _EXPORTS
            seen = seen or inside
            continue
        if not inside or not text.strip("- "):
            continue
        at = 0
        while at < len(text.rstrip()):
            match = _EXPORT.match(text, at)
            if match is None:
                help = "the line of an export looks like this: main                      00C000 RLA"
                raise unreadable(source, number, "cannot read this export", help)
            name = match["name"]
            is_place = match["kind"] == "L" and NO_ADDRESS.fullmatch(name) is None
            space = Space.ADDRESS if is_place else Space.CONSTANT
            span = span_of(source, number, name)
            labels.append(Label(name, whole(match["value"], 16), space, span))
            at = match.end()
    if not seen or not any(label.space is Space.ADDRESS for label in labels):
        what = "there is no label among the exports" if seen else "it has no list of exports"
        raise BadSymbols(
            f"{source.name}: {KIND} is used for its exports, and {what}",
            help="assemble with ca65 -g, link with ld65 --dbgfile game.dbg, and name that file; "
            "a map has only the symbols that modules import, and all exports with ld65 -vm",
        )
    return SymbolFile(KIND, source.name, tuple(labels))
