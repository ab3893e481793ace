"""A program that another build system made: its image, with what its symbol files say of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from romproof.formats.contracts import contract_places
from romproof.formats.dbg import DebugInfo, read_debug_info
from romproof.formats.debug_lines import DebugLines, innermost, lines_of
from romproof.formats.debug_segments import PlacedSegments, bases_of, elsewhere, place_segments
from romproof.formats.errors import BadSymbols
from romproof.formats.images import read_layout
from romproof.formats.ines import Ines
from romproof.formats.known_parts import KnownParts, list_names, plural
from romproof.formats.label_sources import add_label_sources
from romproof.formats.layout import GAME_BOY, FileBank, ImageLayout, Ram
from romproof.formats.resolving import add_sections, add_symbols
from romproof.formats.rgbds_map import KIND as RGBDS_MAP
from romproof.formats.rgbds_sym import KIND as RGBDS_SYM
from romproof.formats.sizes import with_sizes
from romproof.formats.sources import SourceFinder
from romproof.formats.stale import BUILD_AGAIN, check_debug_info, check_labels
from romproof.formats.symbols import is_debug_file, read_symbols
from romproof.program.address_size import AddressSize
from romproof.program.image import Area, Block, Image, OutputFile, Routine, Segment, Symbol
from romproof.support.reading import MAX_BYTES, MAX_TEXT, read_input
from romproof.text.diagnostic import Diagnostic
from romproof.text.span import Source, Span

_ABOVE = 4
"""Folders above that of a symbol file in which a path of its sources may begin."""
_ADDRESSES = 0x10000
_MACRO_LABEL = "LOCAL-MACRO_SYMBOL-"
"""What ca65 calls labels that macros declare with .local."""


@dataclass(frozen=True)
class LoadedProgram:
    """A program as it was loaded, and the machine that it is for.

    ``machine`` is "flat", "nes", "gameboy" or "c64"; ``header`` is that of an NES image; the raw
    file is ``image.files[0].data``. ``first`` are the areas in sight at power-on where several
    share addresses. ``notes`` are for people: what is strange in the files.
    """

    machine: str
    image: Image
    first: tuple[str, ...]
    notes: tuple[Diagnostic, ...]
    header: Ines | None = None


@dataclass(frozen=True, slots=True)
class ProgramFiles:
    """The files of a program; ``sources`` and ``root`` are folders where sources are looked for."""

    image: Path
    symbols: tuple[Path, ...] = ()
    contracts: tuple[Path, ...] = ()
    sources: tuple[Path, ...] = ()
    root: Path | None = None


def load_program(
    files: ProgramFiles,
    machine: str | None = None,
    load_address: int | None = None,
    cpu: str | None = None,
) -> LoadedProgram:
    """The program in an image; ``machine`` None: the one that the image says.

    ``load_address`` is for images without a header; where debug information has all of the program
    elsewhere, a note says so. Raises OSError, BadImage, and BadSymbols for files that cannot be
    read or are of another build.
    """
    name, data = str(files.image), read_input(files.image, MAX_BYTES)
    layout = read_layout(name, data, machine, load_address, cpu)
    sources = [read_source(path) for path in files.symbols]
    debug = [read_debug_info(source) for source in sources if is_debug_file(source)]
    if len(debug) > 1:
        raise BadSymbols(
            f"{debug[1].name}: there are two files with debug information; name one",
            help=f"the other is {debug[0].name}",
        )
    parts = KnownParts()
    for note in layout.notes:
        parts.warn(note)
    finder = _finder(files)
    if debug:
        bases = bases_of(debug[0], layout)
        if bases:
            layout = read_layout(name, data, machine, load_address, cpu, bases)
        if layout.header is None:
            _check_address(debug[0], layout, load_address, parts)
        _add_debug_info(debug[0], layout, parts, finder)
    others = [read_symbols(source) for source in sources if not is_debug_file(source)]
    for file in others:
        add_sections(file, layout, parts)
    for file in others:
        check_labels(file.name, add_symbols(file, layout, parts), layout, parts)
    linked = frozenset(file.name for file in others if file.kind in (RGBDS_SYM, RGBDS_MAP))
    add_label_sources(parts, files.sources, asked=files.sources != (files.root,))
    parts.symbols[:] = with_sizes(parts.symbols, parts.segments, linked)
    _name_whole_banks(layout, parts)
    image = _image(layout, parts)
    image = with_contracts(image, [read_source(path) for path in files.contracts])
    return LoadedProgram(layout.machine, image, layout.first, tuple(parts.notes), layout.header)


def read_source(path: Path) -> Source:
    """A text. Raises OSError."""
    data = read_input(path, MAX_TEXT)
    return Source(str(path), data.decode("utf-8", "surrogateescape"))


def with_contracts(image: Image, sources: Sequence[Source]) -> Image:
    """The image with contracts from files of their own. Raises BadSymbols."""
    places: dict[str, Span] = {}
    for source in sources:
        for name, below in contract_places(source, image.symbols):
            if name in places:
                raise BadSymbols(f"'{name}' has two contracts", below, str(places[name]))
            places[name] = below
    if not sources:
        return image
    exported = tuple(
        replace(s, exported=True) if s.name in places and s.is_label else s for s in image.symbols
    )
    return replace(
        image,
        symbols=exported,
        sources=(*image.sources, *sources),
        contract_places=tuple(places.items()),
    )


def _finder(files: ProgramFiles) -> SourceFinder:
    """What looks for the sources of debug information: in the likeliest folders first."""
    named = (each for each in files.sources if each.is_dir() and each != files.root)
    folders = [*named, *(path.parent for path in files.symbols)]
    folders += [files.root] if files.root is not None else []
    above = [parent for path in files.symbols for parent in path.absolute().parents[1:_ABOVE]]
    return SourceFinder(list(dict.fromkeys(folders)), list(dict.fromkeys(above)))


def _add_debug_info(
    debug: DebugInfo, layout: ImageLayout, parts: KnownParts, finder: SourceFinder
) -> None:
    if layout.machine == GAME_BOY:
        raise BadSymbols(f"{debug.name}: debug information of ld65 is not of a Game Boy program")
    placed = place_segments(debug, layout)
    parts.segments += placed.segments
    if not debug.has_symbols:
        parts.warn(
            f"{debug.name} has segments, but neither symbols nor lines: the program was assembled "
            "without -g",
            help="assemble with ca65 -g (or cl65 -g): make CFLAGS65=-g, CA65FLAGS=-g, ASFLAGS=-g",
        )
    lines, pieces = DebugLines(debug, finder), list(innermost(debug))
    parts.lines += lines_of(lines, pieces, placed, layout)
    _add_debug_symbols(lines, placed, parts)
    check_debug_info(lines, [piece for piece, _ in pieces], placed, layout, parts)
    used = {id(line.span.source): line.span.source for line in parts.lines}
    for symbol in parts.symbols:
        if symbol.span is not None:
            used.setdefault(id(symbol.span.source), symbol.span.source)
    parts.sources += [source for source in used.values() if source.text]
    _tell_sources(debug, parts, finder)


def _check_address(
    debug: DebugInfo, layout: ImageLayout, load_address: int | None, parts: KnownParts
) -> None:
    """A note where an image is loaded elsewhere than debug information has it."""
    wrong = elsewhere(debug, layout)
    if wrong is None:
        return
    moved = wrong.address - wrong.debug_address
    right = (layout.banks[0].address - moved) % _ADDRESSES
    parts.warn(
        f"{debug.name} has segment {wrong.name} at ${wrong.debug_address:04X}, and "
        f"{'the load address' if load_address is not None else layout.name} puts it at "
        f"${wrong.address:04X}: labels lie where the segment was linked, and no bytes are there",
        help=f"the load address of this build is ${right:04X}"
        if load_address is not None
        else BUILD_AGAIN,
    )


def _tell_sources(debug: DebugInfo, parts: KnownParts, finder: SourceFinder) -> None:
    where = "'sources' lists the folders in which they are looked for"
    if finder.missing:
        missing = sorted(set(finder.missing))
        parts.warn(
            f"{debug.name}: {plural(len(missing), 'source')} not found: {list_names(missing)}",
            help=where,
        )
    if finder.ambiguous:
        several = sorted(set(finder.ambiguous))
        parts.warn(
            f"{debug.name}: several files match {list_names(several)}: none of them is used",
            help=where,
        )
    if finder.changed:
        changed = sorted(set(finder.changed))
        parts.warn(
            f"{debug.name}: {list_names(changed)} changed after it was written: lines may be wrong",
            help="build the program again",
        )


def _add_debug_symbols(lines: DebugLines, placed: PlacedSegments, parts: KnownParts) -> None:
    """Labels, aliases and constants; those of parts that are no memory are counted."""
    debug = lines.debug
    by_number: dict[int, tuple[Symbol, Span | None]] = {}
    left_out: dict[str, int] = {}
    labels: dict[str, int] = {}
    for symbol in debug.symbols.values():
        if symbol.is_label:
            labels[symbol.qualified] = labels.get(symbol.qualified, 0) + 1
    for number, symbol in debug.symbols.items():
        if symbol.qualified.rpartition("@")[2].startswith(_MACRO_LABEL):
            continue
        segment: Segment | None = None
        if symbol.segment is not None:
            segment = placed.part(symbol.segment, symbol.value)
            if symbol.segment in placed.skipped:
                why = placed.skipped[symbol.segment]
                left_out[why] = left_out.get(why, 0) + symbol.is_label
                continue
        span = None if symbol.definition is None else lines.span(symbol.definition)
        alone = not symbol.is_inner and labels.get(symbol.qualified) == 1
        made = Symbol(
            symbol.qualified,
            symbol.value,
            AddressSize.ZEROPAGE if symbol.is_zeropage else AddressSize.ABSOLUTE,
            symbol.is_label,
            symbol.is_exported or (symbol.is_label and alone),
            symbol.size,
            symbol.module,
            span if span is not None and span.source.text else None,
            segment.name if segment is not None else None,
            presumed=not symbol.is_exported,
        )
        by_number[number] = made, span
        parts.symbols.append(made)
    for why, count in left_out.items():
        if count:
            parts.note(
                f"{debug.name}: {plural(count, 'label')} in {why}, which is not memory of the "
                f"CPU, left out"
            )
    for scope in debug.scopes.values():
        procedure, span = by_number.get(-1 if scope.symbol is None else scope.symbol, (None, None))
        if procedure is not None and span is not None and scope.spans:
            size = debug.spans[scope.spans[0]].size
            parts.routines.append(
                Routine(procedure.name, procedure.value, size, procedure.module, span)
            )


def _name_whole_banks(layout: ImageLayout, parts: KnownParts) -> None:
    """Banks of which no symbol file knows anything are segments of their own."""
    known = {segment.area for segment in parts.segments}
    if any(segment.file is not None for segment in parts.segments):
        return
    for bank in layout.banks:
        if bank.area not in known:
            kind = "rw" if bank.writable else "ro"
            at = bank.address
            parts.segments.append(
                Segment(
                    bank.area, at, at, bank.size, 1, kind, bank.area, layout.name, bank.offset, ()
                )
            )


def _image(layout: ImageLayout, parts: KnownParts) -> Image:
    used: dict[str, int] = {}
    for segment in parts.segments:
        used[segment.area] = used.get(segment.area, 0) + segment.size
    unknown = 0 if any(segment.file is not None for segment in parts.segments) else None
    banks = [_area(bank, used.get(bank.area, unknown), layout) for bank in layout.banks]
    rams = [
        Area(r.area, r.address, r.size, min(used[r.area], r.size), True, None)
        for r in layout.rams
        if r.area in used and not _overlaps_bank(r, layout)
    ]
    return Image(
        cpu=layout.cpu,
        files=(OutputFile(layout.name, layout.data),),
        blocks=tuple(
            Block(b.area, b.address, layout.data[b.offset : b.offset + b.size], b.writable)
            for b in layout.banks
        ),
        areas=(*banks, *rams),
        segments=tuple(parts.segments),
        symbols=tuple(parts.symbols),
        lines=tuple(parts.lines),
        routines=tuple(parts.routines),
        sources=tuple(parts.sources),
    )


def _area(bank: FileBank, used: int | None, layout: ImageLayout) -> Area:
    """The area of a bank; ``used`` bytes of it are known, None: all may be."""
    known = bank.size if used is None else min(used, bank.size)
    return Area(bank.area, bank.address, bank.size, known, bank.writable, layout.name)


def _overlaps_bank(ram: Ram, layout: ImageLayout) -> bool:
    """Whether RAM shares addresses with a bank: the harness would take the bank for a part of the
    file that is never loaded."""
    return any(ram.address < bank.end and bank.address < ram.end for bank in layout.banks)
