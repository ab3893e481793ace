"""The values of expressions at link time.

The arithmetic is that of ld65 2.19 on a 64-bit host (``GetExprVal`` in its
expr.c), which is not in all points that of the assembler: numbers inside an
expression come through the object file as signed 32 bits, and ``>>`` keeps
the sign.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from romproof.toolchains.ca65.link.config import DEFAULT_START, Reference, StartAddress
from romproof.toolchains.ca65.link.state import Contribution, Definition, SegmentState
from romproof.toolchains.ca65.obj.expr import (
    Binary,
    BinaryOp,
    Expr,
    Imported,
    Literal,
    SectionOffset,
    Unary,
    UnaryOp,
    Unresolved,
    apply_binary,
    apply_unary,
    wrap,
)

_Segments = tuple[SegmentState, ...]
_SHIFT_MASK = 63
"""The host's shift instructions look at six bits of the count only."""


class Undefined(Unresolved):
    """A symbol that nobody exports."""

    def __init__(self, name: str) -> None:
        super().__init__(f"'{name}' is not defined")
        self.name = name


class Unplaced(Unresolved):
    """A place in a segment that has no address yet, or never gets one."""


class Circular(Unresolved):
    """A symbol whose value depends on itself."""


def signed32(value: int) -> int:
    """The low 32 bits of ``value`` as a signed number."""
    value &= 0xFFFFFFFF
    return value - (1 << 32) if value >> 31 else value


@dataclass
class Evaluator:
    """Evaluates expressions over a growing set of definitions.

    With ``lenient`` a segment without an address counts as one at 0, which is
    what ld65 writes for places in empty segments that the layout leaves out.
    ``settled``: definitions and places change no more, so that each part is evaluated once.
    """

    definitions: Mapping[str, Definition]
    places: Sequence[Sequence[Contribution]]
    start_address: int | None
    lenient: bool = False
    settled: bool = False
    _active: list[str] = field(default_factory=list)
    _known: dict[tuple[int, int | None, bool], int] = field(default_factory=dict)
    _depth: int = 0

    def value(self, expr: Expr, module: int | None) -> int:
        """The value of ``expr``, which belongs to object number ``module``.

        None denotes the configuration. Raises Unresolved.
        """
        outermost = not self._depth
        self._depth += 1
        try:
            return self._value(expr, module)
        finally:
            self._depth -= 1
            if outermost and not self.settled and self._known:
                self._known = {}

    def _value(self, expr: Expr, module: int | None) -> int:
        match expr:
            case Literal(value):
                return wrap(value) if module is None else signed32(value)
            case Imported(name) | Reference(name):
                return self.symbol(name)
            case SectionOffset(section, offset):
                assert module is not None
                place = self.places[module][section]
                if place.segment.area is None and not self.lenient:
                    raise Unplaced(f"segment '{place.segment.name}' has no address")
                return wrap(place.segment.run + place.offset + signed32(offset))
            case StartAddress(default):
                return self._start(default.expr if default else Literal(DEFAULT_START))
            case Unary() | Binary():
                # once for each node: what shares a part is a net, not a tree
                key = id(expr), module, self.lenient
                if key not in self._known:
                    self._known[key] = self._operator(expr, module)
                return self._known[key]
            case _:
                raise Unresolved(f"a {type(expr).__name__} is not known to the linker")

    def _operator(self, expr: Unary | Binary, module: int | None) -> int:
        match expr:
            case Unary(UnaryOp.BANK, operand):
                return self._bank(operand, module)
            case Unary(op, operand):
                return apply_unary(op, self._value(operand, module))
            case Binary(BinaryOp.BOOL_AND, left, right):
                return int(bool(self._value(left, module)) and bool(self._value(right, module)))
            case Binary(BinaryOp.BOOL_OR, left, right):
                return int(bool(self._value(left, module)) or bool(self._value(right, module)))
            case Binary(BinaryOp.SHL, left, right):
                count = self._value(right, module) & _SHIFT_MASK
                return wrap(self._value(left, module) << count)
            case Binary(BinaryOp.SHR, left, right):
                count = self._value(right, module) & _SHIFT_MASK
                return self._value(left, module) >> count
            case Binary(op, left, right):
                return apply_binary(op, self._value(left, module), self._value(right, module))

    def symbol(self, name: str) -> int:
        """The value of an exported symbol. Raises Unresolved."""
        definition = self.definitions.get(name)
        if definition is None:
            raise Undefined(name)
        if isinstance(definition.expr, Literal) and definition.module is not None:
            return definition.expr.value & 0xFFFFFFFF  # stored as four bytes without a sign
        if name in self._active:
            cycle = " -> ".join([*self._active[self._active.index(name) :], name])
            raise Circular(f"circular reference: {cycle}")
        self._active.append(name)
        try:
            return self.value(definition.expr, definition.module)
        finally:
            self._active.pop()

    def _start(self, default: Expr) -> int:
        if self.start_address is not None:
            return self.start_address
        return self.value(default, None)

    def _bank(self, operand: Expr, module: int | None) -> int:
        segments = self._segments(operand, module, {})
        if len(segments) != 1:
            raise Unresolved(".bank needs an expression with exactly one address")
        area = segments[0].area
        if area is None:
            raise Unplaced(f"segment '{segments[0].name}' has no memory area to take .bank from")
        if area.rule.bank is None:
            raise Unresolved(f"memory area '{area.rule.name}' has no bank attribute for .bank")
        return self.value(area.rule.bank.expr, None)

    def _segments(
        self, expr: Expr, module: int | None, known: dict[tuple[int, int | None], _Segments]
    ) -> _Segments:
        """The segments of all places in a sum, two if there are more; raises Unresolved for
        other expressions."""
        match expr:
            case Literal():
                return ()
            case SectionOffset(section, _):
                assert module is not None
                return (self.places[module][section].segment,)
            case Imported(name) | Reference(name):
                definition = self.definitions.get(name)
                if definition is None:
                    raise Undefined(name)
                if name in self._active:
                    raise Circular(f"circular reference to '{name}'")
                self._active.append(name)
                try:
                    return self._segments(definition.expr, definition.module, known)
                finally:
                    self._active.pop()
            case Binary(BinaryOp.ADD | BinaryOp.SUB, left, right):
                key = id(expr), module
                if key not in known:
                    segments = self._segments(left, module, known)
                    known[key] = (*segments, *self._segments(right, module, known))[:2]
                return known[key]
            case _:
                raise Unresolved(".bank needs an address, or an address plus or minus a number")
