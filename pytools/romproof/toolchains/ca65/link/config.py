"""The nouns of a linker configuration, as it was written and not yet evaluated.

Numbers stay expressions until the link, because they may name symbols that
only the link defines (``__STACKSIZE__``, ``__ROM_LAST__``, ``%S``).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from romproof.program.address_size import AddressSize
from romproof.text.span import Source, Span
from romproof.toolchains.ca65.obj.expr import Expr

DEFAULT_START = 0x200
"""What ``%S`` denotes when neither the user nor the configuration says."""


@dataclass(frozen=True)
class Reference(Expr):
    """A symbol that the configuration names at ``span``."""

    name: str
    span: Span


@dataclass(frozen=True)
class ConfigNumber:
    """An expression of the configuration and its place.

    ``declared`` counts the SYMBOLS entries in front of it: an attribute that
    places segments may use those only.
    """

    expr: Expr
    span: Span
    declared: int


@dataclass(frozen=True)
class StartAddress(Expr):
    """``%S``: what the user gave, else ``default``, else :data:`DEFAULT_START`."""

    default: ConfigNumber | None


@dataclass(frozen=True)
class FileName:
    """A file name; a part that is None denotes the output name (``%O``)."""

    parts: tuple[str | None, ...]

    def expand(self, output: str) -> str:
        """The name with ``output`` filled in; "" means not written."""
        return "".join(output if part is None else part for part in self.parts)


class Format(Enum):
    """How a file is written."""

    BINARY = "bin"
    O65 = "o65"
    ATARI = "atari"


class SegmentKind(Enum):
    """The TYPE of a segment."""

    READ_ONLY = "ro"
    READ_WRITE = "rw"
    BSS = "bss"
    ZEROPAGE = "zp"
    OVERWRITE = "overwrite"

    @property
    def read_only(self) -> bool:
        """True when the segment may be in a read-only memory area."""
        return self in (SegmentKind.READ_ONLY, SegmentKind.OVERWRITE)

    @property
    def is_stored(self) -> bool:
        """True when its contents are written to a file."""
        return self not in (SegmentKind.BSS, SegmentKind.ZEROPAGE)


@dataclass(frozen=True)
class MemoryArea:
    """One entry of MEMORY."""

    name: str
    start: ConfigNumber
    size: ConfigNumber
    writable: bool
    file: FileName
    fill: bool
    fill_value: ConfigNumber | None
    define: bool
    bank: ConfigNumber | None
    span: Span


@dataclass(frozen=True)
class SegmentRule:
    """One entry of SEGMENTS; ``load`` and ``run`` name memory areas."""

    name: str
    load: str
    run: str
    kind: SegmentKind
    align: ConfigNumber | None
    align_load: ConfigNumber | None
    start: ConfigNumber | None
    offset: ConfigNumber | None
    fill_value: ConfigNumber | None
    define: bool
    optional: bool
    span: Span


@dataclass(frozen=True)
class FileRule:
    """One entry of FILES."""

    name: FileName
    format: Format
    span: Span


class SymbolKind(Enum):
    """The TYPE of an entry of SYMBOLS."""

    EXPORT = "export"
    IMPORT = "import"
    WEAK = "weak"


@dataclass(frozen=True)
class SymbolRule:
    """One entry of SYMBOLS; imports have no value."""

    name: str
    kind: SymbolKind
    value: ConfigNumber | None
    address_size: AddressSize
    span: Span


@dataclass(frozen=True)
class TableRule:
    """A CONDES feature: where the table of one type of constructors goes.

    ``forced`` is the symbol that every module with an entry has to import.
    """

    type: int
    label: str
    segment: str
    count: str | None
    decreasing: bool
    forced: str | None
    span: Span


@dataclass(frozen=True)
class Config:
    """A whole linker configuration; entries are in the order of the text."""

    source: Source
    areas: tuple[MemoryArea, ...]
    segments: tuple[SegmentRule, ...]
    files: tuple[FileRule, ...]
    symbols: tuple[SymbolRule, ...]
    tables: tuple[TableRule, ...]
