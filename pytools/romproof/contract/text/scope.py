"""What the text of a predicate is read within: what its parameters stand for, what is around."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Protocol

from romproof.contract.nouns.expr import Expression, FlagValue, Old, parts
from romproof.contract.text.fieldtext import FieldLines
from romproof.contract.text.tokens import ConditionToken
from romproof.isa.abi import Flag
from romproof.text.diagnostic import Diagnostic, Diagnostics, Severity
from romproof.text.span import Span

MAX_WRITTEN_OUT = 5_000
"""What a condition may have of tokens and operators when its predicates are written out."""
MAX_DEPTH = 150
"""How deep the operators of a predicate that is written out may lie within each other."""
MAX_NOTES = 4
"""How many uses of predicates in each other are reported with a fault."""

ANYTHING = FlagValue(Flag("?", "?", 1))
"""Stands for what is not looked at while only the grammar is: a truth and a small number."""


@dataclass(frozen=True, slots=True)
class Predicate:
    """A condition with a name: ``body`` is its text, of conditions parted by commas.

    What is ``faulty`` has been reported.
    """

    name: str
    parameters: tuple[str, ...]
    body: FieldLines
    span: Span
    faulty: bool = False

    @property
    def form(self) -> str:
        """How it is used: ``below(x, n)``."""
        return f"{self.name}({', '.join(self.parameters)})" if self.parameters else self.name


@dataclass(frozen=True, slots=True)
class Argument:
    """What a parameter stands for, ``text`` as written: a bare ``name``, or ``expression``."""

    text: str
    name: ConditionToken | None = None
    expression: Expression | None = None


@dataclass(slots=True)
class ExpansionBudget:
    """What may still be written out for a condition."""

    left: int = MAX_WRITTEN_OUT


@dataclass(frozen=True)
class ConditionScope:
    """Where a text is read.

    ``variables`` are the names that those around it have, ``values`` how many values these have
    together. ``before`` and ``nested`` count tokens and parentheses around it. Without
    ``writes_out`` only the grammar matters.
    """

    arguments: Mapping[str, Argument] = field(default_factory=lambda: MappingProxyType({}))
    variables: frozenset[str] = frozenset()
    values: int = 1
    in_old: bool = False
    before: int = 0
    nested: int = 0
    work: ExpansionBudget = field(default_factory=ExpansionBudget)
    writes_out: bool = True


class Meanings(Protocol):
    """Knows what the names of conditions mean; faults are reported."""

    def is_item(self, name: str) -> bool:
        """Whether a name is that of a register or flag, or of several."""

    def is_listed(self, name: str) -> bool:
        """Whether the contract lists memory under that name."""

    def predicate(self, name: str) -> Predicate | None:
        """The predicate of that name."""

    def suggest_predicate(self, name: str) -> str | None:
        """A line that suggests a predicate for a name that is none; None when none is near."""

    def value(self, name: str, span: Span) -> Expression:
        """A bare name."""

    def element(self, name: str, index: Expression, span: Span, index_span: Span) -> Expression:
        """A byte of memory, ``name[index]``; ``name`` may be an address such as $C000."""

    def address(self, name: str, span: Span) -> Expression:
        """Where a symbol is: ``&name``."""

    def with_diagnostics(self, diagnostics: Diagnostics) -> Meanings:
        """The same, with faults going to ``diagnostics``."""


class Within(Diagnostics):
    """Faults in the text of a predicate: each is reported with the place where that is used."""

    def __init__(self, around: Diagnostics, use: str, span: Span) -> None:
        super().__init__()
        self._around = around
        self._note = (f"'{use}' is used", span)

    def add(self, diagnostic: Diagnostic) -> None:
        """See Diagnostics."""
        # of many only the innermost and the outermost tell something
        notes = diagnostic.notes[: MAX_NOTES - 1]
        self.errors += diagnostic.severity is Severity.ERROR
        self._around.add(replace(diagnostic, notes=(*notes, self._note)))


def extent(expression: Expression) -> tuple[int, int]:
    """How many expressions there are within one, itself included, and how deep they lie.

    They are no more counted than MAX_WRITTEN_OUT tells.
    """
    count, deepest = 0, 0
    work = [(expression, 1)]
    while work and count <= MAX_WRITTEN_OUT:
        one, depth = work.pop()
        count, deepest = count + 1, max(deepest, depth)
        work += [(part, depth + 1) for part in parts(one)]
    return count, deepest


def has_old(expression: Expression) -> bool:
    """Whether a part of an expression is of the entry."""
    work = [expression]
    while work:
        one = work.pop()
        if isinstance(one, Old):
            return True
        work += parts(one)
    return False
