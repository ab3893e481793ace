"""Instructions and data of plain lines: what is planned for a text is done at its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from romproof.toolchains.ca65.asm.directives.linkage import SHARING
from romproof.toolchains.ca65.asm.expressions import bounded
from romproof.toolchains.ca65.asm.quick.plans import (
    Data,
    Fixed,
    Gap,
    Into,
    Plan,
    Plans,
    Relative,
    Sized,
)
from romproof.toolchains.ca65.asm.quick.templates import Template
from romproof.toolchains.ca65.asm.quick.tokens import is_name
from romproof.toolchains.ca65.asm.quick.values import Leave, Values
from romproof.toolchains.ca65.asm.segments import MAX_SECTION, SectionBuilder
from romproof.toolchains.ca65.asm.symbol_refs import easy_value
from romproof.toolchains.ca65.obj.expr import Expr, Literal

if TYPE_CHECKING:
    from romproof.toolchains.ca65.asm.quick.parts import Parts


class Commands:
    """Carries plans out in the current line of ``values``."""

    def __init__(self, asm: Parts, plans: Plans, values: Values) -> None:
        self._parts = asm
        self._settings = asm.settings
        self._segments = asm.segments
        self._record = asm.feed.record
        self._known = asm.evaluator.known
        self._plans = plans
        self._values = values

    def carry_out(self, plan: Plan, rest: int) -> None:
        """Carry out a command; ``rest`` is where in the line what follows its word begins."""
        segments, record, kind = self._segments, self._record, type(plan)
        section = segments.current
        start = len(section.data)
        if kind is Sized:
            assert isinstance(plan, Sized)
            self._sized(plan, section, start, rest)
        elif kind is Fixed:
            assert isinstance(plan, Fixed)
            self._plans.use()
            record.literal(section.number, start, plan.data)
            segments.put(plan.data)
        elif kind is Relative:
            assert isinstance(plan, Relative)
            self._plans.use()
            target = self._values.expr(plan.value, rest)
            distance = segments.distance(target, 2)
            record.literal(section.number, start, plan.data)
            segments.put(plan.data)
            segments.put_value(distance, 1, self._values.span(plan.value, rest), signed=True)
        elif kind is Data:
            assert isinstance(plan, Data)
            self._data(plan, section, start, rest)
        elif kind is Into:
            assert isinstance(plan, Into)
            segments.use(plan.name)
            return
        else:
            assert isinstance(plan, Gap)
            if start + plan.count > MAX_SECTION:
                raise Leave
            segments.gap(plan.count)
        if segments.wants_lines:
            segments.line_is_code = kind in (Fixed, Sized, Relative)
            segments.record_line(start, section, self._values.statement())

    def share(self, word: str, rest: str) -> None:
        """``.import`` and the like, with names of which nothing was said so far. Raises Leave."""
        symbols, values, feed = self._parts.symbols, self._values, self._parts.feed
        names = [name.strip(" \t") for name in rest.split(",")]
        known = symbols.current.symbols
        for name in names:
            symbol = known.get(name)
            if not is_name(name) or (symbol is not None and symbol.is_declared):
                raise Leave
        if len(set(names)) < len(names):
            raise Leave
        self._record.plain_line(values.source, values.line, values.start[1])
        feed.began = values.at()
        carry_out, size = SHARING[word]
        for name in names:
            carry_out(self._parts, symbols.own(name), size)

    def _sized(self, plan: Sized, section: SectionBuilder, start: int, rest: int) -> None:
        """An instruction whose size depends on its operand."""
        values, segments = self._values, self._segments
        value = plan.value
        if value.simple is not None:
            symbol = values.symbol(value.simple, rest)
            if symbol is plan.symbol:  # whose value is a number that cannot change
                self._record.literal(section.number, start, plan.data)
                segments.put(plan.data)
                return
            expr = values.of_symbol(symbol, value)
        else:
            symbol = None
            expr = values.expr(value, rest)
        number, size = self._known(expr)
        choice = plan.choices[size]
        if choice is None:
            raise Leave
        self._plans.use()
        if choice.guessed:
            values.remember_guess(expr)
        if number is None:
            self._record.literal(section.number, start, choice.opcode)
            segments.put(choice.opcode)
            if choice.masked:
                expr = bounded(expr, choice.size)
            segments.put_value(expr, choice.size, values.span(value, rest))
            return
        if choice.masked:
            number &= 0xFF
        if not 0 <= number < 1 << 8 * choice.size:
            raise Leave
        data = choice.opcode + number.to_bytes(choice.size, "little")
        self._record.literal(section.number, start, data)
        segments.put(data)
        if symbol is not None and not symbol.is_variable and type(symbol.expr) is Literal:
            plan.symbol, plan.data = symbol, data

    def _data(self, plan: Data, section: SectionBuilder, start: int, rest: int) -> None:
        """``.byte`` and the like."""
        segments, record, size = self._segments, self._record, plan.size
        if plan.data is not None:
            record.open_span(section.number, start)
            record.literal(section.number, start, plan.data, size)
            segments.put(plan.data)
        else:
            made = [self._datum(item, size, rest) for item in plan.items]
            record.open_span(section.number, start)
            for item, value in zip(plan.items, made, strict=True):
                if isinstance(value, bytes):
                    segments.emit(value)
                else:
                    assert isinstance(item, Template), "strings are bytes"
                    segments.put_value(value, size, self._values.span(item, rest))
        record.close_span(len(section.data), plan.kind, size)

    def _datum(self, item: Template | bytes, size: int, rest: int) -> Expr | bytes:
        """What is put for one value: bytes, or what is not known yet. Raises Leave."""
        if isinstance(item, bytes):
            return bytes(map(self._settings.charmap.__getitem__, item))
        expr = self._values.expr(item, rest)
        if self._plans.masks:
            expr = bounded(expr, size)
        value = easy_value(expr)
        if value is None:
            return expr
        if not 0 <= value < 1 << 8 * size:
            raise Leave
        return value.to_bytes(size, "little")
