"""Conditions as contracts write them become expressions.

    A <= 127, flips_left <= 8
    0 <= X < CARDS and deck[X] in 0..77
    all j in 0..77: deck[j] < CARDS
    sum j in 0..33: hand[j] <= 14
    C -> A == old A + (&table >> 8)
    sound_hand, old below(A, 5)

The operators from the loosest to the tightest: ``->``, ``or``, ``and``, ``not``; comparisons, which
may be chained, and ``in LOW..HIGH``; ``|``, ``^``, ``&``, ``<< >>``, ``+ -``, ``* %``; ``-`` before
a number; ``old`` before a name, an element or parentheses. ``all`` reaches to the end of its
condition, ``sum`` as far as its number does. Parentheses after a blank that follow a value are for
the reader. Names may be those of predicates (romproof.contract.text.definitions), with as many
numbers, truths or names of memory in parentheses as they have parameters.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from romproof.contract.names.limits import limits
from romproof.contract.nouns.expr import (
    All,
    Binary,
    Comparison,
    Condition,
    Expression,
    FlagValue,
    Logic,
    MemoryByte,
    MemoryValue,
    Negative,
    Not,
    Old,
    PairValue,
    PointedByte,
    RegisterValue,
    parts,
)
from romproof.contract.reading.operands import Operands
from romproof.contract.reading.uses import ReadCondition, conditions_of
from romproof.contract.text.cursor import MalformedCondition
from romproof.contract.text.fieldtext import FieldLines
from romproof.contract.text.scope import MAX_WRITTEN_OUT, ConditionScope, Meanings
from romproof.contract.text.tokens import ConditionToken
from romproof.text.diagnostic import Diagnostics

_ADDRESS = re.compile(r"\$[0-9A-Fa-f]{3,4}\b")
_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
_LEVELS: tuple[tuple[str, ...], ...] = (
    ("|",), ("^",), ("&",), ("<<", ">>"), ("+", "-"), ("*", "%"),
)  # fmt: skip
_HIGHEST_COUNT = 255
_NAMING = (FlagValue, RegisterValue, PairValue, MemoryByte, MemoryValue, PointedByte)


def _names_anything(expression: Expression) -> bool:
    """Whether a part of an expression is a register, a flag or memory."""
    work = [expression]
    while work:
        one = work.pop()
        if isinstance(one, _NAMING):
            return True
        work += parts(one)
    return False


class ConditionParser(Operands):
    """Reads the places ``start`` to ``end`` of a field's text, all of it by default.

    ``resolver`` knows the names; without ``has_old`` nothing is older. ``scope`` is what is around
    the text of a predicate. Faults go to ``diagnostics``, those of the grammar to ``grammar``.
    """

    def conditions(self) -> tuple[Condition, ...]:
        """The conditions up to the end, parted by commas; one with a fault is left out."""
        made: list[Condition] = []
        while True:
            self._start_condition()
            self._scope.work.left = MAX_WRITTEN_OUT
            first = self._on.here
            try:
                read = self._condition()
                whole = Condition(read[0].expression, "", self._on.span(first))
                self._check_of_call(whole, first)
                made += conditions_of(read, whole)
            except MalformedCondition:
                self._on.skip()
            if self._on.here.kind == "end":
                return tuple(made)
            self._on.advance()

    def _check_of_call(self, whole: Condition, first: ConditionToken) -> None:
        """Report a condition that is of numbers only, one of them the address of what the contract
        lists: its byte is meant."""
        addresses = _ADDRESS.findall(self._on.text(first))
        listed = [address for address in addresses if self._resolver.is_listed(address)]
        if listed and not _names_anything(whole.expression):
            self._diagnostics.error(
                "this condition has only numbers, so it claims nothing about a call",
                self._on.span(first),
                f"{listed[0]} is a number; the byte at that address is {listed[0]}[0]",
            )

    def body(self) -> list[ReadCondition]:
        """The conditions of a predicate. Raises Malformed with the first fault of the grammar."""
        made: list[ReadCondition] = []
        while True:
            self._start_condition()
            self._uses.spend(self._count, self._on.here)
            self._count = 0
            made += self._condition()
            if self._on.here.kind == "end":
                return made
            self._on.advance()

    def number(self, of_loop: bool = True) -> tuple[Expression, str] | None:
        """A single number up to the end, and its text; None after an error.

        Hints are about the number that decreases in a loop if it is ``of_loop``.
        """
        first = self._on.here
        try:
            if first.kind in (",", "end"):
                raise self._on.fault("a number is missing here", "write e.g. X, or $FF - Y")
            expression = self._implication()
            if self._on.here.kind == ",":
                raise self._on.fault(
                    "one number must stand here, not a list",
                    "for two counters, write a sum that decreases with each iteration"
                    if of_loop
                    else "write each on its own line",
                )
            self._on.expect("end")
        except MalformedCondition:
            return None
        inner = expression.inner if isinstance(expression, Old) else expression
        if isinstance(inner, (Comparison, Logic, Not, All)):
            self._diagnostics.error(
                "this is true or false, not a number",
                self._on.span(first),
                "write the number that decreases, such as X"
                if of_loop
                else "write it as a predicate",
            )
            return None
        return expression, self._on.text(first)

    def counts(self) -> tuple[int, int] | None:
        """A constant N as 0..N, or LOW..HIGH, up to the end; None after an error."""
        try:
            low, high = 0, self._constant()
            if self._on.here.kind == "..":
                self._on.advance()
                low, high = high, self._constant()
            self._on.expect("end")
        except MalformedCondition:
            return None
        return low, high

    # -- truths ----------------------------------------------------------------

    def _condition(self) -> tuple[ReadCondition, ...]:
        first = self._on.here
        if first.kind in (",", "end"):
            raise self._on.fault("a condition is missing here")
        expression = self._implication()
        if self._on.here.kind not in (",", "end"):
            raise self._on.fault(
                f"expected an operator or a comma, not {self._on.here.display}",
                "write an element as name[3]; write a blank before an explanation in parentheses"
                if self._on.here.kind == "("
                else None,
            )
        self._as_truth(expression, first)
        return self._uses.read(expression, first)

    def _truth(self, read: Callable[[], Expression]) -> Expression:
        """What ``read`` reads, if it is true or false."""
        first = self._on.here
        return self._as_truth(read(), first)

    def _as_truth(self, expression: Expression, first: ConditionToken) -> Expression:
        if self._on.here.kind == "bad":
            raise MalformedCondition
        inner = expression.inner if isinstance(expression, Old) else expression
        if not isinstance(inner, (Comparison, Logic, Not, All, FlagValue)):
            self._diagnostics.error(
                "this is a number, neither true nor false",
                self._on.span(first),
                "compare it with something, such as != 0",
            )
        return expression

    def _implication(self) -> Expression:
        first = self._on.here
        left = self._join("or", lambda: self._join("and", self._negation))
        if self._on.here.kind != "->":
            return left
        self._as_truth(left, first)
        self._on.advance()
        return Logic("->", left, self._truth(self._implication))

    def _join(self, word: str, read: Callable[[], Expression]) -> Expression:
        first = self._on.here
        left = read()
        while self._on.here.kind == word:
            self._as_truth(left, first)
            self._on.advance()
            left = Logic(word, left, self._truth(read))
        return left

    def _negation(self) -> Expression:
        if self._on.here.kind == "not":
            self._on.advance()
            return Not(self._truth(self._negation))
        return self._all() if self._on.here.kind == "all" else self._comparison()

    def _all(self) -> Expression:
        name, variable = self._variable()
        self._variables[name] = variable
        body = self._truth(self._implication)
        del self._variables[name]
        return All(variable.name, variable.low, variable.high, body)

    def _comparison(self) -> Expression:
        left = self._number(0)
        result: Expression | None = None
        if self._on.here.kind == "in":
            self._on.advance()
            low = self._number(0)
            self._on.expect("..")
            return Logic(
                "and", Comparison("<=", low, left), Comparison("<=", left, self._number(0))
            )
        while self._on.here.kind in _COMPARISONS:
            operator = self._on.advance().kind
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
            operator = self._on.advance()
            first = self._on.here
            right = self._number(level + 1)
            self._check_right(operator.kind, right, first)
            left = Binary(operator.kind, left, right)
        return left

    def _check_right(self, operator: str, right: Expression, first: ConditionToken) -> None:
        low, high = limits(right)
        if operator in ("<<", ">>") and not 0 <= low <= high <= _HIGHEST_COUNT:
            self._diagnostics.error(
                f"this shifts by {low}..{high}; counts must be 0..{_HIGHEST_COUNT}",
                self._on.span(first),
            )
            raise MalformedCondition
        if operator == "%" and low < 0:
            self._diagnostics.error("this divisor may be negative", self._on.span(first))
            raise MalformedCondition

    def _negative(self) -> Expression:
        if self._on.here.kind == "-":
            self._on.advance()
            return Negative(self._negative())
        return self._primary()

    def _body(
        self, text: FieldLines, resolver: Meanings, diagnostics: Diagnostics, scope: ConditionScope
    ) -> list[ReadCondition]:
        return ConditionParser(
            text, resolver, diagnostics, has_old=self._has_old, scope=scope
        ).body()
