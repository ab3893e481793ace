"""What terms depend on where one bit within them is taken to be free, and their values then.

A *cone* is a term down to its variables, or down to a bit at which it is cut. The bit is then one
more input: what holds for both of its values holds for the one that it has.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from romproof.symbolic.terms.node import CONST, VAR, Term
from romproof.symbolic.terms.sample import value_of
from romproof.symbolic.terms.walk import in_order

Columns = dict[str, NDArray[np.uint64]]

MAX_ROWS = 1 << 17
"""Inputs of one table."""
AT_ONCE = 1 << 14
"""Inputs for which terms are worked out at once."""
WIDEST_VARIABLE = 8
WIDEST = 64
"""Bits of a term whose values are worked out."""
CUT = ""
"""The name of the free bit among variables."""


class Cones:
    """Terms under conditions that hold: the values that each variable can have by itself, and what
    depends on which.

    ``domains`` has the values by the variable's name, of those with up to 8 bits, within all of
    the bounds that a name is used with. ``free`` are the variables.
    """

    def __init__(self, conditions: Sequence[Term], free: Iterable[Term]) -> None:
        self.conditions = tuple(conditions)
        self._memo: dict[Term | None, dict[Term, frozenset[str]]] = {}
        self.domains: Columns = {}
        bounds: dict[str, tuple[int, int]] = {}
        for term in free:
            if term.op is VAR and term.width <= WIDEST_VARIABLE:
                low, high = bounds.get(term.name, (term.low, term.high))
                bounds[term.name] = max(low, term.low), min(high, term.high)
        for name, (low, high) in bounds.items():
            self.domains[name] = np.arange(low, high + 1, dtype=np.uint64)
        for condition in conditions:
            names = self.names(condition)
            if len(names) == 1 and names <= self.domains.keys():
                (name,) = names
                values = self.domains[name]
                holds = self.values([condition], {name: values})[0] != 0
                self.domains[name] = values[np.broadcast_to(holds, values.shape)]

    def names(self, term: Term, cut: Term | None = None) -> frozenset[str]:
        """The variables and arrays that a term depends on; CUT is the free bit."""
        memo = self._memo.setdefault(cut, {} if cut is None else {cut: frozenset((CUT,))})
        for inner in in_order([term], memo):
            if inner.name and not inner.args:
                memo[inner] = frozenset((inner.name,))
            else:
                memo[inner] = frozenset[str]().union(*(memo[arg] for arg in inner.args))
        return memo[term]

    def rows(self, names: Iterable[str]) -> int:
        """How many inputs there are to so many variables; more than MAX_ROWS if not known."""
        count = 1
        for name in names:
            known = self.domains.get(name)
            count *= 2 if name == CUT else MAX_ROWS + 1 if known is None else len(known)
        return count

    def cuts(self, term: Term) -> list[Term]:
        """The bits at which a term can be cut so that few inputs are left, the deepest first.

        What each term depends on is a mask here, a bit for each name: of a thousand terms some
        hundreds are bits, and all terms above each of these have to be looked at.
        """
        order = list(in_order([term]))
        place = {inner: number for number, inner in enumerate(order)}
        args = [[place[arg] for arg in inner.args] for inner in order]
        names = sorted(self.names(term))
        bits = {name: 1 << number for number, name in enumerate(names)}
        free = bits[CUT] = 1 << len(names)
        masks: list[int] = []
        for inner, below in zip(order, args, strict=True):
            masks.append(bits.get(inner.name, 0) if not below else _join(masks, below))
        few = cache(lambda mask: self.rows(name for name in bits if bits[name] & mask) <= MAX_ROWS)
        found = []
        for at, inner in enumerate(order[:-1]):
            # even if nothing below it were left elsewhere
            if inner.width != 1 or not args[at] or not few(masks[-1] & ~masks[at]):
                continue
            left = [*masks[:at], free]
            for own, below in zip(masks[at + 1 :], args[at + 1 :], strict=True):
                left.append(own if not below else _join(left, below))
            if left[-1] & free and few(left[-1]):
                found.append(inner)
        return sorted(found, key=lambda each: each.serial)

    def table(self, names: Iterable[str], cut: Term | None) -> Columns:
        """All inputs for which the conditions hold that depend on nothing else."""
        columns = self.product(names, cut)
        inside = {*columns}
        for condition in self.conditions:
            own = self.names(condition, cut)
            if len(own) > 1 and own <= inside and fits([condition], cut):
                columns = self.holding(condition, columns, cut)
        return columns

    def product(self, names: Iterable[str], cut: Term | None = None) -> Columns:
        """All inputs, each of values that the variable can have by itself."""
        names = sorted({*names} | ({CUT} if cut is not None else set()))
        columns: Columns = {}
        count = self.rows(names)
        numbers = np.arange(count, dtype=np.uint64)
        for name in names:
            domain = self.domains[name] if name != CUT else np.arange(2, dtype=np.uint64)
            if not len(domain):
                return dict.fromkeys(names, domain)
            columns[name] = domain[(numbers % np.uint64(len(domain))).astype(np.int64)]
            numbers = numbers // np.uint64(len(domain))
        return columns

    def holding(self, condition: Term, columns: Columns, cut: Term | None = None) -> Columns:
        """Those of some inputs for which a condition holds."""
        holds = self.values([condition], columns, cut)[0] != 0
        return {name: values[holds] for name, values in columns.items()}

    def values(
        self, terms: Sequence[Term], columns: Mapping[str, Any], cut: Term | None = None
    ) -> list[Any]:
        """What terms are for the inputs of a table."""
        count = len(next(iter(columns.values()))) if columns else 1
        found: list[list[Any]] = [[] for _ in terms]
        for start in range(0, max(count, 1), AT_ONCE):  # all terms' values at once take memory
            some = {name: values[start : start + AT_ONCE] for name, values in columns.items()}
            done: dict[Term, Any] = {} if cut is None else {cut: some[CUT]}
            for inner in in_order(terms, dict(done)):
                done[inner] = value_of(inner, done, some, {}, min(AT_ONCE, count - start))
            for column, term in zip(found, terms, strict=True):
                column.append(done[term])
        return [np.concatenate(column) for column in found]


def _join(masks: Sequence[int], places: Iterable[int]) -> int:
    """All that several terms depend on."""
    joined = 0
    for place in places:
        joined |= masks[place]
    return joined


def fits(terms: Sequence[Term], cut: Term | None) -> bool:
    """Whether the values of terms can be worked out: without arrays and long numbers."""
    known = () if cut is None else (cut,)
    return all(0 < each.width <= WIDEST or each.op is CONST for each in in_order(terms, known))
