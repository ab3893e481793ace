"""VICE's labels: ``al 00C000 .name`` of ld65 -Ln, ``al C:c000 .name`` of others."""

from __future__ import annotations

import re

from romproof.formats.labels import Label, Space, SymbolFile
from romproof.formats.reading import number_lines, span_of, unreadable
from romproof.text.numbers import whole
from romproof.text.span import Source

KIND = "VICE labels"
_COMMAND = re.compile(r"\s*(?:al|add_label)\b")
_LINE = re.compile(
    r"\s*(?:al|add_label)\s+(?:[0-9A-Za-z]+:)?\$?(?P<value>[0-9A-Fa-f]{1,8})\s+\.?(?P<name>\S+)\s*"
    r"(?:;.*)?$"
)
NO_ADDRESS = re.compile(r"__\w+_(?:SIZE|FILEOFFS)__")
"""Names that ld65 defines with ``define = yes`` and that are no addresses."""


def read_vice(source: Source) -> SymbolFile:
    """The labels of a file; lines of the monitor's other commands are passed over.

    Raises BadSymbols.
    """
    labels: list[Label] = []
    for number, text in number_lines(source):
        if _COMMAND.match(text) is None:
            continue
        match = _LINE.match(text)
        if match is None:
            help = "the line of a label looks like this: al C:c000 .name"
            raise unreadable(source, number, "cannot read this label", help)
        span = span_of(source, number, match["name"])
        space = Space.CONSTANT if NO_ADDRESS.fullmatch(match["name"]) else Space.ADDRESS
        labels.append(Label(match["name"], whole(match["value"], 16), space, span))
    return SymbolFile(KIND, source.name, tuple(labels))
