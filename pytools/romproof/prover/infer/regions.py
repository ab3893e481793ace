"""The memory of a program as objects: what the accesses of a routine may be meant for."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from romproof.harness.checks.stack import call_stack
from romproof.harness.state.values import BadValue
from romproof.program.image import Image, Symbol, UnknownSymbol
from romproof.prover.states.program import ProofProgram

VRAM, WRAM, OAM = (0x8000, 0xA000), (0xC000, 0xE000), (0xFE00, 0xFEA0)
"""Memory that every Game Boy has, where linkers seldom have sections (Pan Docs, "Memory Map")."""
NES_RAM = (0x0000, 0x0800)
"""That of each NES, of which linkers are seldom told all (NESdev Wiki, "CPU memory map")."""
_KEPT = ("rw", "bss", "zp")
_HOLE = 256
"""Bytes between sections of one area that do not part the variables of a program."""


@dataclass(frozen=True, slots=True)
class MemorySpan:
    """The addresses from ``start`` up to ``end``, the end not included."""

    start: int
    end: int

    @property
    def size(self) -> int:
        """How many there are."""
        return self.end - self.start

    def has(self, address: int) -> bool:
        """Whether an address is among them."""
        return self.start <= address < self.end

    def covers(self, other: MemorySpan) -> bool:
        """Whether all of the other lies in it."""
        return self.start <= other.start and other.end <= self.end

    def join(self, other: MemorySpan) -> MemorySpan:
        """The addresses from the first of both to the last of both."""
        return MemorySpan(min(self.start, other.start), max(self.end, other.end))

    def subtract(self, parts: Iterable[MemorySpan]) -> Iterator[MemorySpan]:
        """What is left of it without some parts, in order."""
        at = self.start
        for part in sorted(parts, key=lambda each: each.start):
            if at < min(part.start, self.end):
                yield MemorySpan(at, min(part.start, self.end))
            at = max(at, part.end)
        if at < self.end:
            yield MemorySpan(at, self.end)


def find_fixed_runs(is_fixed: bytes) -> Iterator[MemorySpan]:
    """The areas of memory that stay as they are, ROM that is: there ``is_fixed`` is 1."""
    at = is_fixed.find(b"\1")
    while at >= 0:
        end = is_fixed.find(b"\0", at)
        yield MemorySpan(at, end if end >= 0 else len(is_fixed))
        at = -1 if end < 0 else is_fixed.find(b"\1", end)


@dataclass(frozen=True)
class Regions:
    """Where the variables of a program lie; ``code`` are the addresses of its instructions."""

    program: ProofProgram = field(repr=False)
    code: Collection[int] = field(default=(), repr=False)

    @property
    def image(self) -> Image:
        """What is loaded of the program."""
        return self.program.rom.loaded

    @cached_property
    def variables(self) -> tuple[MemorySpan, ...]:
        """The areas of variables, from the first section to the last, less the stack of calls."""
        spans = sorted(
            (segment.run, segment.run + segment.size, segment.area)
            for segment in self.image.segments
            if segment.kind in _KEPT and segment.size
        )
        joined: list[tuple[MemorySpan, str]] = []
        for start, end, area in spans:
            last = joined[-1] if joined else None
            if last is not None and last[1] == area and start - last[0].end <= _HOLE:
                joined[-1] = MemorySpan(last[0].start, max(end, last[0].end)), area
            else:
                joined.append((MemorySpan(start, end), area))
        areas = [span for span, _ in joined]
        if self.program.rom.is_cartridge:
            areas += [MemorySpan(*VRAM), MemorySpan(*OAM)]
        areas += [MemorySpan(*ports) for ports in self.program.abi.volatile]
        return tuple(
            part for span in areas for part in self._subtract_stack(span) if self._is_free(part)
        )

    def _subtract_stack(self, span: MemorySpan) -> Iterator[MemorySpan]:
        abi = self.program.abi
        try:
            room = call_stack(abi, self.program.rom.image)
        except BadValue:
            yield span
            return
        low = abi.stack_base - 1 if abi.stack_base else room.floor
        high = abi.stack_base + room.top if abi.stack_base else room.top
        if span.end <= low or high <= span.start:
            yield span
            return
        if span.start < low:
            yield MemorySpan(span.start, low)
        if high < span.end:
            yield MemorySpan(high, span.end)

    def is_without_stack(self, span: MemorySpan) -> bool:
        """Whether the stack of calls lies elsewhere."""
        return list(self._subtract_stack(span)) == [span]

    def _is_free(self, span: MemorySpan) -> bool:
        return span.size > 0 and not any(self.program.is_fixed[span.start : span.end])

    def find_area(self, address: int) -> MemorySpan | None:
        """The area of variables that an address lies in."""
        return next((span for span in self.variables if span.has(address)), None)

    def has_ports(self, span: MemorySpan) -> bool:
        """Whether there are ports in a span."""
        volatile = self.program.abi.volatile
        return any(low < span.end and span.start < high for low, high in volatile)

    def is_memory(self, span: MemorySpan) -> bool:
        """Whether all of a span is known to be memory that keeps what is written to it."""
        rom = self.program.rom
        of_machine = [WRAM] if rom.is_cartridge else [NES_RAM] if rom.is_ines else []
        areas = [*self.variables, *(MemorySpan(*each) for each in of_machine)]
        return any(area.covers(span) for area in areas)

    @cached_property
    def _extents(self) -> list[MemorySpan]:
        """The variables: each label up to the next one of its section, or as long as it is said to
        be."""
        ends = {segment.name: segment.run + segment.size for segment in self.image.segments}
        areas = {segment.name: segment for segment in self.image.segments}
        extents: dict[int, MemorySpan] = {}
        by_segment: dict[str, set[int]] = {}
        labels = [
            s
            for s in self.image.symbols
            if s.is_label and not s.name.startswith("__") and not set("@.") & set(s.name[1:])
        ]
        for symbol in labels:
            name = symbol.segment or ""
            if name in areas and areas[name].run <= symbol.value < ends[name]:
                by_segment.setdefault(name, set()).add(symbol.value)
            elif symbol.size:
                extents[symbol.value] = MemorySpan(symbol.value, symbol.value + symbol.size)
        for name, starts in by_segment.items():
            order = [*sorted(starts), ends[name]]
            for start, end in pairwise(order):
                extents[start] = MemorySpan(start, end)
        return [extents[start] for start in sorted(extents)]

    @cached_property
    def _starts(self) -> list[int]:
        return [span.start for span in self._extents]

    def symbol_at(self, address: int) -> MemorySpan | None:
        """The variable that an address lies in, from its label on: None where none has it."""
        index = bisect_right(self._starts, address) - 1
        if index < 0 or not self._extents[index].has(address):
            return None
        own = self._extents[index]
        return None if self.program.is_fixed[own.start] else own

    def table_at(self, address: int, local: bool = False) -> MemorySpan | None:
        """The read-only data that an address lies in, from its label on; None for code. ``local``:
        a local label at the address begins a table as well, which any label ends."""
        if local and address in self._marks and address not in self.code:
            return self._extend_to_label(address) if self.program.is_fixed[address] else None
        index = bisect_right(self._starts, address) - 1
        if index < 0 or not self._extents[index].has(address):
            return None
        own = self._extents[index]
        return own if self.program.is_fixed[own.start] and own.start not in self.code else None

    def _extend_to_label(self, address: int) -> MemorySpan:
        ends = [segment.run + segment.size for segment in self.image.segments]
        return MemorySpan(
            address, min(end for end in (*ends, *self._marks, 0x10000) if end > address)
        )

    @cached_property
    def _marks(self) -> frozenset[int]:
        """Where labels stand, local ones too."""
        return frozenset(s.value for s in self.image.symbols if s.is_label)

    @cached_property
    def _names(self) -> dict[int, str]:
        names: dict[int, str] = {}
        labels = [s for s in self.image.symbols if s.is_label and self._is_for_contracts(s)]
        for symbol in sorted(labels, key=lambda s: (not s.exported, "." in s.name, len(s.name))):
            names.setdefault(symbol.value, symbol.name)
        return names

    def _is_for_contracts(self, symbol: Symbol) -> bool:
        """Whether the name is one that any contract may use: it means nothing else anywhere, and
        is not that of a place within a routine."""
        if symbol.name.startswith("__") or (not symbol.exported and set("@.") & set(symbol.name)):
            return False
        try:
            known = self.image.symbol(symbol.name)
        except UnknownSymbol:  # several modules have one
            return False
        return known.value == symbol.value and known.exported == symbol.exported

    def name(self, address: int) -> str | None:
        """The name that contracts may use for an address; None: they write the address."""
        name = self._names.get(address)
        return None if name is None or name in self.program.abi.items else name

    def is_sized(self, span: MemorySpan) -> bool:
        """Whether the name at a variable's beginning is known to have its size, so that in a
        contract it is a number by itself: the last label of a segment may have none."""
        name = self.name(span.start)
        return name is not None and self.image.symbol(name).size == span.size

    def parts(self, span: MemorySpan) -> Iterator[MemorySpan]:
        """A span cut where another variable begins, so that each part has a name."""
        at = span.start
        while at < span.end:
            own = self.symbol_at(at)
            named = own is not None and self.name(own.start) is not None
            end = at + 1
            while end < span.end and self.symbol_at(end) == (own if named else None):
                end += 1
            while not named and end < span.end and self.name(end) is None:
                end += 1
            yield MemorySpan(at, end)
            at = end
