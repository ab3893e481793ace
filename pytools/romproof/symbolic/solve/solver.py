"""Whether conditions can hold, and whether terms are equal: by trying inputs, then by solvers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce

import numpy as np

from romproof.symbolic.solve.algebra import equation, nonzero_of, same
from romproof.symbolic.solve.answer import UNSAT, Answer, AnswerKind, Asker, unknown
from romproof.symbolic.solve.backends import (
    Witnesses,
    first_witness,
    need_second,
    second_witness,
)
from romproof.symbolic.solve.deadline import NEVER, Deadline
from romproof.symbolic.solve.derived import derived
from romproof.symbolic.solve.effort import Effort, Share
from romproof.symbolic.solve.either import alternatives, parts
from romproof.symbolic.solve.equations import Known, simplified
from romproof.symbolic.solve.exhaustive import by_all_inputs
from romproof.symbolic.solve.frontier import Tables, by_frontier, extreme_by_frontier
from romproof.symbolic.solve.guided import guided
from romproof.symbolic.solve.lookups import Ask, loosened
from romproof.symbolic.solve.nearer import nearer
from romproof.symbolic.solve.places import by_places
from romproof.symbolic.solve.sweep import Sweep
from romproof.symbolic.solve.trials import Trials
from romproof.symbolic.solve.unload import unloaded
from romproof.symbolic.solve.unstored import unstored
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.model import Model
from romproof.symbolic.terms.node import VAR, Term
from romproof.symbolic.terms.walk import variables
from romproof.text.cause import Cause

__all__ = ["Answer", "Model", "Solver"]

TRIALS = 64
"""Inputs that are tried before a solver is asked."""
FEW_VALUES = 1 << 18
"""Values of terms that are worked out, for all inputs, before a solver is asked: that takes less
time than to put the question."""
SOME_VALUES = 1 << 23
"""The same of an extreme, for which several questions would be put, and of a thorough question."""
MANY_VALUES = 1 << 26
"""The same of a question with a large table: a formula of it takes longer still."""
SMALL = 16
"""Values of each variable with which one after the other is quicker than a solver, too."""


class Solver:
    """Answers questions, each with so much ``effort`` and no more.

    With ``cross`` no solver is believed unless another says the same: raises MissingExtra if there
    is no other. After ``deadline`` all raise OutOfTime. Raises MissingExtra without z3, when it is
    needed, SolversDisagree, and KeyboardInterrupt. ``first`` and ``second`` stand in for z3 and
    Bitwuzla.
    """

    def __init__(
        self,
        effort: Effort | None = None,
        deadline: Deadline = NEVER,
        cross: bool = False,
        first: Asker | None = None,
        second: Asker | None = None,
    ) -> None:
        self.effort = effort or Effort()
        self.deadline = deadline
        self.cross = cross
        self.trials = Trials(TRIALS)
        self._first = first
        self._second = second or (need_second() if cross else second_witness())
        self._witnesses: Witnesses | None = None
        self._tables: Tables = {}
        self._equations: dict[tuple[Term, Term, frozenset[Term]], bool] = {}

    @property
    def witnesses(self) -> Witnesses:
        """The solvers that are asked."""
        if self._witnesses is None:
            first = self._first or first_witness()
            self._witnesses = Witnesses(first, self._second, self.deadline, self.cross)
        return self._witnesses

    @property
    def work(self) -> int:
        """What solvers did so far, in their own units; what was answered without them is none."""
        return 0 if self._witnesses is None else self._witnesses.work

    def until(self, deadline: Deadline) -> None:
        """Let it answer up to another time."""
        self.deadline = deadline
        if self._witnesses is not None:
            self._witnesses.deadline = deadline

    def check(self, conditions: Iterable[Term], share: Share | None = None) -> Answer:
        """Can all conditions (one bit each) hold at once? The work is taken from ``share``, a new
        one if there is none."""
        self.deadline.check()
        share = share or self.effort.share()
        conditions = list(conditions)
        wanted, known = simplified(conditions)
        if wanted is None or contradictory(wanted):
            return UNSAT
        answer = self.quick(wanted, share)
        if answer.kind is AnswerKind.UNKNOWN and self._by_algebra(conditions, share):
            return UNSAT
        before = unstored(conditions) if answer.kind is AnswerKind.UNKNOWN else None
        if before is not None:
            return self.check(before, share)
        closer = nearer(conditions) if answer.kind is AnswerKind.UNKNOWN else None
        if closer is not None:
            return self.check(closer, share)
        if answer.kind is AnswerKind.UNKNOWN:
            by_digits = self._by_places(wanted)
            one_by_one = self._one_by_one(conditions, share) if by_digits is None else None
            if one_by_one is not None:
                return one_by_one
            answer = by_digits or self._thorough(wanted, share)
        return _completed(answer, known)

    def _one_by_one(self, conditions: Sequence[Term], share: Share) -> Answer | None:
        """The answer where the last condition is one of several, and it is easy to say of some that
        they cannot be, or can; None: of none."""
        *others, last = conditions
        ways = alternatives(last)
        left: list[Term] = []
        for way in ways:
            answer = self._easily([*others, way], share)
            if answer.kind is AnswerKind.SAT:
                return answer
            if answer.kind is AnswerKind.UNKNOWN:
                left.append(way)
        if len(left) == len(ways):
            return None
        return self.check([*others, reduce(t.or_, left)], share) if left else UNSAT

    def _easily(self, conditions: Sequence[Term], share: Share) -> Answer:
        """As ``check``, unknown unless it is easy."""
        wanted, known = simplified(conditions)
        if wanted is None or contradictory(wanted):
            return UNSAT
        answer = self.quick(wanted, share)
        if answer.kind is AnswerKind.UNKNOWN and self._by_algebra(conditions, share):
            return UNSAT
        if answer.kind is AnswerKind.UNKNOWN:
            answer = self._by_places(wanted) or answer
        return _completed(answer, known)

    def _by_frontier(self, conditions: Sequence[Term], most: int) -> Answer | None:
        return by_frontier(conditions, most, self.deadline, self._tables, SMALL)

    def extreme(self, conditions: Sequence[Term], wanted: Term, sign: int) -> Answer | None:
        """An input for which a term is greatest (``sign`` 1) or least (-1) under conditions, where
        it can be found variable by variable; unsat: they cannot hold; None: not known."""
        plain = unloaded([*conditions, wanted])
        if plain is None:
            return None
        count = len(conditions)
        wanted, others = plain.conditions[count], plain.conditions[:count]
        others += plain.conditions[count + 1 :]
        answer = extreme_by_frontier(others, wanted, sign, SOME_VALUES, self.deadline, SMALL)
        if answer is None or answer.model is None:
            return answer
        return Answer(AnswerKind.SAT, plain.model(answer.model))

    def _by_places(self, wanted: Sequence[Term]) -> Answer | None:
        """The answer, where numbers are in digits; None: not known."""
        plain = unloaded(wanted)
        answer = None if plain is None else by_places(plain.conditions, self.deadline)
        if plain is None or answer is None or answer.model is None:
            return answer
        return Answer(AnswerKind.SAT, plain.model(answer.model))

    def _by_algebra(self, conditions: Sequence[Term], share: Share) -> bool:
        """Whether one of the conditions says of two terms that they differ, which are equal, or are
        by the other conditions."""
        conditions = [part for condition in conditions for part in parts(condition)]
        nonzero = nonzero_of(conditions)
        if any(
            self._same(*pair, nonzero)
            for pair in map(equation, conditions)
            if pair is not None and not pair[0].is_const
        ):
            return True
        return derived(conditions, nonzero, lambda asked: self._never(asked, share))

    def _never(self, conditions: Sequence[Term], share: Share) -> bool:
        """Whether it is easy to say that conditions do not hold together."""
        wanted, _ = simplified(conditions)
        if wanted is None or contradictory(wanted):
            return True
        return self.quick(wanted, share).kind is AnswerKind.UNSAT

    def _same(self, a: Term, b: Term, nonzero: frozenset[Term]) -> bool:
        key = a, b, nonzero
        if key not in self._equations:
            self._equations[key] = same(a, b, nonzero)
        return self._equations[key]

    def equal(
        self, a: Term, b: Term, assuming: Iterable[Term] = (), share: Share | None = None
    ) -> Answer:
        """Can two terms differ where all of ``assuming`` holds? unsat: they are equal."""
        if a is b:
            return UNSAT
        self.deadline.check()
        share = share or self.effort.share()
        assumed = list(assuming)
        wanted, known = simplified([*assumed, t.not_(t.eq(a, b))])
        if wanted is None or contradictory(wanted):
            return UNSAT
        answer = self.quick(wanted, share)
        if answer.kind is not AnswerKind.UNKNOWN:
            return _completed(answer, known)
        if self._same(a, b, nonzero_of(assumed)):
            return UNSAT
        by_digits = self._by_places(wanted)
        if by_digits is not None:
            return _completed(by_digits, known)
        a, b = self._together(a, b, assumed, share.part(2))
        return self.check([*assumed, t.not_(t.eq(a, b))], share)

    def _together(
        self, a: Term, b: Term, assumed: Sequence[Term], share: Share
    ) -> tuple[Term, Term]:
        """Two terms brought closer to each other."""
        left, known = simplified(assumed)
        if left is None:
            return a, a
        for name, value in known.items():
            named = [v for v in variables([a, b]) if v.name == name and v.op is VAR]
            memo: dict[Term, Term] = {}
            a, b = (t.replace(term, dict.fromkeys(named, value), memo) for term in (a, b))
        return Sweep(self, left, share).together(a, b)

    def quick(self, wanted: Sequence[Term], share: Share, limit: int | None = None) -> Answer:
        """As ``check``, of conditions none of which is constant; unknown unless it is easy.

        ``limit`` is in z3's units; without one, the effort for a first attempt.
        """
        holds = self.trials.holding(wanted)
        if holds.any():
            return Answer(AnswerKind.SAT, self.trials.model(wanted, int(np.flatnonzero(holds)[0])))
        plain = unloaded(wanted)
        if plain is None:
            return unknown(Cause.TOO_MANY_ARRAYS, "it has too many arrays")
        answer = None
        if not self.cross:  # else both solvers are to say the same, also of what is easy
            answer = by_all_inputs(plain.conditions, FEW_VALUES, self.deadline)
            answer = answer or self._by_frontier(plain.conditions, FEW_VALUES)
            if answer is None and loosened(plain.conditions) is not None:
                # as a formula, a large table takes longer than many values do
                answer = self._by_frontier(plain.conditions, SOME_VALUES)
                answer = answer or by_all_inputs(plain.conditions, MANY_VALUES, self.deadline)
        if answer is None:
            most = limit or self.effort.quick
            answer = self._without_tables(
                plain.conditions, lambda asked: self.witnesses.quick(asked, most, share)
            )
        return answer if answer.model is None else Answer(AnswerKind.SAT, plain.model(answer.model))

    def _thorough(self, wanted: list[Term], share: Share) -> Answer:
        """The same for what is not easy."""
        plain = unloaded(wanted)
        conditions = wanted if plain is None else plain.conditions
        answer = guided(conditions)
        if answer is None:
            answer = by_all_inputs(conditions, self.effort.values, self.deadline)
        if answer is None:
            answer = self._by_frontier(conditions, SOME_VALUES)
        if answer is None:
            answer = self._without_tables(
                conditions, lambda asked: self.witnesses.thorough(asked, share)
            )
        if plain is None or answer.model is None:
            return answer
        return Answer(AnswerKind.SAT, plain.model(answer.model))

    def _without_tables(self, conditions: Sequence[Term], ask: Ask) -> Answer:
        """What a solver says, at first without the large tables in a question."""
        loose = None if self.cross else loosened(conditions)
        answer = None if loose is None else loose.answered(ask)
        return ask(conditions) if answer is None else answer


def contradictory(conditions: Sequence[Term]) -> bool:
    """Whether one of the conditions is that another does not hold."""
    known = set(conditions)
    return any(t.not_(condition) in known for condition in conditions)


def _completed(answer: Answer, known: Known) -> Answer:
    """The answer, its model with the values of the variables that are known."""
    if answer.model is None:
        return answer
    values, arrays = dict(answer.model.values), answer.model.arrays
    for name, value in reversed(known.items()):
        values[name] = Model(values, arrays).value(value)
    return Answer(AnswerKind.SAT, Model(values, arrays))
