"""Reading game logs (mjlog): XML with one element for everything that happened at the table.

Logs come from strangers: document types and entities are refused, and size, depth and number
of elements are limited, so that reading ends soon whatever the file holds.
"""

from __future__ import annotations

from collections.abc import Mapping
from xml.parsers import expat

from fairdeck.tenhou.game.attributes import Fault
from fairdeck.tenhou.game.events import GameLog
from fairdeck.tenhou.game.read import GameReader
from fairdeck.tenhou.links import explain_contents
from romproof import BadInput

MAX_BYTES = 8 << 20
"""Bytes of XML a log may have; the longest games have some 100,000."""
MAX_ELEMENTS = 50_000
MAX_DEPTH = 2


class BadLog(BadInput):
    """The file is no game log, or one that will not be read; the message says why."""


def read_log(data: bytes) -> GameLog:
    """The game in an mjlog file's XML. Raises BadLog, which says of links how to get the log."""
    try:
        return _parse(data)
    except BadLog:
        how = explain_contents(data)
        if how is None:
            raise
        raise BadLog(how) from None


def _parse(data: bytes) -> GameLog:
    if len(data) > MAX_BYTES:
        raise BadLog(f"the log has more than {MAX_BYTES >> 20} MiB of XML")
    elements = _Elements()
    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = elements.doctype
    parser.StartElementHandler = elements.start
    parser.EndElementHandler = elements.end
    try:
        parser.Parse(data, True)
    except expat.ExpatError as fault:
        raise BadLog(
            f"line {fault.lineno}, column {fault.offset + 1}: no well-formed XML "
            f"({expat.ErrorString(fault.code)})"
        ) from None
    except Fault as fault:
        place = f"line {parser.CurrentLineNumber}, column {parser.CurrentColumnNumber + 1}"
        raise BadLog(f"{place}: {fault}") from None
    except (LookupError, ValueError) as fault:
        # of the encoding that the file says it has: unknown, or of several bytes a character
        raise BadLog(f"the file's encoding cannot be read ({fault}); logs are UTF-8") from None
    return elements.reader.game()


class _Elements:
    """Hands the parser's elements on, within limits."""

    def __init__(self) -> None:
        self.reader = GameReader()
        self._depth = self._count = 0

    def doctype(self, *_: object) -> None:
        """A document type could define entities that grow without bound."""
        raise Fault("a log has no document type; this file is refused")

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        """An element begins."""
        self._depth += 1
        self._count += 1
        if self._depth > MAX_DEPTH:
            raise Fault(f"elements are nested more than {MAX_DEPTH} deep; no log is")
        if self._count > MAX_ELEMENTS:
            raise Fault(f"more than {MAX_ELEMENTS:,} elements; no log has so many")
        if self._count == 1:
            if name.lower() != "mjloggm":
                raise Fault(f"the file begins with <{name[:40]}>, a game log with <mjloggm>")
            return
        self.reader.element(name, attributes)

    def end(self, _name: str) -> None:
        """An element ends."""
        self._depth -= 1
