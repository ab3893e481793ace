"""Names with values: ``name = $addr``, as ACME, 64tass, xa and many others write them."""

from __future__ import annotations

import re

from romproof.formats.labels import Label, Space, SymbolFile
from romproof.formats.reading import number_lines, span_of, unreadable
from romproof.text.numbers import whole
from romproof.text.span import Source

KIND = "names with values"
LINE = re.compile(
    r"\s*(?:\.?(?:define|def|equ)\s+)?(?P<name>[A-Za-z_.@][\w.@:$]*?):?\s*"
    r"(?::?=|\bequ\b|\bEQU\b|\.equ\b)\s*"
    r"(?:\$(?P<hex>[0-9A-Fa-f]{1,8})|0[xX](?P<c>[0-9A-Fa-f]{1,8})|(?P<decimal>\d{1,10})"
    r"|%(?P<binary>[01]{1,32}))\s*(?:(?:;|//|#|,).*)?$"
)
_COMMENT = re.compile(r"\s*(?:;|//|#|\*)")


def read_equates(source: Source) -> SymbolFile:
    """The names of a file. Raises BadSymbols."""
    labels: list[Label] = []
    for number, text in number_lines(source):
        if _COMMENT.match(text):
            continue
        match = LINE.match(text)
        if match is None:
            help = "a line looks like this: name = $C000"
            raise unreadable(source, number, "this is not a name with a value", help)
        if match["decimal"] is not None:
            value = whole(match["decimal"])
        elif match["binary"] is not None:
            value = whole(match["binary"], 2)
        else:
            value = whole(match["hex"] or match["c"], 16)
        span = span_of(source, number, match["name"])
        labels.append(Label(match["name"], value, Space.ADDRESS, span))
    return SymbolFile(KIND, source.name, tuple(labels))
