"""Instructions booked to the lines that they are written on.

What is an instruction the assembler says, or debug information with its source: bytes of data are
never missing. A line of a macro or a repeat has an instruction for each expansion; a line that
calls a macro has all that came of it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from romproof.machine.board import Window
from romproof.measure.coverage.executed import CoverageEvent
from romproof.measure.coverage.labels import labels_of
from romproof.measure.coverage.model import Coverage, CoverageSpot, FileHits, Hits
from romproof.measure.coverage.outcomes import (
    NEVER,
    Events,
    SegmentBanks,
    WhereFunction,
    events_of,
    hits_of,
    instruction_at,
)
from romproof.measure.coverage.reach import ReachableCode, find_reachable
from romproof.program.image import Image, ImageLine
from romproof.text.span import Source, Span

_REPEAT = re.compile(r"\s*(?:[\w.@]*:+\s*)?\.?(?:repeat|rept|for)\b", re.IGNORECASE)
"""The beginning of a repeat in either dialect; debug information does not tell it from a call."""

Chain = tuple[tuple[str, int], ...]
"""The calls of macros around an instruction, see Spot."""


@dataclass(slots=True)
class _File:
    text: str
    spots: dict[CoverageSpot, Hits] = field(default_factory=dict)
    functions: dict[tuple[int, str], int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Booked:
    """Where the instruction at a place stands, outside of macros, and how often it was executed."""

    path: str
    line: int
    count: int


BankedAddress = tuple[int, int | None]
"""An address and a bank."""


def coverage_of(
    name: str,
    image: Image,
    counts: Mapping[CoverageEvent, int],
    windows: Collection[Window] = (),
    left_out: Collection[str] = (),
    where: WhereFunction = str,
    absent: Collection[str] | None = None,
) -> Coverage:
    """What of a program's sources was executed; ``counts`` are the events of its runs.

    ``name`` is that of the program, for notes; ``windows`` are those of the board, ``left_out``
    the areas that were not in memory. ``where`` says the paths of sources. It hears of the areas
    ``absent``, None: of all that were left out.
    """
    booking = _Booking(
        image, events_of(counts), windows, SegmentBanks(image, windows, left_out), where
    )
    for line in image.lines:
        if line.is_code and line.data:
            booking.book(line)
    booking.book_routines()
    notes = booking.notes(name, left_out if absent is None else absent)
    if not image.lines:
        labels = labels_of(name, image, booking.events, windows, booking.banks, where)
        return Coverage(labels.files, labels.notes + notes)
    made = {
        path: FileHits(file.text, file.spots, file.functions)
        for path, file in booking.files.items()
    }
    return Coverage(made, notes)


@dataclass(slots=True)
class _Booking:
    """What is known of a program's lines while they are gone through."""

    image: Image
    events: Events
    windows: Collection[Window]
    banks: SegmentBanks
    where: WhereFunction
    files: dict[str, _File] = field(default_factory=dict)
    places: dict[BankedAddress, Booked] = field(default_factory=dict)
    _seen: Counter[tuple[str, int, int, Chain]] = field(default_factory=Counter)
    _away: Counter[str] = field(default_factory=Counter)
    _unsure: int = 0
    _reached: ReachableCode | None = None

    def book(self, line: ImageLine) -> None:
        """Put an instruction to its line."""
        address, span = line.address, line.span
        bank = self.banks.find_bank(line.segment, address)
        outcomes = {} if bank == NEVER else self.events.at(address, bank)
        if bank == NEVER:
            self._away[self.banks.area(line.segment, address)] += 1
        if not span.source.text and not outcomes and not self._is_reached(address, bank):
            self._unsure += 1
            return
        hits = hits_of(instruction_at(self.image, address, line.data), outcomes)
        path, chain = self._file(span.source), self._chain(span)
        kind = (path, span.line, span.col, chain)
        self.files[path].spots[CoverageSpot(span.line, span.col, chain, self._seen[kind])] = hits
        self._seen[kind] += 1
        outermost = chain[-1] if chain else (path, span.line)
        self.places[address, bank] = Booked(*outermost, hits.executed)

    def book_routines(self) -> None:
        """Put routines to the lines of their first instructions."""
        for at, routine in _routines(self.image, self.banks, self.places):
            booked = self.places[at]
            functions = self.files[booked.path].functions
            key = booked.line, routine
            functions[key] = functions.get(key, 0) + booked.count

    def notes(self, name: str, absent: Collection[str]) -> tuple[str, ...]:
        """What people have to know of it."""
        notes = [
            f"{name}: {area} was never in memory, so none of its {count:,} instructions was "
            f"executed"
            for area, count in self._away.items()
            if area in absent
        ]
        if self._unsure:
            notes.append(
                f"{name}: {self._unsure:,} statements whose sources are missing may be "
                f"instructions or data: no executed code leads to them, and they do not count"
            )
        return (*notes, *_find_unbooked(name, self.image, self.events, self.places))

    def _is_reached(self, address: int, bank: int | None) -> bool:
        """Whether code leads to a place; of a statement whose source is not there nothing but its
        length says that it is an instruction."""
        if self._reached is None:
            self._reached = find_reachable(self.image, self.events, self.windows)
        return self._reached.has(address, bank)

    def _file(self, source: Source) -> str:
        """The path of a source, which is one of the files from now on."""
        path = self.where(source.name)
        if path not in self.files:
            self.files[path] = _File(source.text)
        return path

    def _chain(self, span: Span) -> Chain:
        """The calls of macros around a statement, without repeats and the inclusion of files."""
        steps, via = [], span.via
        while via is not None:
            if not _REPEAT.match(via.span.text):
                steps.append((self._file(via.span.source), via.span.line))
            via = via.span.via
        return tuple(steps)


def _routines(
    image: Image, banks: SegmentBanks, places: Mapping[BankedAddress, Booked]
) -> Iterator[tuple[BankedAddress, str]]:
    """The routines that begin with an instruction, and where."""
    there = {(s.name, s.value): s.segment for s in image.symbols if s.is_label}
    named: set[BankedAddress] = set()
    for routine in image.routines:
        segment = there.get((routine.name, routine.address))
        bank = banks.find_bank(segment, routine.address) if segment is not None else 0
        if (routine.address, bank) in places:
            named.add((routine.address, bank))
            yield (routine.address, bank), routine.name
    for symbol in image.symbols:
        if symbol.is_label and symbol.exported and symbol.segment is not None:
            at = symbol.value, banks.find_bank(symbol.segment, symbol.value)
            if at in places and at not in named:
                named.add(at)
                yield at, symbol.name


def _find_unbooked(
    name: str, image: Image, events: Events, places: Mapping[BankedAddress, Booked]
) -> Iterator[str]:
    """What ran and is booked to no line: code that the program wrote, an included binary, data."""
    if not image.lines:
        return
    lines: set[ImageLine] = set()
    unknown = 0
    known = {address for address, _ in places}
    for address, _bank in events.by_place:
        if address in known:
            continue
        line = image.line_at(address)
        if line is not None and line.data and not line.is_code:
            lines.add(line)
        else:
            unknown += 1
    if lines:
        first = min(lines, key=lambda line: line.address)
        more = f" and {len(lines) - 1:,} more" if len(lines) > 1 else ""
        yield (
            f"{name}: data was executed, which does not count as a line: "
            f"{first.span.source.name}:{first.span.line}{more}"
        )
    if unknown:
        yield (
            f"{name}: instructions at {unknown:,} addresses were executed that belong to no "
            f"source line"
        )
