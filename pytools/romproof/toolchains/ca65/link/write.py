"""Turns placed segments into the bytes of the output files.

Follows ld65 2.19 (bin.c, ``SegWrite`` in segments.c) step by step, file
position included, because overwriting segments and gaps depend on it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from romproof.text.diagnostic import Diagnostics
from romproof.toolchains.ca65.link.config import SegmentKind
from romproof.toolchains.ca65.link.evaluate import Evaluator, Undefined
from romproof.toolchains.ca65.link.merge import align
from romproof.toolchains.ca65.link.state import (
    AreaState,
    Contribution,
    LinkState,
    Placement,
    SegmentState,
)
from romproof.toolchains.ca65.obj.dialect import Change
from romproof.toolchains.ca65.obj.expr import Unresolved
from romproof.toolchains.ca65.obj.object import Fixup

UNWRITTEN = " (in a segment that is written to no file)"
"""Ends warnings about what would be an error elsewhere."""


MAX_BYTES = 1 << 26
"""In a file of the linker, and in a segment: the CPUs see 64 KiB, the largest cartridges 8 MiB."""


@dataclass
class _Output:
    """A file in memory with a position; holes read as zeros."""

    data: bytearray = field(default_factory=bytearray)
    position: int = 0

    def write(self, data: bytes) -> None:
        missing = self.position - len(self.data)
        if missing > 0 and data:
            self.data += bytes(missing)
        self.data[self.position : self.position + len(data)] = data
        self.position += len(data)

    def to_end(self) -> None:
        self.position = len(self.data)


def segment_contents(
    segment: SegmentState, evaluator: Evaluator, diagnostics: Diagnostics, written: bool
) -> bytes:
    """The final bytes of a segment: fill, data and fixups of all its sections.

    A value that does not fit is an error, or a warning when the segment is
    not ``written`` to any file (then ld65 does not look at it at all).
    """
    data = bytearray([segment.fill_value]) * segment.size
    for contribution in segment.contributions:
        section, start = contribution.section, contribution.offset
        data[start : start + len(section.data)] = section.data
        for offset, length in section.gaps:
            filling = bytes([segment.fill_value]) * length
            data[start + offset : start + offset + length] = filling
        for fixup in section.fixups:
            value = _fixup_value(contribution, fixup, evaluator, diagnostics, written)
            at = start + fixup.offset
            mask = (1 << (8 * fixup.size)) - 1
            data[at : at + fixup.size] = (value & mask).to_bytes(fixup.size, "little")
    return bytes(data)


def _fixup_value(
    contribution: Contribution,
    fixup: Fixup,
    evaluator: Evaluator,
    diagnostics: Diagnostics,
    written: bool,
) -> int:
    try:
        value = evaluator.value(fixup.expr, contribution.module)
    except Undefined:
        return 0  # undefined symbols are reported together, with all their uses
    except Unresolved as why:
        _report(diagnostics, written, str(why), fixup, None)
        return 0
    bits = 8 * fixup.size
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if fixup.signed else (0, (1 << bits) - 1)
    if low <= value <= high:
        return value
    plural = "" if fixup.size == 1 else "s"
    if fixup.signed and fixup.size == 1:
        message = f"Range error: the branch target is {value} bytes away, not {low} to {high}"
        help = "branch the other way around a jmp, or move the target nearer"
    else:
        shown = f"${value:X}" if value >= 0 else str(value)
        message = f"Range error: the value {shown} does not fit into {fixup.size} byte{plural}"
        help = f"{low} to {high} are possible; < and > take the low and high byte of a value"
    _report(diagnostics, written, message, fixup, help)
    return value


def _report(
    diagnostics: Diagnostics, written: bool, message: str, fixup: Fixup, help: str | None
) -> None:
    if written:
        diagnostics.error(message, fixup.span, help)
    else:
        diagnostics.warning(f"{message}{UNWRITTEN}", fixup.span, help)


class Writer:
    """Writes the files of one link into memory."""

    def __init__(self, state: LinkState, diagnostics: Diagnostics) -> None:
        self.state = state
        self.diagnostics = diagnostics

    def files(self) -> dict[str, bytes]:
        """File name -> contents, in the order the configuration first names them."""
        outputs: dict[str, _Output] = {}
        for area in self.state.areas.values():
            if area.file:
                self._write_area(area, outputs.setdefault(area.file, _Output()))
        return {name: bytes(output.data) for name, output in outputs.items()}

    def _write_area(self, area: AreaState, output: _Output) -> None:
        if output.position != area.file_offset:
            # ld65 gives up here with an internal error
            self.diagnostics.error(
                f"memory area '{area.rule.name}' would start at offset {output.position} of "
                f"'{area.file}', but was given offset {area.file_offset}",
                area.rule.span,
                help="the areas in front of it in this file mix fill = yes with segments that "
                "only run there, or overwrite beyond their end; write it to a file of its own",
            )
            output.to_end()
        address = area.start
        for placement in area.placements:
            address = self._write_segment(area, placement, output, address)
        if area.rule.fill and area.level < area.size:
            # the bytes follow in the file, whatever an overwriting segment made of the level
            end = area.start + output.position - area.file_offset
            self._fill(area, output, end, area.size - area.level)

    def _write_segment(
        self, area: AreaState, placement: Placement, output: _Output, address: int
    ) -> int:
        """Write one segment, or what replaces it; gives the address behind it."""
        segment, rule = placement.segment, placement.rule
        is_load = rule.load == area.rule.name
        stored = rule.kind.is_stored and is_load
        target = self._target(area, placement, address)
        if stored or area.rule.fill:
            if rule.kind is SegmentKind.OVERWRITE and rule.run == area.rule.name:
                self._go_to(area, output, target - area.start + area.file_offset)
            else:
                self._fill(area, output, address, target - address)
        if stored:
            segment.file_offset = output.position
            output.write(segment.contents)
            area.chunks.append((target, segment.contents))
            if rule.kind is SegmentKind.OVERWRITE:
                output.to_end()
        elif area.rule.fill and output.position + segment.size <= MAX_BYTES:
            filling = bytes([segment.fill_value]) * segment.size
            output.write(filling)
            area.chunks.append((target, filling))
        return target + segment.size

    def _target(self, area: AreaState, placement: Placement, address: int) -> int:
        if placement.rule.run != area.rule.name:
            return align(address, placement.align_load or 1)
        if placement.align is not None:
            return align(address, placement.align)
        if placement.start is not None:
            return placement.start
        if placement.offset is not None:
            return area.start + placement.offset
        return address

    def _go_to(self, area: AreaState, output: _Output, position: int) -> None:
        if position <= MAX_BYTES:
            missing = position - len(output.data)
            if missing > 0 and Change.OVERWRITE_EXTENDS in self.state.dialect:
                output.to_end()
                address = area.start + output.position - area.file_offset
                self._fill(area, output, address, missing)
            output.position = position
        else:
            self._too_long(area)

    def _too_long(self, area: AreaState) -> None:
        self.diagnostics.error(
            f"memory area '{area.rule.name}' would fill its file up to {MAX_BYTES >> 20} MiB "
            "and more",
            area.rule.span,
            help="fill a smaller area, or leave fill = no",
        )

    def _fill(self, area: AreaState, output: _Output, address: int, count: int) -> None:
        if output.position + count > MAX_BYTES:
            self._too_long(area)
        elif count > 0:
            filling = bytes([area.fill_value]) * count
            output.write(filling)
            area.chunks.append((address, filling))
