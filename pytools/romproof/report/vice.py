"""Label files as VICE and ld65 write them: ``al C:c000 .name``."""

from __future__ import annotations

import re

from romproof.text.diagnostic import Diagnostics
from romproof.text.numbers import whole
from romproof.text.span import Source, Span

_LINE = re.compile(r"al\s+(?:[0-9A-Za-z]+:)?([0-9A-Fa-f]{1,6})\s+\.(\S+)\s*$")


def parse_vice_labels(source: Source, diagnostics: Diagnostics) -> dict[int, str]:
    """Address -> name; of several names for an address the first one counts.

    Lines of other commands and comments are passed over; a label line that
    cannot be read is an error in ``diagnostics``.
    """
    labels: dict[int, str] = {}
    for number, line in enumerate(source.lines, 1):
        if not re.match(r"\s*(al|add_label)\b", line):
            continue
        match = _LINE.match(line.strip().replace("add_label", "al", 1))
        if match is None:
            diagnostics.error(
                "cannot read this label",
                Span(source, number, 1, len(line)),
                help="the line of a label looks like this: al C:c000 .name",
            )
        elif whole(match[1], 16) <= 0xFFFF:
            labels.setdefault(whole(match[1], 16), match[2])
    return labels
