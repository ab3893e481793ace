"""A linked program: bytes at addresses, and what the source calls them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from romproof.program.address_size import AddressSize
from romproof.program.later_lines import LaterLines, LineExtent
from romproof.text.diagnostic import suggest
from romproof.text.errors import RomproofError
from romproof.text.span import Source, Span

MAX_NAMES = 4
"""Names of one object that a sentence has."""


class UnknownSymbol(RomproofError):
    """A name that the image does not define, or that means several things."""


@dataclass(frozen=True, slots=True)
class OutputFile:
    """A file the linker writes; ``name`` is its path as the config gives it."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Block:
    """``data`` that stands at ``address`` when the program starts.

    ``area`` names the memory area; ``writable`` is False for read-only areas.
    """

    area: str
    address: int
    data: bytes
    writable: bool


@dataclass(frozen=True, slots=True)
class Part:
    """The bytes one object contributes to a segment."""

    module: str
    address: int
    size: int


@dataclass(frozen=True, slots=True)
class Segment:
    """A segment at its final place; addresses and sizes in bytes.

    ``run`` is where the program sees it, ``load`` where the image holds it;
    ``file`` and ``file_offset`` say where its bytes are written (None: nowhere).
    """

    name: str
    run: int
    load: int
    size: int
    alignment: int
    kind: str
    area: str
    file: str | None
    file_offset: int
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Area:
    """A memory area of the layout; ``size`` bytes from ``start``, ``used`` of them."""

    name: str
    start: int
    size: int
    used: int
    writable: bool
    file: str | None


@dataclass(frozen=True, slots=True)
class Symbol:
    """A symbol at its final value. ``name`` is qualified (``scope::name``).

    ``segment`` is where a label stands; None for constants and absolute labels. ``presumed``:
    nobody says that it is exported, but its name is public in what says nothing of exports.
    """

    name: str
    value: int
    address_size: AddressSize
    is_label: bool
    exported: bool
    size: int | None
    module: str
    span: Span | None
    segment: str | None = None
    presumed: bool = False


@dataclass(frozen=True, slots=True)
class ImageLine:
    """``size`` bytes at ``address`` that one statement produced.

    ``data`` are the final bytes (empty in segments without contents).
    """

    address: int
    size: int
    data: bytes
    is_code: bool
    segment: str
    span: Span


@dataclass(frozen=True, slots=True)
class Routine:
    """A ``.proc``: ``size`` bytes at ``address``."""

    name: str
    address: int
    size: int
    module: str
    span: Span


@dataclass(frozen=True, eq=False)
class Image:
    """Everything known about a linked program. An image is equal to itself only.

    ``macro_labels`` are those that macros of ca65 declare with ``.local``, under the name that
    the macro has for them: one for each expansion. They are among no other symbols.

    ``contract_places`` are names of routines whose contracts are in files of their own, each with
    the place right below the comment.
    """

    cpu: str
    files: tuple[OutputFile, ...]
    blocks: tuple[Block, ...]
    areas: tuple[Area, ...]
    segments: tuple[Segment, ...]
    symbols: tuple[Symbol, ...]
    lines: Sequence[ImageLine]
    routines: tuple[Routine, ...]
    sources: tuple[Source, ...]
    macro_labels: tuple[Symbol, ...] = ()
    contract_places: tuple[tuple[str, Span], ...] = ()

    @cached_property
    def _contract_places(self) -> dict[str, Span]:
        return dict(self.contract_places)

    def below_comment(self, symbol: Symbol) -> Span | None:
        """The place whose comment above has the contract of a label: in a file with contracts,
        else where the label is defined."""
        return self._contract_places.get(symbol.name, symbol.span)

    @cached_property
    def _by_name(self) -> dict[str, list[Symbol]]:
        table: dict[str, list[Symbol]] = {}
        for symbol in self.symbols:
            table.setdefault(symbol.name, []).append(symbol)
        return table

    @cached_property
    def symbols_by_module(self) -> Mapping[str, Mapping[str, Symbol]]:
        """The symbols of each module by their names, of each name the first."""
        table: dict[str, dict[str, Symbol]] = {}
        for symbol in self.symbols:
            table.setdefault(symbol.module, {}).setdefault(symbol.name, symbol)
        return table

    def has_symbol(self, name: str) -> bool:
        """Whether a symbol is called ``name``, or several are."""
        return name in self._by_name

    def symbol(self, name: str) -> Symbol:
        """The symbol called ``name``; an exported one wins over private ones.

        Raises UnknownSymbol, with the nearest name, when there is none, and
        when several modules have a private symbol of that name, or several banks.
        """
        known = self._symbol_cache.get(name)
        if known is None:
            known = self._symbol_cache[name] = self._symbol(name)
        return known

    @cached_property
    def _symbol_cache(self) -> dict[str, Symbol]:
        return {}

    @cached_property
    def _hints(self) -> dict[str, str | None]:
        """What is like names that there are not: comments that are no contracts ask for the same
        words again and again, and each answer looks at all names."""
        return {}

    def _symbol(self, name: str) -> Symbol:
        symbols = self._by_name.get(name, [])
        chosen = [s for s in symbols if s.exported] or symbols
        if not chosen:
            if name not in self._hints:
                self._hints[name] = suggest(name, self._by_name)
            hint = self._hints[name]
            raise UnknownSymbol(f"no symbol '{name}' in the image" + (f"; {hint}" if hint else ""))
        if len(chosen) > 1 and len({(s.value, self._area_of(s)) for s in chosen}) > 1:
            modules = sorted({s.module for s in chosen})
            if len(modules) == 1:
                places = ", ".join(sorted({self._describe_place(s) for s in chosen}))
                raise UnknownSymbol(f"'{name}' is the name of several places: {places}")
            listed = ", ".join(modules)
            raise UnknownSymbol(f"'{name}' is private to several modules ({listed}): export one")
        return chosen[0]

    def _describe_place(self, symbol: Symbol) -> str:
        """The address of a symbol, with the area where that is known."""
        area = self._area_of(symbol)
        return f"${symbol.value:04X}" + (f" in {area}" if area else "")

    def _area_of(self, symbol: Symbol) -> str | None:
        """The area that a label stands in; None for constants."""
        return next((s.area for s in self.segments if s.name == symbol.segment), None)

    def address(self, name: str) -> int:
        """The value of the symbol ``name``. Raises UnknownSymbol."""
        return self.symbol(name).value

    @cached_property
    def labels(self) -> list[Symbol]:
        """All labels by address; of those at one address the best known comes first."""
        files = {id(source): number for number, source in enumerate(self.sources)}
        labels = [s for s in self.symbols if s.is_label]
        return sorted(labels, key=lambda symbol: _prominence(symbol, files))

    @cached_property
    def _label_addresses(self) -> list[int]:
        return [s.value for s in self.labels]

    def label_at(self, address: int) -> Symbol | None:
        """The best known label exactly at ``address``, or None."""
        index = bisect_right(self._label_addresses, address - 1)
        if index < len(self.labels) and self.labels[index].value == address:
            return self.labels[index]
        return None

    def names_at(self, address: int) -> tuple[str, ...]:
        """All names of the object that begins at ``address``, the best known label first: the
        labels of a union, and other labels at one address, are one object. Names of the linker,
        local labels and labels at the end of another object count only if there is no other."""
        index = bisect_right(self._label_addresses, address - 1)
        names: list[str] = []
        while index < len(self.labels) and self.labels[index].value == address:
            name = self.labels[index].name
            if not names or (_is_object(name) and name not in names):
                names.append(name)
            index += 1
        return tuple(names)

    def before(self, address: int) -> Symbol | None:
        """The best known label at an address, or the nearest one before it in its segment; None
        where there is none."""
        index = bisect_right(self._label_addresses, address) - 1
        segment = self.segment_at(address)
        if index < 0 or segment is None or self._label_addresses[index] < segment.run:
            return None
        return self.label_at(self._label_addresses[index])

    def format_address(self, address: int) -> str | None:
        """``address`` as ``label`` or ``label+3``; None outside of all segments."""
        label = self.before(address)
        if label is None:
            return None
        return label.name + (f"+{address - label.value}" if address > label.value else "")

    def all_named(self, address: int) -> str | None:
        """As ``named``, with the other names of the same object: ``first+3, also second+3``."""
        label = self.before(address)
        if label is None:
            return None
        more = f"+{address - label.value}" if address > label.value else ""
        names = [name + more for name in self.names_at(label.value)]
        rest = [f"and {len(names) - MAX_NAMES} more"] if len(names) > MAX_NAMES else []
        return ", also ".join([names[0], ", ".join([*names[1:MAX_NAMES], *rest])][: len(names)])

    def entry(self, address: int) -> str | None:
        """``address`` as the place where code is entered: a label, ``label+$12`` behind one; None
        outside of all segments."""
        label = self.before(address)
        if label is None:
            return None
        return label.name + (f"+${address - label.value:X}" if address > label.value else "")

    def variable_at(self, address: int) -> str:
        """The label before an address, without what is between; the address outside of all."""
        return (self.format_address(address) or f"${address:04X}").partition("+")[0]

    def variables_at(self, address: int) -> str:
        """As ``variable_at``, with all names of the object: ``first, also second``."""
        label = self.before(address)
        return f"${address:04X}" if label is None else self.all_named(label.value) or label.name

    def describe(self, address: int) -> str:
        """``address`` as people say it: ``$C012 (shuffle+3)``, with all names of the object."""
        name = self.all_named(address)
        return f"${address:04X}" + (f" ({name})" if name is not None else "")

    def segment_at(self, address: int) -> Segment | None:
        """The segment whose run addresses include ``address``, or None."""
        for segment in self.segments:
            if segment.run <= address < segment.run + segment.size:
                return segment
        return None

    @cached_property
    def _line_index(self) -> dict[int, ImageLine]:
        table: dict[int, ImageLine] = {}
        for line in self.lines:
            for address in range(line.address, line.address + line.size):
                table.setdefault(address, line)
        return table

    def line_at(self, address: int) -> ImageLine | None:
        """The statement that produced the byte at ``address``, or None."""
        return self._line_index.get(address)

    def line_extents(self) -> Iterable[LineExtent]:
        """Where the bytes of each of ``lines`` are; lines that nobody asked for are not made."""
        if isinstance(self.lines, LaterLines):
            return self.lines.extents
        return (LineExtent(e.address, len(e.data), e.is_code, e.segment) for e in self.lines)

    @cached_property
    def data_map(self) -> bytes:
        """A byte for each of the 65,536 addresses, 1 where a line has data and none has code.

        A single byte before code is none: it skips the instruction there, as ``.byte $2C`` does.
        """
        data, code = bytearray(0x10000), bytearray(0x10001)
        for address, size, is_code, _ in self.line_extents():
            chosen = code if is_code else data
            end = min(address + size, 0x10000)
            if 0 <= address < end:
                chosen[address:end] = b"\1" * (end - address)
        for address, size, is_code, _ in self.line_extents():
            if not is_code and size == 1 and code[address + 1]:
                data[address] = 0
        return bytes(1 if d and not c else 0 for d, c in zip(data, code, strict=False))

    def routine_at(self, address: int) -> Routine | None:
        """The innermost ``.proc`` around ``address``, or None."""
        inside = [r for r in self.routines if r.address <= address < r.address + r.size]
        return min(inside, key=lambda r: r.size, default=None)


def _prominence(symbol: Symbol, files: Mapping[int, int]) -> tuple[object, ...]:
    """Order of labels by address; of those at one address the best known comes first.

    That is one the source defines (names like __CODE_RUN__ are the linker's), one that is not the
    end of what is before it, an exported one, and then the first in the source. ``files`` are the
    numbers of sources.
    """
    span = symbol.span
    place = (
        (len(files), 0, 0) if span is None else (files.get(id(span.source), 0), span.line, span.col)
    )
    return (
        symbol.value,
        symbol.name.startswith("__"),
        not _is_object(symbol.name),
        not symbol.exported,
        place,
    )


def _is_object(name: str) -> bool:
    """Whether a label is probably the name of what begins there: it is neither the linker's, nor
    local to another, nor the end of what is before it."""
    local = "@" in name or "." in name.lstrip(".")
    return not (local or name.startswith("__") or name.lower().endswith("end"))
