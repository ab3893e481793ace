"""Two terms made one step by step, from what is in them upwards.

Terms in one that have the same values as terms in the other, for many inputs, are shown to be
equal one pair after the other, each with the help of those before (SAT sweeping; Kuehlmann and
Krohn, "Equivalence Checking Using Cuts and Heaps", 1997). What is left for the end is small.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from romproof.engine.smt import term as t
from romproof.engine.smt.node import CONST, Term, var
from romproof.engine.smt.trials import Trials
from romproof.engine.smt.walk import in_order, rebuilt, replace

if TYPE_CHECKING:
    from romproof.engine.smt.solver import Solver

INPUTS = 256
MOST_TRIED = 3
"""Pairs tried for one term."""
MOST_WRONG = 40
"""Pairs that turned out to differ, after which no more are tried."""


_Key = tuple[int, object]


class Sweep:
    """One comparison, under conditions, until ``end`` (as time.monotonic() has it)."""

    def __init__(self, solver: Solver, assumed: Sequence[Term], end: float) -> None:
        self.solver = solver
        self.assumed = list(assumed)
        self.end = end
        self.wrong = 0
        self.trials = Trials(INPUTS)

    def together(self, a: Term, b: Term) -> tuple[Term, Term]:
        """Both with equal terms in place of others: the same term, if all goes well."""
        sides = [set(in_order([root])) for root in (a, b)]
        holding = self.trials.holding(self.assumed)
        if holding.sum() < 16:  # better some that do not count than none
            holding[:] = True
        made: dict[Term, Term] = {}
        alike: dict[_Key, list[tuple[bool | None, Term]]] = {}
        for term in in_order([a, b]):
            args = tuple(made[arg] for arg in term.args)
            same = all(new is old for new, old in zip(args, term.args, strict=True))
            new = made[term] = term if same else rebuilt(term, args)
            if not term.width or new.op is CONST or not term.args:
                continue
            side = None if term in sides[0] and term in sides[1] else term in sides[0]
            key, inverted = self._keys(term, holding)
            if side is not None:
                others = [found for its, found in alike.get(key, ()) if its is not side]
                others += [
                    t.not_(found) for its, found in alike.get(inverted, ()) if its is not side
                ]
                made[term] = self._one_of(others, new)
            alike.setdefault(key, []).append((side, made[term]))
        return made[a], made[b]

    def _keys(self, term: Term, holding: NDArray[np.bool_]) -> tuple[_Key, _Key]:
        """What terms of the same value have in common; those of the inverted value."""
        values = self.trials.value(term)[holding]
        mask = (1 << term.width) - 1
        if values.dtype == object:
            return (term.width, repr(list(values))), (term.width, repr(list(values ^ mask)))
        return (term.width, values.tobytes()), (term.width, (values ^ np.uint64(mask)).tobytes())

    def _one_of(self, others: Sequence[Term], term: Term) -> Term:
        """The first of the terms that is equal to one; itself if there is none."""
        if term in others:
            return term
        for other in others[:MOST_TRIED]:
            if self.wrong >= MOST_WRONG or time.monotonic() > self.end:
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
        cut: dict[Term, Term] = {}  # what is in both may be anything: often that will do
        for term in in_order([a]):
            if term.width and term.op is not CONST and term in beyond:
                cut[term] = var(f"?{len(cut)}", term.width, term.low, term.high)
        memo: dict[Term, Term] = {}
        apart = t.not_(t.eq(replace(a, cut, memo), replace(b, cut, memo)))
        if apart.op is CONST:
            return not apart.number
        if self.solver.quick([apart]).kind == "unsat":
            return True
        return self.solver.quick([*self.assumed, differ]).kind == "unsat"
