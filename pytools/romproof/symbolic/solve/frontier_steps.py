"""In which order variables are given values, and what is worked out then: see ``frontier``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from romproof.symbolic.solve.cones import MAX_ROWS, Cones
from romproof.symbolic.terms.linear import Factors, lift
from romproof.symbolic.terms.node import AND, CONCAT, SUM, ULT, VAR, XOR, Term
from romproof.symbolic.terms.walk import in_order

MAX_JOINED = 4
"""Variables that one condition joins."""
SPLIT = (SUM, AND, XOR)
"""Operators that are worked out arg by arg."""


@dataclass(frozen=True, slots=True)
class PartialTerm:
    """A term, worked out by some of its args (by their numbers): the first ones if it ``begins``,
    and none are left if it ``ends``."""

    term: Term
    args: tuple[int, ...]
    begins: bool = True
    ends: bool = True


@dataclass(slots=True)
class FrontierStep:
    """What is done when the variables with some ``names`` have values.

    ``parts`` are worked out in this order. ``conditions`` have to hold. ``score`` is added to that
    of a case. ``kept`` are the terms that are needed later, in whole or as far as they are known.
    """

    names: Sequence[str]
    variables: list[Term] = field(default_factory=list)
    parts: list[PartialTerm] = field(default_factory=list)
    conditions: list[Term] = field(default_factory=list)
    score: Factors = field(default_factory=dict)
    kept: list[Term] = field(default_factory=list)


def conjuncts(conditions: Iterable[Term]) -> list[Term]:
    """The conditions, each AND as its parts."""
    parts: dict[Term, None] = {}
    work = list(conditions)[::-1]
    while work:
        one = work.pop()
        if one.op is AND:
            work += one.args[::-1]
        else:
            parts[one] = None
    return list(parts)


def steps_of(cones: Cones, roots: Sequence[Term]) -> list[list[str]]:
    """The variables' names in the order in which they are given values; those together that a
    condition joins, where they have few values."""
    group = {name: [name] for name in _in_turn(roots)}
    for condition in cones.conditions:
        names = cones.names(condition)
        if not 1 < len(names) <= MAX_JOINED:
            continue
        joined = list(dict.fromkeys(each for name in sorted(names) for each in group[name]))
        if cones.rows(joined) <= MAX_ROWS:
            group |= dict.fromkeys(joined, joined)
    return list({id(names): names for names in group.values()}.values())


def _in_turn(roots: Sequence[Term]) -> list[str]:
    """The names of variables, those first that are deepest in the terms: a loop began with them."""
    height: dict[Term, int] = {}
    for term in in_order(roots):
        height[term] = 1 + max((height[arg] for arg in term.args), default=0)
    names: dict[str, None] = {}
    seen: set[Term] = set()
    stack = list(reversed(roots))
    while stack:
        term = stack.pop()
        if term in seen:
            continue
        seen.add(term)
        if term.op is VAR:
            names[term.name] = None
        stack += sorted(term.args, key=lambda arg: height[arg])
    return list(names)


def plan_steps(
    steps: Sequence[Sequence[str]], conditions: Sequence[Term], score: Factors
) -> list[FrontierStep]:
    """What is done at each step."""
    turn = {name: number for number, names in enumerate(steps) for name in names}
    stages = [FrontierStep(names) for names in steps]
    last: dict[Term, int] = {}
    used: dict[Term, int] = {}
    roots = [*score, *conditions]
    for term in in_order(roots):
        if not term.args:
            last[term] = turn[term.name] if term.op is VAR else -1
            if term.op is VAR:
                stages[last[term]].variables.append(term)
            continue
        when = [last[arg] for arg in term.args]
        begin, end = min((step for step in when if step >= 0), default=0), max(0, *when)
        last[term] = end
        if term.op not in SPLIT or begin == end:
            begin = end
            used |= {arg: max(used.get(arg, 0), end) for arg in term.args}
        for step in sorted({max(step, begin) for step in when}):
            args = tuple(n for n, at in enumerate(when) if max(at, begin) == step)
            if begin == end:
                args = tuple(range(len(when)))
            stages[step].parts.append(PartialTerm(term, args, step == begin, step == end))
        for stage in stages[begin:end]:
            stage.kept.append(term)
    for term, until in used.items():
        if last[term] >= 0:
            for stage in stages[last[term] : until]:
                stage.kept.append(term)
    for condition in conditions:
        stages[max(last[condition], 0)].conditions.append(condition)
    for term, factor in score.items():
        stages[max(last[term], 0)].score[term] = factor
    return stages


def without_zeros(term: Term) -> Term:
    """What a term is without the zeros above it."""
    if term.op is CONCAT and len(term.args) == 2 and term.args[0].is_const:
        return term.args[1] if not term.args[0].number else term
    return term


def limits_of(conditions: Iterable[Term]) -> Mapping[Term, int]:
    """The most that sums of natural numbers may be, by conditions: so no part of one is more."""
    limits: dict[Term, int] = {}
    for condition in conditions:
        inverted = condition.op is XOR and condition.number == 1 and len(condition.args) == 1
        inner = condition.args[0] if inverted else condition
        if inner.op is not ULT:
            continue
        low, high = inner.args[::-1] if inverted else inner.args
        total = without_zeros(low)
        form = lift(total) if total.op is SUM and high.is_const else None
        if form is not None and form[1] == total.number and all(f > 0 for f in form[0].values()):
            most = high.number - (not inverted)
            limits[total] = min(limits.get(total, most), most)
    return limits
