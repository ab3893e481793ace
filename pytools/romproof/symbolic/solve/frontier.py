"""Questions about many small variables, of which one after the other is given its values.

What is still to be worked out depends on the variables so far by some terms only: those that are
in others which depend on later variables, too (the frontier). Inputs that agree on these are one
from there on, so there are as many cases as the frontier has values, not as there are inputs: 34
counts with a sum of 14 at most are 15 cases after each of them. Sums, AND and XOR are worked out as
far as their args are known. Where a term is to be as great as it can be, each case keeps the
greatest of what is known of it so far (dynamic programming). Every input is in some case, and each
case has an input, so the answers are exact.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from romproof.symbolic.solve.answer import UNSAT, Answer, AnswerKind
from romproof.symbolic.solve.cases import FIRST, Cases
from romproof.symbolic.solve.cones import WIDEST_VARIABLE, Columns, Cones, fits
from romproof.symbolic.solve.deadline import Deadline
from romproof.symbolic.solve.frontier_steps import (
    conjuncts,
    limits_of,
    plan_steps,
    steps_of,
    without_zeros,
)
from romproof.symbolic.terms.linear import Factors, lift
from romproof.symbolic.terms.model import Model
from romproof.symbolic.terms.node import ARRAY, FALSE, SUM, TRUE, Term
from romproof.symbolic.terms.walk import in_order, variables

FEWEST = 3
"""Steps: with fewer, trying all inputs is as good."""
MAX_TERMS = 20_000
MAX_SCORE = 1 << 62
"""Sums are worked out in 64 bits with a sign."""


Tables = dict[tuple[tuple[tuple[str, bytes], ...], tuple[Term, ...]], Columns]
"""The values that some variables can have together, by those that each can have alone, and the
conditions on them."""


def by_frontier(
    wanted: Sequence[Term],
    most: int,
    deadline: Deadline,
    known: Tables | None = None,
    widest: int = 1 << WIDEST_VARIABLE,
) -> Answer | None:
    """Whether all conditions can hold; None when it would take more than ``most`` values of terms,
    or where a variable may have more than ``widest`` values.

    ``known`` keeps tables for other questions. Raises OutOfTime.
    """
    return _best(wanted, {}, most, deadline, {} if known is None else known, widest)


def extreme_by_frontier(
    conditions: Sequence[Term],
    wanted: Term,
    sign: int,
    most: int,
    deadline: Deadline,
    widest: int = 1 << WIDEST_VARIABLE,
) -> Answer | None:
    """An input for which a term is greatest (``sign`` 1) or least (-1) under conditions; unsat:
    they cannot hold. None as above. Raises OutOfTime."""
    inner = without_zeros(wanted)
    form = lift(inner) if inner.op is SUM else None
    factors = {inner: 1} if form is None else form[0]
    score = {term: sign * factor for term, factor in factors.items()}
    return _best(conditions, score, most, deadline, {}, widest)


def _best(
    conditions: Sequence[Term],
    score: Factors,
    most: int,
    deadline: Deadline,
    known: Tables,
    widest: int = 1 << WIDEST_VARIABLE,
) -> Answer | None:
    """An input for which a sum of terms, each so many times, is greatest."""
    conditions = [each for each in conjuncts(conditions) if each is not TRUE]
    score = {term: factor for term, factor in score.items() if not term.is_const}
    if FALSE in conditions:
        return UNSAT
    roots = [*score, *conditions]
    free = variables(roots)
    if any(term.op is ARRAY for term in free) or not fits(roots, None):
        return None
    if sum(1 for _ in in_order(roots)) > MAX_TERMS:
        return None
    if sum(abs(factor) * term.high for term, factor in score.items()) >= MAX_SCORE:
        return None
    cones = Cones(conditions, free)
    if any(term.name not in cones.domains for term in free):
        return None
    limits = limits_of(conditions)
    _narrow(cones, limits)
    sizes = [len(values) for values in cones.domains.values()]
    if 0 in sizes:
        return UNSAT
    if max(sizes, default=0) > widest:
        return None
    steps = steps_of(cones, roots)
    if len(steps) < FEWEST:
        return None
    tables = [_table(cones, names, known) for names in steps]
    if not all(map(_rows, tables)):
        return UNSAT
    cases, made = FIRST, list[Cases]()
    for stage, table in zip(plan_steps(steps, conditions, score), tables, strict=True):
        deadline.check()
        most -= cases.count * _rows(table) * (1 + len(stage.parts))
        if most < 0:
            return None
        cases = cases.after(stage, table, limits)
        if not cases.count:
            return UNSAT
        made.append(cases)
    return Answer(AnswerKind.SAT, Model(_input(made, tables)))


def _narrow(cones: Cones, limits: Mapping[Term, int]) -> None:
    """No part of a sum of natural numbers is more than the sum may be: so are no variables."""
    for total, most in limits.items():
        for arg, factor in zip(total.args, total.factors, strict=True):
            name = without_zeros(arg).name
            values = cones.domains.get(name)
            if values is not None:
                cones.domains[name] = values[values * np.uint64(factor) <= most - total.number]


def _table(cones: Cones, names: Sequence[str], known: Tables) -> Columns:
    """All values of some variables for which the conditions on them alone hold."""
    inside = {*names}
    alone = tuple((name, cones.domains[name].tobytes()) for name in names)
    own = [c for c in cones.conditions if len(cones.names(c)) > 1 and cones.names(c) <= inside]
    # a path has the conditions of another, and some more
    columns: Columns | None = None
    for count in range(len(own) + 1):
        key = alone, tuple(own[:count])
        if key not in known:
            columns = cones.product(names) if columns is None else columns
            known[key] = cones.holding(own[count - 1], columns) if count else columns
        columns = known[key]
    assert columns is not None
    return columns


def _input(made: Sequence[Cases], tables: Sequence[Columns]) -> dict[str, int]:
    """The values of an input in the best case of all."""
    values: dict[str, int] = {}
    case = int(np.argmax(made[-1].scores))
    for cases, table in zip(reversed(made), reversed(tables), strict=True):
        choice = int(cases.choices[case])
        values |= {name: int(column[choice]) for name, column in table.items()}
        case = int(cases.parents[case])
    return values


def _rows(table: Columns) -> int:
    return len(next(iter(table.values())))
