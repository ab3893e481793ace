"""A finished link as the image that machines load and reports show."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from romproof.program.address_size import AddressSize
from romproof.program.image import (
    Area,
    Block,
    Image,
    ImageLine,
    OutputFile,
    Part,
    Routine,
    Segment,
    Symbol,
)
from romproof.text.span import Source, Span
from romproof.toolchains.rgbds.link.linked import OUTPUT_ORDER, Linked
from romproof.toolchains.rgbds.link.rom import rom_bytes
from romproof.toolchains.rgbds.link.state import Definition, ObjectPart, ProgramSection
from romproof.toolchains.rgbds.obj.model import SymbolKind
from romproof.toolchains.rgbds.obj.types import SectionType


def to_image(linked: Linked, name: str) -> Image:
    """The program as an image for the CPU "sm83"; ``name`` is the path of the ROM file.

    Each bank that something is in is an area, such as ``ROM0``, ``ROMX[1]`` or ``WRAM0``; each
    section is a segment. A label's size reaches to the next label that is not local, or to the
    end of its part of the section; a local label's to the next label. Routines are the exported
    labels of code.
    """
    sources: dict[int, Source] = {}
    for module in linked.modules:
        for source in module.obj.sources:
            sources[id(source)] = source
    segments = list(_sections_in_order(linked))
    return Image(
        cpu="sm83",
        files=(OutputFile(name, rom_bytes(linked)),),
        blocks=tuple(
            Block(_area(linked, section), section.at, bytes(section.data), False)
            for section in segments
            if section.type.has_data and section.size
        ),
        areas=tuple(_areas(linked, name)),
        segments=tuple(_segment(linked, section, name) for section in segments),
        symbols=tuple(_symbols(linked)),
        lines=tuple(_lines(linked)),
        routines=tuple(_routines(linked)),
        sources=tuple(sources.values()),
    )


def _sections_in_order(linked: Linked) -> Iterator[ProgramSection]:
    """The sections, bank by bank and by address."""
    for type_ in OUTPUT_ORDER:
        for bank in linked.banks[type_]:
            yield from bank.by_address()


def area_name(type_: SectionType, bank: int, banked: bool) -> str:
    """What the area of a bank is called."""
    return f"{type_.name}[{bank}]" if banked else type_.name


def _area(linked: Linked, section: ProgramSection) -> str:
    return area_name(section.type, section.in_bank, linked.memories[section.type].has_banks)


def _areas(linked: Linked, name: str) -> Iterator[Area]:
    for type_ in OUTPUT_ORDER:
        memory = linked.memories[type_]
        for number, bank in enumerate(linked.banks[type_], memory.first_bank):
            if bank.sections or bank.empty:
                yield Area(
                    area_name(type_, number, memory.has_banks),
                    memory.start,
                    memory.size,
                    sum(section.size for section in bank.sections),
                    not type_.has_data,
                    name if type_.has_data else None,
                )


def _segment(linked: Linked, section: ProgramSection, name: str) -> Segment:
    memory = linked.memories[section.type]
    in_file = section.type.has_data
    offset = section.at - memory.start
    if section.type is SectionType.ROMX:
        rom0 = linked.memories[SectionType.ROM0]
        offset += rom0.size + (section.in_bank - memory.first_bank) * memory.size
    pieces = sorted(section.pieces, key=lambda piece: piece.offset)
    return Segment(
        name=section.name,
        run=section.at,
        load=section.at,
        size=section.size,
        alignment=section.align_mask + 1,
        kind="ro" if in_file else "bss",
        area=_area(linked, section),
        file=name if in_file else None,
        file_offset=offset if in_file else 0,
        parts=tuple(
            Part(piece.module.obj.name, section.at + piece.offset, piece.part.size)
            for piece in pieces
            if piece.part.size
        ),
    )


def _symbols(linked: Linked) -> Iterator[Symbol]:
    for module in linked.modules:
        sizes = {id(label): size for piece in module.pieces for label, size in label_sizes(piece)}
        for definition in module.definitions:
            if definition is None:
                continue
            piece = definition.piece
            yield Symbol(
                definition.symbol.name,
                definition.value,
                AddressSize.ABSOLUTE,
                piece is not None,
                definition.symbol.kind is SymbolKind.EXPORT,
                sizes.get(id(definition)),
                module.obj.name,
                _span(linked, definition),
                piece.section.name if piece is not None else None,
            )


def label_sizes(piece: ObjectPart) -> list[tuple[Definition, int]]:
    """The labels of a piece by address, with their sizes in bytes."""
    sizes: list[tuple[Definition, int]] = []
    next_any = next_global = piece.part.size
    for address, group in groupby(reversed(piece.labels_in_order), lambda d: d.symbol.value):
        here = list(group)  # labels of one address reach equally far
        for label in here:
            sizes.append((label, (next_any if _is_local(label) else next_global) - address))
        next_any = address
        if not all(map(_is_local, here)):
            next_global = address
    sizes.reverse()
    return sizes


def _is_local(label: Definition) -> bool:
    return "." in label.symbol.name or label.symbol.name.startswith("!")


def _lines(linked: Linked) -> Iterator[ImageLine]:
    for module in linked.modules:
        for piece in module.pieces:
            section = piece.section
            for line in piece.part.lines:
                start = piece.offset + line.offset
                yield ImageLine(
                    section.at + start,
                    line.size,
                    bytes(section.data[start : start + line.size]),
                    line.is_code,
                    section.name,
                    linked.places.span(line.place),
                )


def _routines(linked: Linked) -> Iterator[Routine]:
    for module in linked.modules:
        for piece in module.pieces:
            code = {line.offset for line in piece.part.lines if line.is_code}
            for label, size in label_sizes(piece):
                symbol = label.symbol
                # an object from a file does not distinguish code from data
                is_code = symbol.value in code or (
                    piece.section.type.has_data and not piece.part.lines
                )
                if symbol.kind is SymbolKind.EXPORT and is_code and size and not _is_local(label):
                    span = _span(linked, label)
                    yield Routine(symbol.name, label.value, size, module.obj.name, span)


def _span(linked: Linked, definition: Definition) -> Span:
    place = definition.symbol.place
    assert place is not None  # only imports have none
    return linked.places.span(place)
