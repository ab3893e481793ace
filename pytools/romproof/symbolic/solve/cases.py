"""Cases of inputs that agree on all that is still needed: see ``frontier``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from romproof.symbolic.solve.cones import AT_ONCE, Columns
from romproof.symbolic.solve.frontier_steps import FrontierStep, PartialTerm
from romproof.symbolic.terms.node import AND, SUM, Term
from romproof.symbolic.terms.sample import value_of

CaseValues = Mapping[Term, Any]
"""What terms are, in each of some cases: shape (cases,)."""
CaseNumbers = NDArray[np.int64]

_MAX = 1 << 62
"""Of numbers that stand for several values side by side."""


@dataclass(frozen=True)
class Cases:
    """Some cases: of each one the ``values`` of terms, or what is known of them so far; its score,
    the greatest there is; and an input with that score: of which case it was made (``parents``),
    and by which values of the variables (``choices``). The arrays have the shape (cases,)."""

    values: CaseValues
    scores: CaseNumbers
    parents: CaseNumbers
    choices: CaseNumbers

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.scores)

    def after(self, stage: FrontierStep, table: Columns, limits: Mapping[Term, int]) -> Cases:
        """The cases when further variables have values: all rows of ``table`` are tried."""
        found = [*self._find(stage, table, limits)]
        values = {t: np.concatenate([each.values[t] for each in found]) for t in stage.kept}
        scores, parents, choices = (
            np.concatenate([getattr(each, name) for each in found])
            for name in ("scores", "parents", "choices")
        )
        best = best_of(list(values.values()), scores)
        kept = {term: column[best] for term, column in values.items()}
        return Cases(kept, scores[best], parents[best], choices[best])

    def _find(
        self, stage: FrontierStep, table: Columns, limits: Mapping[Term, int]
    ) -> Iterator[Cases]:
        """All of them, some at a time; those left out in which a condition does not hold."""
        rows = len(next(iter(table.values())))
        count = self.count * rows
        for start in range(0, count, AT_ONCE):  # all terms' values at once take memory
            parents, choices = np.divmod(np.arange(start, min(start + AT_ONCE, count)), rows)
            done = {term: column[parents] for term, column in self.values.items()}
            holds = np.ones(len(parents), dtype=bool)
            for term in stage.variables:
                done[term] = table[term.name][choices]
            for part in stage.parts:
                done[part.term] = _value(part, done, len(parents))
                if part.term in limits:
                    holds &= done[part.term] <= limits[part.term]
            for condition in stage.conditions:
                holds &= done[condition] != 0
            scores = self.scores[parents]
            for term, factor in stage.score.items():
                scores = scores + factor * done[term].astype(np.int64)
            kept = {term: done[term][holds] for term in stage.kept}
            yield Cases(kept, scores[holds], parents[holds], choices[holds])


FIRST = Cases({}, np.zeros(1, np.int64), np.zeros(1, np.int64), np.zeros(1, np.int64))
"""The case of no variables."""


def _value(part: PartialTerm, done: dict[Term, Any], count: int) -> Any:
    """What a term is, or what is known of it so far."""
    term = part.term
    for arg in term.args:
        if arg.is_const:
            done[arg] = value_of(arg, done, {}, {}, count)
    if part.begins and part.ends:
        return value_of(term, done, {}, {}, count)
    ones = np.uint64((1 << term.width) - 1)
    value: Any = done.get(term)
    if part.begins:
        value = np.full(count, ones if term.op is AND else term.number, np.uint64)
    for number in part.args:
        arg = done[term.args[number]]
        if term.op is SUM:
            value = value + arg * np.uint64(term.factors[number])
        else:
            value = value & arg if term.op is AND else value ^ arg
    return value & ones


def best_of(columns: list[Any], scores: CaseNumbers) -> CaseNumbers:
    """Of the rows that are alike, one with the greatest score each."""
    key, size = np.zeros(len(scores), np.uint64), 1
    for column in columns:
        column = column - column.min() if len(column) else column
        span = int(column.max(initial=0)) + 1
        if size * span > _MAX:
            key, size = _number(key)
        if size * span > _MAX:
            column, span = _number(column)
        key, size = key * np.uint64(span) + column, size * span
    order = np.lexsort((-scores, key))
    first = np.ones(len(order), dtype=bool)
    first[1:] = key[order][1:] != key[order][:-1]
    best: CaseNumbers = order[first]
    return best


def _number(column: Any) -> tuple[Any, int]:
    """Small numbers in place of values, and how many there are."""
    values, numbers = np.unique(column, return_inverse=True)
    return numbers.astype(np.uint64), max(len(values), 1)
