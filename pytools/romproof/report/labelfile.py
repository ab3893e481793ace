"""Names for addresses, from a file that a linker wrote."""

from __future__ import annotations

from pathlib import Path

from romproof.report.symfile import parse_sym_labels
from romproof.report.vice import parse_vice_labels
from romproof.support.reading import read_text
from romproof.text.diagnostic import Diagnostics
from romproof.text.span import Source


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
