"""The text of conditions, cut into tokens."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from romproof.contract.text.fieldtext import FieldLines
from romproof.text.diagnostic import Diagnostics
from romproof.text.numbers import HUGE
from romproof.text.span import Span

KEYWORDS = frozenset(("all", "and", "in", "not", "old", "or"))
SUM = re.compile(r"sum(?=\s+[A-Za-z_]\w*\s+in\b)")
"""A keyword only before NAME in: programs have names such as sum."""
OPERATORS = (
    "->", "<<", ">>", "<=", ">=", "==", "!=", "..",
    *"<>+-*%&|^()[],:",
)  # fmt: skip

_NAME = r"[A-Za-z_][\w#]*"
_PATTERN = re.compile(
    rf"(?P<blank>\s+)"
    rf"|(?P<number>\$[0-9A-Fa-f_]+|\d[\d_]*)(?P<bad>\w*)"
    rf"|(?P<name>(?:::|\.|@)?{_NAME}(?:(?:::|\.|@){_NAME})*)"
    rf"|(?P<other>&&|\|\||<>|//|\*\*|!=|{'|'.join(map(re.escape, OPERATORS))}|.)"
)
_BINARY = re.compile(r"%[01][01_]*(?!\w)")
_INSTEAD: Mapping[str, str] = MappingProxyType(
    {
        "=": "write == for 'is equal to'",
        "<>": "write != for 'is not equal to'",
        "&&": "write 'and'",
        "||": "write 'or'",
        "!": "write 'not', or != for 'is not equal to'",
        "/": "there is no division; use >> to shift, % for the remainder",
        "//": "there is no division; use >> to shift, % for the remainder",
        "**": "there are no powers; use << to shift",
        "~": "there is no complement; write $FF - A or A ^ $FF",
        "{": "parentheses are ( and )",
        "}": "parentheses are ( and )",
    }
)


@dataclass(frozen=True, slots=True)
class ConditionToken:
    """``kind`` is "number", "name", "end", or the keyword or operator itself.

    ``start`` and ``end`` are places in the field's text; ``value`` is that of a number.
    """

    kind: str
    text: str
    start: int
    end: int
    span: Span
    value: int = 0

    @property
    def display(self) -> str:
        """The token in a message."""
        return "the end" if self.kind == "end" else f"'{self.text}'"


def tokens(
    text: FieldLines, start: int, end: int, diagnostics: Diagnostics
) -> list[ConditionToken]:
    """The tokens of the text's places ``start`` to ``end``; faults go to ``diagnostics``.

    The last one is of the kind "end".

    What is not a token is reported and becomes one of the kind "bad".
    """
    whole = text.whole[:end]
    made: list[ConditionToken] = []
    while start < len(whole):
        # after an operand % is the remainder, elsewhere a number in binary follows it
        operand = bool(made) and made[-1].kind in ("number", "name", ")", "]")
        binary = None if operand else _BINARY.match(whole, start)
        match = binary or _PATTERN.match(whole, start)
        assert match is not None, "the pattern takes any character"
        word, last = match[0], match.end()
        if binary is None and match["blank"]:
            start = last
            continue
        # an explanation for the reader, as in the other fields
        if operand and word == "(" and start and whole[start - 1].isspace():
            closed = _find_closing(whole, start)
            if closed is None:
                diagnostics.error("this parenthesis is not closed", text.span(start, start + 1))
            start = len(whole) if closed is None else closed
            continue
        span = text.span(start, last)
        if binary is not None:
            made.append(
                ConditionToken(
                    "number",
                    word,
                    start,
                    last,
                    span,
                    int(word[1:], 2) if len(word) < 4000 else HUGE,
                )
            )
        elif match["number"]:
            made.append(_number(match["number"], match["bad"], start, last, span, diagnostics))
        elif match["name"]:
            is_keyword = word in KEYWORDS or SUM.match(whole, start) is not None
            kind = word if is_keyword else "name"
            made.append(ConditionToken(kind, word, start, last, span))
        elif word in OPERATORS:
            made.append(ConditionToken(word, word, start, last, span))
        else:
            diagnostics.error(f"'{word}' has no meaning in a condition", span, _INSTEAD.get(word))
            made.append(ConditionToken("bad", word, start, last, span))
        start = last
    last_span = made[-1].span if made else text.span(start - 1, start)
    behind = replace(last_span, col=last_span.col + last_span.length, length=1)
    made.append(ConditionToken("end", "", start, start, behind))
    return made


def _number(
    digits: str, rest: str, start: int, end: int, span: Span, diagnostics: Diagnostics
) -> ConditionToken:
    plain = digits.lstrip("$").replace("_", "")
    if rest or not plain or len(plain) > 20:
        help = "numbers are 10, $0A and %1010"
        diagnostics.error(f"'{digits}{rest}' is not a number", span, help)
        return ConditionToken("bad", digits + rest, start, end, span)
    value = int(plain, 16 if digits.startswith("$") else 10)
    return ConditionToken("number", digits, start, end, span, value)


def _find_closing(whole: str, start: int) -> int | None:
    """The place behind the parenthesis that closes the one at ``start``; None without any."""
    depth = 0
    for place in range(start, len(whole)):
        depth += {"(": 1, ")": -1}.get(whole[place], 0)
        if depth == 0:
            return place + 1
    return None
