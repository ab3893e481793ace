"""Questions about states: can this be, and for which input? Cheap means come first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from romproof.symbolic.solve.answer import UNSAT, Answer, AnswerKind
from romproof.symbolic.solve.deadline import NoAnswer
from romproof.symbolic.solve.effort import Share
from romproof.symbolic.solve.parities import extreme as extreme_of_sum
from romproof.symbolic.solve.solver import Model, Solver
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import ARRAY, LOAD
from romproof.symbolic.terms.term import Term
from romproof.symbolic.terms.walk import in_order
from romproof.text.cause import Cause
from romproof.text.messages import Message

LIGHT = 100
"""A condition of more terms is hard to decide."""
STEPS = 4
"""What part of a claim's share may be spent on some of the conditions only: one in so many."""


class Undecided(Exception):
    """The solver gave up; ``cause`` and ``reason`` say why."""

    def __init__(self, cause: Cause, reason: Message | None) -> None:
        super().__init__(reason)
        self.cause = cause
        self.reason = reason


@dataclass(frozen=True, slots=True)
class _Known:
    """An answer, and what each solver might have spent on it."""

    answer: Answer
    limits: tuple[int, ...]

    def holds_for(self, limits: tuple[int, ...]) -> bool:
        """Whether it would be the same with these limits: with higher ones, who gave up might
        not."""
        if self.answer.kind is not AnswerKind.UNKNOWN:
            return True
        return all(limit <= mine for limit, mine in zip(limits, self.limits, strict=True))


class Oracle:
    """Answers under ``assumptions``, which always hold, with a solver's help.

    An answer once found is kept. Each call is one claim: it may spend its own share of effort,
    however much others took, unless it is given the ``share`` of a claim that needs several calls.
    All raise what the solver raises: OutOfTime, SolversDisagree, KeyboardInterrupt.
    """

    def __init__(self, solver: Solver, assumptions: Sequence[Term] = ()) -> None:
        self.solver = solver
        self.assumptions = tuple(assumptions)
        self._answers: dict[frozenset[Term], _Known] = {}
        self._weights: dict[Term, int] = {}
        self.questions = 0

    def ask(self, conditions: Iterable[Term], share: Share | None = None) -> Answer:
        """Whether all conditions can hold, and a model if so."""
        wanted = [c for c in conditions if c is not t.TRUE]
        if t.FALSE in wanted:
            return UNSAT
        share = share or self.solver.effort.share()
        limits = share.limits()
        key = frozenset(wanted)
        known = self._answers.get(key)
        if known is None or not known.holds_for(limits):
            self.questions += 1
            answer = self.solver.check([*self.assumptions, *wanted], share)
            known = self._answers[key] = _Known(answer, limits)
        return known.answer

    def equal(self, a: Term, b: Term, path: Sequence[Term]) -> Answer:
        """Whether two terms can differ on the path: unsat when they are equal."""
        self.questions += 1
        return self.solver.equal(a, b, [*self.assumptions, *path])

    def possible(self, path: Sequence[Term], condition: Term, thorough: bool = True) -> bool:
        """Whether the condition can hold on the path; if that is not known, it can.

        When not ``thorough``, only conditions that are quick to decide count.
        """
        if condition.is_const:
            return bool(condition.number)
        if not thorough:
            light = [each for each in path if self._weight(each) == 0]
            return self.ask([*light, condition]).kind is not AnswerKind.UNSAT
        return self.ask_in_steps(path, condition).kind is not AnswerKind.UNSAT

    def ask_in_steps(
        self, path: Sequence[Term], condition: Term, share: Share | None = None
    ) -> Answer:
        """As ask(), but the conditions of the path that are hard to decide come last: often
        the others say already that it cannot be."""
        share = share or self.solver.effort.share()
        some_share = share.part(STEPS)
        weights = [self._weight(each) for each in path]
        for weight in range(max(weights, default=0)):
            some = [each for each, its in zip(path, weights, strict=True) if its <= weight]
            answer = self.ask([*some, condition], some_share)
            if answer.kind is AnswerKind.UNSAT:
                return answer
        return self.ask([*path, condition], share)

    def _weight(self, condition: Term) -> int:
        """How hard a condition is to decide: 0 for few terms, 1 with arrays, 2 for many terms."""
        known = self._weights.get(condition)
        if known is None:
            terms = list(islice(in_order([condition]), LIGHT + 1))
            known = 2 if len(terms) > LIGHT else int(any(map(_needs_array, terms)))
            self._weights[condition] = known
        return known

    def always(
        self, path: Sequence[Term], condition: Term, share: Share | None = None
    ) -> Model | None:
        """None when the condition holds on the path for all inputs, else one for which it does not.

        Raises Undecided.
        """
        answer = self.ask_in_steps(path, t.not_(condition), share)
        if answer.kind is AnswerKind.UNKNOWN:
            raise _no_model(answer)
        return answer.model

    def holds(self, path: Sequence[Term], condition: Term, share: Share | None = None) -> bool:
        """Whether it is known that the condition holds on the path for all inputs."""
        return self.ask_in_steps(path, t.not_(condition), share).kind is AnswerKind.UNSAT

    def example(self, path: Sequence[Term], when: Term, wanted: Term) -> int | None:
        """A value that a term can have on the path when ``when`` holds; None: there is no way.

        Raises Undecided.
        """
        answer = self.ask_in_steps(path, when)
        if answer.kind is AnswerKind.UNKNOWN:
            raise _no_model(answer)
        return None if answer.model is None else answer.model.value(wanted)

    def least(self, path: Sequence[Term], wanted: Term, supposed: int | None = None) -> Model:
        """A model in which a term is as small as it can be on a path that exists.

        ``supposed`` is the value somebody claims: if it is true, few questions will do. Raises
        Undecided.
        """
        return self.extreme(path, wanted, -1, supposed)

    def most(self, path: Sequence[Term], wanted: Term, supposed: int | None = None) -> Model:
        """The same for the greatest value."""
        return self.extreme(path, wanted, 1, supposed)

    def extreme(
        self, path: Sequence[Term], wanted: Term, sign: int, supposed: int | None = None
    ) -> Model:
        """The model of the greatest value where the sign is positive, of the least where it is
        not; see ``least``."""
        if not self.assumptions and all(condition is t.TRUE for condition in path):
            model = extreme_of_sum(wanted, sign)
            if model is not None:
                return model
        answer = self.solver.extreme([*self.assumptions, *path], wanted, sign)
        if answer is not None and answer.model is not None:
            return answer.model
        share = self.solver.effort.share()
        answer = self.ask(path, share)
        if answer.model is None:
            raise _no_model(answer)
        best, value = answer.model, answer.model.value(wanted)
        bound = wanted.high if sign > 0 else wanted.low
        if supposed is not None and wanted.low < supposed < wanted.high:
            answer = self.ask([*path, _beyond(wanted, supposed, sign)], share)
            if answer.kind is AnswerKind.UNKNOWN:
                raise _no_model(answer)
            if answer.model is None:
                bound = supposed
            else:
                best, value = answer.model, answer.model.value(wanted)
        # ask for the bound first, then for half of what is left: few questions
        while value != bound:
            target = bound
            while True:
                answer = self.ask([*path, t.not_(_beyond(wanted, target, -sign))], share)
                if answer.kind is AnswerKind.UNKNOWN:
                    raise _no_model(answer)
                if answer.model is not None:
                    best, value = answer.model, answer.model.value(wanted)
                    break
                bound = target - sign  # nothing is at the target or beyond
                if bound == value:
                    return best
                target = (bound + value + (sign > 0)) // 2
        return best


def _no_model(answer: Answer) -> Undecided:
    """What is raised where an answer has no model."""
    if answer.cause is None:
        return Undecided(Cause.UNREACHED, NoAnswer.UNREACHED())
    return Undecided(answer.cause, answer.reason)


def _beyond(wanted: Term, limit: int, sign: int) -> Term:
    """One bit: is it more than the limit, or less where the sign is negative?"""
    number = t.const(limit, wanted.width)
    return t.ult(number, wanted) if sign > 0 else t.ult(wanted, number)


def _needs_array(term: Term) -> bool:
    """Is it a byte of an array that may have been written, or at an unknown address? What was
    there at the start, at a known address, is no more than a variable."""
    return term.op == LOAD and not (term.args[0].op == ARRAY and term.args[1].is_const)
