"""Symbol files as rgblink and Game Boy emulators write them: ``01:4ABC name``."""

from __future__ import annotations

import re

from romproof.text.diagnostic import Diagnostics
from romproof.text.numbers import whole
from romproof.text.span import Source, Span

_LINE = re.compile(r"(?P<bank>[0-9A-Fa-f]+|BOOT):(?P<address>[0-9A-Fa-f]{1,4})\s+(?P<name>\S+)\s*$")


def parse_sym_labels(source: Source, diagnostics: Diagnostics) -> dict[tuple[int | None, int], str]:
    """(bank, address) -> name; of several names for a place the first one counts.

    Comments, and constants (without a bank), are passed over; any other line is an error in
    ``diagnostics``.
    """
    labels: dict[tuple[int | None, int], str] = {}
    for number, text in enumerate(source.lines, 1):
        line = text.partition(";")[0].strip()
        match = _LINE.match(line)
        if match is not None and match["bank"] != "BOOT":
            place = (whole(match["bank"], 16), whole(match["address"], 16))
            labels.setdefault(place, match["name"])
        elif line and match is None and not re.match(r"[0-9A-Fa-f]+\s+\S+$", line):
            diagnostics.error(
                "cannot read this label",
                Span(source, number, 1, max(len(text), 1)),
                help="the line of a label looks like this: 01:4ABC name",
            )
    return labels
