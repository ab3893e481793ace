"""Segments as one source fills them: bytes, fixups, gaps and line records."""

from __future__ import annotations

from typing import Final

from romproof.program.address_size import AddressSize
from romproof.text.diagnostic import Suspicion
from romproof.text.span import Span
from romproof.toolchains.ca65.asm.feed import Feed
from romproof.toolchains.ca65.asm.lexer import Syntax
from romproof.toolchains.ca65.asm.silent import LITERAL_BYTES
from romproof.toolchains.ca65.asm.symbol import Scope
from romproof.toolchains.ca65.asm.symbol_refs import UnnamedRef, easy_value
from romproof.toolchains.ca65.obj.alignment import LARGE_ALIGNMENT, MAX_ALIGNMENT
from romproof.toolchains.ca65.obj.dialect import Change
from romproof.toolchains.ca65.obj.expr import Binary, BinaryOp, Expr, Literal, SectionOffset, wrap
from romproof.toolchains.ca65.obj.object import Fixup, Line
from romproof.toolchains.ca65.obj.tables import EXPRESSION, SIGNED

MAX_SECTION: Final = 1 << 24
"""Bytes one source may put into one segment; the address space has no more."""

_ALIGN_PIECE: Final = 4
"""Bytes of a fill value that ca65 writes at once."""

PREDEFINED: Final = (
    ("CODE", AddressSize.ABSOLUTE),
    ("RODATA", AddressSize.ABSOLUTE),
    ("BSS", AddressSize.ABSOLUTE),
    ("DATA", AddressSize.ABSOLUTE),
    ("ZEROPAGE", AddressSize.ZEROPAGE),
    ("NULL", AddressSize.ABSOLUTE),
)
"""Segments every source has, in ca65's order; the first is the active one."""


class SectionBuilder:
    """A segment of this source. ``origin`` is set in absolute mode (``.org``)."""

    __slots__ = (
        "address_size",
        "alignment",
        "data",
        "fixups",
        "gaps",
        "name",
        "number",
        "origin",
    )

    def __init__(
        self,
        number: int,
        name: str,
        address_size: AddressSize,
        data: bytearray | None = None,
        fixups: list[Fixup] | None = None,
        gaps: list[tuple[int, int]] | None = None,
        alignment: int = 1,
        origin: int | None = None,
    ) -> None:
        self.number = number
        self.name = name
        self.address_size = address_size
        self.data: bytearray = bytearray() if data is None else data
        self.fixups: list[Fixup] = [] if fixups is None else fixups
        self.gaps: list[tuple[int, int]] = [] if gaps is None else gaps
        self.alignment = alignment
        self.origin: int | None = origin


class Segments:
    """All segments of one source; ``current`` receives the bytes."""

    def __init__(self, feed: Feed, syntax: Syntax, *, far_code: bool = False) -> None:
        self._feed = feed
        self._syntax = syntax
        self._record = feed.record
        self.sections: list[SectionBuilder] = []
        self._by_name: dict[str, SectionBuilder] = {}
        for name, size in PREDEFINED:
            self._add(name, size)
        self.current = self.sections[0]
        self.code_size = AddressSize.FAR if far_code else AddressSize.ABSOLUTE
        self.current.address_size = self.code_size
        self._origin: int | None = None  # of all segments, without org_per_seg
        self._stack: list[tuple[str, AddressSize]] = []
        self.lines: list[Line] = []
        self.wants_lines = True
        self.warns_waste = False
        self.line_is_code = False  # it has an instruction
        self._spans: dict[Scope, tuple[SectionBuilder, list[int]]] = {}

    def _add(self, name: str, size: AddressSize) -> SectionBuilder:
        section = SectionBuilder(len(self.sections), name, size)
        self.sections.append(section)
        self._by_name[name] = section
        return section

    # -- choosing a segment ----------------------------------------------------

    def use(self, name: str, size: AddressSize = AddressSize.DEFAULT) -> None:
        """Make ``name`` the current segment; it is made if it does not exist."""
        section = self._by_name.get(name)
        if section is None:
            if not (name.isidentifier() and name.isascii()):
                self._feed.error(
                    f"Illegal segment name: '{name}'", help="it is made of letters, digits and '_'"
                )
            section = self._add(name, size or AddressSize.ABSOLUTE)
        elif size is not AddressSize.DEFAULT and size is not section.address_size:
            self._feed.error(
                "Segment attribute mismatch",
                help=f"'{name}' was opened before with address size "
                f"{section.address_size.name.lower()}",
            )
            section.address_size = size
        self.current = section

    def push(self) -> None:
        """Remember the current segment."""
        if len(self._stack) >= 16:
            self._feed.error_skip("Segment stack overflow")
            return
        self._stack.append((self.current.name, self.current.address_size))

    def pop(self) -> None:
        """Go back to the segment remembered last."""
        if not self._stack:
            self._feed.error_skip("Segment stack is empty", help="there is no open .pushseg")
            return
        self.use(*self._stack.pop())

    @property
    def pushed_count(self) -> int:
        """How many segments are remembered."""
        return len(self._stack)

    # -- the program counter ---------------------------------------------------

    @property
    def _per_segment(self) -> bool:
        return "org_per_seg" in self._syntax.features

    @property
    def origin(self) -> int | None:
        """The absolute address ``.org`` gave, moved on; None when relocatable."""
        return self.current.origin if self._per_segment else self._origin

    def set_origin(self, address: int | None) -> None:
        """Carry out ``.org`` (an address) or ``.reloc`` (None)."""
        if self._per_segment:
            self.current.origin = address
        else:
            self._origin = address

    @property
    def pc(self) -> int:
        """The program counter: absolute after ``.org``, else an offset."""
        origin = self.origin
        return len(self.current.data) if origin is None else origin

    def here(self) -> Expr:
        """The address of the next byte."""
        origin = self.origin
        if origin is None:
            return SectionOffset(self.current.number, len(self.current.data))
        return Literal(origin)

    # -- emitting ----------------------------------------------------------------

    def _check_room(self, count: int) -> None:
        if len(self.current.data) + count > MAX_SECTION:
            self._feed.fatal(f"Segment '{self.current.name}' grows beyond 16 megabytes")

    def put(self, data: bytes) -> None:
        """Put bytes into the current segment of which the record has heard."""
        section = self.current
        count = len(data)
        if len(section.data) + count > MAX_SECTION:
            self._check_room(count)
        section.data += data
        if self._origin is not None:
            self._origin += count
        if section.origin is not None:
            section.origin += count

    def emit(self, data: bytes, pieces: int = LITERAL_BYTES) -> None:
        """Put known bytes into the current segment; an object has them in ``pieces`` of bytes."""
        self._record.literal(self.current.number, len(self.current.data), data, pieces)
        self.put(data)

    def gap(self, count: int) -> None:
        """Leave ``count`` bytes that take the segment's fill value."""
        if count:
            self._check_room(count)
            offset = len(self.current.data)
            self._record.fill(self.current.number, offset, count)
            self.current.gaps.append((offset, count))
            self.put(bytes(count))

    def emit_expr(
        self, expr: Expr, size: int, signed: bool = False, *, operand: bool = False
    ) -> None:
        """Put the ``size`` low bytes of an expression, little-endian.

        What is known of an ``operand`` is in an object together with its opcode.
        """
        value = easy_value(expr) if not signed else None
        if value is not None and size <= 2:
            high = (1 << 8 * size) - 1
            if not 0 <= value <= high:
                self._feed.error(
                    f"Range error ({value} not in [0..{high}])",
                    self._feed.operand,
                    help=range_help(value, size),
                )
            data = (value & high).to_bytes(size, "little")
            if operand:
                self._record.operand(self.current.number, len(self.current.data), data)
                self.put(data)
            else:
                self.emit(data)
            return
        self.put_value(expr, size, self._feed.span(self._feed.operand), signed)

    def put_value(self, expr: Expr, size: int, place: Span, signed: bool = False) -> None:
        """Leave ``size`` bytes for a value that is not known yet and stands at ``place``."""
        section = self.current
        offset = len(section.data)
        kind = SIGNED if signed else EXPRESSION
        self._record.value(section.number, offset, size, kind, expr)
        section.fixups.append(Fixup(offset, size, expr, signed, place))
        self.put(bytes(size))

    def emit_branch(self, opcode: int, target: Expr, size: int = 1) -> None:
        """A branch: the opcode and the distance, of ``size`` bytes, from the next instruction."""
        distance = self.distance(target, 1 + size)
        self.emit(bytes([opcode]))
        self.emit_expr(distance, size, signed=True)

    def distance(self, target: Expr, offset: int) -> Expr:
        """How far it is to ``target`` from ``offset`` bytes on.

        It has the form that ca65 gives to the linker: target - end - start of the segment.
        """
        end = self.pc + offset
        value = easy_value(target)
        known = Literal(wrap(value - end)) if value is not None else None
        distance = known or Binary(BinaryOp.SUB, target, Literal(end))
        if self.origin is not None:
            return distance
        return Binary(BinaryOp.SUB, distance, SectionOffset(self.current.number, 0))

    def align(self, alignment: int, fill: int | None) -> None:
        """Fill up to a multiple of ``alignment``, which the segment then keeps."""
        section = self.current
        combined = _common_multiple(section.alignment, alignment)
        if combined > MAX_ALIGNMENT:
            self._feed.error(
                f"Combined alignment for active segment is {combined} which exceeds {MAX_ALIGNMENT}"
            )
            return
        section.alignment = combined
        warns = Change.ALIGNMENT_IS_FOR_LD65 not in self._syntax.dialect
        if combined >= LARGE_ALIGNMENT and warns:
            message = f"Combined alignment is suspiciously large ({combined})"
            self._feed.warning(message, kind=Suspicion.LARGE_ALIGNMENT)
        count = -len(section.data) % alignment
        if count and self.warns_waste:
            self._feed.warning(f"Wasting {count} bytes for alignment")
        if fill is None:
            self.gap(count)
        else:
            self.emit(bytes([fill]) * count, _ALIGN_PIECE)

    def record_line(self, start: int, section: SectionBuilder, span: Span) -> None:
        """Note which statement the bytes from ``start`` come from."""
        size = len(section.data) - start
        if size > 0:
            origin = self.origin
            first = None if origin is None else origin - size
            self.lines.append(Line(section.number, start, size, self.line_is_code, span, first))

    # -- sizes of scopes ---------------------------------------------------------

    def open_spans(self, scope: Scope) -> None:
        """Start counting what a scope puts into each segment."""
        self._spans[scope] = (self.current, [len(s.data) for s in self.sections])

    def close_spans(self, scope: Scope) -> int | None:
        """The bytes in the segment that was active when the scope was opened.

        If there are none, those of the first segment that got any, as in ca65.
        """
        first, starts = self._spans[scope]
        order = [first, *(s for s in self.sections[: len(starts)] if s is not first)]
        for section in order:
            size = len(section.data) - starts[section.number]
            if size:
                return size
        return None

    def opening_of(self, scope: Scope) -> tuple[SectionBuilder, int]:
        """The segment and offset where a scope was opened."""
        section, starts = self._spans[scope]
        return section, starts[section.number]


class UnnamedLabels:
    """The labels that are only a colon."""

    def __init__(self, feed: Feed, segments: Segments) -> None:
        self._feed = feed
        self._segments = segments
        self._values: list[Expr | None] = []
        self._spans: list[Span] = []
        self._used: list[bool] = []
        self._defined = 0

    def define(self) -> None:
        """An unnamed label here, at the current token."""
        self._feed.record.touch()
        here = self._segments.here()
        span = self._feed.span()
        if self._defined == len(self._values):
            self._append(here, span)
        else:
            self._values[self._defined] = here
            self._spans[self._defined] = span
        self._defined += 1

    def _append(self, value: Expr | None, span: Span) -> None:
        self._values.append(value)
        self._spans.append(span)
        self._used.append(False)

    def reference(self, which: int) -> Expr:
        """The label ``which`` steps ahead (positive) or back (negative), named at the current
        token."""
        if which == 0:
            self._feed.error("Invalid unnamed label reference", help="write '@+' or '@-'")
            return self._segments.here()
        index = self._defined + (which - 1 if which > 0 else which)
        if index < 0:
            self._feed.error("Undefined label", help="there are fewer ':' labels before this line")
            return self._segments.here()
        while index >= len(self._values):
            self._feed.record.touch()
            self._append(None, self._feed.span())
        self._used[index] = True
        value = self._values[index]
        return value if value is not None else UnnamedRef(index)

    def resolve(self, index: int) -> Expr | None:
        """The address of a label, once no forward reference is open."""
        return self._values[index] if self._defined == len(self._values) else None

    def finish(self) -> None:
        """Report labels that never came and labels nobody uses."""
        for index, span in enumerate(self._spans):
            if index >= self._defined:
                self._feed.error_at_span(
                    "Undefined label", span, "no ':' label follows this reference"
                )
            elif not self._used[index]:
                self._feed.warning("No reference to unnamed label", span)


def range_help(value: int, size: int) -> str | None:
    """What to do about a value that does not fit its bytes."""
    if size == 1:
        return "use '<' for the low byte or '>' for the high byte"
    return "use .loword, or '& $FFFF'" if value < 0 else None


def _common_multiple(one: int, other: int) -> int:
    """The least; ``math`` is a library of its own, for few sources."""
    a, b = one, other
    while b:
        a, b = b, a % b
    return one // a * other
