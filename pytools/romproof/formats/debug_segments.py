"""Where the segments of debug information are in an image: in which bank, at which address."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePath

from romproof.formats.dbg import DbgSegment, DebugInfo
from romproof.formats.errors import BadSymbols
from romproof.formats.layout import ImageLayout
from romproof.formats.nes import page_size
from romproof.formats.sources import parts_of
from romproof.program.image import Segment

_ADDRESSES = 0x10000
_LOWEST_PRG = 0x6000
"""Where PRG is at its lowest: with some mappers at $6000."""
_ALIGNED = 0x1000
_STALE = "debug information and image come from different builds: build both again"


@dataclass(slots=True)
class PlacedSegments:
    """The segments of an image; ``by_number`` has the parts of each of the file's segments.

    ``skipped`` are those in parts of the file that are no memory, with what these are.
    """

    segments: list[Segment] = field(default_factory=list)
    by_number: dict[int, list[Segment]] = field(default_factory=dict)
    skipped: dict[int, str] = field(default_factory=dict)

    def part(self, number: int, address: int) -> Segment | None:
        """The part of a segment that an address is in, or ends; None: no memory of the CPU."""
        ending: Segment | None = None
        for part in self.by_number.get(number, ()):
            within = address - part.run
            if 0 <= within < part.size:
                return part
            if within == part.size and ending is None:
                ending = part
        return ending


def output_of(debug: DebugInfo, name: str) -> str | None:
    """Which of the files that were linked is the image ``name``; None where none was written.

    Raises BadSymbols when it is one of several that are all called otherwise.
    """
    outputs = sorted({s.output for s in debug.segments.values() if s.output is not None})
    own = PurePath(name).name.casefold()
    for output in outputs:
        if parts_of(output)[-1:] and parts_of(output)[-1].casefold() == own:
            return output
    if len(outputs) > 1:
        raise BadSymbols(
            f"{debug.name}: this is debug information of {', '.join(outputs)}, "
            f"not of {PurePath(name).name}"
        )
    return outputs[0] if outputs else None  # the image was renamed, or it is another's: see below


def bases_of(debug: DebugInfo, layout: ImageLayout) -> Mapping[int, int]:
    """The addresses of an NES cartridge's pages, as segments were assembled for them."""
    if layout.header is None:
        return {}
    output, prg, size = output_of(debug, layout.name), layout.header.prg, page_size(layout.header)
    votes: dict[int, dict[int, int]] = {}
    for segment in debug.segments.values():
        if segment.output != output or output is None or segment.start < _LOWEST_PRG:
            continue
        at, address = segment.offset, segment.start
        end = min(segment.offset + segment.size, prg.stop)
        while prg.start <= at < end:
            number, within = divmod(at - prg.start, size)
            base = address - within
            length = min(size - within, end - at)
            fits = base >= _LOWEST_PRG and base % _ALIGNED == 0 and base + within < _ADDRESSES
            if fits:
                same = votes.setdefault(number, {})
                same[base] = same.get(base, 0) + length
            at, address = at + length, address + length
    return {number: max(same, key=lambda b: (same[b], b)) for number, same in votes.items()}


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A part of an image's file: ``name`` is that of its segment, ``debug_address`` where debug
    information has it, ``address`` where the image has it."""

    name: str
    debug_address: int
    address: int


def elsewhere(debug: DebugInfo, layout: ImageLayout) -> Elsewhere | None:
    """The first part of the file, where debug information has each of them at another address than
    the image: what is copied before it runs is so, but not all of a program."""
    output, first = output_of(debug, layout.name), None
    for segment in sorted(debug.segments.values(), key=lambda each: each.offset):
        place = layout.at_offset(segment.offset)
        if not segment.size or segment.output is None or segment.output != output or not place:
            continue
        if place.address == segment.start:
            return None
        first = first or Elsewhere(segment.name, segment.start, place.address)
    return first


def place_segments(debug: DebugInfo, layout: ImageLayout) -> PlacedSegments:
    """The segments with something in them. Raises BadSymbols where the image has no room."""
    output = output_of(debug, layout.name)
    placed = PlacedSegments()
    for number, segment in debug.segments.items():
        if not segment.size or (segment.output is not None and segment.output != output):
            continue
        if segment.output is None:
            parts = _in_ram(segment, layout)
        else:
            parts = _in_file(segment, layout, placed, number, debug.name)
        placed.segments += parts
        placed.by_number[number] = parts
    return placed


def _in_ram(segment: DbgSegment, layout: ImageLayout) -> list[Segment]:
    """A segment without contents."""
    size = min(segment.size, max(0, _ADDRESSES - segment.start))
    if not size:
        return []
    places = [p for p in layout.at_address(segment.start) if not p.in_file]
    area = places[0].area if places else "RAM"
    kind = "zp" if segment.is_zeropage else "bss"
    run = segment.start
    return [Segment(segment.name, run, run, size, 1, kind, area, None, 0, ())]


def _in_file(
    segment: DbgSegment, layout: ImageLayout, placed: PlacedSegments, number: int, name: str
) -> list[Segment]:
    """A segment with contents, a part for each bank that it is in."""
    end = segment.offset + segment.size
    if end > len(layout.data):
        raise BadSymbols(
            f"{name}: segment {segment.name} ends at byte {end} of the image; {layout.name} has "
            f"{len(layout.data)}",
            help=_STALE,
        )
    kind = "ro" if segment.is_read_only else "zp" if segment.is_zeropage else "rw"
    parts: list[Segment] = []
    at, run = segment.offset, segment.start
    while at < end:
        place = layout.at_offset(at)
        if place is None:
            why = next((what for where, what in layout.skipped if at in where), "no memory")
            placed.skipped.setdefault(number, why)
            break
        bank = layout.by_area[place.area]
        length = min(end - at, bank.offset + bank.size - at)
        area = place.area
        if place.address != run:
            area = next((p.area for p in layout.at_address(run) if not p.in_file), "RAM")
        if run + length > _ADDRESSES:
            raise BadSymbols(f"{name}: segment {segment.name} ends after 64 KiB", help=_STALE)
        called = segment.name if not parts else f"{segment.name}[{place.area}]"
        parts.append(
            Segment(called, run, place.address, length, 1, kind, area, layout.name, at, ())
        )
        at, run = at + length, run + length
    return parts
