"""Sums whose parts hang together by one bit each, such as those of decimal digits.

What comes out of an addition of digits depends on the digits at one place and on the carry c from
the place below. So a sum of terms is taken apart at the highest place first: c is taken to be
free, all terms that then depend on nothing but the variables of this place are worked out for all
their values, and if their sum is always k + l * c, that is put in their place. This is an equation
that was tried for all inputs, as c is 0 or 1. What is 0 in the end was 0 in the beginning; what is
not says nothing.

Conditions that hold are used where they speak of one place (digits that are at most 9).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from romproof.symbolic.solve.cones import CUT, MAX_ROWS, WIDEST, Cones, fits
from romproof.symbolic.solve.deadline import Deadline
from romproof.symbolic.terms.linear import Factors
from romproof.symbolic.terms.node import Term

MAX_CUTS = 8
"""Bits at which a term is cut, in turn."""
FEW = 512
"""Inputs that are tried first."""


class Chains:
    """Sums of terms under conditions that hold. Raises OutOfTime."""

    def __init__(self, cones: Cones, deadline: Deadline) -> None:
        self.cones = cones
        self.deadline = deadline

    def zero(self, factors: Mapping[Term, int], number: int, width: int) -> bool:
        """Whether the sum of terms, each so many times, and a number is 0 for sure, modulo
        2**width."""
        left = dict(factors)
        while left and width <= WIDEST:
            top = max(left, key=lambda term: (len(self.cones.names(term)), term.serial))
            found = self._place(left, top, width)
            if found is None:
                return False
            number += found
        return not left and number % (1 << width) == 0

    def _place(self, left: Factors, top: Term, width: int) -> int | None:
        """Takes the terms of one place out of the sum, ``top`` among them, and puts l * c there;
        gives k. None: there is no way."""
        for cut in self._cuts(top):
            self.deadline.check()
            names = self.cones.names(top, cut)
            group = [
                term
                for term in left
                if term is not cut and self.cones.names(term, cut) <= names and fits([term], cut)
            ]
            if top not in group:
                continue
            values = self._sums(group, left, names, cut, width)
            if values is None:
                continue
            without, with_it = values
            for term in group:
                del left[term]
            if cut is not None:
                factor = left.get(cut, 0) + with_it - without
                left.pop(cut, None)
                if factor % (1 << width):
                    left[cut] = factor
            return without
        return None

    def _cuts(self, term: Term) -> Sequence[Term | None]:
        whole = self.cones.rows(self.cones.names(term)) <= MAX_ROWS
        return [*([None] if whole else []), *self.cones.cuts(term)[:MAX_CUTS]]

    def _sums(
        self, group: Sequence[Term], factors: Factors, names: frozenset[str], cut: Term | None,
        width: int,
    ) -> tuple[int, int] | None:  # fmt: skip
        """What the terms add up to without and with the free bit, if nothing else matters."""
        table = self.cones.table(names, cut)
        bit = table.get(CUT)
        count = len(next(iter(table.values()))) if table else 1
        mask = (1 << width) - 1
        for some in (slice(0, FEW), slice(0, count)):
            columns = {name: values[some] for name, values in table.items()}
            total = np.zeros(min(count, some.stop), dtype=np.uint64)
            for term, values in zip(group, self.cones.values(group, columns, cut), strict=True):
                total = total + values * np.uint64(factors[term] & mask)
            total &= np.uint64(mask)
            found = []
            for wanted in (0, 1):
                mine = total if bit is None else total[bit[some] == wanted]
                if len(mine) and (mine != mine[0]).any():
                    return None
                found.append(int(mine[0]) if len(mine) else None)
        first, second = found
        # where no input has the bit so, any number will do
        without = first if first is not None else second or 0
        return without, second if second is not None else without

    def never(self, condition: Term) -> bool:
        """Whether a condition cannot hold."""
        found = self.bounds({condition: 1}, 0)
        return found is not None and found[1] == 0

    def bounds(self, factors: Mapping[Term, int], number: int) -> tuple[int, int] | None:
        """Between which numbers a sum of integers lies, of what is known of each place by itself;
        None if there are no such places."""
        left = dict(factors)
        least = most = number
        while left:
            self.deadline.check()
            top = max(left, key=lambda term: (len(self.cones.names(term)), term.serial))
            cut = next(iter(self._cuts(top)), top)
            if cut is top:
                return None
            names = self.cones.names(top, cut)
            group = [term for term in left if self.cones.names(term, cut) <= names]
            size = sum(abs(left[term]) << term.width for term in group)
            if not fits(group, cut) or size >> WIDEST - 2:
                return None
            table = self.cones.table(names, cut)
            total = np.zeros(len(next(iter(table.values()))) if table else 1, dtype=np.int64)
            if not len(total):
                return 0, 0  # the conditions never hold
            for term, values in zip(group, self.cones.values(group, table, cut), strict=True):
                total = total + values.astype(np.int64) * left.pop(term)
            least, most = least + int(total.min()), most + int(total.max())
        return least, most
