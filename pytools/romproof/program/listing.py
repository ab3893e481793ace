"""The listing: source text beside the addresses, bytes and cycles it became."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from romproof.isa.abi import instructions_of
from romproof.isa.codec import Instruction, decode, format_cycles, format_instruction
from romproof.program.image import Image, ImageLine, Symbol
from romproof.text.span import Source, Span

ROW_BYTES = 8
"""Bytes in one row."""

MAX_DATA_ROWS = 4
"""Longer data is cut after its first rows."""

MAX_EXPANSION_ROWS = 40
"""Rows of one macro call or repeat; of more than these the first ones are shown."""

CUT_EXPANSION_ROWS = 32
"""Rows that are left of an expansion that is too long."""

_HEADER = """\
address  where the program sees the bytes
bytes    the contents; {row} in a row, long data is cut
cycles   of the instruction: 4+p takes one more when its address crosses a page,
         2/3 is a branch not taken/taken (2/4: its target is on another page)
sum      cycles from the start of the routine down to here, fewest..most: branches
         not taken, called routines not counted in
line     of the source; + marks lines that a macro or a repeat made from the line above
"""

_NOTES_HEADER = """\
static   fewest..most cycles of any call of the routine, from its code alone
"""
_STATED_HEADER = """\
         stated: the 'loops:' of contracts that the cycles rely on
"""

_LOCAL = frozenset("@.")
"""What the names of local labels have in them: cheap ones of ca65, those of RGBDS."""

_DATA_COMMANDS = {"sm83": "db"}
"""What a macro's data is shown as, by CPU; else .byte."""

_NO_NOTES: Mapping[str, str] = MappingProxyType({})

_WIDTHS = (7, 3 * ROW_BYTES - 1, 6, 10)


@dataclass(frozen=True, slots=True)
class _Row:
    """One row: ``text`` None means that the source line goes here."""

    address: int
    bytes: str
    cycles: str = ""
    sum: str = ""
    text: str | None = None


@dataclass(slots=True)
class _Sums:
    """Running sums of cycles, started anew with every routine."""

    image: Image
    owner: object = None
    next: int = -1
    low: int = 0
    high: int = 0
    _starts: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        labels = {s.value for s in self.image.symbols if s.is_label and not _LOCAL & set(s.name)}
        self._starts = sorted(labels)

    def add(self, instruction: Instruction, segment: str) -> str:
        """Count one instruction; gives the sum as text."""
        address, cycles = instruction.address, instruction.opcode.cycles
        owner = (segment, self._routine(address))
        if owner != self.owner or address != self.next:
            self.owner, self.low, self.high = owner, 0, 0
        self.next = address + instruction.opcode.size
        self.low += cycles.minimum
        # straight on: a branch is not taken, so it cannot cross a page either
        self.high += cycles.minimum if cycles.taken else cycles.maximum
        return str(self.low) if self.low == self.high else f"{self.low}..{self.high}"

    def _routine(self, address: int) -> int | None:
        """Where the routine around ``address`` starts: its .proc, else the last label."""
        routine = self.image.routine_at(address)
        if routine is not None:
            return routine.address
        index = bisect_right(self._starts, address) - 1
        return self._starts[index] if index >= 0 else None


def listing(image: Image, notes: Mapping[str, str] = _NO_NOTES) -> str:
    """All source lines of ``image`` with their addresses, bytes and cycles.

    ``notes`` are the static cycles of routines by label; they stand below the label.
    """
    placed = _by_source_line(image)
    rows: dict[tuple[int, int], list[_Row]] = {}
    sums = _Sums(image)
    # sums follow the addresses, which need not follow the order of the lines
    order = sorted(placed, key=lambda key: min(line.address for line in placed[key]))
    for key in order:
        rows[key] = list(_rows(image, placed[key], sums))
    head = _columns("address", "bytes", "cycles", "sum", "line")
    header = _HEADER.format(row=ROW_BYTES) + (_NOTES_HEADER if notes else "")
    header += _STATED_HEADER if any("stated:" in note for note in notes.values()) else ""
    parts = [header, "\n" + head, "-" * len(head)]
    labels = _labels(image)
    for source in _sources(image):
        origin = f" (included at {source.via.span})" if source.via is not None else ""
        parts.append(f"\n{source.name}{origin}\n")
        parts += _source(source, rows, labels, notes)
    return "\n".join(part.rstrip("\n") for part in parts) + "\n"


def find_outermost(span: Span) -> Span:
    """The place in a file that led to ``span``: the outermost call around it."""
    while span.via is not None:
        span = span.via.span
    return span


def _by_source_line(image: Image) -> dict[tuple[int, int], list[ImageLine]]:
    placed: dict[tuple[int, int], list[ImageLine]] = {}
    for line in image.lines:
        if line.size:
            place = find_outermost(line.span)
            placed.setdefault((id(place.source), place.line), []).append(line)
    return placed


def _sources(image: Image) -> list[Source]:
    sources = {id(source): source for source in image.sources}
    for line in image.lines:
        source = find_outermost(line.span).source
        sources.setdefault(id(source), source)
    return list(sources.values())


def _labels(image: Image) -> dict[tuple[int, int], Symbol]:
    """Source line -> the label that it defines."""
    labels: dict[tuple[int, int], Symbol] = {}
    for symbol in image.symbols:
        if symbol.is_label and symbol.span is not None and symbol.span.via is None:
            labels.setdefault((id(symbol.span.source), symbol.span.line), symbol)
    return labels


def _source(
    source: Source,
    rows: dict[tuple[int, int], list[_Row]],
    labels: dict[tuple[int, int], Symbol],
    notes: Mapping[str, str],
) -> Iterator[str]:
    lines = source.lines
    if lines and not lines[-1]:
        lines = lines[:-1]
    width = max(4, len(str(len(lines))))
    for number, text in enumerate(lines, 1):
        shown = f"{number:>{width}}  {text}".rstrip()
        mine = rows.get((id(source), number), [])
        label = labels.get((id(source), number))
        if not mine or mine[0].text is not None:
            # nothing stands here itself; what a macro made of it comes below
            yield _columns("" if label is None else f"{label.value:04X}", "", "", "", shown)
        for index, row in enumerate(mine):
            if row.text is None:
                last = shown if index == 0 else ""
            else:
                last = f"{'+':>{width}}  {row.text}".rstrip() if row.text else ""
            address = f"{row.address:04X}" if row.bytes else ""
            yield _columns(address, row.bytes, row.cycles, row.sum, last)
        if label is not None and label.name in notes:
            yield _columns("", "", "", "", f"{'':>{width}}  ; static {notes[label.name]}")


def _columns(address: str, data: str, cycles: str, sum: str, rest: str) -> str:
    a, b, c, s = _WIDTHS
    return f"{address:<{a}}  {data:<{b}}  {cycles:>{c}}  {sum:>{s}}  {rest}".rstrip()


def _rows(image: Image, lines: list[ImageLine], sums: _Sums) -> Iterator[_Row]:
    """The rows of one source line: own bytes first, expansions beneath."""
    own = [line for line in lines if line.span.via is None]
    expanded = [line for line in lines if line.span.via is not None]
    for line in own:
        yield from _pieces(image, [line], sums, False)
    rows = [row for group in _groups(expanded) for row in _pieces(image, group, sums, True)]
    if len(rows) <= MAX_EXPANSION_ROWS:
        yield from rows
        return
    yield from rows[:CUT_EXPANSION_ROWS]
    rest = rows[CUT_EXPANSION_ROWS:]
    yield _Row(rest[0].address, "...", "", rest[-1].sum, f"... {len(rest)} more rows")


def _groups(lines: Iterable[ImageLine]) -> Iterator[list[ImageLine]]:
    """Joins data that follows on data; instructions stay alone."""
    group: list[ImageLine] = []
    for line in lines:
        follows = (
            bool(group)
            and not line.is_code
            and not group[-1].is_code
            and bool(line.data) == bool(group[-1].data)
            and group[-1].address + group[-1].size == line.address
        )
        if group and not follows:
            yield group
            group = []
        group.append(line)
    if group:
        yield group


def _pieces(image: Image, lines: list[ImageLine], sums: _Sums, expanded: bool) -> Iterator[_Row]:
    """The rows of a run of bytes; expansions get a text of their own."""
    first = lines[0]
    size = sum(line.size for line in lines)
    data = b"".join(line.data for line in lines)
    if not data:
        plural = "" if size == 1 else "s"
        yield _Row(first.address, f"{size} byte{plural} kept free", text="" if expanded else None)
    elif first.is_code:
        yield from _code(image, first, sums, expanded)
    else:
        yield from _data(image, first.address, data, expanded)


def _code(image: Image, line: ImageLine, sums: _Sums, expanded: bool) -> Iterator[_Row]:
    offset = 0
    cpu = instructions_of(image.cpu)
    while offset < len(line.data):
        rest = line.data[offset:]
        # a line is one instruction, or several of which none has an immediate word
        instruction = decode(rest, line.address + offset, cpu, wide=len(rest) == 3)
        if instruction is None:
            yield from _data(image, line.address + offset, line.data[offset:], expanded)
            return
        end = offset + instruction.opcode.size
        yield _Row(
            instruction.address,
            line.data[offset:end].hex(" ").upper(),
            format_cycles(instruction.opcode.cycles, instruction.crosses),
            sums.add(instruction, line.segment),
            format_instruction(instruction, image.format_address) if expanded else None,
        )
        offset = end


def _data(image: Image, address: int, data: bytes, expanded: bool) -> Iterator[_Row]:
    text = f"{_DATA_COMMANDS.get(image.cpu, '.byte')} ..." if expanded else None
    chunks = [data[at : at + ROW_BYTES] for at in range(0, len(data), ROW_BYTES)]
    shown = len(chunks)
    if len(chunks) > MAX_DATA_ROWS + 1:
        # a run of one value says all in its first row
        shown = 1 if len(set(data)) == 1 else MAX_DATA_ROWS
    for index, chunk in enumerate(chunks[:shown]):
        yield _Row(
            address + index * ROW_BYTES,
            chunk.hex(" ").upper(),
            text=text if index == 0 else ("" if expanded else None),
        )
    if shown < len(chunks):
        rest = len(data) - shown * ROW_BYTES
        what = f"... {rest} more" + (" like these" if shown == 1 else " bytes")
        yield _Row(address + shown * ROW_BYTES, what, text="" if expanded else None)
