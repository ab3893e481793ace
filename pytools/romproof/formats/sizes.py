"""Sizes of labels whose files say none: in RGBDS's a label reaches to the next one.

rgblink lists all labels, so that what lies between two is the first one's. That is what romproof
takes a label for in programs that it assembles itself, too: a global label reaches to the next
global one, a local one to the next of any kind.

In RAM labels may share memory: UNION and NEXTU of rgbasm, and SECTION UNION. In a symbol file,
sorted by addresses, the next label may then be of another alternative. Where sources are known they
say which it is; where not, two labels at one address in RAM may be the beginning of a union, and
nothing says where that ends.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from romproof.program.image import Segment, Symbol
from romproof.text.span import Source


def with_sizes(
    symbols: Sequence[Symbol], segments: Sequence[Segment], modules: frozenset[str]
) -> list[Symbol]:
    """The symbols, those of some files (``modules``) with sizes as far as these can be known.

    A last label reaches to the end of its section where a map says where that is. Where the source
    of a label is known, it says which unions the label is in.
    """
    areas = {s.name: s.area for s in segments}
    read = {id(s.span.source): s.span.source for s in symbols if s.is_label and s.span is not None}
    paths = {at: paths_in(source) for at, source in read.items() if source.name not in modules}
    ends = {s.name: s.run + s.size for s in segments if s.name != s.area}
    by_segment: dict[str, list[Symbol]] = {}
    for symbol in symbols:
        if symbol.is_label and symbol.segment is not None and symbol.module in modules:
            by_segment.setdefault(symbol.segment, []).append(symbol)
    sizes: dict[int, int] = {}
    for name, labels in by_segment.items():
        next_any = next_global = ends.get(name)
        at: int | None = None
        here_any = here_global = next_any
        for label in sorted(labels, key=lambda s: s.value, reverse=True):
            if label.value != at:
                next_any, next_global = here_any, here_global
                at = label.value
            end = next_any if _is_local(label) else next_global
            if end is not None and end > label.value:
                sizes[id(label)] = end - label.value
            here_any = label.value
            if not _is_local(label):
                here_global = label.value
        if not areas.get(name, name).startswith("ROM"):
            sizes = without_unions(sizes, labels, paths)
    return [
        replace(s, size=sizes[id(s)]) if s.size is None and id(s) in sizes else s for s in symbols
    ]


def _is_local(label: Symbol) -> bool:
    return "." in label.name


UnionPath = tuple[tuple[int, int], ...]
"""The unions around a line, from outside in: the line at which each begins, and which of its
alternatives this is."""
_MAX_LOCALS = 64
"""Labels that are looked at for the next one that is not local."""
_NOWHERE = 0x10000
_WORD = re.compile(
    r"\s*(?:[A-Za-z_][\w#$@.]*::?\s*)?(?P<word>UNION|NEXTU|ENDU|(?:SECTION|LOAD)\b(?:\s+UNION)?)\b",
    re.IGNORECASE,
)


def paths_in(source: Source) -> Mapping[int, UnionPath]:
    """The unions around each line that is in any."""
    paths: dict[int, UnionPath] = {}
    section: UnionPath = ()
    inside: list[tuple[int, int]] = []
    for number, line in enumerate(source.lines, 1):
        match = _WORD.match(line)
        word = "" if match is None else match["word"].upper()
        if word == "UNION":
            inside.append((number, 0))
        elif word == "NEXTU" and inside:
            inside[-1] = (inside[-1][0], inside[-1][1] + 1)
        elif word == "ENDU" and inside:
            inside.pop()
        elif word:  # a section
            section, inside = ((number, 0),) if word.endswith("UNION") else (), []
        path = (*section, *inside)
        if path:
            paths[number] = path
    return paths


def without_unions(
    sizes: Mapping[int, int], labels: Sequence[Symbol], paths: Mapping[int, Mapping[int, UnionPath]]
) -> dict[int, int]:
    """The ``sizes`` of the labels of a section of RAM, by their identity, less those that the next
    label in memory does not tell; ``paths`` are those of sources, by their identity."""
    known = {id(s): _path(s, paths) for s in labels}
    strange = sorted(s.value for s in labels if known[id(s)] is None and "." not in s.name)
    later = _in_sources(labels, known)
    kept = dict(sizes)
    for symbol, is_open in _find_open(labels, known):
        path = known[id(symbol)]
        if path:
            size = _within(symbol, path, later, known)
            between = bisect_right(strange, symbol.value)
            next_strange = strange[between] if between < len(strange) else _NOWHERE
            if size is None or next_strange < symbol.value + size:
                kept.pop(id(symbol), None)
            else:
                kept[id(symbol)] = size
        elif path is None and is_open:
            kept.pop(id(symbol), None)
    return kept


def _path(symbol: Symbol, paths: Mapping[int, Mapping[int, UnionPath]]) -> UnionPath | None:
    """The unions around a label; None where no source defines it."""
    span = symbol.span
    lines = None if span is None else paths.get(id(span.source))
    return None if span is None or lines is None else lines.get(span.line, ())


def _find_open(
    labels: Sequence[Symbol], known: Mapping[int, UnionPath | None]
) -> Iterator[tuple[Symbol, bool]]:
    """The labels by address, and whether a union may have begun, and not ended, where they are."""
    by_address: dict[int, list[Symbol]] = {}
    for symbol in labels:
        by_address.setdefault(symbol.value, []).append(symbol)
    is_open = False
    for _, here in sorted(by_address.items()):
        all_known = all(known[id(s)] is not None for s in here)
        begin = [s for s in here if "." not in s.name and not s.name.lower().endswith("end")]
        if any(known[id(s)] for s in here) or (len(begin) > 1 and not all_known):
            is_open = True
        elif any(known[id(s)] == () for s in here):
            is_open = False  # a source says that this label is in none
        yield from ((symbol, is_open) for symbol in here)


def _in_sources(
    labels: Sequence[Symbol], known: Mapping[int, UnionPath | None]
) -> dict[int, list[Symbol]]:
    """The labels behind each one in its source, in their order there, by its identity."""
    sources: dict[int, list[tuple[int, int, Symbol]]] = {}
    for number, symbol in enumerate(labels):
        if symbol.span is not None and known[id(symbol)] is not None:
            place = (symbol.span.line, number, symbol)
            sources.setdefault(id(symbol.span.source), []).append(place)
    later: dict[int, list[Symbol]] = {}
    for places in sources.values():
        places.sort(key=lambda place: place[:2])
        ordered = [symbol for _, _, symbol in places]
        for at, symbol in enumerate(ordered):
            later[id(symbol)] = ordered[at + 1 : at + 1 + _MAX_LOCALS]
    return later


def _within(
    symbol: Symbol,
    path: UnionPath,
    later: Mapping[int, Sequence[Symbol]],
    known: Mapping[int, UnionPath | None],
) -> int | None:
    """The bytes to the next label of the same alternative; None where that is not known."""
    for other in later[id(symbol)]:
        if (known[id(other)] or ())[: len(path)] != path:
            return None
        if "." in symbol.name or "." not in other.name:
            return other.value - symbol.value if other.value > symbol.value else None
    return None
