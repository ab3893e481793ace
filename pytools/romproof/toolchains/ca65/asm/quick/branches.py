"""Conditional assembly in plain lines, and the lines that it hides."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from romproof.text.span import Span
from romproof.toolchains.ca65.asm.quick.plans import Plans
from romproof.toolchains.ca65.asm.quick.tokens import NAME, is_name, words_in
from romproof.toolchains.ca65.asm.quick.values import Leave, Values
from romproof.toolchains.ca65.asm.symbol import find_outward
from romproof.toolchains.ca65.asm.tokens import CONDITIONALS, KEYWORDS
from romproof.toolchains.ca65.obj.expr import Literal

if TYPE_CHECKING:
    from romproof.toolchains.ca65.asm.quick.parts import Parts


_FIRST: Final = r"[ \t]*+(?:(\.[A-Za-z_][A-Za-z0-9_]*+)[ \t]*+)?+((?:"
_OTHER: Final = (
    r"[A-Za-z_][A-Za-z0-9_]*+|[- \t+*,#()=<>&|^!~\[\]{}:]++"
    r"|\$[0-9A-Fa-f]{1,8}(?![0-9A-Fa-f_])|%[01]{1,32}(?![01_])|[0-9]{1,9}(?![0-9A-Fa-fHh_])"
    r"|@[A-Za-z0-9_]++|/(?!\*)|\"[^\"\\]*+\"|'[ -&(-~]')*+)(?:;.*)?$"
)
hidden_line = re.compile(rf"{_FIRST}{_OTHER}")
"""A line in which no token is in error, and no second word begins with a dot. Nothing that was
matched is given up again (``*+``): where a line is not plain that takes exponential time."""
_asking_line = re.compile(rf"{_FIRST}\.?{_OTHER}")
_dotted = re.compile(r"\.[A-Za-z0-9_]*")
_ASKING: Final = frozenset(
    (".and", ".blank", ".const", ".defined", ".match", ".not", ".or", ".paramcount", ".xmatch")
)
"""Words of conditions, which are tokens like others wherever they stand."""


def taken_apart(text: str) -> re.Match[str] | None:
    """A line in which no token is in error: the word with a dot that it begins with, and what
    follows. None for one that has others with a dot than those of conditions, and where it is not
    known."""
    match = hidden_line.match(text)
    if match is not None:
        return match
    match = _asking_line.match(text)
    is_plain = match is not None and _ASKING.issuperset(_dotted.findall(match[2]))
    return match if is_plain else None


_DEFINED: Final = rf"[ \t]*+\.def(?:ined)?[ \t]*+\([ \t]*+({NAME})[ \t]*+\)[ \t]*+"
_defined = re.compile(rf"{_DEFINED}$")
_ENDS: Final = (".else", ".endif")


class Branches:
    """Carries conditionals out by their text."""

    def __init__(self, asm: Parts, plans: Plans, values: Values) -> None:
        self._feed = asm.feed
        self._record = asm.feed.record
        self._conditions = asm.conditions
        self._symbols = asm.symbols
        self._evaluator = asm.evaluator
        self._plans = plans
        self._values = values
        self.words: dict[str, Callable[[str, int], bool]] = {
            ".if": self._if,
            ".ifdef": self._ifdef,
            ".ifndef": self._ifndef,
        }

    def carry_out(self, word: str, rest: str, where: int) -> None:
        """A conditional in code that is assembled: the word, what follows it, and at which offset.
        Raises Leave."""
        conditions = self._conditions
        if word in _ENDS or word == ".elseif":
            if not conditions.may_go_on(word) or (word in _ENDS and rest.strip(" \t")):
                raise Leave
            is_plain = word in _ENDS or self._any_defined(rest) is not None
            if not is_plain and self._plans.value(rest) is None:
                raise Leave
            self._begin()
            if word == ".endif":
                conditions.end()
            else:
                conditions.otherwise(word, self._word_span(word))
                if word == ".elseif":
                    conditions.open(word, self._word_span(word))
            return
        test = self.words.get(word)
        if test is None or conditions.is_full:
            raise Leave
        self._begin()
        holds = test(rest, where)
        conditions.open(word, self._word_span(word), holds)

    def _begin(self) -> None:
        values = self._values
        self._record.plain_line(values.source, values.line, values.start[1])

    def _word_span(self, word: str) -> Span:
        values = self._values
        return Span(values.source, values.line, values.start[1] + 1, len(word))

    def _ifdef(self, rest: str, where: int) -> bool:
        name = rest.strip(" \t")
        if not is_name(name):
            raise Leave
        symbol = find_outward(self._symbols.current, name)
        return symbol is not None and symbol.defined

    def _ifndef(self, rest: str, where: int) -> bool:
        return not self._ifdef(rest, where)

    def _any_defined(self, rest: str) -> bool | None:
        """Whether one of the names is defined, where that is what is asked (``.defined(a) ||
        .defined(b)``); None for all else."""
        if "." not in rest:
            return None
        any_is = False
        for part in rest.split("||"):
            match = _defined.match(part)
            if match is None:
                return None
            symbol = find_outward(self._symbols.current, match[1])
            any_is = any_is or (symbol is not None and symbol.defined)
        return any_is

    def _if(self, rest: str, where: int) -> bool:
        any_is = self._any_defined(rest)
        if any_is is not None:
            return any_is
        value = self._plans.value(rest)
        if value is None:
            raise Leave
        expr = self._values.expr(value, where)
        number = expr.value if isinstance(expr, Literal) else self._evaluator.constant_value(expr)
        if number is None:
            raise Leave
        return number != 0

    # -- hidden lines ------------------------------------------------------------------

    def hidden(self, number: int) -> int:
        """Go past the lines after number ``number`` that a conditional hides, up to the one that
        ends that, which is carried out, or one that is not plain. Gives the last one passed."""
        feed, conditions, record, values = self._feed, self._conditions, self._record, self._values
        source = values.source
        lines = source.lines
        last = len(lines) - 1
        defines = feed.define_names
        while number < last and not conditions.active:
            text = lines[number]
            match = taken_apart(text)
            if match is None:
                break
            word = match[1]
            if word is None:
                if match[2]:
                    if defines and not defines.isdisjoint(words_in(match[2])):
                        break
                    record.hidden_line(source, number + 1, match.start(2))
                number += 1
                continue
            word = word.lower()
            if word not in KEYWORDS or word == ".addrsize":
                break
            if defines and not defines.isdisjoint(words_in(match[2])):
                break
            at = match.start(1)
            if word not in CONDITIONALS:
                record.hidden_line(source, number + 1, at)
            else:
                values.line, values.start = number + 1, (None, at, 0, len(word))
                if not self._hidden_conditional(word, match[2], match.start(2)):
                    break
            number += 1
        return number

    def _hidden_conditional(self, word: str, rest: str, where: int) -> bool:
        """Carry out a conditional in hidden code; False, with nothing done, if it is not plain."""
        conditions = self._conditions
        span = self._word_span(word)
        if word in _ENDS or word == ".elseif":
            if not conditions.may_go_on(word) or (word in _ENDS and rest.strip(" \t")):
                return False
            if word == ".elseif":
                if conditions.would_hold():
                    try:
                        self._begin()
                        holds = self._if(rest, where)
                    except Leave:
                        return False
                else:
                    self._begin()
                    holds = False
                conditions.otherwise(word, span)
                conditions.open(word, span, holds)
                return True
            self._begin()
            if word == ".endif":
                conditions.end()
            else:
                conditions.otherwise(word, span)
            return True
        if conditions.is_full:
            return False
        self._begin()
        conditions.open(word, span)
        return True
