"""An assembled source file: sections, fixups and symbols, not yet at addresses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from romproof.text.span import Source, Span
from romproof.toolchains.ca65.obj.expr import Expr

if TYPE_CHECKING:
    from romproof.program.address_size import AddressSize
    from romproof.toolchains.ca65.obj.link_symbols import Export, Import, Label, PlacedScope
    from romproof.toolchains.ca65.obj.tables import ObjectFile, Packed


@dataclass(frozen=True, slots=True)
class Fixup:
    """``size`` bytes at ``offset`` of a section that the linker has to fill.

    ``signed`` distinguishes a branch distance from an address when the range is checked.
    """

    offset: int
    size: int
    expr: Expr
    signed: bool
    span: Span


@dataclass(frozen=True)
class Section:
    """What one object puts into the segment ``name``.

    ``data`` holds every byte, with zeros where a fixup or a gap is. ``gaps``
    are (offset, length) pairs that take the segment's fill value.
    ``alignment`` is in bytes; offsets are counted from a multiple of it.
    """

    name: str
    data: bytes
    fixups: tuple[Fixup, ...]
    gaps: tuple[tuple[int, int], ...]
    alignment: int
    address_size: AddressSize


@dataclass(frozen=True, slots=True)
class Line:
    """Bytes that one statement put into a section.

    ``origin`` is the address the source claims with ``.org``, else None.
    """

    section: int
    offset: int
    size: int
    is_code: bool
    span: Span
    origin: int | None = None


class Action(Enum):
    """What a failed assertion does."""

    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True)
class Assertion:
    """An ``.assert`` whose expression only the linker can decide."""

    expr: Expr
    action: Action
    message: str
    span: Span


@dataclass(frozen=True)
class Object:
    """One assembled source file; ``sections`` are numbered by position.

    ``macro_labels`` are those that macros declare with ``.local``, one for each expansion
    under the name that the macro has for them. No output of the linker names them.

    ``tables`` are those of the object file it is read from, or that is to be written of it, and
    ``library`` is the file it is a member of, if any. ``packed`` are the large tables of one that
    is for a file and nothing else: then there is nothing but ``tables`` without those.
    """

    name: str
    cpu: str
    sections: tuple[Section, ...]
    imports: tuple[Import, ...]
    exports: tuple[Export, ...]
    labels: Sequence[Label]
    scopes: tuple[PlacedScope, ...]
    lines: Sequence[Line]
    assertions: tuple[Assertion, ...]
    sources: tuple[Source, ...]
    macro_labels: tuple[Label, ...] = ()
    tables: ObjectFile | None = None
    library: str = ""
    packed: Packed | None = None
