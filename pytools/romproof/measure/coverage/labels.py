"""Programs without lines: what their labels and their code tell.

RGBDS writes no debug information: a symbol file has labels, and where their sources are found, the
lines of those. A label counts when code leads to it: what was executed, and what can be reached
from there by branches, jumps, calls and what follows them. Of other labels nobody knows whether
they are code, and they do not count; how many there are is reported.
"""

from __future__ import annotations

from collections.abc import Collection

from romproof.machine.board import Window
from romproof.measure.coverage.model import Coverage, CoverageSpot, FileHits, Hits
from romproof.measure.coverage.outcomes import NEVER, Events, SegmentBanks, WhereFunction
from romproof.measure.coverage.reach import find_reachable
from romproof.program.image import Image, Symbol


def labels_of(
    name: str,
    image: Image,
    events: Events,
    windows: Collection[Window],
    banks: SegmentBanks,
    where: WhereFunction,
) -> Coverage:
    """The labels of a program without lines, each at its line; and what is not known of it."""
    reached = find_reachable(image, events, windows)
    executed = missed = unknown = unplaced = 0
    first = _first_labels(image)
    in_file = {area.name for area in image.areas if area.file is not None}
    texts: dict[str, str] = {}
    spots: dict[str, dict[CoverageSpot, Hits]] = {}
    functions: dict[str, dict[tuple[int, str], int]] = {}
    for symbol in image.symbols:
        if not symbol.is_label or symbol.segment is None:
            continue
        if symbol is not first[symbol.segment, symbol.value]:
            continue  # another name of what is counted already
        bank = banks.find_bank(symbol.segment, symbol.value)
        count = 0 if bank == NEVER else sum(events.at(symbol.value, bank).values())
        if not count and not reached.has(symbol.value, bank):
            unknown += banks.area(symbol.segment, symbol.value) in in_file
            continue
        executed, missed = executed + bool(count), missed + (not count)
        if symbol.span is None:
            unplaced += 1
            continue
        span, path = symbol.span, where(symbol.span.source.name)
        texts.setdefault(path, span.source.text)
        spots.setdefault(path, {})[CoverageSpot(span.line, span.col, (), 0)] = Hits(count)
        functions.setdefault(path, {})[span.line, symbol.name] = count
    notes = [
        f"{name}: only labels are known, no lines: {executed:,} of {executed + missed:,} were "
        f"executed; {unknown:,} more may be code or data"
    ]
    if unplaced:
        notes.append(
            f"{name}: the lines of {unplaced:,} of these labels are not known: list the folders "
            f"of their sources in 'sources'"
        )
    files = {path: FileHits(texts[path], spots[path], functions[path], True) for path in texts}
    return Coverage(files, tuple(notes))


def _first_labels(image: Image) -> dict[tuple[str, int], Symbol]:
    """By segment and address the best known label: others there are names of the same object."""
    first: dict[tuple[str, int], Symbol] = {}
    for symbol in image.labels:
        if symbol.segment is not None:
            first.setdefault((symbol.segment, symbol.value), symbol)
    return first
