"""Objects of the ca65 dialect on disk.

ca65's own format is not described anywhere, so this one is ours: the line
``romproof object 2`` and then a JSON document, compressed with zlib. Its keys:

``name``, ``cpu``
    Strings.
``nodes``
    Places and expressions, as lists that begin with their kind. A node names
    others by their position in the list, which is lower than its own:

    - ``["source", name, text, via]``, ``["span", source, line, col, length, via]``,
      ``["via", what, span]``; ``via`` may be null
    - ``["value", number]``, ``["place", section, offset]``, ``["import", name]``,
      ``["unary", operator, node]``, ``["binary", operator, node, node]``
``sources``
    The positions of the source files among the nodes.
``sections``, ``imports``, ``exports``, ``labels``, ``macro_labels``, ``scopes``, ``lines``,
``assertions``
    Lists with the fields of the nouns of :mod:`romproof.toolchains.ca65.obj.object`, in their
    order; contents as hexadecimal digits, offsets and sizes in bytes, enumerations
    by their values.

The sources' text is in it, so that listings and messages after linking show
the lines that were assembled and not what has become of them since.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable
from typing import Any

from romproof.text.errors import RomproofError
from romproof.text.span import Source, Span, Via
from romproof.toolchains.ca65.obj.expr import Binary, Expr, Imported, Literal, Place, Unary
from romproof.toolchains.ca65.obj.object import Label, Object

MAGIC = b"romproof object "
VERSION = 2
MOST_BYTES = 1 << 28
"""Larger documents are refused: a damaged file must not fill the memory."""

FOREIGN = {
    b"\x55\x7a\x6e\x61": "an object file of cc65",
    b"\x6e\x61\x55\x7a": "a library of cc65",
    b"RGB9": "an object file of rgbasm",
    b"\x7fELF": "an ELF file",
}
"""What other files begin with: cc65's libsrc/objdefs and libdefs, rgbds(5), System V ABI."""


class BadObjectFile(RomproofError):
    """A file that is no object, or one that is damaged or of another version."""


Node = Source | Span | Via | Expr


class _Nodes:
    """Numbers places and expressions, each after those that it refers to."""

    def __init__(self) -> None:
        self.rows: list[tuple[Any, ...]] = []
        self._numbers: dict[int, int] = {}
        self._known: dict[tuple[Any, ...], int] = {}

    def number(self, noun: Node) -> int:
        """The position of ``noun`` in the list. Chains are long and trees deep: no recursion."""
        waiting = [noun]
        while waiting:
            last = waiting[-1]
            missing = [child for child in _children(last) if id(child) not in self._numbers]
            if missing:
                waiting += missing
                continue
            waiting.pop()
            if id(last) not in self._numbers:
                self._numbers[id(last)] = self._add(last)
        return self._numbers[id(noun)]

    def _add(self, noun: Node) -> int:
        row = self._row(noun)
        if isinstance(noun, Source):  # two of them may be equal, and are still two files read
            self.rows.append(row)
            return len(self.rows) - 1
        if row not in self._known:
            self._known[row] = len(self.rows)
            self.rows.append(row)
        return self._known[row]

    def _row(self, noun: Node) -> tuple[Any, ...]:
        at = [self._numbers[id(child)] for child in _children(noun)]
        match noun:
            case Source(name, text, via):
                return ("source", name, text, at[0] if via else None)
            case Span(_, line, col, length, via):
                return ("span", at[0], line, col, length, at[1] if via else None)
            case Via(what, _):
                return ("via", what, at[0])
            case Literal(value):
                return ("value", value)
            case Place(section, offset):
                return ("place", section, offset)
            case Imported(name):
                return ("import", name)
            case Unary(op, _):
                return ("unary", op.value, *at)
            case Binary(op, _, _):
                return ("binary", op.value, *at)
        raise AssertionError(noun)


def _children(noun: Node) -> list[Node]:
    match noun:
        case Source(_, _, via):
            return [via] if via else []
        case Span(source, _, _, _, via):
            return [source, via] if via else [source]
        case Via(_, span):
            return [span]
        case Unary(_, operand):
            return [operand]
        case Binary(_, left, right):
            return [left, right]
    return []


def write_object(obj: Object) -> bytes:
    """``obj`` as the contents of a file; equal objects give equal bytes."""
    nodes = _Nodes()
    at = nodes.number

    def rows(lists: Iterable[list[Any]]) -> list[list[Any]]:
        return list(lists)

    def label(x: Label) -> list[Any]:
        return [x.name, at(x.expr), x.address_size, x.is_label, x.exported, x.size, at(x.span)]

    document = {
        "name": obj.name,
        "cpu": obj.cpu,
        "sources": [at(source) for source in obj.sources],
        "sections": rows(
            [
                s.name,
                s.data.hex(),
                [[f.offset, f.size, at(f.expr), f.signed, at(f.span)] for f in s.fixups],
                s.gaps,
                s.alignment,
                s.address_size,
            ]
            for s in obj.sections
        ),
        "imports": rows([i.name, i.address_size, i.forced, at(i.span)] for i in obj.imports),
        "exports": rows(
            [e.name, at(e.expr), e.address_size, at(e.span), e.condes] for e in obj.exports
        ),
        "labels": rows(label(x) for x in obj.labels),
        "macro_labels": rows(label(x) for x in obj.macro_labels),
        "scopes": rows([s.name, s.section, s.offset, s.size, at(s.span)] for s in obj.scopes),
        "lines": rows(
            [x.section, x.offset, x.size, x.is_code, at(x.span), x.origin] for x in obj.lines
        ),
        "assertions": rows(
            [at(a.expr), a.action.value, a.message, at(a.span)] for a in obj.assertions
        ),
        "nodes": nodes.rows,
    }
    text = json.dumps(document, separators=(",", ":"))
    return MAGIC + b"%d\n" % VERSION + zlib.compress(text.encode("ascii"))


def read_document(data: bytes, name: str) -> dict[str, Any]:
    """The JSON document in a file's ``data``. Raises BadObjectFile; ``name`` is for its text."""
    head, newline, packed = data[:64].partition(b"\n")
    if not data.startswith(MAGIC) or not newline:
        for magic, what in FOREIGN.items():
            if data.startswith(magic):
                raise BadObjectFile(f"{name}: this is {what}, which only its own tools can read")
        raise BadObjectFile(f"{name}: this is no object file of 'romproof ca65'")
    version = head[len(MAGIC) :]
    if version != b"%d" % VERSION:
        told = version.decode("ascii", "replace")
        raise BadObjectFile(f"{name}: object of version {told}, not {VERSION}: assemble it again")
    unpacker = zlib.decompressobj()
    packed = data[len(head) + 1 :]
    try:
        text = unpacker.decompress(packed, MOST_BYTES)
        document = json.loads(text)
    except (zlib.error, ValueError, RecursionError) as fault:
        raise damaged(name, fault) from None
    if not unpacker.eof or unpacker.unused_data or not isinstance(document, dict):
        raise damaged(name, "it is cut off, or something follows it")
    return document


def damaged(name: str, why: object) -> BadObjectFile:
    """What is said about a file that began well."""
    return BadObjectFile(f"{name}: damaged object file ({why}): assemble it again")
