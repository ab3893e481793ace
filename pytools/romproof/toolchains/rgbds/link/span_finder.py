"""From the places in objects to the places that messages show."""

from __future__ import annotations

import stat
from pathlib import Path

from romproof.support.account import is_file
from romproof.support.reading import read_text
from romproof.text.span import Source, Span, Via
from romproof.toolchains.rgbds.obj.model import Node, NodeKind, SourcePosition

_MAX_SOURCE = 1 << 24
"""Bytes of a source file that is read for the sake of a message; none is that large."""


class SpanFinder:
    """Makes spans; reads each source file at most once.

    ``show_quiet``: steps that the source wants left out of messages are shown all the same.
    """

    def __init__(self, show_quiet: bool = False) -> None:
        self._show_quiet = show_quiet
        self._sources: dict[str, Source] = {}

    def span(self, place: SourcePosition) -> Span:
        """Where ``place`` is, with the expansions that led there.

        An object from a file knows lines but no columns: the span then is where the line's
        text begins, if the source file is still there.
        """
        if place.span is not None:
            return place.span
        outer: Span | None = None
        file = ""
        for node, line in reversed(self._steps(place)):
            if node.kind is NodeKind.FILE:
                file = node.name
            elif node.kind is NodeKind.MACRO:  # file::macro, or file::REPT~1::macro
                file = node.name.partition("::")[0]
            source = self._source(file)
            text = source.line(line)
            column = len(text) - len(text.lstrip()) + 1 if text.strip() else 1
            via = None if outer is None else Via(_what(node), outer)
            outer = Span(source, line, column, 1, via)
        assert outer is not None  # there is a step at least
        return outer

    def _steps(self, place: SourcePosition) -> list[tuple[Node, int]]:
        """The nodes that lead to ``place``, from the inside, each with the line reached in it."""
        steps: list[tuple[Node, int]] = []
        node, line = place.node, place.line
        while True:
            shown = self._show_quiet or not node.quiet
            if shown or (node.parent is None and not steps):
                steps.append((node, line))
            if node.parent is None:
                return steps
            # the line inside of a quiet loop says more than the line of the loop
            if shown or node.kind is not NodeKind.REPT:
                line = node.parent_line
            node = node.parent

    def _source(self, file: str) -> Source:
        if file not in self._sources:
            self._sources[file] = Source(file, _read(Path(file)))
        return self._sources[file]


def _what(node: Node) -> str:
    """How a message says that ``node`` was being read."""
    if node.kind is NodeKind.MACRO:
        return f"in macro '{node.name.rpartition('::')[2]}', called"
    if node.kind is NodeKind.REPT:
        count = node.iterations[0] if node.iterations else 1
        return f"in iteration {count} of a loop, begun"
    return "included"


def _read(path: Path) -> str:
    """The text of a source, or "" when it is not there or is nothing to be read in full."""
    try:
        if not is_file(str(path)):
            return ""
        status = path.stat()
        if not stat.S_ISREG(status.st_mode) or status.st_size > _MAX_SOURCE:
            return ""
        return read_text(path)
    except (OSError, ValueError):
        return ""
