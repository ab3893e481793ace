"""Nouns of a source: symbols, expressions, sections, and patches, which refer to each other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import lru_cache

from romproof.text.span import Source
from romproof.toolchains.rgbds.obj.model import Modifier, ObjLine, PatchKind, SourcePosition
from romproof.toolchains.rgbds.obj.opmath import wrap
from romproof.toolchains.rgbds.obj.rpn import RpnOp
from romproof.toolchains.rgbds.obj.types import MEMORIES, SectionType

WIDEST = {
    **MEMORIES,
    SectionType.ROM0: replace(MEMORIES[SectionType.ROM0], size=0x8000),
    SectionType.WRAM0: replace(MEMORIES[SectionType.WRAM0], size=0x2000),
}
"""What the assembler knows of memory: options of the linker (-t and -w) enlarge some of it."""


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
    place: SourcePosition | None = None
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


RpnItem = tuple[RpnOp, int | str | Symbol | None]
"""One step of an unfinished expression; symbols get their numbers when it is written down."""


@dataclass(frozen=True, slots=True)
class Expression:
    """``value``, or None and the ``reason`` why it is not known.

    Then ``item`` is the last step to get it, and ``operands`` are what that works on: chained
    they stay small, however long an expression grows.
    """

    value: int | None = None
    reason: str = ""
    item: RpnItem | None = None
    operands: tuple[Expression, ...] = ()

    @property
    def is_known(self) -> bool:
        """Whether the value is known now."""
        return self.value is not None

    @property
    def symbol(self) -> Symbol | None:
        """The symbol that the expression is, if it is nothing else."""
        if self.item is not None and self.item[0] is RpnOp.SYMBOL:
            operand = self.item[1]
            return operand if isinstance(operand, Symbol) else None
        return None

    def items(self) -> list[RpnItem]:
        """All steps, operators behind their operands; a known number is one step."""
        items: list[RpnItem] = []
        pending = [self]
        while pending:
            last = pending.pop()
            items.append(last.item or (RpnOp.CONST, last.value))
            pending.extend(last.operands)
        items.reverse()
        return items


@lru_cache(maxsize=1 << 12)
def known(value: int) -> Expression:
    """A number, taken as 32 bits with a sign."""
    return Expression(wrap(value))


@dataclass(frozen=True, slots=True)
class PendingPatch:
    """Bytes at ``offset`` that the linker works out; ``pc_section`` and ``pc_offset`` are ``@``."""

    place: SourcePosition
    offset: int
    pc_section: Section | None
    pc_offset: int
    kind: PatchKind
    expression: Expression


@dataclass(slots=True, eq=False)
class Section:
    """A section: its attributes, its bytes in ROM types (``has_data``), and what is patched."""

    name: str
    type: SectionType
    modifier: Modifier
    place: SourcePosition
    address: int | None
    bank: int | None
    alignment: int
    align_offset: int
    size: int = 0
    data: bytearray = field(default_factory=bytearray)
    patches: list[PendingPatch] = field(default_factory=list)
    lines: list[ObjLine] = field(default_factory=list)
    has_data: bool = False

    def __post_init__(self) -> None:
        self.has_data = self.type.has_data

    @property
    def limit(self) -> int:
        """The most bytes such a section can have."""
        return WIDEST[self.type].size
