"""What operators join in conditions: numbers, names, elements, and predicates with arguments."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from math import prod

from romproof.contract.names.limits import constant
from romproof.contract.nouns.expr import Expression, Number, Old, PointedByte, Sum, Variable
from romproof.contract.reading.uses import ReadCondition, Uses
from romproof.contract.text.cursor import Cursor, MalformedCondition
from romproof.contract.text.fieldtext import FieldLines
from romproof.contract.text.scope import (
    Argument,
    ConditionScope,
    Meanings,
    Predicate,
    extent,
    has_old,
)
from romproof.contract.text.tokens import ConditionToken, tokens
from romproof.text.diagnostic import Diagnostics

MAX_VALUES = 0x10000
"""What a variable may have of values; what all that stand within each other have together."""

_BEGINNINGS = ("number", "name", "&", "old", "sum", "(")


class Operands(ABC):
    """The part of a Parser that reads operands; the operators are the Parser's."""

    def __init__(
        self,
        text: FieldLines,
        resolver: Meanings,
        diagnostics: Diagnostics,
        *,
        start: int = 0,
        end: int | None = None,
        has_old: bool = True,
        scope: ConditionScope | None = None,
        grammar: Diagnostics | None = None,
    ) -> None:
        last = len(text.whole) if end is None else end
        grammar = diagnostics if grammar is None else grammar
        self._scope = scope or ConditionScope()
        words = tokens(text, start, last, grammar)
        self._on = Cursor(text, words, grammar, self._scope.before, self._scope.nested)
        self._uses = Uses(self._on, resolver, diagnostics, self._scope, self._body)
        self._count = len(words)
        self._resolver = resolver
        self._diagnostics = diagnostics
        self._has_old = has_old
        self._in_old = self._scope.in_old
        self._variables: dict[str, Variable] = {}

    def _start_condition(self) -> None:
        """A condition begins here."""
        self._on.start_condition()
        self._uses.start_condition()
        self._in_old = self._scope.in_old
        self._variables.clear()

    @abstractmethod
    def _implication(self) -> Expression:
        """A truth or a number, whatever its operators."""

    @abstractmethod
    def _number(self, level: int) -> Expression:
        """A number of the operators of ``level`` and of those that bind tighter."""

    @abstractmethod
    def _body(
        self, text: FieldLines, resolver: Meanings, diagnostics: Diagnostics, scope: ConditionScope
    ) -> list[ReadCondition]:
        """The conditions in the text of a predicate. Raises Malformed."""

    def _variable(self) -> tuple[str, Variable]:
        """``all NAME in LOW..HIGH:``, or the same with ``sum``."""
        self._on.advance()
        name = self._on.expect("name")
        others = (*self._variables, *self._scope.arguments)
        if name.text in others or self._resolver.is_item(name.text):
            raise self._on.refuse(name, f"'{name.text}' already has another meaning")
        if not name.text.isidentifier():
            raise self._on.refuse(name, f"'{name.text}' is not a name for a variable")
        self._on.expect("in")
        first = self._on.here
        low = self._constant()
        self._on.expect("..")
        high = self._constant()
        around = prod(v.high - v.low + 1 for v in self._variables.values())
        if not 0 < (high - low + 1) * around * self._scope.values <= MAX_VALUES:
            self._diagnostics.error(
                f"the range from {low} to {high} is empty or too large", self._on.span(first)
            )
            raise MalformedCondition
        self._on.expect(":")
        called = name.text
        while called in self._scope.variables:  # those around a predicate are not its own
            called += "'"
        return name.text, Variable(called, low, high)

    def _primary(self) -> Expression:
        token = self._on.here
        if token.kind == "sum":
            return self._sum()
        if token.kind not in _BEGINNINGS:
            raise self._on.fault(f"expected a number, a name or a parenthesis, not {token.display}")
        self._on.advance()
        match token.kind:
            case "number" if self._on.here.kind == "[" and token.text.startswith("$"):
                return self._element(token)
            case "number":
                return Number(token.value)
            case "name" if self._on.here.kind == "[":
                return self._element(token)
            case "name":
                return self._resolve_name(token)
            case "&":
                name = self._name_of(self._on.expect("name"), "address")
                return self._read_now(self._resolver.address(name.text, name.span))
            case "old":
                return self._read_old(token)
            case _:
                inner = self._on.nest(self._implication)
                self._on.expect(")")
                return inner

    def _sum(self) -> Expression:
        name, variable = self._variable()
        self._variables[name] = variable
        body = self._number(0)
        del self._variables[name]
        return Sum(variable.name, variable.low, variable.high, body)

    def _element(self, name: ConditionToken) -> Expression:
        self._on.advance()
        first = self._on.here
        index = self._on.nest(lambda: self._number(0))
        span = self._on.span(first)
        self._on.expect("]")
        name = self._name_of(name, "bytes")
        element = self._resolver.element(name.text, index, name.span, span)
        if isinstance(element, PointedByte):
            return replace(element, base=self._read_now(element.base))
        return element

    def _read_now(self, expression: Expression) -> Expression:
        """A number of the entry where everything is of the entry, and 'old' may not stand."""
        of_entry = self._in_old or not self._has_old
        return expression.inner if of_entry and isinstance(expression, Old) else expression

    def _resolve_name(self, token: ConditionToken) -> Expression:
        """What a name that has no index stands for."""
        variable = self._variables.get(token.text)
        if variable is not None:
            return variable
        argument = self._scope.arguments.get(token.text)
        if argument is not None:
            return self._argument_value(argument, token)
        predicate = self._resolver.predicate(token.text)
        if predicate is not None:
            return self._predicate(predicate, token)
        if self._on.here.kind == "(" and (hint := self._resolver.suggest_predicate(token.text)):
            raise self._on.refuse(token, f"no predicate '{token.text}'; {hint}")
        return self._read_bare(token, token)

    def _argument_value(self, argument: Argument, token: ConditionToken) -> Expression:
        """What a parameter stands for, at ``token``."""
        value, name = argument.expression, argument.name
        if value is None:
            assert name is not None, "an argument is a name or an expression"
            value = self._read_bare(name, token)
        self._uses.spend(extent(value)[0], token)
        if self._in_old and has_old(value):
            raise self._on.refuse(token, "'old' cannot contain another 'old'")
        return value

    def _read_bare(self, name: ConditionToken, at: ConditionToken) -> Expression:
        """What a name stands for that is no variable, no parameter, no predicate."""
        value = self._resolver.value(name.text, name.span)
        if not isinstance(value, Old):
            return value
        self._uses.spend(extent(value)[0], at)
        # a ghost, which is of the entry already
        return value.inner if self._in_old else value

    def _name_of(self, token: ConditionToken, what: str) -> ConditionToken:
        """A name of memory: of a parameter, what is given for it. Raises Malformed."""
        argument = self._scope.arguments.get(token.text)
        if argument is None:
            return token
        if argument.name is None and argument.text.startswith("$"):
            return replace(token, text=argument.text)
        if argument.name is None:
            raise self._on.refuse(token, f"'{argument.text}' has no {what}: give a name of memory")
        return argument.name

    def _predicate(self, predicate: Predicate, token: ConditionToken) -> Expression:
        """What a predicate stands for; its name is taken."""
        arguments: list[Argument] = []
        if self._on.here.kind == "(":
            arguments = self._on.nest(self._arguments)
        if len(arguments) != len(predicate.parameters):
            raise self._on.refuse(
                token,
                f"the predicate {predicate.form} is given {len(arguments)} of "
                f"{len(predicate.parameters)} arguments",
                "write no blank before the parenthesis" if not arguments else None,
            )
        return self._on.nest(
            lambda: self._uses.expand(predicate, arguments, token, self._variables, self._in_old)
        )

    def _arguments(self) -> list[Argument]:
        """What is given to a predicate, in parentheses."""
        made: list[Argument] = []
        while not made or self._on.here.kind == ",":
            self._on.advance()
            made.append(self._argument())
        self._on.expect(")")
        return made

    def _argument(self) -> Argument:
        first = self._on.here
        is_bare = first.kind == "name" and self._on.following.kind in (",", ")")
        if is_bare and first.text not in self._variables:
            passed = self._scope.arguments.get(first.text)
            if passed is not None or self._resolver.predicate(first.text) is None:
                self._on.advance()
                return passed or Argument(first.text, first)
        expression = self._implication()
        text = self._on.text(first, {n: a.text for n, a in self._scope.arguments.items()})
        simple = not set(" +-*%&|^<>=,").intersection(text)
        return Argument(text if simple else f"({text})", None, expression)

    def _read_old(self, old: ConditionToken) -> Expression:
        if not self._has_old:
            raise self._on.refuse(old, "'old' has no meaning here: there is no earlier state")
        if self._in_old:
            raise self._on.refuse(old, "'old' cannot contain another 'old'")
        if self._on.here.kind not in ("name", "(") and not self._on.here.text.startswith("$"):
            raise self._on.fault(f"expected a name or '(', not {self._on.here.display}")
        self._in_old = True
        inner = self._primary()
        self._in_old = False
        return Old(inner)

    def _constant(self) -> int:
        first = self._on.here
        value = constant(self._number(0))
        if not self._scope.writes_out:
            return value or 0
        if value is None:
            self._diagnostics.error(
                "this is not a constant",
                self._on.span(first),
                "for other limits write a condition: all j in 0..77: j < X -> …",
            )
            raise MalformedCondition
        return value
