"""Conditions as contracts write them become expressions.

    A <= 127, flips_left <= 8
    0 <= X < CARDS and deck[X] in 0..77
    all j in 0..77: deck[j] < CARDS
    sum j in 0..33: hand[j] <= 14
    C -> A == old A + (&table >> 8)

The operators from the loosest to the tightest: ``->``, ``or``, ``and``, ``not``; comparisons,
which may be chained, and ``in LOW..HIGH``; ``|``, ``^``, ``&``, ``<< >>``, ``+ -``, ``* %``;
``-`` before a number; ``old`` before a name, an element or parentheses. ``all`` reaches to the
end of its condition, ``sum`` as far as its number does. Parentheses after a blank that follow a
value are for the reader.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from romproof.contract.cursor import Cursor, Malformed
from romproof.contract.expr import (
    All,
    Binary,
    Comparison,
    Condition,
    Expression,
    FlagValue,
    Logic,
    Negative,
    Not,
    Number,
    Old,
    Sum,
    Variable,
)
from romproof.contract.fieldtext import Text
from romproof.contract.limits import constant, limits
from romproof.contract.resolve import Resolver
from romproof.contract.tokens import Token, tokens
from romproof.text.diagnostic import Diagnostics

MOST_VALUES = 0x10000
"""What a variable may have of values; what all that stand within each other have together."""

_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
_LEVELS: tuple[tuple[str, ...], ...] = (
    ("|",), ("^",), ("&",), ("<<", ">>"), ("+", "-"), ("*", "%"),
)  # fmt: skip
_BEGINNINGS = ("number", "name", "&", "old", "sum", "(")
_HIGHEST_COUNT = 255


class Parser:
    """Reads the places ``start`` to ``end`` of a field's text, all of it unless told otherwise.

    ``resolver`` knows the names; without ``has_old`` nothing is older. Faults go to ``found``.
    """

    def __init__(
        self,
        text: Text,
        resolver: Resolver,
        found: Diagnostics,
        *,
        start: int = 0,
        end: int | None = None,
        has_old: bool = True,
    ) -> None:
        last = len(text.whole) if end is None else end
        self._on = Cursor(text, tokens(text, start, last, found), found)
        self._resolver = resolver
        self._found = found
        self._has_old = has_old
        self._in_old = False
        self._variables: dict[str, Variable] = {}

    def conditions(self) -> tuple[Condition, ...]:
        """The conditions up to the end, parted by commas; one with a fault is left out."""
        made: list[Condition] = []
        while True:
            self._on.begin()
            self._in_old = False
            self._variables.clear()
            try:
                made.append(self._condition())
            except Malformed:
                self._on.skip()
            if self._on.here.kind == "end":
                return tuple(made)
            self._on.take()

    def number(self) -> tuple[Expression, str] | None:
        """A single number up to the end, and its text; None after an error."""
        first = self._on.here
        try:
            if first.kind in (",", "end"):
                raise self._on.fault("a number is missing here", "write e.g. X, or $FF - Y")
            expression = self._implication()
            if self._on.here.kind == ",":
                raise self._on.fault(
                    "one number is wanted here, and no list",
                    "where two counters run, add them up so that each turn makes the sum smaller",
                )
            self._on.expect("end")
        except Malformed:
            return None
        inner = expression.inner if isinstance(expression, Old) else expression
        if isinstance(inner, (Comparison, Logic, Not, All)):
            self._found.error(
                "this is true or false, and no number",
                self._on.span(first),
                "write what becomes smaller, such as X",
            )
            return None
        return expression, self._on.text(first)

    def counts(self) -> tuple[int, int] | None:
        """A constant N as 0..N, or LOW..HIGH, up to the end; None after an error."""
        try:
            low, high = 0, self._constant()
            if self._on.here.kind == "..":
                self._on.take()
                low, high = high, self._constant()
            self._on.expect("end")
        except Malformed:
            return None
        return low, high

    # -- truths ----------------------------------------------------------------

    def _condition(self) -> Condition:
        first = self._on.here
        if first.kind in (",", "end"):
            raise self._on.fault("a condition is missing here")
        expression = self._implication()
        if self._on.here.kind not in (",", "end"):
            raise self._on.fault(
                f"{self._on.here.said} stands where an operator or a comma must follow",
                "an element is written name[3]; an explanation in parentheses follows a blank"
                if self._on.here.kind == "("
                else None,
            )
        self._as_truth(expression, first)
        return Condition(expression, self._on.text(first), self._on.span(first))

    def _truth(self, read: Callable[[], Expression]) -> Expression:
        """What ``read`` reads, if it is true or false."""
        first = self._on.here
        return self._as_truth(read(), first)

    def _as_truth(self, expression: Expression, first: Token) -> Expression:
        if self._on.here.kind == "bad":
            raise Malformed
        inner = expression.inner if isinstance(expression, Old) else expression
        if not isinstance(inner, (Comparison, Logic, Not, All, FlagValue)):
            self._found.error(
                "this is a number, neither true nor false",
                self._on.span(first),
                "compare it with something, such as != 0",
            )
        return expression

    def _implication(self) -> Expression:
        first = self._on.here
        left = self._joined("or", lambda: self._joined("and", self._negation))
        if self._on.here.kind != "->":
            return left
        self._as_truth(left, first)
        self._on.take()
        return Logic("->", left, self._truth(self._implication))

    def _joined(self, word: str, read: Callable[[], Expression]) -> Expression:
        first = self._on.here
        left = read()
        while self._on.here.kind == word:
            self._as_truth(left, first)
            self._on.take()
            left = Logic(word, left, self._truth(read))
        return left

    def _negation(self) -> Expression:
        if self._on.here.kind == "not":
            self._on.take()
            return Not(self._truth(self._negation))
        return self._all() if self._on.here.kind == "all" else self._comparison()

    def _all(self) -> Expression:
        variable = self._variable()
        self._variables[variable.name] = variable
        body = self._truth(self._implication)
        del self._variables[variable.name]
        return All(variable.name, variable.low, variable.high, body)

    def _variable(self) -> Variable:
        """``all NAME in LOW..HIGH:``, or the same with ``sum``."""
        self._on.take()
        name = self._on.expect("name")
        if name.text in self._variables or self._resolver.is_item(name.text):
            raise self._on.refused(name, f"'{name.text}' already stands for something else")
        if not name.text.isidentifier():
            raise self._on.refused(name, f"'{name.text}' is no name for a variable")
        self._on.expect("in")
        first = self._on.here
        low = self._constant()
        self._on.expect("..")
        high = self._constant()
        others = prod(v.high - v.low + 1 for v in self._variables.values())
        if not 0 < (high - low + 1) * others <= MOST_VALUES:
            self._found.error(
                f"from {low} to {high} there are no values, or too many", self._on.span(first)
            )
            raise Malformed
        self._on.expect(":")
        return Variable(name.text, low, high)

    def _comparison(self) -> Expression:
        left = self._number(0)
        result: Expression | None = None
        if self._on.here.kind == "in":
            self._on.take()
            low = self._number(0)
            self._on.expect("..")
            return Logic(
                "and", Comparison("<=", low, left), Comparison("<=", left, self._number(0))
            )
        while self._on.here.kind in _COMPARISONS:
            operator = self._on.take().kind
            right = self._number(0)
            step = Comparison(operator, left, right)
            result = step if result is None else Logic("and", result, step)
            left = right
        return left if result is None else result

    # -- numbers ---------------------------------------------------------------

    def _number(self, level: int) -> Expression:
        """A number of the operators of ``level`` and of those that bind tighter."""
        if level == len(_LEVELS):
            return self._negative()
        left = self._number(level + 1)
        while self._on.here.kind in _LEVELS[level]:
            operator = self._on.take()
            first = self._on.here
            right = self._number(level + 1)
            self._check_right(operator.kind, right, first)
            left = Binary(operator.kind, left, right)
        return left

    def _check_right(self, operator: str, right: Expression, first: Token) -> None:
        low, high = limits(right)
        if operator in ("<<", ">>") and not 0 <= low <= high <= _HIGHEST_COUNT:
            self._found.error(
                f"a shift by {low}..{high}; counts are 0..{_HIGHEST_COUNT}", self._on.span(first)
            )
            raise Malformed
        if operator == "%" and low < 0:
            self._found.error("this divisor may be negative", self._on.span(first))
            raise Malformed

    def _negative(self) -> Expression:
        if self._on.here.kind == "-":
            self._on.take()
            return Negative(self._negative())
        return self._primary()

    def _primary(self) -> Expression:
        token = self._on.here
        if token.kind == "sum":
            return self._sum()
        if token.kind not in _BEGINNINGS:
            raise self._on.fault(
                f"{token.said} stands where a number, a name or a parenthesis must follow"
            )
        self._on.take()
        match token.kind:
            case "number" if self._on.here.kind == "[" and token.text.startswith("$"):
                return self._element(token)
            case "number":
                return Number(token.value)
            case "name" if self._on.here.kind == "[":
                return self._element(token)
            case "name":
                variable = self._variables.get(token.text)
                return variable or self._resolver.value(token.text, token.span)
            case "&":
                name = self._on.expect("name")
                return self._resolver.address(name.text, name.span)
            case "old":
                return self._old(token)
            case _:
                inner = self._on.nest(self._implication)
                self._on.expect(")")
                return inner

    def _sum(self) -> Expression:
        variable = self._variable()
        self._variables[variable.name] = variable
        body = self._number(0)
        del self._variables[variable.name]
        return Sum(variable.name, variable.low, variable.high, body)

    def _element(self, name: Token) -> Expression:
        self._on.take()
        first = self._on.here
        index = self._on.nest(lambda: self._number(0))
        span = self._on.span(first)
        self._on.expect("]")
        return self._resolver.element(name.text, index, name.span, span)

    def _old(self, old: Token) -> Expression:
        if not self._has_old:
            raise self._on.refused(old, "'old' has no meaning here: there is nothing earlier")
        if self._in_old:
            raise self._on.refused(old, "'old' stands within another 'old'")
        if self._on.here.kind not in ("name", "(") and not self._on.here.text.startswith("$"):
            raise self._on.fault(f"{self._on.here.said} stands where a name or '(' must follow")
        self._in_old = True
        inner = self._primary()
        self._in_old = False
        return Old(inner)

    def _constant(self) -> int:
        first = self._on.here
        value = constant(self._number(0))
        if value is None:
            self._found.error(
                "this is no constant",
                self._on.span(first),
                "for other limits write a condition: all j in 0..77: j < X -> …",
            )
            raise Malformed
        return value
