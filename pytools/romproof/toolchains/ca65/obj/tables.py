"""The tables in an object file of cc65 2.19, as they stand there.

Source of all numbers: the headers of cc65 2.19 in its ``src/common`` (objdefs, segdefs, fragdefs,
exprdefs, symdefs, lidefs, scopedefs, hlldbgsym, cddefs). Names are texts here and numbers of the
string pool in the file; whatever else refers to a table does it by position.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from romproof.text.errors import RomproofError

if TYPE_CHECKING:
    from romproof.toolchains.ca65.obj.rows import (
        CSymbol,
        FragmentRow,
        LineRow,
        ScopeRow,
        SpanRow,
        SymbolRow,
    )


OBJECT_MAGIC: Final = b"\x55\x7a\x6e\x61"
OBJECT_VERSION: Final = 0x11
LIBRARY_MAGIC: Final = b"\x6e\x61\x55\x7a"
LIBRARY_VERSION: Final = 0x0D
DEBUG_FLAG: Final = 1
"""In the flags of the header: there are debug symbols, scopes and spans."""
LIST_NAMES = (
    "options",
    "files",
    "segments",
    "imports",
    "exports",
    "symbols",
    "lines",
    "strings",
    "assertions",
    "scopes",
    "spans",
)
"""The tables in the order in which the header has their offsets and sizes."""
HEADER_SIZE = 8 + 8 * len(LIST_NAMES)

# fragments
LITERAL: Final = 0x00
EXPRESSION: Final = 0x08
"""Plus the number of bytes, 1 to 4."""
SIGNED: Final = 0x10
"""Likewise, for values that may be negative."""
FILL: Final = 0x20

# symbols and exports
CONDES_COUNT: Final = 0x07
HAS_SIZE: Final = 0x08
IS_EXPRESSION: Final = 0x10
IS_LABEL: Final = 0x20
IS_CHEAP_LOCAL: Final = 0x40
IS_EXPORT: Final = 0x80
IS_IMPORT: Final = 0x100

NO_OWNER: Final = 0xFFFFFFFF
"""The owner of a cheap local whose symbol is none for debuggers."""

# lines
ASM_LINE: Final = 0
C_LINE: Final = 1
MACRO_LINE: Final = 2
PARAMETER_LINE: Final = 3

# scopes
SCOPE_HAS_SIZE: Final = 1
SCOPE_HAS_LABEL: Final = 2
GLOBAL_SCOPE: Final = 0
FILE_SCOPE: Final = 1
SCOPE_SCOPE: Final = 2
STRUCT_SCOPE: Final = 3
ENUM_SCOPE: Final = 4

# symbols of C
C_IS_SYMBOL: Final = 0x01
C_STORAGE: Final = 0x78
C_AUTO: Final = 0x00
C_REGISTER: Final = 0x08
C_STATIC: Final = 0x10
C_EXTERN: Final = 0x18
C_HAS_SYMBOL: Final = 0x80

# options
OPTION_COMMENT: Final = 0
OPTION_AUTHOR: Final = 1
OPTION_TRANSLATOR: Final = 2
OPTION_COMPILER: Final = 3
OPTION_SYSTEM: Final = 4
OPTION_TIME: Final = 0x40
"""Seconds since 1970; options below it are texts."""


class BadObjectFile(RomproofError):
    """A file that is no object or library, or one that is damaged or of another version."""


@dataclass(frozen=True)
class ModuleOption:
    """Something said of the whole module: ``value`` is a text below OPTION_TIME."""

    type: int
    value: str | int


@dataclass(frozen=True)
class File:
    """A source that was read; ``time`` is in seconds since 1970, ``size`` in bytes."""

    name: str
    time: int
    size: int


PendingValue = tuple[int, int, bool, bytes, tuple[int, ...]]
"""Of a segment: offset and size of bytes that are to be worked out, whether they may be negative,
the expression as it is encoded, and the lines it comes from."""


@dataclass(frozen=True)
class Contents:
    """What is in a segment: all bytes, with zeros where a value or a gap is; offset and length of
    each gap; and the values."""

    data: bytes
    gaps: tuple[tuple[int, int], ...]
    values: tuple[PendingValue, ...]


def contents_of(fragments: Iterable[FragmentRow]) -> Contents:
    """What fragments come to."""
    offset, data = 0, bytearray()
    gaps: list[tuple[int, int]] = []
    values: list[PendingValue] = []
    for f in fragments:
        data += f.data if f.kind == LITERAL else bytes(f.size)
        if f.kind == FILL:
            gaps.append((offset, f.size))
        elif f.kind != LITERAL:
            values.append((offset, f.size, f.kind == SIGNED, f.data, f.lines))
        offset += f.size
    return Contents(bytes(data), tuple(gaps), tuple(values))


@dataclass(frozen=True)
class Segment:
    """What the module has in a segment; ``alignment`` in bytes, ``address_size`` 1 to 4 bytes.
    ``known`` is what the fragments come to, where that is known already."""

    name: str
    flags: int
    size: int
    alignment: int
    address_size: int
    fragments: Sequence[FragmentRow]
    known: Contents | None = field(default=None, compare=False, repr=False)

    @property
    def contents(self) -> Contents:
        """What the fragments come to."""
        return self.known or contents_of(self.fragments)


@dataclass(frozen=True)
class Import:
    """A symbol of another module, and the lines that import and use it."""

    name: str
    address_size: int
    definitions: tuple[int, ...]
    references: tuple[int, ...]


@dataclass(frozen=True)
class Export:
    """A symbol for other modules. ``value`` is an encoded expression where the flags have
    IS_EXPRESSION, else a number; ``condes`` are bytes: a table's type << 5 | priority - 1."""

    name: str
    flags: int
    address_size: int
    condes: tuple[int, ...]
    value: bytes | int
    size: int | None
    definitions: tuple[int, ...]
    references: tuple[int, ...]


@dataclass(frozen=True)
class AssertionRow:
    """Something the linker has to check. ``action``: 0 warns at once, 1 fails at once, 2 and 3 the
    same when it is linked."""

    expression: bytes
    action: int
    message: str
    lines: tuple[int, ...]


@dataclass(frozen=True)
class ObjectFile:
    """All tables of one module. ``strings`` is the pool: other names may be in it, too."""

    debug: bool
    options: tuple[ModuleOption, ...]
    files: tuple[File, ...]
    segments: tuple[Segment, ...]
    imports: tuple[Import, ...]
    exports: tuple[Export, ...]
    symbols: tuple[SymbolRow, ...]
    c_symbols: tuple[CSymbol, ...]
    lines: Sequence[LineRow]
    strings: tuple[str, ...]
    assertions: tuple[AssertionRow, ...]
    scopes: tuple[ScopeRow, ...]
    spans: Sequence[SpanRow]


Rows = tuple[int, bytes]
"""Rows of a table as a file has them: how many, and their bytes."""


@dataclass(frozen=True)
class Packed:
    """The large tables of an object that goes into a file and is not looked at before: the
    fragments of each segment, lines and spans. The object's own tables are empty then."""

    fragments: tuple[Rows, ...]
    lines: Rows
    spans: Rows


@dataclass(frozen=True)
class Globals:
    """What an object shares with others."""

    exports: tuple[Export, ...]
    imports: tuple[Import, ...]
    files: tuple[File, ...]
    strings: tuple[str, ...]


def text_of(raw: bytes) -> str:
    """The text that stands for any bytes; :func:`bytes_of` is the inverse."""
    return raw.decode("utf-8", "surrogateescape")


def bytes_of(text: str) -> bytes:
    """The bytes of a text in a file."""
    return text.encode("utf-8", "surrogateescape")
