"""Gives every segment its address: memory areas in order, segments in order.

This is the algorithm of ld65 2.19 (``CfgProcess`` in its config.c). Areas are
placed one after the other, and an area's start and size may name symbols that
placing the areas before it defined.
"""

from __future__ import annotations

from collections.abc import Mapping

from romproof.program.address_size import AddressSize
from romproof.text.diagnostic import Diagnostics, suggest
from romproof.toolchains.ca65.link.config import ConfigNumber, MemoryArea, SegmentKind, SegmentRule
from romproof.toolchains.ca65.link.evaluate import Evaluator, Undefined
from romproof.toolchains.ca65.link.merge import align, define, early
from romproof.toolchains.ca65.link.state import (
    AreaState,
    Definition,
    LinkState,
    Placement,
    SegmentState,
)
from romproof.toolchains.ca65.obj.alignment import MAX_ALIGNMENT
from romproof.toolchains.ca65.obj.dialect import Change
from romproof.toolchains.ca65.obj.expr import Literal, Unresolved

MAX_ADDRESS = 0x1000000
"""The largest START or OFFSET of a segment."""


class Placer:
    """Places the segments of one link."""

    def __init__(
        self,
        state: LinkState,
        defines: Mapping[str, int],
        start_address: int | None,
        diagnostics: Diagnostics,
    ) -> None:
        self.state = state
        self.defines = defines
        self.start_address = start_address
        self.diagnostics = diagnostics
        self.evaluator = Evaluator(state.definitions, state.places, start_address)
        self._extends = Change.OVERWRITE_EXTENDS in state.dialect

    def place(self) -> None:
        """Place everything; faults are reported and the rest goes on."""
        for rule in self.state.config.areas:
            fill = self._early(rule.fill_value, 0, 0xFF)
            self.state.areas[rule.name] = AreaState(
                rule, rule.file.expand(self.state.output), fill or 0
            )
        self._check_files()
        for segment_rule in self.state.config.segments:
            self._assign(segment_rule)
        file_sizes: dict[str, int] = {}
        for area in self.state.areas.values():
            area.file_offset = file_sizes.get(area.file, 0)
            self._place_area(area, file_sizes)

    def _check_files(self) -> None:
        """Every file of FILES must be one that a memory area names."""
        known = {area.file for area in self.state.areas.values()}
        for rule in self.state.config.files:
            name = rule.name.expand(self.state.output)
            if name not in known:
                self.diagnostics.error(
                    f"file '{name}' not found in MEMORY", rule.span, suggest(name, known)
                )

    def _early(self, number: ConfigNumber | None, low: int, high: int) -> int | None:
        """A number that must be known before anything is placed."""
        if number is None:
            return None
        evaluator = early(self.state, self.defines, number.declared, self.start_address)
        try:
            value = evaluator.value(number.expr, None)
        except Unresolved as why:
            help = None
            if isinstance(why, Undefined):
                self.state.reported.add(why.name)
                known = [*self.defines, *(rule.name for rule in self.state.config.symbols)]
                help = suggest(why.name, known)
                help = help or "only symbols exported by an earlier SYMBOLS block are possible here"
            self.diagnostics.error(f"a constant is needed here: {why}", number.span, help)
            return None
        if not low <= value <= high:
            self.diagnostics.error(
                f"{value} is out of range: {low} to {high} are possible", number.span
            )
            return None
        return value

    def _number(self, number: ConfigNumber, what: str) -> int:
        """A number that may name what has been placed so far; 0 after a fault."""
        try:
            value = self.evaluator.value(number.expr, None)
        except Unresolved as why:
            help = None
            if isinstance(why, Undefined):
                self.state.reported.add(why.name)
                help = suggest(why.name, self.state.definitions)
                help = help or "areas are placed in their order: symbols of later ones are unknown"
            self.diagnostics.error(f"{what} is not constant: {why}", number.span, help)
            return 0
        return value & 0xFFFFFFFF  # ld65 counts in 32 bits without a sign: $2000-%S may be negative

    def _assign(self, rule: SegmentRule) -> None:
        """Attach a rule to its segment and list it in its areas."""
        placement_numbers = (
            self._early(rule.align, 1, MAX_ALIGNMENT),
            self._early(rule.align_load, 1, MAX_ALIGNMENT) if rule.load != rule.run else None,
            self._early(rule.start, 0, MAX_ADDRESS),
            self._early(rule.offset, 0, MAX_ADDRESS),
            self._early(rule.fill_value, 0, 0xFF),
        )
        segment = self.state.segments.get(rule.name)
        if segment is None:
            if not rule.optional:
                names = [n for n in self.state.segments if n not in self._configured_names()]
                self.diagnostics.warning(
                    f"segment '{rule.name}' does not exist in any module",
                    rule.span,
                    suggest(rule.name, names) or "add optional = yes if this is intended",
                )
            return
        placement = Placement(rule, segment, *placement_numbers)
        segment.rule = rule
        segment.fill_value = placement.fill_value or 0
        for name in dict.fromkeys((rule.run, rule.load)):
            self.state.areas[name].placements.append(placement)

    def _configured_names(self) -> set[str]:
        return {rule.name for rule in self.state.config.segments}

    def _place_area(self, area: AreaState, file_sizes: dict[str, int]) -> None:
        rule = area.rule
        area.start = self._number(rule.start, f"the start of memory area '{rule.name}'")
        if rule.define:
            self._define(f"__{rule.name}_START__", area.start, True, rule)
        area.size = self._number(rule.size, f"the size of memory area '{rule.name}'")
        if area.size >= 1 << 31 and Change.SIZES_ARE_CHECKED in self.state.dialect:
            self.diagnostics.error(
                f"the size of memory area '{rule.name}' is negative: {area.size - (1 << 32)}",
                rule.span,
            )
        address = area.start
        overwriting: SegmentRule | None = None
        for placement in area.placements:
            before = address
            overwriting = self._check_overwrite(placement, overwriting)
            address = self._address(area, placement, address)
            segment = placement.segment
            is_load = placement.rule.load == rule.name
            if is_load:
                segment.load = address
                segment.assigned = True
                if placement.fill_value is None:
                    segment.fill_value = area.fill_value
            before_level, level = area.level, address + segment.size - area.start
            self._check_overflow(area, segment, level)
            area.level = max(before_level, level) if self._extends else level
            if placement.rule.define:
                self._define_segment(area, placement, address)
            address += segment.size
            stored = placement.rule.kind.is_stored or rule.fill
            if is_load and stored:
                written = address - before
                if placement.rule.kind is SegmentKind.OVERWRITE:
                    written = area.level - before_level if self._extends else 0
                file_sizes[area.file] = file_sizes.get(area.file, 0) + written
        if rule.define:
            self._define(f"__{rule.name}_SIZE__", area.size, False, rule)
            self._define(f"__{rule.name}_LAST__", area.start + area.level, True, rule)
            self._define(f"__{rule.name}_FILEOFFS__", area.file_offset, False, rule)
        if rule.bank is not None:
            try:
                area.bank = self.evaluator.value(rule.bank.expr, None)
            except Unresolved:
                area.bank = None  # an undefined symbol is reported with all the others
        if rule.fill and not area.overflowed and self._extends:
            file_sizes[area.file] = area.file_offset + area.size
        elif rule.fill and not area.overflowed:
            file_sizes[area.file] = file_sizes.get(area.file, 0) + area.size - area.level

    def _check_overwrite(
        self, placement: Placement, overwriting: SegmentRule | None
    ) -> SegmentRule | None:
        rule = placement.rule
        if rule.kind is SegmentKind.OVERWRITE:
            if rule.start is None and rule.offset is None:
                self.diagnostics.error(
                    f"segment '{rule.name}' of type overwrite has neither start nor offset",
                    rule.span,
                )
            return rule
        if overwriting is not None:
            self.diagnostics.error(
                f"segment '{rule.name}' comes after segment '{overwriting.name}' of type overwrite",
                rule.span,
                help="put segments of type overwrite last in their memory area",
                notes=(("the segment of type overwrite", overwriting.span),),
            )
        return overwriting

    def _address(self, area: AreaState, placement: Placement, address: int) -> int:
        """Where the segment goes in ``area``, which is at ``address`` so far."""
        segment, rule = placement.segment, placement.rule
        if rule.run != area.rule.name:
            return align(address, placement.align_load or 1)
        fixed = placement.start
        if fixed is None and placement.offset is not None:
            fixed = area.start + placement.offset
        if (fixed if fixed is not None else placement.align or 1) % segment.alignment:
            self.diagnostics.warning(
                f"segment '{segment.name}' isn't aligned properly: "
                f"it needs a multiple of {segment.alignment} bytes",
                rule.span,
                help=f"give the segment align = {segment.alignment}",
            )
        if placement.align is not None:
            aligned = align(address, placement.align)
            if area.level == 0 and aligned > address:
                self.diagnostics.warning(
                    f"segment '{segment.name}', the first in memory area '{area.rule.name}', "
                    f"needs {aligned - address} fill bytes for its alignment",
                    rule.span,
                )
            address = aligned
        elif fixed is not None and not area.overflowed:
            address = self._fix_address(area, placement, address, fixed)
        segment.run = address
        segment.area = area
        return address

    def _fix_address(self, area: AreaState, placement: Placement, address: int, fixed: int) -> int:
        rule = placement.rule
        if rule.kind is SegmentKind.OVERWRITE:
            if fixed < area.start:
                self.diagnostics.error(
                    f"segment '{rule.name}' begins before memory area '{area.rule.name}'",
                    rule.span,
                )
                return address
            return fixed
        if fixed < address:
            fault = (
                f"start address of segment '{rule.name}' is too low"
                if placement.start is not None
                else f"offset of segment '{rule.name}' is too small"
            )
            self.diagnostics.error(
                f"{fault} by {address - fixed} byte{'' if address - fixed == 1 else 's'}: "
                f"memory area '{area.rule.name}' is used up to ${address:04X}",
                rule.span,
            )
            return address
        return fixed

    def _check_overflow(self, area: AreaState, segment: SegmentState, level: int) -> None:
        excess = level - area.size
        if excess > 0 and not area.overflowed:
            area.overflowed = True
            plural = "" if excess == 1 else "s"
            self.diagnostics.error(
                f"segment '{segment.name}' overflows memory area '{area.rule.name}' "
                f"by {excess} byte{plural}",
                area.rule.span,
                help=f"the area has {area.size} bytes, {level} are needed up to here",
            )

    def _define_segment(self, area: AreaState, placement: Placement, address: int) -> None:
        rule = placement.rule
        if rule.run == area.rule.name:
            self._define(f"__{rule.name}_RUN__", address, True, rule)
            self._define(f"__{rule.name}_SIZE__", placement.segment.size, False, rule)
        if rule.load == area.rule.name:
            self._define(f"__{rule.name}_LOAD__", address, True, rule)

    def _define(
        self, name: str, value: int, is_label: bool, rule: MemoryArea | SegmentRule
    ) -> None:
        define(
            self.state,
            Definition(name, Literal(value), AddressSize.ABSOLUTE, None, rule.span, is_label),
            self.diagnostics,
        )
