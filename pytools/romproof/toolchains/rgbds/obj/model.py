"""The nouns of an object file, as rgbds(5) describes them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Protocol

from romproof.text.span import Source, Span
from romproof.toolchains.rgbds.obj.rpn import Rpn
from romproof.toolchains.rgbds.obj.types import SectionType


class NodeKind(IntEnum):
    """What a step towards a source line is."""

    REPT = 0
    FILE = 1
    MACRO = 2


@dataclass(frozen=True, slots=True)
class Node:
    """A file, a macro call or a loop that was being read; ``parent`` is what it came from.

    ``parent_line`` is the line of the parent at which this was entered (0 for
    the root). ``name`` is a path, or ``path::macro``; loops have none, but the
    count of the iteration of each loop around, the innermost first, in ``iterations``.
    ``quiet`` nodes are left out of backtraces.
    """

    kind: NodeKind
    name: str = ""
    parent: Node | None = None
    parent_line: int = 0
    iterations: tuple[int, ...] = ()
    quiet: bool = False


class HasSpan(Protocol):
    """A place in a source that is being read; which column it is, is found out if it is asked."""

    def span(self) -> Span:
        """The place, for messages."""


class SourcePosition:
    """Line ``line`` of ``node``: where something was written.

    ``span`` is the same with column and source text, known while the object
    has not been through a file. Places are equal if nodes and lines are.
    """

    __slots__ = ("_where", "line", "node")

    def __init__(self, node: Node, line: int, where: Span | HasSpan | None = None) -> None:
        self.node = node
        self.line = line
        self._where = where

    @property
    def span(self) -> Span | None:
        """The place with column and text. There are many, and messages name few."""
        where = self._where
        if where is not None and not isinstance(where, Span):
            where = self._where = where.span()
        return where

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SourcePosition):
            return NotImplemented
        return self.line == other.line and self.node == other.node

    def __hash__(self) -> int:
        return hash((self.node, self.line))

    def __repr__(self) -> str:
        return f"Place({self.node!r}, {self.line})"


class SymbolKind(IntEnum):
    """Who sees a symbol."""

    LOCAL = 0
    IMPORT = 1
    EXPORT = 2


@dataclass(frozen=True, slots=True)
class ObjSymbol:
    """A symbol by its full name (``global.local``).

    ``section`` is the index of the section it is a label in, and ``value`` its
    offset there in bytes; None for a constant. Imports have no ``place``.
    """

    name: str
    kind: SymbolKind
    place: SourcePosition | None = None
    section: int | None = None
    value: int = 0


class PatchKind(IntEnum):
    """What a patch writes; JR is the distance from the byte after it, one byte."""

    BYTE = 0
    WORD = 1
    LONG = 2
    JR = 3

    @property
    def size(self) -> int:
        """Bytes written."""
        return (1, 2, 4, 1)[self]


@dataclass(frozen=True, slots=True)
class Patch:
    """Bytes at ``offset`` of a section that the linker has to work out.

    ``pc_section`` and ``pc_offset`` say where ``@`` is: the section's index
    (None: none) and the offset in it in bytes.
    """

    place: SourcePosition
    offset: int
    pc_section: int | None
    pc_offset: int
    kind: PatchKind
    rpn: Rpn


class AssertionKind(IntEnum):
    """What happens when an assertion does not hold."""

    WARN = 0
    ERROR = 1
    FATAL = 2


@dataclass(frozen=True, slots=True)
class Assertion:
    """Something the linker has to check; ``rpn`` must not come out as 0."""

    place: SourcePosition
    offset: int
    pc_section: int | None
    pc_offset: int
    kind: AssertionKind
    rpn: Rpn
    message: str


class Modifier(IntEnum):
    """How sections of one name are joined. The value is that of the type's upper bits."""

    NORMAL = 0x00
    FRAGMENT = 0x40
    UNION = 0x80


@dataclass(frozen=True, slots=True)
class ObjLine:
    """``size`` bytes at ``offset`` of a section that one statement produced."""

    offset: int
    size: int
    is_code: bool
    place: SourcePosition


@dataclass(frozen=True, slots=True)
class ObjSection:
    """A section. ``address`` and ``bank`` are None where the linker may choose.

    The lower ``alignment`` bits of its address have to be ``align_offset``.
    ``data`` has ``size`` bytes in ROM types and is empty in others. ``lines``
    are known while the object has not been through a file. A ``typeless``
    section, of an object of SDCC, gets its type from the linker script.
    """

    name: str
    type: SectionType
    place: SourcePosition
    size: int
    modifier: Modifier = Modifier.NORMAL
    address: int | None = None
    bank: int | None = None
    alignment: int = 0
    align_offset: int = 0
    data: bytes = b""
    patches: tuple[Patch, ...] = ()
    lines: tuple[ObjLine, ...] = ()
    typeless: bool = False


@dataclass(frozen=True, slots=True)
class RgbdsObject:
    """What rgbasm makes of one source. ``nodes`` in the order of their creation."""

    name: str
    symbols: tuple[ObjSymbol, ...] = ()
    sections: tuple[ObjSection, ...] = ()
    assertions: tuple[Assertion, ...] = ()
    nodes: tuple[Node, ...] = ()
    sources: tuple[Source, ...] = ()
