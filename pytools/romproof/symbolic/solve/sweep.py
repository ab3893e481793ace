"""Two terms merged step by step, from their subterms upwards.

Subterms of both that have the same values for many inputs are candidates. The solver proves them
equal one pair at a time, each with the help of those before (SAT sweeping; Kuehlmann and Krohn,
"Equivalence Checking Using Cuts and Heaps", 1997). Only a small question is left for the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from romproof.symbolic.solve.answer import Answer, AnswerKind
from romproof.symbolic.solve.deadline import Deadline
from romproof.symbolic.solve.effort import Effort, Share
from romproof.symbolic.solve.trials import Trials
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import CONST, EXTRACT, Term, var
from romproof.symbolic.terms.sample_memory import Samples
from romproof.symbolic.terms.walk import in_order, rebuild, replace

INPUTS = 256
MAX_TRIED = 3
"""Pairs tried for one term."""
MAX_WRONG = 40
"""Pairs that turned out to differ, after which no more are tried."""
MAX_WIDTHS = 8
"""Widths for which the low bits of wider terms are checked."""
ENOUGH = 16
"""Inputs for which the conditions hold."""

_Key = tuple[int, object]


class Quick(Protocol):
    """Who is asked about each pair: a solver that gives up soon."""

    effort: Effort
    deadline: Deadline

    def quick(self, wanted: Sequence[Term], share: Share, limit: int | None = None) -> Answer:
        """Can all conditions hold at once? ``limit`` is in z3's units."""


class Sweep:
    """One comparison, under conditions, with the work that ``share`` allows. Raises OutOfTime."""

    def __init__(self, solver: Quick, assumed: Sequence[Term], share: Share) -> None:
        self.solver = solver
        self.assumed = list(assumed)
        self.share = share
        self.wrong = 0
        self.trials = Trials(INPUTS)

    def together(self, a: Term, b: Term) -> tuple[Term, Term]:
        """Both, the second with terms of the first in place of equal ones: the same term, if all
        goes well."""
        first = dict.fromkeys(in_order([a]))
        second = list(in_order([b], first))
        holding = self.trials.holding(self.assumed)
        if holding.sum() < ENOUGH:  # too few: use all inputs, which only makes fewer candidates
            holding[:] = True
        widths = sorted({term.width for term in second})[-MAX_WIDTHS:]
        alike: dict[_Key, list[Term]] = {}
        for term in first:
            if term.args and term.width:
                values = self.trials.value(term)[holding]
                for width in {term.width, *(width for width in widths if 0 < width < term.width)}:
                    alike.setdefault(_key(values, width), []).append(t.extract(term, 0, width))
        made: dict[Term, Term] = {}
        for term in second:
            self.solver.deadline.check()
            args = tuple(made.get(arg, arg) for arg in term.args)
            new = made[term] = term if args == term.args else rebuild(term, args)
            if term.args and term.width and new.op is not CONST:
                values = self.trials.value(term)[holding]
                others = alike.get(_key(values, term.width), [])
                inverted = alike.get(_key(~values, term.width), [])
                made[term] = self._one_of([*others, *map(t.not_, inverted)], new)
        return a, made.get(b, b)

    def _one_of(self, others: Sequence[Term], term: Term) -> Term:
        """The first of the terms that is equal to one; itself if there is none."""
        if term in others:
            return term
        for other in others[:MAX_TRIED]:
            if self.wrong >= MAX_WRONG or not all(self.share.limits()):
                break
            if self._equal(other, term):
                return other
            self.wrong += 1
        return term

    def _equal(self, a: Term, b: Term) -> bool:
        differ = t.not_(t.eq(a, b))
        if differ.op is CONST:
            return not differ.number
        beyond = set(in_order([b]))
        # Subterms that both contain become new variables. If the terms are equal for all values
        # of these, they are equal for those that occur; the converse fails, hence the second try.
        cut: dict[Term, Term] = {}
        for term in in_order([a]):
            # not slices: other slices of the same term would lose their connection to them
            if term.width and term.op not in (CONST, EXTRACT) and term in beyond:
                name = f"?{len(cut)} of {term.width}"
                cut[term] = var(name, term.width, term.low, term.high)
        memo: dict[Term, Term] = {}
        apart = t.not_(t.eq(replace(a, cut, memo), replace(b, cut, memo)))
        if apart.op is CONST:
            return not apart.number
        return self._never([apart]) or self._never([*self.assumed, differ])

    def _never(self, conditions: list[Term]) -> bool:
        answer = self.solver.quick(conditions, self.share, self.solver.effort.pair)
        return answer.kind is AnswerKind.UNSAT


def _key(values: Samples, width: int) -> _Key:
    """What terms of the same low bits have in common."""
    mask = (1 << width) - 1
    if values.dtype != object:
        return width, (values & np.uint64(mask)).tobytes()
    low = [int(value) & mask for value in values]
    return width, np.array(low, dtype=np.uint64).tobytes() if width <= 64 else tuple(low)
