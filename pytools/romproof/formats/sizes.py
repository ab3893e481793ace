"""Sizes of labels whose files say none: in RGBDS's a label reaches to the next one.

rgblink lists all labels, so that what lies between two is the first one's. That is what romproof
takes a label for in programs that it assembles itself, too: a global label reaches to the next
global one, a local one to the next of any kind. In RAM labels may share memory, see unions.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from romproof.formats.unions import paths_in, without_unions
from romproof.program.image import Segment, Symbol


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
