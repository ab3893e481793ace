"""From the labels of symbol files to symbols of an image, each in the bank it belongs to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from romproof.formats.known_parts import KnownParts, list_names, plural
from romproof.formats.labels import Label, LinkerSection, Space, SymbolFile
from romproof.formats.layout import GAME_BOY, ImageLayout, ImagePlace
from romproof.program.address_size import AddressSize
from romproof.program.image import Segment, Symbol
from romproof.text.span import Span

_ADDRESSES = 0x10000
_FCEUX_PAGE = 0x4000
_CARTRIDGE_RAM = 0x6000
_WORK_RAM = 0xC000
_WORK_BANK = 0x1000
_SRAM_BANK = 0x2000
_HIGH_RAM = 0xFF80
_WINDOWS = ((0x4000, 0x8000), (0xD000, 0xE000))
"""Where the Game Boy has the banks of ROMX and WRAMX."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """A label with its place; ``place`` None: a constant or a register."""

    label: Label
    value: int
    place: ImagePlace | None


def add_symbols(file: SymbolFile, layout: ImageLayout, parts: KnownParts) -> list[Symbol]:
    """Add the labels of a file; what is outside of the image becomes a note. Gives the symbols."""
    resolved: list[Resolved] = []
    outside: list[Label] = []
    unclear: list[Label] = []
    elsewhere: list[Label] = []
    ends = _ends(file.labels)
    for label in file.labels:
        result = resolve(label, layout, ends)
        if isinstance(result, Resolved):
            resolved.append(result)
        else:
            {"outside": outside, "unclear": unclear, "elsewhere": elsewhere}[result].append(label)
    _tell(file, layout, parts, outside, unclear, elsewhere)
    segments = LabelSegments(layout, parts, [r for r in resolved if r.place is not None])
    known = {(s.name, s.value, s.segment) for s in parts.symbols}
    named = {s.name for s in parts.symbols}
    symbols: list[Symbol] = []
    for each in resolved:
        symbol = _symbol(each, file, segments)
        if (symbol.name, symbol.value, symbol.segment) in known or (
            not symbol.is_label and symbol.name in named
        ):
            continue
        known.add((symbol.name, symbol.value, symbol.segment))
        symbols.append(symbol)
    parts.symbols += symbols
    return symbols


def _ends(labels: Sequence[Label]) -> frozenset[int]:
    """The addresses at which a label of bank 0 stands at the end of the Game Boy's fixed memory:
    the banks that begin there have numbers of their own in the file."""
    return frozenset(
        first
        for first, end in _WINDOWS
        if any(label.bank and first <= label.value < end for label in labels)
    )


def resolve(
    label: Label, layout: ImageLayout, ends: frozenset[int] = frozenset()
) -> Resolved | str:
    """The place of a label; else "outside", "unclear" or "elsewhere"."""
    value, bank = label.value, label.bank
    if label.space is Space.CONSTANT:
        return Resolved(label, value, None)
    if label.space is Space.ELSEWHERE:
        return "elsewhere"
    if label.space is Space.PRG:
        start = layout.header.prg.start if layout.header is not None else 0
        place = layout.at_offset(start + value)
        return Resolved(label, place.address, place) if place is not None else "outside"
    if label.page is not None:
        return _in_page(label, layout)
    if label.space is not Space.ADDRESS:
        where = _ram(label, layout)
        if where is None:
            return "outside"
        value, bank = where
    return _at(label, value, bank, layout, ends)


def _at(
    label: Label,
    address: int,
    bank: int | None,
    layout: ImageLayout,
    ends: frozenset[int] = frozenset(),
) -> Resolved | str:
    if not 0 <= address < _ADDRESSES:
        return "outside"
    if bank is not None and layout.machine != GAME_BOY and layout.header is None:
        bank = None  # a flat program has no banks; some files number them nevertheless
    fixed = bank == 0 and layout.machine == GAME_BOY
    places = [] if fixed and address in ends else layout.at_address(address, bank)
    if not places and fixed and address not in ends:
        # with rgblink -t and -w both banks are one, which is number 0
        low = layout.at_address(address, 1)
        places = low if not low or low[0].area in ("ROMX[1]", "WRAMX[1]") else []
    if not places:
        # a label may stand at the end of a bank
        places = layout.end_of(address, bank) if bank is not None else []
    if len(places) > 1:
        return "unclear" if any(p.in_file for p in places) else Resolved(label, address, places[0])
    if places:
        return Resolved(label, address, places[0])
    if layout.is_port(address) or (not layout.header and layout.machine != GAME_BOY):
        return Resolved(label, address, None)
    if layout.end_of(address, bank or None):
        return Resolved(label, address, None)  # a mark of where memory ends
    return "outside"


def _in_page(label: Label, layout: ImageLayout) -> Resolved | str:
    """A label of FCEUX's: the address within a bank of 16 KiB says where in the file it is."""
    if label.value < 0x8000 or layout.header is None:
        return _at(label, label.value, None, layout)
    assert label.page is not None
    offset = label.page * _FCEUX_PAGE + label.value % _FCEUX_PAGE
    place = layout.at_offset(layout.header.prg.start + offset)
    if place is None or offset >= layout.header.prg_size:
        return "outside"
    return Resolved(label, place.address, place)


def _ram(label: Label, layout: ImageLayout) -> tuple[int, int | None] | None:
    """Address and bank of an offset in RAM."""
    at = label.value
    if layout.machine == GAME_BOY:
        if label.space is Space.RAM:
            number, within = divmod(at, _WORK_BANK)
            return (_WORK_RAM + within, 0) if not number else (0xD000 + within, number)
        if label.space is Space.CARTRIDGE_RAM:
            number, within = divmod(at, _SRAM_BANK)
            return 0xA000 + within, number
        return _HIGH_RAM + at, 0
    if label.space is Space.RAM:
        return (at, None) if at < 0x0800 else None
    if label.space is Space.CARTRIDGE_RAM and at < _SRAM_BANK:
        return _CARTRIDGE_RAM + at, None
    return None


def add_sections(file: SymbolFile, layout: ImageLayout, parts: KnownParts) -> None:
    """Add the sections of a map as segments."""
    names = {segment.name for segment in parts.segments}
    for section in file.sections:
        segment = _section(section, layout, names)
        if segment is None:
            parts.warn(
                f"{file.name}: section '{section.name}' is outside of {layout.name}",
                help="check that the map belongs to this image",
            )
            continue
        names.add(segment.name)
        parts.segments.append(segment)


def _section(section: LinkerSection, layout: ImageLayout, names: set[str]) -> Segment | None:
    places = layout.at_address(section.address, section.bank)
    if not places and section.bank == 0:
        places = layout.at_address(section.address, 1)
    if not places:
        return None
    place = places[0]
    name = section.name or f"{place.area}:{section.address:04X}"
    while name in names:
        name += "'"
    file, offset = None, 0
    if place.in_file:
        bank = layout.by_area[place.area]
        file, offset = layout.name, bank.offset + section.address - bank.address
        if offset + section.size > len(layout.data):
            return None
    run, kind = section.address, "ro" if place.in_file else "bss"
    return Segment(name, run, run, section.size, 1, kind, place.area, file, offset, ())


def _tell(
    file: SymbolFile,
    layout: ImageLayout,
    parts: KnownParts,
    outside: Sequence[Label],
    unclear: Sequence[Label],
    elsewhere: Sequence[Label],
) -> None:
    def where(labels: Sequence[Label]) -> tuple[str, Span]:
        return list_names([label.name for label in labels]), labels[0].span

    if outside:
        names, span = where(outside)
        parts.warn(
            f"{file.name}: {plural(len(outside), 'symbol')} outside of {layout.name}, left out: "
            f"{names}",
            span,
            "check that the file belongs to this image",
        )
    if unclear:
        names, span = where(unclear)
        parts.warn(
            f"{file.name}: {plural(len(unclear), 'symbol')} may be in any of several banks, left "
            f"out: {names}",
            span,
            f"{file.kind} do not contain the bank: name a file that does, such as ld65's .dbg "
            f"or Mesen's .mlb",
        )
    if elsewhere:
        names, span = where(elsewhere)
        parts.warn(
            f"{file.name}: {plural(len(elsewhere), 'symbol')} in memory that the CPU does not "
            f"see, left out: {names}",
            span,
        )


class LabelSegments:
    """The segments that labels stand in; where a linker's are not known, some are made.

    A bank of ROM without any becomes one; in RAM one reaches from the first label to the last.
    """

    def __init__(
        self, layout: ImageLayout, parts: KnownParts, resolved: Sequence[Resolved]
    ) -> None:
        self._parts = parts
        self._by_area: dict[str, list[Segment]] = {}
        for segment in parts.segments:
            self._by_area.setdefault(segment.area, []).append(segment)
        self._layout = layout
        self._made: dict[tuple[str, int], Segment] = {}
        self._extents: dict[str, tuple[int, int]] = {}
        for each in resolved:
            assert each.place is not None
            if not each.place.in_file:
                low, high = self._extents.get(each.place.area, (each.value, each.value))
                end = each.value + max(each.label.size or 1, 1)
                self._extents[each.place.area] = min(low, each.value), max(high, end)

    def name_for(self, each: Resolved) -> str | None:
        """The segment of a label."""
        if each.place is None:
            return None
        here = self._by_area.get(each.place.area, [])
        for segment in here:
            if segment.run <= each.value < segment.run + segment.size:
                return segment.name
        for segment in here:
            if each.value == segment.run + segment.size:
                return segment.name
        return self._make(each.place, here).name

    def _make(self, place: ImagePlace, here: Sequence[Segment]) -> Segment:
        if place.in_file:
            bank = self._layout.by_area[place.area]
            low, high, offset = bank.address, bank.end, bank.offset
            kind = "rw" if bank.writable else "ro"
        else:
            low, high = self._extents[place.area]
            offset, kind = 0, "bss"
        start = max([low, *(s.run + s.size for s in here if s.run + s.size <= place.address)])
        end = min([high, *(s.run for s in here if s.run > place.address)])
        key = (place.area, start)
        if key not in self._made:
            taken = {segment.name for segment in self._parts.segments}
            name = place.area if place.area not in taken else f"{place.area}:{start:04X}"
            file = self._layout.name if place.in_file else None
            at = offset + start - low if place.in_file else 0
            size = max(end - start, 1)
            made = Segment(name, start, start, size, 1, kind, place.area, file, at, ())
            self._made[key] = made
            self._parts.segments.append(made)
            self._by_area.setdefault(place.area, []).append(made)
        return self._made[key]


def _symbol(each: Resolved, file: SymbolFile, segments: LabelSegments) -> Symbol:
    is_label = each.place is not None
    public = each.label.is_public
    if public is None:
        public = not {"@", "."} & set(each.label.name.lstrip(".@"))
    zeropage = each.value < 0x100 and is_label and not each.label.name.startswith(".")
    return Symbol(
        each.label.name,
        each.value,
        AddressSize.ZEROPAGE if zeropage else AddressSize.ABSOLUTE,
        is_label,
        is_label and public,
        each.label.size,
        file.name,
        None,
        segments.name_for(each),
        presumed=True,
    )
