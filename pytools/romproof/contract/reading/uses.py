"""Predicates where conditions use them: what they stand for is written out in their place.

It is as if the text of the predicate stood there, each parameter replaced by what is given for it,
but for two things. Variables of ``all`` and ``sum`` in it are its own, and around it are
parentheses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from romproof.contract.nouns.expr import Condition, Expression, Logic, Variable
from romproof.contract.text.cursor import Cursor, MalformedCondition
from romproof.contract.text.fieldtext import FieldLines
from romproof.contract.text.scope import (
    ANYTHING,
    MAX_DEPTH,
    MAX_WRITTEN_OUT,
    Argument,
    ConditionScope,
    Meanings,
    Predicate,
    Within,
    extent,
)
from romproof.contract.text.tokens import ConditionToken
from romproof.text.diagnostic import Diagnostics

MAX_SHOWN = 300
"""Characters of a predicate's text in messages."""


@dataclass(frozen=True, slots=True)
class ReadCondition:
    """A condition; ``use`` is the predicate that stands there in its place, "" without any."""

    expression: Expression
    text: str
    use: str = ""


@dataclass(frozen=True, slots=True)
class _Use:
    """``text`` stands in a condition for ``expression``, all of ``conditions``."""

    text: str
    expression: Expression
    conditions: tuple[ReadCondition, ...]


ReadBody = Callable[[FieldLines, Meanings, Diagnostics, ConditionScope], list[ReadCondition]]
"""Reads the conditions of a predicate. Raises Malformed."""


class Uses:
    """The predicates that stand in the condition at hand of the text at ``on``."""

    def __init__(
        self,
        on: Cursor,
        resolver: Meanings,
        diagnostics: Diagnostics,
        scope: ConditionScope,
        read: ReadBody,
    ) -> None:
        self._on = on
        self._resolver = resolver
        self._diagnostics = diagnostics
        self._scope = scope
        self._read = read
        self._made: list[_Use] = []
        self._texts = {name: one.text for name, one in scope.arguments.items()}

    def start_condition(self) -> None:
        """A condition begins here."""
        self._made.clear()

    def read(self, expression: Expression, first: ConditionToken) -> tuple[ReadCondition, ...]:
        """The condition that was read from ``first`` on.

        They are several if it is nothing but a predicate, which stands for several.
        """
        text = self._on.text(first, self._texts)
        if self._made and self._made[-1].expression is expression:
            use = self._made[-1]
            return tuple(replace(one, use=use.text) for one in use.conditions)
        messages = dict.fromkeys(f"{use.text}: {_text(use.conditions)}" for use in self._made)
        return (
            ReadCondition(
                expression, f"{text} ({shorten('; '.join(messages))})" if messages else text
            ),
        )

    def expand(
        self,
        predicate: Predicate,
        arguments: Sequence[Argument],
        first: ConditionToken,
        variables: Mapping[str, Variable],
        in_old: bool,
    ) -> Expression:
        """What a predicate stands for, used from ``first`` on. Raises Malformed."""
        scope = self._scope
        if not scope.writes_out:
            return ANYTHING
        if predicate.faulty:
            raise MalformedCondition
        values = scope.values
        for one in variables.values():
            values *= one.high - one.low + 1
        inner = ConditionScope(
            dict(zip(predicate.parameters, arguments, strict=True)),
            scope.variables | {one.name for one in variables.values()},
            values,
            in_old,
            self._on.token_count,
            self._on.depth,
            scope.work,
        )
        text, span = self._on.text(first, self._texts), self._on.span(first)
        expansion = Within(self._diagnostics, text, span)
        conditions = self._read(
            predicate.body, self._resolver.with_diagnostics(expansion), expansion, inner
        )
        if expansion.errors:  # what would be said of the whole is no news
            raise MalformedCondition
        expression = _all_of([one.expression for one in conditions])
        if extent(expression)[1] > MAX_DEPTH:
            raise self.refuse(first, "is nested too deeply")
        self._made.append(_Use(text, expression, tuple(conditions)))
        return expression

    def spend(self, count: int, first: ConditionToken) -> None:
        """So much more is written out. Raises Malformed where it is too much."""
        self._scope.work.left -= count
        if self._scope.work.left < 0:
            raise self.refuse(first, f"has more than {MAX_WRITTEN_OUT:,} tokens and operators")

    def refuse(self, first: ConditionToken, what: str) -> MalformedCondition:
        """Report that what is written out is too large; the error to raise."""
        return self._on.refuse(
            first,
            f"this condition {what} when its predicates are expanded",
            "split it into several, with commas",
        )


def conditions_of(read: Sequence[ReadCondition], whole: Condition) -> list[Condition]:
    """Conditions as contracts have them; those of predicates tell which, and where they are used.

    ``whole`` has the place, and any expression and text.
    """
    return [
        replace(
            whole,
            expression=one.expression,
            text=f"{one.text} ({one.use})" if one.use else one.text,
        )
        for one in read
    ]


def shorten(text: str) -> str:
    """``text``, with its end left out where it is long."""
    return text if len(text) <= MAX_SHOWN else f"{text[: MAX_SHOWN - 2]} …"


def _text(conditions: Sequence[ReadCondition]) -> str:
    return shorten(", ".join(one.text for one in conditions))


def _all_of(truths: Sequence[Expression]) -> Expression:
    """All of some truths, joined so that none lies deeper than it must."""
    if len(truths) == 1:
        return truths[0]
    middle = (len(truths) + 1) // 2
    return Logic("and", _all_of(truths[:middle]), _all_of(truths[middle:]))
