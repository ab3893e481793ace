"""A symbol: a label, constant, variable, string or macro."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from romproof.text.span import Source
from romproof.toolchains.rgbds.obj.model import Place

if TYPE_CHECKING:
    from romproof.toolchains.rgbds.asm.section import Section


class SymbolType(Enum):
    """What a symbol is."""

    LABEL = "label"
    EQU = "constant"
    VAR = "variable"
    EQUS = "string"
    MACRO = "macro"
    REF = "reference"
    """Used but not defined, so far."""


@dataclass(frozen=True, slots=True)
class MacroBody:
    """The text of a macro, which begins behind line ``line`` of ``source``."""

    text: str
    source: Source
    line: int
    quiet: bool


@dataclass(slots=True, eq=False)
class Symbol:
    """A symbol. ``value`` of a label is its offset in ``section``, in bytes.

    Built-in symbols may be worked out each time they are asked for (``computed``). ``place`` is
    None for built-in symbols and for those of the command line. ``number`` is the place in the
    object's table, None while nothing refers to it.
    """

    name: str
    type: SymbolType
    place: Place | None = None
    value: int = 0
    string: str = ""
    macro: MacroBody | None = None
    section: Section | None = None
    is_builtin: bool = False
    is_exported: bool = False
    computed: Callable[[], int] | None = None
    computed_string: Callable[[], str] | None = None
    number: int | None = None

    @property
    def is_defined(self) -> bool:
        """Whether it is more than a reference."""
        return self.type is not SymbolType.REF

    @property
    def is_numeric(self) -> bool:
        """Whether it has a number, now or later."""
        return self.type in (SymbolType.LABEL, SymbolType.EQU, SymbolType.VAR)

    @property
    def is_label(self) -> bool:
        """Whether it is a label, or may become one."""
        return self.type in (SymbolType.LABEL, SymbolType.REF)

    @property
    def is_string(self) -> bool:
        """Whether it is an EQUS."""
        return self.type is SymbolType.EQUS
