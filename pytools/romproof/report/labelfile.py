"""Names for addresses, from a file that a linker wrote: label files of VICE and ld65, symbol files
of rgblink."""

from __future__ import annotations

import re
from pathlib import Path

from romproof.support.reading import read_text
from romproof.text.diagnostic import Diagnostics
from romproof.text.numbers import whole
from romproof.text.span import Source, Span


def read_labels(file: Path) -> dict[tuple[int | None, int], str]:
    """(bank, address) -> name; the bank is None where the file knows of none.

    A file that ends in .sym is one of rgblink's, others have VICE labels. Raises OSError, and
    BuildFailed with all lines that cannot be read.
    """
    diagnostics = Diagnostics()
    source = Source(str(file), read_text(file))
    names: dict[tuple[int | None, int], str]
    if file.suffix.lower() == ".sym":
        names = parse_sym_labels(source, diagnostics)
    else:
        flat = parse_vice_labels(source, diagnostics)
        names = {(None, address): name for address, name in flat.items()}
    diagnostics.raise_if_failed()
    return names


_VICE_LINE = re.compile(r"al\s+(?:[0-9A-Za-z]+:)?([0-9A-Fa-f]{1,6})\s+\.(\S+)\s*$")


def parse_vice_labels(source: Source, diagnostics: Diagnostics) -> dict[int, str]:
    """The labels of a file as VICE and ld65 write them, ``al C:c000 .name``: address -> name;
    of several names for an address the first one counts.

    Lines of other commands and comments are passed over; a label line that
    cannot be read is an error in ``diagnostics``.
    """
    labels: dict[int, str] = {}
    for number, line in enumerate(source.lines, 1):
        if not re.match(r"\s*(al|add_label)\b", line):
            continue
        match = _VICE_LINE.match(line.strip().replace("add_label", "al", 1))
        if match is None:
            diagnostics.error(
                "cannot read this label",
                Span(source, number, 1, len(line)),
                help="the line of a label looks like this: al C:c000 .name",
            )
        elif whole(match[1], 16) <= 0xFFFF:
            labels.setdefault(whole(match[1], 16), match[2])
    return labels


_SYM_LINE = re.compile(
    r"(?P<bank>[0-9A-Fa-f]+|BOOT):(?P<address>[0-9A-Fa-f]{1,4})\s+(?P<name>\S+)\s*$"
)


def parse_sym_labels(source: Source, diagnostics: Diagnostics) -> dict[tuple[int | None, int], str]:
    """The labels of a file as rgblink and Game Boy emulators write them, ``01:4ABC name``:
    (bank, address) -> name; of several names for a place the first one counts.

    Comments, and constants (without a bank), are passed over; any other line is an error in
    ``diagnostics``.
    """
    labels: dict[tuple[int | None, int], str] = {}
    for number, text in enumerate(source.lines, 1):
        line = text.partition(";")[0].strip()
        match = _SYM_LINE.match(line)
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
