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
from typing import TYPE_CHECKING, Final

from romproof.text.span import Span
from romproof.toolchains.ca65.asm.directives.linkage import SHARING
from romproof.toolchains.ca65.asm.macro import LateBody
from romproof.toolchains.ca65.asm.quick.bodies import read_later
from romproof.toolchains.ca65.asm.quick.branches import Branches
from romproof.toolchains.ca65.asm.quick.commands import Commands
from romproof.toolchains.ca65.asm.quick.plans import (
    Fixed,
    Into,
    Plan,
    Plans,
)
from romproof.toolchains.ca65.asm.quick.templates import number_of
from romproof.toolchains.ca65.asm.quick.tokens import HARMLESS, NAME, is_name, words_in
from romproof.toolchains.ca65.asm.quick.values import Leave, Values
from romproof.toolchains.ca65.asm.segments import SectionBuilder
from romproof.toolchains.ca65.asm.study import literal_size
from romproof.toolchains.ca65.asm.symbol import Symbol
from romproof.toolchains.ca65.asm.tokens import CONDITIONALS
from romproof.toolchains.ca65.obj.expr import Expr, Literal, Place

if TYPE_CHECKING:
    from romproof.toolchains.ca65.asm.quick.parts import Parts


_line = re.compile(  # *+: nothing is given up again, as a shorter match cannot do either
    rf"[ \t]*+(?:({NAME})[ \t]*+(:?=)[ \t]*+([^;]*+)"
    rf"|(?:((?:@[A-Za-z0-9_]++|{NAME})?)[ \t]*+:(?![:=+-])[ \t]*+)?"
    r"(?:(\.?[A-Za-z_][A-Za-z0-9_]*+)([^;]*+))?)(?:;.*)?$"
)
_MACRO: Final = (".macro", ".mac")
_STATEMENTS: Final = frozenset((*CONDITIONALS, *_MACRO, *SHARING))
"""What is carried out without a plan, as it means something else when it comes again."""

_constant = re.compile(  # as most lines of a file are that many sources include
    rf"({NAME})[ \t]*+=[ \t]*+(?:\$([0-9A-Fa-f]{{1,8}})|([0-9]{{1,9}}))[ \t]*+(?:;.*)?$"
)


_HARMLESS: Final = HARMLESS - {"ubiquitous_idents"}
_ASSIGNED: Final = 1
_SIGN: Final = 2
_VALUE: Final = 3
_LABEL: Final = 4
_WORD: Final = 5
_REST: Final = 6


class Lines:
    """The plain lines of one source."""

    def __init__(self, asm: Parts) -> None:
        self._parts = asm
        self._feed = asm.feed
        self._record = asm.feed.record
        self._segments = asm.segments
        self._symbols = asm.symbols
        self._plans = Plans(asm.settings)
        self._values = Values(asm)
        self._seen = self._plans.lines
        self._known = asm.evaluator.known
        self._conditions = asm.conditions
        self._commands = Commands(asm, self._plans, self._values)
        self._branches = Branches(asm, self._plans, self._values)
        asm.conditions.pass_over = self._pass_over
        asm.macros.read_later = self._read_later

    def _suit(self) -> bool:
        """Whether plain lines are read as they stand at the beginning of the next line."""
        feed, settings = self._feed, self._parts.settings
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

    def _read_later(self) -> LateBody | None:
        """Go past the body of a macro, at the end of the line before it."""
        if not self._suit():
            return None
        lexer = self._feed.files[-1].lexer
        body = read_later(self._parts, lexer.number)
        if body is None:
            return None
        self._feed.lines_passed(body[0] - lexer.number)
        lexer.number = body[0]
        return body[1]

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
        feed, values, record, segments = self._feed, self._values, self._record, self._segments
        lexer = feed.files[-1].lexer
        source = values.source = lexer.source
        lines = source.lines
        last = len(lines) - 1  # which has no end
        defines = feed.define_names
        self._plans.suit()
        seen, constant, begin, literal, put = (
            self._seen.get,
            _constant.match,
            record.plain_line,
            record.literal,
            segments.put,
        )
        values.line = 0
        first = number = lexer.number
        while number < last:
            text = lines[number]
            if defines and not defines.isdisjoint(words_in(text)):
                break
            number += 1
            if not text:
                continue
            line = seen(text)
            if line is None:
                values.line = number
                match = constant(text)
                if match is not None:
                    groups = match.groups()
                    if self._constant(groups[0], groups[1], groups[2]):
                        continue
                try:
                    number = self._other(text, number)
                except Leave:
                    number -= 1
                    break
                if self._conditions.active:
                    continue
                break
            plan, at, rest, _ = values.start = line
            begin(source, number, at)
            if type(plan) is Fixed:
                data = plan.data
                section = segments.current
                literal(section.number, len(section.data), data)
                put(data)
                if segments.wants_lines:
                    values.line = number
                    self._note_line(section, len(section.data) - len(data))
                continue
            values.line = number
            try:
                self._commands.carry_out(plan, rest)
            except Leave:
                number -= 1
                break
        lexer.number = number
        feed.lines_passed(number - first)
        if values.line:
            feed.began = values.at()

    def _other(self, text: str, number: int) -> int:
        """Carry out a line that was not seen before; ``number`` is its own. Gives the number of the
        last line that was passed. Raises Leave."""
        match = _line.match(text)
        if match is None:
            raise Leave
        values = self._values
        word = match[_WORD]
        if word is not None:
            label, rest = match[_LABEL], match.start(_REST)
            if label is None:
                at = match.start(_WORD)
                if word[0] == "." and (lower := word.lower()) in _STATEMENTS:
                    values.start = None, at, rest, len(word)
                    if lower in _MACRO:
                        return self._macro(match[_REST], rest)
                    if lower in SHARING:
                        self._commands.share(lower, match[_REST])
                        return number
                    self._branches.carry_out(lower, match[_REST], rest)
                    return number if self._conditions.active else self._branches.hidden(number)
                plan = self._plans.of(word, match[_REST])
                if plan is None:
                    raise Leave
                values.start = self._seen[text] = plan, at, rest, len(word)
                if type(plan) is Fixed:
                    self._plans.use()
                self._record.plain_line(values.source, number, at)
                self._commands.carry_out(plan, rest)
            else:
                at = match.start(_LABEL)
                values.start = None, at, rest, len(label) or 1
                plan = self._plans.of(word, match[_REST])
                if plan is None:
                    raise Leave
                if label:
                    self._labelled(label, at, plan, rest)
                else:
                    next = Span(values.source, number, match.start(_WORD) + 1, len(word))
                    self._unnamed(at, next, plan, rest)
        elif (name := match[_ASSIGNED]) is not None:
            at = match.start(_ASSIGNED)
            values.start = None, at, 0, len(name)
            self._assign(name, at, match)
        elif (label := match[_LABEL]) is not None:
            at = match.start(_LABEL)
            values.start = None, at, 0, len(label) or 1
            if label:
                self._labelled(label, at, None, 0)
            else:
                self._unnamed(at, Span(values.source, number, len(text.rstrip()) + 1), None, 0)
        return number

    def _macro(self, rest: str, where: int) -> int:
        """The definition of a macro, whose name and parameters are the ``rest`` of the line. Gives
        its last line. Raises Leave."""
        macros, values = self._parts.macros, self._values
        words = rest.split(None, 1)
        name = words[0] if words else ""
        params = [word.strip(" \t") for word in words[1].split(",")] if len(words) > 1 else []
        if not is_name(name) or not all(map(is_name, params)) or len(set(params)) < len(params):
            raise Leave
        if rest[0] not in " \t" or not macros.is_free(name):
            raise Leave
        self._record.plain_line(values.source, values.line, values.start[1])
        body = read_later(self._parts, values.line)
        if body is None:
            raise Leave
        start = where + rest.index(name)
        span = Span(values.source, values.line, start + 1, len(name))
        macros.define_plain(name, span, params, body[1])
        return body[0]

    def _constant(self, name: str, hexadecimal: str | None, decimal: str | None) -> bool:
        """``name = number`` at the beginning of the current line; False, with nothing done, where
        it is another statement, or in error."""
        asm, symbols, values = self._parts, self._symbols, self._values
        scope = symbols.current
        if (
            name in scope.symbols
            or self._plans.is_mnemonic(name)
            or asm.macros.find(name) is not None
        ):
            return False
        number = int(decimal or "0") if hexadecimal is None else int(hexadecimal, 16)
        values.start = None, 0, 0, len(name)
        self._record.plain_line(values.source, values.line, 0)
        symbol = symbols.make(scope, name)
        symbols.settle(symbol, Literal(number), literal_size(number), values.at())
        return True

    # -- statements --------------------------------------------------------------------

    def _free(self, name: str) -> Symbol | None:
        """The symbol that a definition of ``name`` is for; None where there is none yet. Raises
        Leave where the line is another statement, or in error."""
        asm = self._parts
        if self._plans.is_mnemonic(name) or asm.macros.find(name) is not None:
            raise Leave
        symbol = self._symbols.current.symbols.get(name)
        if symbol is not None and (symbol.defined or symbol.is_import):
            raise Leave
        return symbol

    def _labelled(self, label: str, at: int, plan: Plan | None, rest: int) -> None:
        """A line that begins with a label."""
        symbols, segments, values = self._symbols, self._segments, self._values
        section = segments.current
        if type(plan) is Into:
            raise Leave
        owner = symbols.owner
        if label[0] != "@":
            symbol = self._free(label)
        elif owner is None:
            raise Leave
        else:
            symbol = owner.local(label)
            if symbol is not None and (symbol.defined or symbol.is_import):
                raise Leave
        self._record.plain_line(values.source, values.line, at)
        if symbol is None:
            if label[0] == "@" and owner is not None:
                symbol = symbols.make_local(owner, label)
            else:
                symbol = symbols.make(symbols.current, label)
        start = len(section.data)
        here: Expr
        origin = segments.origin
        if origin is None:
            here, size = Place(section.number, start), section.address_size
        else:
            here, size = Literal(origin), literal_size(origin)
        symbol.is_label = True
        symbols.settle(symbol, here, size, values.at())
        if plan is not None:
            try:
                self._commands.carry_out(plan, rest)
            except Leave:  # an error is certain: the parser defines it again
                symbol.defined, symbol.expr, symbols.owner = False, None, owner
                raise
        symbol.size = len(section.data) - start
        self._record.sized()

    def _unnamed(self, at: int, next: Span, plan: Plan | None, rest: int) -> None:
        """A line that begins with a colon; ``next`` is where the token behind it stands."""
        if type(plan) is Into:
            raise Leave
        self._record.plain_line(self._values.source, self._values.line, at)
        self._parts.unnamed.define(next)
        if plan is not None:
            try:
                self._commands.carry_out(plan, rest)
            except Leave:
                self._parts.unnamed.forget()
                raise

    def _assign(self, name: str, at: int, match: re.Match[str]) -> None:
        """``name = value``."""
        symbols, values = self._symbols, self._values
        symbol = self._free(name)
        if symbol is not None and symbol.is_global:
            raise Leave
        text = match[_VALUE]
        known = number_of(text.rstrip(" \t"))
        value = None
        if known is None:
            value = self._plans.value(text)
            if value is None:
                raise Leave
            known = value.number
        self._record.plain_line(values.source, values.line, at)
        if symbol is None:
            symbol = symbols.make(symbols.current, name)
        if known is not None:
            expr: Expr = Literal(known)
            size = literal_size(known)
        else:
            assert value is not None, "it is no number"
            expr = values.expr(value, match.start(_VALUE))
            size = self._known(expr)[1]
        if match[_SIGN] == ":=":
            symbol.is_label = True
        symbols.settle(symbol, expr, size, values.at())

    def _note_line(self, section: SectionBuilder, start: int) -> None:
        """The current line, an instruction, has put bytes into a section from ``start`` on."""
        self._segments.line_is_code = True
        self._segments.record_line(start, section, self._values.statement())
