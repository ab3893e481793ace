"""Reading character by character, with macro arguments and interpolations expanded meanwhile.

This is rgbasm's model: what a source consists of is not tokens but characters, and ``\\1`` or
``{name}`` may be anywhere, inside of a name or a number too. A character that has been looked
at is *painted*: what an argument brings in is not searched for arguments again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from romproof.text.numbers import whole
from romproof.toolchains.rgbds.asm.characters import (
    BLANKS,
    DIGITS,
    END,
    IDENTIFIER,
    IDENTIFIER_START,
    MACRO_ESCAPES,
    NEWLINES,
    show_char,
)
from romproof.toolchains.rgbds.asm.context import Expansion
from romproof.toolchains.rgbds.asm.contexts import Contexts
from romproof.toolchains.rgbds.asm.format import FormatSpec
from romproof.toolchains.rgbds.asm.growth import Growth
from romproof.toolchains.rgbds.asm.keywords import KEYWORDS
from romproof.toolchains.rgbds.asm.report import Reporter
from romproof.toolchains.rgbds.asm.settings import Settings
from romproof.toolchains.rgbds.asm.symbols import Symbols

NestedText = tuple[str, str]
"""A symbol's name and what it denotes."""


_NAME = re.compile(r"[A-Za-z0-9_.#$@]+")
_LINE = re.compile(r"[^\r\n]+")
_COMMENT = re.compile(r"[^*/\r\n]+")
_INTERPOLATED = re.compile(r'[^{}\\:"\r\n]+')

LONG = 1000
"""Characters of an inserted text that count although nothing else was inserted around it."""


class Reader:
    """The characters of the current context."""

    def __init__(
        self,
        report: Reporter,
        settings: Settings,
        growth: Growth,
        contexts: Contexts,
        symbols: Symbols,
    ) -> None:
        self.report = report
        self.settings = settings
        self.growth = growth
        self.contexts = contexts
        self.symbols = symbols
        self.context = contexts.current

    # -- single characters ------------------------------------------------------------------

    def _raw(self) -> str:
        context = self.context
        for expansion in reversed(context.expansions):
            if expansion.pos < len(expansion.text):
                return expansion.text[expansion.pos]
        return context.text[context.pos : context.pos + 1]

    def _raw_after(self) -> str:
        """The character behind the next one."""
        context, distance = self.context, 1
        for expansion in reversed(context.expansions):
            if expansion.pos + distance < len(expansion.text):
                return expansion.text[expansion.pos + distance]
            distance -= len(expansion.text) - expansion.pos
        at = context.pos + distance
        return context.text[at : at + 1]

    def peek(self) -> str:
        """The next character, after expansion; END at the end."""
        context = self.context
        while True:
            char = self._raw()
            if context.painted > 0:
                return char
            context.painted = 1
            if not context.expanding or (char != "\\" and char != "{"):
                return char
            if char == "\\":
                context.painted = 2
                if self._raw_after() not in MACRO_ESCAPES:
                    return char
                context.note_expansion(context.pos)
                self.shift()
                text = self.read_macro_escape()
                if text:
                    self.expand(text)
                    context.painted += len(text)
            else:
                context.note_expansion(context.pos)
                self.shift()
                interpolation = self.read_interpolation()
                if interpolation is not None:
                    self.expand(interpolation[1], interpolation[0])

    def shift(self) -> None:
        """Go past the next character, which must have been looked at."""
        context = self.context
        if context.captured is not None:
            context.captured.append(self.peek())
        context.painted -= 1
        expansions = context.expansions
        while expansions:
            top = expansions[-1]
            top.pos += 1
            if top.pos <= len(top.text):
                return
            expansions.pop()
        context.pos += 1

    def count_unread(self) -> int:
        """How many expansions are left when those that are at their end are not counted: the last
        of them is read next, or the context's own text."""
        expansions = self.context.expansions
        count = len(expansions)
        while count and expansions[count - 1].pos >= len(expansions[count - 1].text):
            count -= 1
        return count

    def go_past(self, count: int, end: int, length: int) -> None:
        """Go past ``length`` characters of the innermost text, to ``end``. See ``count_unread``."""
        context = self.context
        del context.expansions[count:]
        if count:
            context.expansions[-1].pos = end
        else:
            context.pos = end
        context.painted = max(context.painted - length, 0)

    def take_run(self, pattern: re.Pattern[str]) -> str:
        """Go past what ``pattern`` matches next in the innermost text, and give it; "" if it does
        not match. It must not match what would be expanded here."""
        context, count = self.context, 0
        text, at = context.text, context.pos
        if context.expansions:
            count = self.count_unread()
            if count:
                top = context.expansions[count - 1]
                text, at = top.text, top.pos
        match = pattern.match(text, at)
        if match is None:
            return ""
        run = match[0]
        if context.captured is not None:
            context.captured.append(run)
        self.go_past(count, match.end(), len(run))
        return run

    def take(self) -> str:
        """The next character, which is gone past."""
        char = self.peek()
        self.shift()
        return char

    def next(self) -> str:
        """Go past a character and look at the one behind it."""
        self.shift()
        return self.peek()

    def accept_raw(self, char: str) -> bool:
        """Go past ``char`` if it is next, without the expansions that looking would do."""
        if self._raw() != char:
            return False
        self.context.painted += 1
        self.shift()
        return True

    def skip(self, chars: Collection[str]) -> str:
        """Go past all of ``chars``; gives the first other one."""
        char = self.peek()
        while char and char in chars:
            char = self.next()
        return char

    def skip_newline(self, char: str) -> None:
        """Go past the second half of a line end whose first character is ``char``."""
        if char == "\r" and self.peek() == "\n":
            self.shift()

    def next_line(self) -> None:
        """Count a line; those of expansions do not count."""
        if not self.context.expansions:
            self.context.line += 1

    # -- what is expanded -------------------------------------------------------------------

    def expand(self, text: str, name: str | None = None) -> None:
        """Read ``text`` next. ``name`` is the symbol it denotes: those may nest too deep."""
        if name is not None:
            self.contexts.check_expansions()
        if text:
            if self.context.expansions or self.context.unique is not None or len(text) > LONG:
                self.growth.count_insertion(text, self.contexts.depth)
            self.context.expansions.append(Expansion(name, text))

    def read_macro_escape(self) -> str | None:
        """What the escape behind a backslash denotes; None after an error."""
        report, char = self.report, self.take()
        arguments = self.contexts.arguments
        if char == "@":
            unique = self.contexts.unique_name()
            if unique is None:
                report.error("`\\@` cannot be used outside of a macro or loop (`REPT`/`FOR` block)")
            return unique
        if char == "#":
            if arguments is None:
                report.error("`\\#` cannot be used outside of a macro")
                return None
            return arguments.all()
        name = f"\\{char}"
        number = int(char) if char in DIGITS else self._number_in_brackets()
        if number == 0:
            return None
        if char == "<":
            name = f"\\<{number}>"
        if arguments is None:
            report.error(f"`{name}` cannot be used outside of a macro")
            return None
        text = arguments.get(number)
        if text is None:
            report.error(f"Macro argument `{name}` not defined")
        return text

    def _number_in_brackets(self) -> int:
        """The number up to ``>``, given by digits or by a symbol; 0 after an error."""
        context = self.context
        expanding, context.expanding = context.expanding, True
        try:
            return self._read_bracketed_number()
        finally:
            context.expanding = expanding

    def _read_bracketed_number(self) -> int:
        report, char = self.report, self.peek()
        number, empty, reported = 0, False, False
        if char == "-" or (char in DIGITS and char):
            negative = char == "-"
            if negative and self.next() not in DIGITS - {END}:
                report.error("No digit after minus sign in bracketed macro argument")
                return 0
            number = self._digits()
            if number > 0x7FFF_FFFF:
                report.error("Number in bracketed macro argument is too large")
                return 0
            number = -number if negative else number
        elif char and (char in IDENTIFIER_START or char == "#"):
            if char == "#":
                char = self.next()
                if not char or char not in IDENTIFIER_START:
                    report.error("Empty raw symbol in bracketed macro argument")
                    return 0
            value = self._number_of(self.read_name())
            number, reported = value or 0, value is None
        else:
            empty = True
        char = self.peek()
        if char != ">":
            report.error(f"Invalid character {show_char(char)} in bracketed macro argument")
            return 0
        self.shift()
        if empty:
            report.error("Empty bracketed macro argument")
            return 0
        if number == 0 and not reported:
            report.error('Invalid bracketed macro argument "\\<0>"')
        return number

    def _digits(self) -> int:
        text = ""
        char = self.peek()
        while char and (char in DIGITS or char == "_"):
            text += char
            char = self.next()
        return whole(text.replace("_", "") or "0")

    def read_name(self) -> str:
        """The characters of a name from here on."""
        name = ""
        while True:
            name += self.take_run(_NAME)
            char = self.peek()
            if not char or char not in IDENTIFIER:
                return name

    def _number_of(self, name: str) -> int | None:
        symbols, report = self.symbols, self.report
        symbol = symbols.find_valid(name)
        if symbol is None:
            purged = "; it was purged" if symbols.was_purged(name) else ""
            report.error(f"Bracketed symbol `{name}` does not exist{purged}")
            return None
        if not symbol.is_numeric:
            report.error(f"Bracketed symbol `{name}` is not numeric")
            return None
        return symbols.constant(symbol)

    def read_interpolation(self, depth: int = 0) -> NestedText | None:
        """The symbol up to ``}`` as text, behind an opened brace; None after an error."""
        if depth > self.settings.recursion_depth:
            self.report.fatal(f"Recursion limit ({self.settings.recursion_depth}) exceeded")
        name, spec = "", None
        valid = True
        while True:
            if self.accept_raw("{"):
                inner = self.read_interpolation(depth + 1)
                if inner is not None:
                    self.expand(inner[1], inner[0])
                continue
            run = self.take_run(_INTERPOLATED)
            if run:
                name += run
                continue
            char = self.peek()
            if char == END or char in NEWLINES or char == '"':
                self.report.error("Unterminated interpolation")
                return None
            self.shift()
            if char == "}":
                break
            if char == ":" and spec is None:
                spec, length = FormatSpec.parse(name)
                if not spec.is_valid or length != len(name):
                    self.report.error(f'Invalid interpolation format spec "{name}"')
                    valid = False
                name = ""
            else:
                name += char
        return self._interpolate(name, spec or FormatSpec()) if valid else None

    def _interpolate(self, name: str, spec: FormatSpec) -> NestedText | None:
        if name.startswith("#"):
            name = name[1:]
        elif name.upper() in KEYWORDS:
            self.report.error(
                f"Interpolated symbol `{name}` is a reserved keyword; "
                "add a '#' prefix to use it as a raw symbol"
            )
            return None
        symbol = self.symbols.find_valid(name)
        if symbol is None or not symbol.is_defined:
            purged = "; it was purged" if self.symbols.was_purged(name) else ""
            self.report.error(
                f"Interpolated symbol `{name}` does not exist{purged}",
                help=self.symbols.similar(name),
            )
            return None
        if symbol.is_string:
            return symbol.name, spec.string(self.symbols.text(symbol), self.report)
        if symbol.is_numeric:
            value = self.symbols.constant(symbol)
            return symbol.name, spec.number(value, self.report, self.settings.precision)
        self.report.error(f"Interpolated symbol `{name}` is not a numeric or string symbol")
        return None

    # -- what is no token -------------------------------------------------------------------

    def without_expansion(self, action: Callable[[], None]) -> None:
        """Carry ``action`` out while nothing is expanded."""
        self.context.expanding = False
        try:
            action()
        finally:
            self.context.expanding = True

    def discard_comment(self) -> None:
        """Go on to the end of the line."""
        self.without_expansion(self._to_line_end)

    def _to_line_end(self) -> None:
        while self.take_run(_LINE):
            pass
        self.peek()

    def discard_block_comment(self) -> None:
        """Go past the end of a comment whose beginning has been read."""
        self.without_expansion(self._to_comment_end)

    def _to_comment_end(self) -> None:
        while True:
            self.take_run(_COMMENT)
            char = self.take()
            if char == END:
                self.report.error("Unterminated block comment")
                return
            if char in NEWLINES:
                self.skip_newline(char)
                self.next_line()
            elif char == "/" and self.peek() == "*":
                self.report.warning("nested-comment", '"/*" in block comment')
            elif char == "*" and self.peek() == "/":
                self.shift()
                return

    def discard_continuation(self) -> None:
        """Go on in the next line, behind the backslash that says so."""
        while True:
            char = self.peek()
            if char == END:
                self.report.error("Invalid line continuation at end of file")
                return
            if char in BLANKS:
                self.shift()
            elif char in NEWLINES:
                self.shift()
                self.skip_newline(char)
                self.next_line()
                return
            elif char == ";":
                self.discard_comment()
            else:
                self.report.error(f"Invalid character {show_char(char)} after line continuation")
                return
