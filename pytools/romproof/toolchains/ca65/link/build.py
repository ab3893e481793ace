"""Describes a finished link as an image: bytes, symbols, lines and routines."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping

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
from romproof.text.span import Source
from romproof.toolchains.ca65.link.evaluate import Evaluator
from romproof.toolchains.ca65.link.state import AreaState, LinkState, SegmentState
from romproof.toolchains.ca65.obj.cpus import cpu_for
from romproof.toolchains.ca65.obj.expr import Expr, SectionOffset, Unresolved
from romproof.toolchains.ca65.obj.link_symbols import Label
from romproof.toolchains.ca65.obj.object import Line, Object

LINKER = "linker"
"""Module name of symbols that the linker or its configuration defines."""


def build_image(state: LinkState, files: Mapping[str, bytes], evaluator: Evaluator) -> Image:
    """The image of a link without errors; ``files`` maps names to contents."""
    sources: dict[int, Source] = {}
    for obj in state.objects:
        for source in obj.sources:
            sources.setdefault(id(source), source)
    return Image(
        cpu=cpu_for(obj.cpu for obj in state.objects),
        files=tuple(OutputFile(name, data) for name, data in files.items()),
        blocks=tuple(block for area in state.areas.values() for block in _blocks(area)),
        areas=tuple(_area(area) for area in state.areas.values()),
        segments=tuple(
            _segment(state, segment)
            for segment in state.segments.values()
            if segment.area is not None
        ),
        symbols=tuple(_symbols(state, evaluator)),
        lines=tuple(_lines(state)),
        routines=tuple(_routines(state)),
        sources=tuple(sources.values()),
        macro_labels=tuple(_macro_labels(state, evaluator)),
    )


def _blocks(area: AreaState) -> list[Block]:
    """What was written for the area, joined to runs without a gap.

    Later bytes win, as they do in the file: overwriting segments come last.
    """
    if not area.chunks:
        return []
    base = min(address for address, _ in area.chunks)
    end = max(address + len(data) for address, data in area.chunks)
    memory, known = bytearray(end - base), bytearray(end - base)
    for address, data in area.chunks:
        at = address - base
        memory[at : at + len(data)] = data
        known[at : at + len(data)] = b"\1" * len(data)
    name, writable = area.rule.name, area.rule.writable
    blocks: list[Block] = []
    start = known.find(1)
    while start >= 0:
        stop = known.find(0, start)
        stop = len(known) if stop < 0 else stop
        blocks.append(Block(name, base + start, bytes(memory[start:stop]), writable))
        start = known.find(1, stop)
    return blocks


def _area(area: AreaState) -> Area:
    rule = area.rule
    return Area(
        rule.name, area.start, area.size, _covered_bytes(area), rule.writable, area.file or None
    )


def _covered_bytes(area: AreaState) -> int:
    """Bytes of the area that segments cover; what they overwrite counts once."""
    name = area.rule.name
    ranges = sorted(
        (p.segment.run if p.rule.run == name else p.segment.load, p.segment.size)
        for p in area.placements
    )
    used, end = 0, area.start
    for address, size in ranges:
        used += max(0, address + size - max(end, address))
        end = max(end, address + size)
    return used


def _segment(state: LinkState, segment: SegmentState) -> Segment:
    rule, area = segment.rule, segment.area
    assert rule is not None and area is not None  # noqa: PT018 - a placed segment has both
    written = segment.file_offset is not None
    parts = tuple(
        Part(
            state.objects[c.module].name if c.module < len(state.objects) else LINKER,
            segment.run + c.offset,
            len(c.section.data),
        )
        for c in segment.contributions
        if c.section.data
    )
    return Segment(
        name=segment.name,
        run=segment.run,
        load=segment.load,
        size=segment.size,
        alignment=segment.alignment,
        kind=rule.kind.value,
        area=area.rule.name,
        file=state.areas[rule.load].file if written else None,
        file_offset=segment.file_offset or 0,
        parts=parts,
    )


def _symbols(state: LinkState, evaluator: Evaluator) -> list[Symbol]:
    symbols: list[Symbol] = []
    described: set[str] = set()
    values = _values(state, evaluator)
    for module, obj in enumerate(state.objects):
        for label in obj.labels:
            try:
                value = evaluator.value(label.expr, module)
            except Unresolved:
                continue  # an equate that nothing uses may name what does not exist
            if label.exported:
                described.add(label.name)
            symbols.append(_symbol(label, value, state, module))
    for name, definition in state.definitions.items():
        if name not in described and name in values:
            module_name = LINKER
            if definition.module is not None and definition.module < len(state.objects):
                module_name = state.objects[definition.module].name
            symbols.append(
                Symbol(
                    name,
                    values[name],
                    definition.address_size,
                    definition.is_label,
                    True,
                    None,
                    module_name,
                    definition.span,
                )
            )
    return symbols


def _macro_labels(state: LinkState, evaluator: Evaluator) -> list[Symbol]:
    symbols: list[Symbol] = []
    for module, obj in enumerate(state.objects):
        for label in obj.macro_labels:
            try:
                value = evaluator.value(label.expr, module)
            except Unresolved:
                continue  # as above
            symbols.append(_symbol(label, value, state, module))
    return symbols


def _symbol(label: Label, value: int, state: LinkState, module: int) -> Symbol:
    return Symbol(
        label.name,
        value,
        label.address_size,
        label.is_label,
        label.exported,
        label.size,
        state.objects[module].name,
        label.span,
        _segment_of(label.expr, state, module),
    )


def _segment_of(expr: Expr, state: LinkState, module: int) -> str | None:
    """The segment a label of ``module`` is in."""
    return (
        state.places[module][expr.section].segment.name if isinstance(expr, SectionOffset) else None
    )


def _values(state: LinkState, evaluator: Evaluator) -> dict[str, int]:
    """The values of all exports that have one."""
    values: dict[str, int] = {}
    for name in state.definitions:
        try:
            values[name] = evaluator.symbol(name)
        except Unresolved:
            continue  # was warned about
    return values


def _lines(state: LinkState) -> list[ImageLine]:
    lines: list[ImageLine] = []
    for module, obj in enumerate(state.objects):
        for line in obj.lines:
            place = state.places[module][line.section]
            segment, offset = place.segment, place.offset + line.offset
            address = segment.run + offset if line.origin is None else line.origin
            data = segment.contents[offset : offset + line.size]
            if segment.area is not None:
                lines.append(
                    ImageLine(address, line.size, data, line.is_code, segment.name, line.span)
                )
    return lines


def _routines(state: LinkState) -> list[Routine]:
    routines: list[Routine] = []
    for module, obj in enumerate(state.objects):
        origins = _Origins(obj)
        for scope in obj.scopes:
            place = state.places[module][scope.section]
            if place.segment.area is None:
                continue
            address = origins.address(scope.section, scope.offset)
            if address is None:
                address = place.segment.run + place.offset + scope.offset
            routines.append(Routine(scope.name, address, scope.size, obj.name, scope.span))
    return routines


class _Origins:
    """Finds the address that ``.org`` claims for a place, through the lines there."""

    def __init__(self, obj: Object) -> None:
        self.lines: dict[int, list[Line]] = {}
        for line in obj.lines:
            self.lines.setdefault(line.section, []).append(line)
        for lines in self.lines.values():
            lines.sort(key=lambda line: line.offset)

    def address(self, section: int, offset: int) -> int | None:
        """The claimed address, or None where no ``.org`` rules."""
        lines = self.lines.get(section, [])
        index = bisect_right(lines, offset, key=lambda line: line.offset) - 1
        if index < 0:
            return None
        line = lines[index]
        if line.origin is None or offset >= line.offset + max(1, line.size):
            return None
        return line.origin + offset - line.offset
