"""Plain lines, carried out by their text.

The assembler reads tokens, one when the parser asks, and each is looked at for all that could be
special about it. Most lines are a label, a mnemonic or ``.byte``, an operand and a comment, or
``name = number``: one pattern takes such a line apart, its operand is parsed once for each text
(templates.py), and what it does is done at once.

Nothing is decided here: a line is left to the parser of tokens before anything has been done for
it, unless it goes without a warning; what has begun is left only where an error is certain, which
the parser then finds and reports. Where nothing is plain (features that change tokens, the 65816,
listings, macros being played) the loop does not begin.
``tests/toolchains/ca65/test_quick_lines.py`` compares both paths.
"""

from __future__ import annotations

import re

from romproof.text.span import Source, Span
from romproof.toolchains.ca65.asm.expressions import bounded
from romproof.toolchains.ca65.asm.quick.branches import Branches
from romproof.toolchains.ca65.asm.quick.parts import Parts
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
from romproof.toolchains.ca65.asm.quick.tokens import HARMLESS, NAME
from romproof.toolchains.ca65.asm.quick.values import Leave, Values
from romproof.toolchains.ca65.asm.segments import MAX_SECTION, SectionBuilder
from romproof.toolchains.ca65.asm.study import literal_size
from romproof.toolchains.ca65.asm.symbol import Symbol, easy_value
from romproof.toolchains.ca65.asm.tokens import CONDITIONALS
from romproof.toolchains.ca65.obj.expr import Expr, Literal, Place

_LINE = re.compile(
    rf"[ \t]*(?:({NAME})[ \t]*(:?=)[ \t]*([^;]*)"
    rf"|(?:((?:@[A-Za-z0-9_]+|{NAME})?)[ \t]*:(?![:=+-])[ \t]*)?"
    r"(?:(\.?[A-Za-z_][A-Za-z0-9_]*)([^;]*))?)(?:;.*)?$"
)
_HARMLESS = HARMLESS - {"ubiquitous_idents"}
_ASSIGNED, _SIGN, _VALUE, _LABEL, _WORD, _REST = range(1, 7)
_WORDS = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class Lines:
    """The plain lines of one source."""

    def __init__(self, asm: Parts) -> None:
        self._asm = asm
        self._feed = asm.feed
        self._record = asm.feed.record
        self._segments = asm.segments
        self._symbols = asm.symbols
        self._plans = Plans(asm.settings)
        self._values = Values(asm)
        self._branches = Branches(asm, self._plans, self._values)
        asm.conditions.pass_over = self._pass_over

    def _suit(self) -> bool:
        """Whether plain lines are read as they stand at the beginning of the next line."""
        feed, settings = self._feed, self._asm.settings
        syntax = settings.syntax
        frame = feed.files[-1]
        return (
            not feed.inserted
            and not feed.ended
            and frame.index >= len(frame.tokens)
            and settings.cpu != "65816"
            and not settings.wide
            and not syntax.ignore_case
            and syntax.local_start == "@"
            and syntax.features <= _HARMLESS
            and not self._symbols.current.closed
            and self._record.is_plain
        )

    def _pass_over(self) -> None:
        """Go past hidden lines, at the end of one."""
        if self._suit() and not self._feed.raw:
            frame = self._feed.files[-1]
            self._values.source = frame.lexer.source
            frame.lexer.number = self._branches.hidden(frame.lexer.number)

    def carry_out(self) -> None:
        """At the end of a line: carry out those that follow it, up to one that is not plain."""
        if not self._suit():
            return
        feed, values, branches = self._feed, self._values, self._branches
        lexer = feed.files[-1].lexer
        source = values.source = lexer.source
        lines = source.lines
        last = len(lines) - 1  # which has no end
        defines, names = feed.define_names, _WORDS.findall
        match_line = _LINE.match
        conditions = self._asm.conditions
        self._plans.suit()
        first: tuple[int, int, int] | None = None  # of the last statement's tokens
        number = lexer.number
        while number < last:
            text = lines[number]
            match = match_line(text)
            if match is None or (defines and not defines.isdisjoint(names(text))):
                break
            number += 1
            values.line = number
            word = match[_WORD]
            try:
                if word is not None:
                    label = match[_LABEL]
                    at = match.start(_WORD if label is None else _LABEL)
                    values.start = at, len(word if label is None else label) or 1
                    if word[0] == "." and word.lower() in CONDITIONALS:
                        if label is not None:
                            raise Leave
                        branches.carry_out(word.lower(), match[_REST], match.start(_REST))
                        first = number, *values.start
                        if not conditions.active:
                            number = branches.hidden(number)
                            if not conditions.active:
                                break
                        feed.line_passed()
                        continue
                    plan = self._plans.of(word, match[_REST])
                    if plan is None:
                        raise Leave
                    if label is None:
                        self._record.plain_line(source, number, at)
                        self._do(plan, match.start(_REST))
                    else:
                        self._labelled(source, number, label, at, plan, match.start(_REST))
                elif match[_ASSIGNED] is not None:
                    name = match[_ASSIGNED]
                    at = match.start(_ASSIGNED)
                    values.start = at, len(name)
                    self._assign(source, number, name, at, match)
                elif match[_LABEL] is not None:
                    label = match[_LABEL]
                    at = match.start(_LABEL)
                    values.start = at, len(label) or 1
                    self._labelled(source, number, label, at, None, 0)
                else:
                    feed.line_passed()
                    continue  # nothing or a comment
            except Leave:
                number -= 1
                break
            first = number, *values.start
            feed.line_passed()
        lexer.number = number
        if first is not None:
            line, at, length = first
            feed.statement = Span(source, line, at + 1, length)

    # -- statements --------------------------------------------------------------------

    def _free(self, name: str) -> Symbol | None:
        """The symbol that a definition of ``name`` is for; None where there is none yet. Raises
        Leave where the line is another statement, or in error."""
        asm = self._asm
        if self._plans.is_mnemonic(name) or asm.macros.find(name) is not None:
            raise Leave
        symbol = self._symbols.current.symbols.get(name)
        if symbol is not None and (symbol.defined or symbol.is_import):
            raise Leave
        return symbol

    def _labelled(
        self, source: Source, number: int, label: str, at: int, plan: Plan | None, rest: int
    ) -> None:
        """A line that begins with a label."""
        symbols, segments = self._symbols, self._segments
        section = segments.current
        if not label:
            self._record.plain_line(source, number, at)
            self._asm.unnamed.define(Span(source, number, at + 1))
            if plan is not None:
                try:
                    self._do(plan, rest)
                except Leave:
                    self._asm.unnamed.forget()
                    raise
            return
        symbol: Symbol | None
        if label[0] == "@":
            if symbols.owner is None:
                raise Leave
            symbol = symbols.owner.locals.get(label)
            if symbol is not None and (symbol.defined or symbol.is_import):
                raise Leave
        else:
            symbol = self._free(label)
        if type(plan) is Into:
            raise Leave
        self._record.plain_line(source, number, at)
        if symbol is None:
            if label[0] == "@":
                assert symbols.owner is not None, "that was asked"
                symbol = symbols.make_local(symbols.owner, label)
            else:
                symbol = symbols.own(label)
        owner = symbols.owner
        here: Expr
        origin = segments.origin
        if origin is None:
            here, size = Place(section.number, len(section.data)), section.address_size
        else:
            here, size = Literal(origin), literal_size(origin)
        symbols.settle(symbol, here, size, Span(source, number, at + 1, len(label)), is_label=True)
        if plan is None:
            symbol.size = 0
        else:
            start = len(section.data)
            try:
                self._do(plan, rest)
            except Leave:  # an error is certain: the parser defines it again
                symbol.defined, symbol.expr, symbols.owner = False, None, owner
                raise
            symbol.size = len(section.data) - start
        self._record.sized()

    def _assign(
        self, source: Source, number: int, name: str, at: int, match: re.Match[str]
    ) -> None:
        """``name = value``."""
        symbol = self._free(name)
        value = self._plans.value(match[_VALUE])
        if value is None or (symbol is not None and symbol.is_global):
            raise Leave
        self._record.plain_line(source, number, at)
        if symbol is None:
            symbol = self._symbols.own(name)
        known = value.number
        expr: Expr
        if known is not None:
            expr, size = Literal(known), literal_size(known)
        else:
            expr = self._values.expr(value, match.start(_VALUE))
            size = self._values.known(expr)[1]
        is_label = match[_SIGN] == ":="
        self._symbols.settle(
            symbol, expr, size, Span(source, number, at + 1, len(name)), is_label=is_label
        )

    def _do(self, plan: Plan, rest: int) -> None:
        """Carry out a command; ``rest`` is where in the line what follows its word begins."""
        segments, record, kind = self._segments, self._record, type(plan)
        section = segments.current
        start = len(section.data)
        if kind is Fixed:
            assert isinstance(plan, Fixed)
            self._plans.use()
            record.literal(section.number, start, plan.data)
            segments.put(plan.data)
        elif kind is Sized:
            assert isinstance(plan, Sized)
            self._sized(plan, section, start, rest)
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

    def _sized(self, plan: Sized, section: SectionBuilder, start: int, rest: int) -> None:
        """An instruction whose size depends on its operand."""
        values, segments, record = self._values, self._segments, self._record
        expr = values.expr(plan.value, rest)
        number, size = values.known(expr)
        choice = plan.choices[size]
        if choice is None:
            raise Leave
        self._plans.use()
        if choice.guessed:
            values.remember_guess(expr)
        if number is None:
            record.literal(section.number, start, choice.opcode)
            segments.put(choice.opcode)
            expr = bounded(expr, choice.size) if choice.masked else expr
            segments.put_value(expr, choice.size, values.span(plan.value, rest))
            return
        if choice.masked:
            number &= 0xFF
        if not 0 <= number < 1 << 8 * choice.size:
            raise Leave
        data = choice.opcode + number.to_bytes(choice.size, "little")
        record.literal(section.number, start, data)
        segments.put(data)

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
            return bytes(map(self._asm.settings.charmap.__getitem__, item))
        expr = self._values.expr(item, rest)
        if self._plans.masks:
            expr = bounded(expr, size)
        value = easy_value(expr)
        if value is None:
            return expr
        if not 0 <= value < 1 << 8 * size:
            raise Leave
        return value.to_bytes(size, "little")
