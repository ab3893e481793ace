"""What the stages of a link share and change: sections, their pieces, symbols."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from romproof.text.diagnostic import Diagnostics
from romproof.text.span import Span
from romproof.toolchains.rgbds.link.options import LinkOptions
from romproof.toolchains.rgbds.link.span_finder import SpanFinder
from romproof.toolchains.rgbds.obj.model import Modifier, ObjSection, ObjSymbol, RgbdsObject
from romproof.toolchains.rgbds.obj.types import MemoryRegion, SectionType
from romproof.toolchains.rgbds.obj.warnings import WarningSettings


@dataclass(slots=True, eq=False)
class ProgramSection:
    """A section of the program: what all objects say of the sections of one name.

    ``address`` and ``bank`` are None as long as the linker may choose. The bits
    ``align_mask`` of the address have to be ``align_offset``. ``data`` has
    ``size`` bytes in ROM types and none in others. A ``typeless`` section still has to get its
    type from the linker script. ``pieces`` are in the order
    in which rgblink goes through them: the first, then the others from the last.
    """

    name: str
    type: SectionType
    modifier: Modifier
    size: int
    address: int | None
    bank: int | None
    align_mask: int
    align_offset: int
    data: bytearray
    typeless: bool = False
    pieces: list[ObjectPart] = field(default_factory=list)

    @property
    def first(self) -> ObjSection:
        """The part that was read first; messages name its place."""
        return self.pieces[0].part

    @property
    def at(self) -> int:
        """The address; only after the section was placed."""
        assert self.address is not None
        return self.address

    @property
    def in_bank(self) -> int:
        """The bank; only after the section was placed."""
        assert self.bank is not None
        return self.bank

    @property
    def end(self) -> int:
        """The first address after it; only after the section was placed."""
        return self.at + self.size


@dataclass(slots=True, eq=False)
class ObjectPart:
    """One object's part of a section, ``offset`` bytes behind the section's start."""

    section: ProgramSection
    part: ObjSection
    module: Module
    offset: int = 0
    labels: list[Definition] = field(default_factory=list)

    @property
    def labels_in_order(self) -> list[Definition]:
        """The labels in it, by address; those of one address in the order of the object."""
        return sorted(self.labels, key=lambda label: label.symbol.value)


@dataclass(slots=True, eq=False)
class Definition:
    """A symbol where an object defines it; ``piece`` is None for constants."""

    symbol: ObjSymbol
    module: Module
    piece: ObjectPart | None

    @property
    def value(self) -> int:
        """A constant's value, or a label's address; only after its section was placed."""
        if self.piece is None:
            return self.symbol.value
        return self.piece.section.at + self.piece.offset + self.symbol.value


@dataclass(slots=True, eq=False)
class Module:
    """An object while it is being linked: its sections and symbols by their indices.

    Imports have None among the ``definitions``.
    """

    obj: RgbdsObject
    pieces: list[ObjectPart] = field(default_factory=list)
    definitions: list[Definition | None] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class LinkState:
    """One link. ``sections`` and ``exports`` are by name, in the order of definition.

    ``privates`` are the symbols that are not exported, for messages about missing ones.
    """

    options: LinkOptions
    memories: dict[SectionType, MemoryRegion]
    warnings: WarningSettings
    places: SpanFinder
    diagnostics: Diagnostics
    modules: list[Module] = field(default_factory=list)
    sections: dict[str, ProgramSection] = field(default_factory=dict)
    exports: dict[str, Definition] = field(default_factory=dict)
    privates: dict[str, list[Definition]] = field(default_factory=dict)

    def span(self, section: ProgramSection) -> Span:
        """Where a section was first defined."""
        return self.places.span(section.first.place)

    def definitions(self) -> Iterator[Definition]:
        """All definitions, object by object."""
        for module in self.modules:
            for definition in module.definitions:
                if definition is not None:
                    yield definition
