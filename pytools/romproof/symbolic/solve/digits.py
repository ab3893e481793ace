"""Questions about numbers in digits, which hang together by carries: see ``carries``.

An equation is a sum that is 0. Of a remainder, ``x == s % m``: if x is in 0..m - 1 for sure, and
s - x - m * (j + k) is 0 for a number j and a bit k, the two are equal. Which j and k is guessed
from some inputs; whether it is so is shown like any equation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from romproof.symbolic.solve.algebra import equation
from romproof.symbolic.solve.answer import UNSAT, Answer, AnswerKind
from romproof.symbolic.solve.carries import Chains
from romproof.symbolic.solve.cones import WIDEST, Cones, fits
from romproof.symbolic.solve.deadline import Deadline
from romproof.symbolic.solve.separate import Separated
from romproof.symbolic.terms.linear import Factors, collect, to_signed
from romproof.symbolic.terms.model import Model
from romproof.symbolic.terms.node import REM, Term
from romproof.symbolic.terms.walk import in_order, variables

MAX_TERMS = 1_000
"""Terms in a question."""
SAMPLES = 256
"""Inputs that are tried: each variable at random among the values that it can have."""
SEED = 20211
MAX_HARD = 4
"""Conditions of which it is tried whether they can hold at all."""


def by_digits(wanted: Sequence[Term], deadline: Deadline) -> Answer | None:
    """Whether all conditions can hold; None: not known. Raises OutOfTime."""
    if sum(1 for _ in in_order(wanted)) > MAX_TERMS:
        return None
    free = variables(wanted)
    parted = Separated()
    given, wanted = wanted, [parted.term(each) for each in wanted]
    cones = Cones(wanted, free)
    if not free or any(term.name not in cones.domains for term in free):
        return None
    if not all(len(values) for values in cones.domains.values()):
        return UNSAT
    samples = _samples(cones)
    if fits(wanted, None):
        holds = np.ones(SAMPLES, dtype=bool)
        for values in cones.values(wanted, samples):
            holds &= values != 0
        if holds.any():
            number = int(np.flatnonzero(holds)[0])
            model = Model({name: int(values[number]) for name, values in samples.items()})
            if all(map(model.value, given)):
                return Answer(AnswerKind.SAT, model)
    question = _Question(parted, Chains(cones, deadline), samples)
    hard = sorted(zip(wanted, given, strict=True), key=lambda each: -len(cones.names(each[0])))
    for condition, original in hard[:MAX_HARD]:
        pair = equation(original)
        if pair is not None and question.equal(*pair):
            return UNSAT
        if len(cones.names(condition)) > 1 and question.chains.never(condition):
            return UNSAT
    return None


def _samples(cones: Cones) -> Mapping[str, Any]:
    random = np.random.default_rng(SEED)
    return {
        name: values[random.integers(0, len(values), SAMPLES)]
        for name, values in sorted(cones.domains.items())
    }


@dataclass(frozen=True, slots=True)
class _Question:
    """Terms under conditions, and some inputs for which most of these hold."""

    parted: Separated
    chains: Chains
    samples: Mapping[str, Any]

    def equal(self, a: Term, b: Term) -> bool:
        """Whether two terms of one width are equal for sure."""
        factors, number = self._form([(1, a), (-1, b)], 0, a.width)
        if self.chains.zero(factors, number, a.width):
            return True
        remainders = [x for x in factors if x.op is REM and x.args[1].is_const]
        if len(remainders) != 1 or abs(to_signed(factors[remainders[0]], a.width)) != 1:
            return False
        (remainder,) = remainders
        sign = -to_signed(factors.pop(remainder), a.width)
        rest = {term: to_signed(sign * factor, a.width) for term, factor in factors.items()}
        return self._remains(remainder, rest, to_signed(sign * number, a.width))

    def _form(self, work: list[tuple[int, Term]], number: int, width: int) -> tuple[Factors, int]:
        """A sum modulo 2**width, its terms parted."""
        before, number = collect(work, number, width)
        factors: Factors = {}
        for term, factor in before.items():
            inner, more = self.parted.form(term)
            number += factor * more
            for each, times in inner.items():
                factors[each] = factors.get(each, 0) + factor * times
        return {x: f for x, f in factors.items() if f % (1 << width)}, number

    def _remains(self, remainder: Term, factors: Factors, number: int) -> bool:
        """Whether a sum of integers is the remainder."""
        whole, divisor = remainder.args[0], remainder.args[1].number
        bounds = self.chains.bounds(factors, number)
        if bounds is None or bounds[0] < 0 or bounds[1] >= divisor:
            return False
        width = max(whole.width, divisor.bit_length()) + 3
        if width > WIDEST or not fits([whole, *factors], None):
            return False
        above, offset = self.parted.form(whole)
        for bit, sign, base in self._quotients(whole, factors, number, divisor):
            further = dict(above)
            for term, factor in factors.items():
                further[term] = further.get(term, 0) - factor
            if bit is not None:
                further[bit] = further.get(bit, 0) - sign * divisor
            left = {x: f for x, f in further.items() if f}
            if self.chains.zero(left, offset - number - base * divisor, width):
                return True
        return False

    def _quotients(
        self, whole: Term, factors: Factors, number: int, divisor: int
    ) -> Iterator[tuple[Term | None, int, int]]:
        """What the quotient seems to be: a bit once or -1 times, and a number."""
        terms = [whole, *factors]
        values = [column.astype(object) for column in self.chains.cones.values(terms, self.samples)]
        total = values[0] - number
        for column, factor in zip(values[1:], factors.values(), strict=True):
            total = total - factor * column
        if any(total % divisor):
            return
        quotients = total // divisor
        base = int(min(quotients))
        if max(quotients) == base:
            yield None, 0, base
        if max(quotients) != base + 1:
            return
        extra = (quotients - base).astype(np.uint64)
        bits = [each for each in in_order(terms) if each.width == 1 and not each.is_const]
        for bit, column in zip(bits, self.chains.cones.values(bits, self.samples), strict=True):
            if (column == extra).all():
                yield bit, 1, base
            elif (column != extra).all():
                yield bit, -1, base + 1
