"""What the linker works on: segments in the making, memory areas being filled."""

from __future__ import annotations

from dataclasses import dataclass, field

from romproof.program.address_size import AddressSize
from romproof.text.span import Span
from romproof.toolchains.ca65.link.config import Config, MemoryArea, SegmentRule
from romproof.toolchains.ca65.obj.dialect import V2_19, Dialect
from romproof.toolchains.ca65.obj.expr import Expr
from romproof.toolchains.ca65.obj.object import Object, Section


@dataclass(slots=True)
class Contribution:
    """A section of one object at its place, ``offset`` bytes into its segment.

    ``module`` is the number of the object, or a number behind all objects for
    a table that the linker makes.
    """

    module: int
    section: Section
    offset: int
    segment: SegmentState


@dataclass
class SegmentState:
    """All sections of one name. ``area`` is None until the segment is placed.

    ``run`` and ``load`` are addresses; ``file_offset`` is set when the
    segment is written.
    """

    name: str
    address_size: AddressSize
    alignment: int = 1
    size: int = 0
    contributions: list[Contribution] = field(default_factory=list)
    rule: SegmentRule | None = None
    area: AreaState | None = None
    run: int = 0
    load: int = 0
    fill_value: int = 0
    file_offset: int | None = None
    assigned: bool = False
    contents: bytes = b""


@dataclass(frozen=True)
class Placement:
    """A segment rule with its numbers evaluated."""

    rule: SegmentRule
    segment: SegmentState
    align: int | None
    align_load: int | None
    start: int | None
    offset: int | None
    fill_value: int | None


@dataclass
class AreaState:
    """A memory area being filled.

    ``level`` is ld65's fill level: bytes from ``start`` to the end of the
    last segment.
    """

    rule: MemoryArea
    file: str
    fill_value: int
    start: int = 0
    size: int = 0
    level: int = 0
    file_offset: int = 0
    overflowed: bool = False
    bank: int | None = None
    placements: list[Placement] = field(default_factory=list)
    chunks: list[tuple[int, bytes]] = field(default_factory=list)
    """(address, bytes) in the order they were written."""


@dataclass(frozen=True, slots=True)
class Definition:
    """What a name denotes. ``module`` says whose places ``expr`` speaks of."""

    name: str
    expr: Expr
    address_size: AddressSize
    module: int | None
    span: Span | None
    is_label: bool = False


@dataclass(frozen=True, slots=True)
class Use:
    """A place that needs a symbol of another module; ``row`` is its number among the imports."""

    name: str
    address_size: AddressSize
    module: int | None
    span: Span | None
    row: int | None = None


@dataclass
class LinkState:
    """Everything known during one link."""

    objects: tuple[Object, ...]
    config: Config
    output: str
    forced: tuple[Use, ...] = ()
    """Symbols that the command line asks for."""
    order: tuple[int, ...] = ()
    """The modules in the order in which they came into the link, where that is another one."""
    allow_multiple: bool = False
    """Whether a symbol may be defined again."""
    dialect: Dialect = V2_19
    """The release whose linker it is."""
    warn_align_waste: bool = False
    """Whether to warn about bytes that are skipped to align a section."""
    segments: dict[str, SegmentState] = field(default_factory=dict)
    areas: dict[str, AreaState] = field(default_factory=dict)
    places: list[list[Contribution]] = field(default_factory=list)
    """Module number, section number -> where the section went."""
    definitions: dict[str, Definition] = field(default_factory=dict)
    uses: list[Use] = field(default_factory=list)
    reported: set[str] = field(default_factory=set)
    """Undefined names in the configuration that were already complained about."""
