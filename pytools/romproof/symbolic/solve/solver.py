"""Whether conditions can hold, and whether terms are equal: a question goes through a pipeline.

``PIPELINE`` is the list of tactics in their order, the cheap ones first: each answers a question,
or passes it on. What a tactic answers is right whatever the others do: ``sat`` comes with a model,
``unsat`` is said only where no input was left out. So the order decides how long an answer takes,
and how much is known, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial, reduce

import numpy as np

from romproof.symbolic.solve.algebra import equation, nonzero_of, same
from romproof.symbolic.solve.answer import UNSAT, Answer, AnswerKind, Backend, unknown
from romproof.symbolic.solve.backends import Backends
from romproof.symbolic.solve.deadline import NEVER, Deadline, NoAnswer
from romproof.symbolic.solve.derived import is_derived
from romproof.symbolic.solve.digits import by_digits
from romproof.symbolic.solve.effort import Effort, Share
from romproof.symbolic.solve.either import alternatives, parts
from romproof.symbolic.solve.equations import simplify
from romproof.symbolic.solve.exhaustive import by_all_inputs
from romproof.symbolic.solve.frontier import Tables, by_frontier, extreme_by_frontier
from romproof.symbolic.solve.guided import by_guided_inputs
from romproof.symbolic.solve.nearer import nearer
from romproof.symbolic.solve.question import Depth, Question
from romproof.symbolic.solve.sweep import Sweep
from romproof.symbolic.solve.trials import Trials
from romproof.symbolic.solve.unload import without_arrays
from romproof.symbolic.solve.unstored import undo_stores_in_sums
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.model import Model
from romproof.symbolic.terms.node import VAR, Term
from romproof.symbolic.terms.walk import variables
from romproof.text.cause import Cause

__all__ = ["PIPELINE", "Answer", "Depth", "Model", "Question", "Solver", "Tactic"]

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


Attempt = Callable[["Question", "Solver"], Answer | None]


@dataclass(frozen=True, slots=True)
class Tactic:
    """A way to answer questions; ``attempt`` gives None where it passes one on. Questions that go
    no further than to a ``depth`` below its own do not come to it."""

    attempt: Attempt
    depth: Depth


def try_inputs(question: Question, solver: Solver) -> Answer | None:
    """Does one of a few inputs fulfil all of it?"""
    assert question.wanted is not None
    holds = solver.trials.holding(question.wanted)
    if not holds.any():
        return None
    number = int(np.flatnonzero(holds)[0])
    return question.complete(Answer(AnswerKind.SAT, solver.trials.model(question.wanted, number)))


def try_all_of_few(question: Question, solver: Solver) -> Answer | None:
    """Try all inputs, where there are few enough."""
    if solver.cross or question.plain is None:
        return None  # who has two solvers agree wants that of what is easy, too
    answer = by_all_inputs(question.bits, FEW_VALUES, solver.deadline)
    return question.complete_bits(answer)


def go_by_variables(question: Question, solver: Solver) -> Answer | None:
    """Give one variable after the other its values, where few cases are to be told apart."""
    if solver.cross or question.plain is None:
        return None
    return question.complete_bits(solver.by_frontier(question.bits, FEW_VALUES))


def try_all_of_tables(question: Question, solver: Solver) -> Answer | None:
    """Both with many values, where a formula of a large table would take longer than they do."""
    if solver.cross or question.plain is None or question.loose is None:
        return None
    answer = solver.by_frontier(question.bits, SOME_VALUES)
    answer = answer or by_all_inputs(question.bits, MANY_VALUES, solver.deadline)
    return question.complete_bits(answer)


def ask_quickly_without_tables(question: Question, solver: Solver) -> Answer | None:
    """Ask z3, as far as that is easy for it, at first without the large tables."""
    if solver.cross or question.plain is None or question.loose is None:
        return None
    ask = partial(solver.backends.ask, share=question.share, limit=question.easy(solver.effort))
    return question.complete_bits(question.loose.answer(ask))


def ask_quickly(question: Question, solver: Solver) -> Answer | None:
    """Ask z3, as far as that is easy for it."""
    if question.plain is None:
        return None
    limit = question.easy(solver.effort)
    answer = solver.backends.ask(question.bits, question.share, limit)
    return None if answer.kind is AnswerKind.UNKNOWN else question.complete_bits(answer)


def use_algebra(question: Question, solver: Solver) -> Answer | None:
    """Is one of the conditions that two terms differ, which are equal as polynomials, or are by
    the other conditions?"""
    conditions = [part for condition in question.conditions for part in parts(condition)]
    nonzero = nonzero_of(conditions)
    pairs = map(equation, conditions)
    if any(solver.same(*pair, nonzero) for pair in pairs if pair and not pair[0].is_const):
        return UNSAT

    def never(asked: Sequence[Term]) -> bool:
        return (
            solver.answer(Question.of(asked, question.share), Depth.EASY).kind is AnswerKind.UNSAT
        )

    return UNSAT if is_derived(conditions, nonzero, never) else None


def undo_stores(question: Question, solver: Solver) -> Answer | None:
    """Ask anew with sums over cells as they were before one was written."""
    before = undo_stores_in_sums(question.conditions)
    return None if before is None else solver.check(before, question.share)


def take_equalities_off(question: Question, solver: Solver) -> Answer | None:
    """Ask anew with a disequality in which a known equality leaves fewer variables."""
    closer = nearer(question.conditions)
    return None if closer is None else solver.check(closer, question.share)


def go_by_digits(question: Question, solver: Solver) -> Answer | None:
    """Go from digit to digit by the carries, where numbers are in digits."""
    if question.plain is None:
        return None
    return question.complete_bits(by_digits(question.bits, solver.deadline))


def split_alternatives(question: Question, solver: Solver) -> Answer | None:
    """Where the last condition is one of several, and it is easy to say of some that they cannot
    be, or can: ask for the others."""
    *others, last = question.conditions
    ways = alternatives(last)
    left: list[Term] = []
    for way in ways:
        answer = solver.answer(Question.of([*others, way], question.share), Depth.SHORT)
        if answer.kind is AnswerKind.SAT:
            return answer
        if answer.kind is AnswerKind.UNKNOWN:
            left.append(way)
    if len(left) == len(ways):
        return None
    if not left:
        return UNSAT
    return solver.check([*others, reduce(t.or_, left)], question.share)


def guide_inputs(question: Question, solver: Solver) -> Answer | None:
    """Try inputs for which comparisons with constants come out equal."""
    return question.complete_bits(by_guided_inputs(question.bits))


def try_all(question: Question, solver: Solver) -> Answer | None:
    """Try all inputs, as far as the effort allows."""
    answer = by_all_inputs(question.bits, solver.effort.values, solver.deadline)
    return question.complete_bits(answer)


def go_by_more_variables(question: Question, solver: Solver) -> Answer | None:
    """As ``go_by_variables``, with more values."""
    return question.complete_bits(solver.by_frontier(question.bits, SOME_VALUES))


def ask_thoroughly_without_tables(question: Question, solver: Solver) -> Answer | None:
    """Ask as below, at first without the large tables."""
    if solver.cross or question.loose is None:
        return None
    ask = partial(solver.backends.ask, share=question.share)
    return question.complete_bits(question.loose.answer(ask))


def ask_thoroughly(question: Question, solver: Solver) -> Answer | None:
    """Ask z3, then Bitwuzla, with all the effort that a question may take: the last word."""
    return question.complete_bits(solver.backends.ask(question.bits, question.share))


PIPELINE = (
    Tactic(try_inputs, Depth.EASY),
    Tactic(try_all_of_few, Depth.EASY),
    Tactic(go_by_variables, Depth.EASY),
    Tactic(try_all_of_tables, Depth.EASY),
    Tactic(ask_quickly_without_tables, Depth.EASY),
    Tactic(ask_quickly, Depth.EASY),
    Tactic(use_algebra, Depth.SHORT),
    Tactic(undo_stores, Depth.FULL),
    Tactic(take_equalities_off, Depth.FULL),
    Tactic(go_by_digits, Depth.SHORT),
    Tactic(split_alternatives, Depth.FULL),
    Tactic(guide_inputs, Depth.FULL),
    Tactic(try_all, Depth.FULL),
    Tactic(go_by_more_variables, Depth.FULL),
    Tactic(ask_thoroughly_without_tables, Depth.FULL),
    Tactic(ask_thoroughly, Depth.FULL),
)
"""How a question is answered: by the first of these that does."""

NOT_EASY = unknown(Cause.EFFORT, NoAnswer.NOT_EASY())
"""What is said of a question that no tactic answered as far as it went."""


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
        first: Backend | None = None,
        second: Backend | None = None,
    ) -> None:
        self.effort = effort or Effort()
        self.deadline = deadline
        self.cross = cross
        self.trials = Trials(TRIALS)
        self.backends = Backends(deadline, cross, first, second)
        self._tables: Tables = {}
        self._equations: dict[tuple[Term, Term, frozenset[Term]], bool] = {}

    @property
    def work(self) -> int:
        """What solvers did so far, in their own units; what was answered without them is none."""
        return self.backends.work

    def until(self, deadline: Deadline) -> None:
        """Let it answer up to another time."""
        self.deadline = self.backends.deadline = deadline

    def check(self, conditions: Iterable[Term], share: Share | None = None) -> Answer:
        """Can all conditions (one bit each) hold at once? The work is taken from ``share``, a new
        one if there is none."""
        self.deadline.check()
        return self.answer(Question.of(list(conditions), share or self.effort.share()))

    def answer(self, question: Question, depth: Depth = Depth.FULL) -> Answer:
        """The answer of the first tactic that has one, of those up to a depth."""
        if question.wanted is None:
            return UNSAT
        for tactic in PIPELINE:
            if tactic.depth <= depth:
                answer = tactic.attempt(question, self)
                if answer is not None:
                    return answer
        return NOT_EASY

    def quick(self, wanted: Sequence[Term], share: Share, limit: int | None = None) -> Answer:
        """As ``check``, of conditions that are taken as they are, none of them constant; unknown
        unless it is easy. ``limit`` is in z3's units; without one, the effort for a first
        attempt."""
        return self.answer(Question(wanted, wanted, {}, share, limit), Depth.EASY)

    def equal(
        self, a: Term, b: Term, assuming: Iterable[Term] = (), share: Share | None = None
    ) -> Answer:
        """Can two terms differ where all of ``assuming`` holds? unsat: they are equal."""
        if a is b:
            return UNSAT
        self.deadline.check()
        share = share or self.effort.share()
        assumed = list(assuming)
        question = Question.of([*assumed, t.not_(t.eq(a, b))], share)
        answer = self.answer(question, Depth.EASY)
        if answer.kind is not AnswerKind.UNKNOWN:
            return answer
        if self.same(a, b, nonzero_of(assumed)):
            return UNSAT
        by_digits = go_by_digits(question, self)
        if by_digits is not None:
            return by_digits
        a, b = self._bring_together(a, b, assumed, share.part(2))
        return self.check([*assumed, t.not_(t.eq(a, b))], share)

    def _bring_together(
        self, a: Term, b: Term, assumed: Sequence[Term], share: Share
    ) -> tuple[Term, Term]:
        """Two terms brought closer to each other."""
        left, known = simplify(assumed)
        if left is None:
            return a, a
        for name, value in known.items():
            named = [v for v in variables([a, b]) if v.name == name and v.op is VAR]
            memo: dict[Term, Term] = {}
            a, b = (t.replace(term, dict.fromkeys(named, value), memo) for term in (a, b))
        return Sweep(self, left, share).together(a, b)

    def extreme(self, conditions: Sequence[Term], wanted: Term, sign: int) -> Answer | None:
        """An input for which a term is greatest (``sign`` 1) or least (-1) under conditions, where
        it can be found variable by variable; unsat: they cannot hold; None: not known."""
        plain = without_arrays([*conditions, wanted])
        if plain is None:
            return None
        count = len(conditions)
        wanted, others = plain.conditions[count], plain.conditions[:count]
        others += plain.conditions[count + 1 :]
        answer = extreme_by_frontier(others, wanted, sign, SOME_VALUES, self.deadline, SMALL)
        if answer is None or answer.model is None:
            return answer
        return Answer(AnswerKind.SAT, plain.model(answer.model))

    def by_frontier(self, conditions: Sequence[Term], most: int) -> Answer | None:
        """As the function of this name, with what it found before."""
        return by_frontier(conditions, most, self.deadline, self._tables, SMALL)

    def same(self, a: Term, b: Term, nonzero: frozenset[Term]) -> bool:
        """Whether two terms are equal as polynomials; what was found is kept."""
        key = a, b, nonzero
        if key not in self._equations:
            self._equations[key] = same(a, b, nonzero)
        return self._equations[key]
